import { describe, expect, it } from 'vitest';
import { decodeRows, type RawRow } from '../../lib/sql/result-shape.ts';

const QUERY = {
  name: 'notes.list',
  sql: 'SELECT 1 AS n FROM dual',
  binds: {},
  shape: { id: 'text', n: 'number', data: 'json', at: 'timestamp', ok: 'boolean' },
} as const;
const ALIASES = ['AT', 'DATA', 'ID', 'N', 'OK'];
const decode = (row: RawRow, columns: readonly string[] | undefined = ALIASES) =>
  decodeRows(QUERY, columns, [row]);

describe('decodeRows', () => {
  it('decodes each declared type', () => {
    const row = { id: 'a', n: 1.5, data: '{"k":[1]}', at: '2026-01-02T03:04:05.678Z', ok: 1 };
    expect(decode(row)).toEqual([{ ...row, data: { k: [1] }, ok: true }]);
    expect(decode({ ok: 0 })[0]?.ok).toBe(false);
  });

  it('reads missing, null and empty as NULL', () => {
    const nothing = { id: null, n: null, data: null, at: null, ok: null };
    expect(decode({})).toEqual([nothing]);
    expect(decode({ id: '', n: null })).toEqual([nothing]);
  });

  it.each<[string, RawRow]>([
    ['a number as text', { id: 1 }],
    ['text as a number', { n: '1' }],
    ['NaN', { n: Number.NaN }],
    ['broken JSON', { data: '{' }],
    ['a parsed object', { data: {} }],
    ['a time without milliseconds', { at: '2026-01-02T03:04:05Z' }],
    ['a time with an offset', { at: '2026-01-02T03:04:05.678+01:00' }],
    ['a boolean', { ok: true }],
    ['another number as boolean', { ok: 2 }],
    ['an undeclared column', { extra: 1 }],
    ['a column in upper case', { ID: 'a' }],
  ])('refuses %s, naming the statement', (_name, row) => {
    expect(() => decode(row, undefined)).toThrow(
      expect.objectContaining({ code: 'internal', message: 'database statement notes.list failed' }),
    );
  });

  it('refuses other columns than the declared aliases, also without rows', () => {
    for (const columns of [['ID'], [...ALIASES, 'X'], [...ALIASES.slice(1), 'ID_1'], [...ALIASES, 'ID']]) {
      expect(() => decodeRows(QUERY, columns, [])).toThrow(/notes\.list/);
    }
    expect(decodeRows(QUERY, ALIASES, [])).toEqual([]);
  });
});
