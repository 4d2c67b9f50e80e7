import { describe, expect, it } from 'vitest';
import { cursorSchema, readCursor, writeCursor } from '../../lib/schemas/cursor.ts';
import { iteratePages } from '../../lib/schemas/page.ts';
import { parseRequest } from '../../lib/schemas/validation-issues.ts';

describe('a cursor', () => {
  it.each([0, 1, 42, 999_999_999_999_999])(
    'carries position %i in characters that need no escaping',
    (position) => {
      const cursor = writeCursor('threads', position);
      expect(cursor).toMatch(/^[\w-]+$/);
      expect(readCursor('threads', cursor)).toBe(position);
    },
  );

  it('means nothing in another list', () => {
    expect(readCursor('memories', writeCursor('threads', 7))).toBeUndefined();
  });

  it.each([
    '',
    'abc',
    '7',
    'threads:7',
    `${writeCursor('threads', 7)}=`,
    ` ${writeCursor('threads', 7)}`,
    btoa('threads:07'),
    btoa('threads:-1'),
    btoa('threads:1e3'),
    'x'.repeat(5_000),
    '日本',
    '%',
  ])('is refused when it is %j', (cursor) => {
    expect(readCursor('threads', cursor)).toBeUndefined();
    expect(() => parseRequest(cursorSchema('threads'), cursor)).toThrow('is not a cursor of this list');
  });
});

describe('iteratePages', () => {
  it('asks for the next page only when it is needed', async () => {
    const asked: (string | undefined)[] = [];
    const items = iteratePages(async (cursor) => {
      asked.push(cursor);
      return cursor === undefined
        ? { items: [1, 2], nextCursor: 'second' }
        : { items: [3], nextCursor: null };
    });
    expect((await items.next()).value).toBe(1);
    expect((await items.next()).value).toBe(2);
    expect(asked).toEqual([undefined]);
    expect((await items.next()).value).toBe(3);
    expect((await items.next()).done).toBe(true);
    expect(asked).toEqual([undefined, 'second']);
  });
});
