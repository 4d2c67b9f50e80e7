import { describe, expect, it } from 'vitest';
import { inheritMetadata } from '../../lib/memory/extraction/inherited-metadata.ts';
import type { JsonObject } from '../../lib/schemas/metadata.ts';

describe('inheritMetadata (contract §8.2, D19)', () => {
  const a: JsonObject = { project: 'x', tags: [1, 2], deep: { p: 1, q: [null] }, only: true };
  const b: JsonObject = { deep: { q: [null], p: 1 }, tags: [1, 2], project: 'x' };

  it('takes all keys with true, the named ones with a list, none with false', () => {
    expect(inheritMetadata([b, b], true)).toEqual(b);
    expect(inheritMetadata([a, b], ['project', 'deep'])).toEqual({ project: 'x', deep: { p: 1, q: [null] } });
    expect(inheritMetadata([a, { project: 'y' }], false)).toEqual({});
  });

  it('takes one message as it is, without the bookkeeping of the library', () => {
    expect(inheritMetadata([{ ...a, $agent_memory: { jobId: 'j' } }], true)).toEqual(a);
  });

  it('passes over a named key that no source has', () => {
    expect(inheritMetadata([b, b], ['project', 'absent', 'toString'])).toEqual({ project: 'x' });
  });

  it.each<readonly [string, readonly JsonObject[], readonly string[]]>([
    ['another value', [{ k: 1 }, { k: 2 }], ['k']],
    ['another type', [{ k: 1 }, { k: '1' }], ['k']],
    ['null and absent', [{ k: null }, {}], ['k']],
    ['the order of a list', [{ k: [1, 2] }, { k: [2, 1] }], ['k']],
    ['something deep inside', [{ k: { a: { b: 1 } } }, { k: { a: { b: 2 } } }], ['k']],
    ['the last of three', [{ k: 1, j: 1 }, { k: 1, j: 1 }, { k: 1 }], ['j']],
    [
      'several keys',
      [
        { k: 1, j: 1, same: 0 },
        { k: 2, j: 2, same: 0 },
      ],
      ['k', 'j'],
    ],
  ])('fails for %s and names the keys', (_name, sources, keys) => {
    expect(() => inheritMetadata(sources, true)).toThrow(
      expect.objectContaining({
        code: 'invalid_request',
        message: expect.stringContaining(keys.map((key) => `"${key}"`).join(', ')),
        issues: keys.map((path) => expect.objectContaining({ path })),
      }),
    );
  });

  it('keeps keys such as __proto__ what they are', () => {
    const odd: JsonObject = JSON.parse('{"__proto__":{"x":1}}');
    expect(JSON.stringify(inheritMetadata([odd, odd], true))).toBe('{"__proto__":{"x":1}}');
  });
});
