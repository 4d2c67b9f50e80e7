import { describe, expect, it } from 'vitest';
import { addMessagesRequestSchema, messageWindowSchema } from '../../lib/schemas/message.ts';
import { METADATA_LIMIT_BYTES, metadataSchema } from '../../lib/schemas/metadata.ts';
import { parseRequest } from '../../lib/schemas/validation-issues.ts';
import { withOptions } from '../../lib/schemas/with-options.ts';

class Point {
  readonly x = 1;
}

describe('values that only a program can give', () => {
  it.each([
    ['a date', new Date(0)],
    ['a map', new Map([['a', 1]])],
    ['a set', new Set([1])],
    ['an instance of a class', new Point()],
    ['bytes', new Uint8Array(2)],
    ['a function', () => 1],
    ['undefined', undefined],
  ])('%s is no metadata: JSON would make something else of it', (_, value) => {
    expect(metadataSchema.safeParse({ deep: [{ value }] }).success).toBe(false);
    expect(metadataSchema.safeParse(value).success).toBe(false);
  });

  it('objects without a prototype are metadata', () => {
    expect(metadataSchema.safeParse(Object.assign(Object.create(null), { a: { b: [1] } })).success).toBe(
      true,
    );
  });

  it('metadata is copied, so that nothing else than what was checked is stored', () => {
    const given = JSON.parse('{"list":[{"a":1}],"__proto__":{"b":2}}');
    const request = { messages: [{ role: 'user', content: 'hello', metadata: given }], metadata: [given] };
    const { messages, metadata } = parseRequest(addMessagesRequestSchema, request);
    given.list[0].a = 'x'.repeat(METADATA_LIMIT_BYTES);
    given.list.push(() => 1);
    for (const copy of [messages[0]?.metadata, metadata].flat()) {
      expect(JSON.stringify(copy)).toBe('{"list":[{"a":1}],"__proto__":{"b":2}}');
    }
  });

  it('null ends a window where the thread ends', () => {
    expect(messageWindowSchema.parse({ start: 2, end: null })).toEqual({ start: 2, end: -1 });
  });

  it.each([{ start: null }, { start: '1' }, { start: true }, { end: '' }, { end: [] }])(
    'a window is not guessed from %j',
    (window) => {
      expect(messageWindowSchema.safeParse(window).success).toBe(false);
    },
  );

  it('options beside an argument do not name it too', () => {
    expect(withOptions({ content: 'a' }, { memoryType: 'fact' })).toEqual({
      content: 'a',
      memoryType: 'fact',
    });
    for (const content of ['b', undefined]) {
      expect(() => withOptions({ content: 'a' }, { content })).toThrow(
        expect.objectContaining({
          code: 'invalid_request',
          issues: [expect.objectContaining({ path: 'content' })],
        }),
      );
    }
    expect(() => withOptions({ content: 'a' }, JSON.parse('null'))).toThrow(/options: must be an object/);
  });
});
