import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../lib/schemas/metadata.ts';
import { compileMetadataFilter } from '../../lib/store/records/metadata-filter.ts';

const compile = (filter: JsonObject) => compileMetadataFilter(filter, 'r.metadata');

function nest(depth: number): JsonObject {
  let filter: JsonObject = { leaf: 1 };
  for (let level = 1; level < depth; level += 1) filter = { a: filter };
  return filter;
}

describe('compileMetadataFilter (contract §7)', () => {
  it('binds values as JSON text', () => {
    expect(compile({ color: 'blue' })).toEqual({
      sql: `(JSON_EXISTS(r.metadata, '$."color"') AND JSON_EQUAL(JSON_QUERY(r.metadata, '$."color"' RETURNING JSON), JSON(:filter_1)))`,
      binds: { filter_1: { type: 'clob', value: '"blue"' } },
    });
    const { binds } = compile({ a: '', b: null, c: true, d: [1, 'x'] });
    expect(Object.values(binds).map((bind) => bind.value)).toEqual(['""', 'null', 'true', '[1,"x"]']);
  });

  it('tests the type of objects and arrays from the root', () => {
    expect(compile({ a: {} }).sql).toBe(`(JSON_EXISTS(r.metadata, '$?(@."a".type() == "object")'))`);
    expect(compile({ a: { $array_contains: 1 } }).sql).toBe(
      `((JSON_EXISTS(r.metadata, '$?(@."a".type() == "array")') AND (EXISTS (SELECT 1 FROM JSON_TABLE(r.metadata, '$."a"[*]' COLUMNS (element JSON PATH '$')) e WHERE JSON_EQUAL(e.element, JSON(:filter_1))))))`,
    );
  });

  it('negates the whole positive form', () => {
    expect(compile({ a: { $not: { $not: { $array_contains_any: [] } } } }).sql).toBe('(NOT (NOT ((1 = 0))))');
  });

  it('accepts operators as names at the top, and everything when empty', () => {
    expect(compile({ $agent_memory: { importance: 5 } }).sql).toContain(
      '."\\u0024agent_memory"."importance"',
    );
    expect(compile({}).sql).toBe('1 = 1');
  });

  it('keeps names out of the text', () => {
    const { sql } = compile({ "x' OR 1=1 --": { '") FROM dual; DROP TABLE t': 1 } });
    expect(sql).not.toMatch(/DROP TABLE|1=1|--|;/);
  });

  it.each([
    ['an unknown operator', { a: { $gt: 1 } }, 'metadataFilter.a.$gt'],
    ['an unknown operator deep inside', { a: { b: { $or: [] } } }, 'metadataFilter.a.b.$or'],
    ['operators mixed with names', { a: { $not: 1, b: 2 } }, 'metadataFilter.a'],
    [
      'a string given for a list',
      { k: { $array_contains_any: 'alice' } },
      'metadataFilter.k.$array_contains_any',
    ],
    ['a fault inside $not', { a: { $not: { $in: [] } } }, 'metadataFilter.a.$not.$in'],
    ['a fault inside nested $not', { a: { $not: { $not: { $x: 1 } } } }, 'metadataFilter.a.$not.$not.$x'],
    ['an empty name', { a: { '': 1 } }, 'metadataFilter.a'],
    ['too many levels', nest(9), 'metadataFilter.a.a.a.a.a.a.a.a.leaf'],
    ['a name that is too long', { ['長'.repeat(1_000)]: 1 }, `metadataFilter.${'長'.repeat(1_000)}`],
  ])('refuses %s', (_title, filter, path) => {
    expect(() => compile(filter)).toThrow(
      expect.objectContaining({ code: 'invalid_request', issues: [expect.objectContaining({ path })] }),
    );
  });

  it('bounds levels, operators and conditions', () => {
    expect(() => compile(nest(8))).not.toThrow();
    const operators = (count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${index}`, { $not: index }]));
    expect(() => compile(operators(32))).not.toThrow();
    expect(() => compile(operators(33))).toThrow(/metadataFilter\.k32\.\$not/);
    const values = Array.from({ length: 257 }, (_, index) => index);
    expect(() => compile({ k: { $array_contains: values } })).toThrow(/more than 256 conditions/);
    expect(() => compile({ k: values })).not.toThrow();
  });
});
