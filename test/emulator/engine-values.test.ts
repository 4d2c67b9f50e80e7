import { afterAll, beforeAll, expect, test } from 'vitest';
import type {
  OracleEngine,
  OracleSession,
  OracleValue,
} from '../../infra/local/oracle/engine/oracle-engine.ts';
import type { OracleType } from '../../infra/local/oracle/sql/oracle-type.ts';
import { errorOf, input, NUMBER, startNotesEngine, TEXT } from './engine-fixture.ts';

let engine: OracleEngine;
let session: OracleSession;

beforeAll(async () => {
  engine = await startNotesEngine();
  session = engine.openSession();
});
afterAll(() => engine.close());

const roundTrip = async (type: OracleType, value: OracleValue): Promise<OracleValue> => {
  const result = await session.execute('SELECT :x AS x FROM dual', [input('X', type, value)]);
  return result.rows[0]?.[0] ?? null;
};

const TIMESTAMP_TZ: OracleType = { kind: 'TIMESTAMP', precision: 6, timeZone: true };
const cases: readonly (readonly [string, OracleType, OracleValue, OracleValue])[] = [
  ['an integer', NUMBER, 42, 42],
  ['a fraction', NUMBER, -1.25, -1.25],
  ['the largest exact integer', NUMBER, 9007199254740991, 9007199254740991],
  ['more digits than a JavaScript number holds', NUMBER, '9007199254740993', '9007199254740993'],
  ['NULL as a number', NUMBER, null, null],
  ['text', TEXT, 'Grüße 🙂', 'Grüße 🙂'],
  ['an empty text, which is NULL', TEXT, '', null],
  ['a CLOB of 100,000 characters', { kind: 'CLOB' }, 'x'.repeat(100_000), 'x'.repeat(100_000)],
  ['a time with an offset', TIMESTAMP_TZ, '2026-05-01T12:00:00.5+02:00', '2026-05-01T10:00:00.500000Z'],
  ['a floating-point number', { kind: 'BINARY_DOUBLE' }, 0.1, 0.1],
];

test.each(cases)('%s comes back', async (_title, type, value, expected) => {
  expect(await roundTrip(type, value)).toEqual(expected);
});

test('bytes come back', async () => {
  const type: OracleType = { kind: 'RAW', length: 10 };
  expect(await roundTrip(type, new Uint8Array([0, 255, 16]))).toEqual(new Uint8Array([0, 255, 16]));
});

test.each([
  ['text that is no number', NUMBER, 'abc', 1722],
  ['an infinite number', NUMBER, Number.POSITIVE_INFINITY, 1722],
  ['text longer than its bind', { kind: 'VARCHAR2', length: 3, unit: 'BYTE' }, 'äää', 1461],
  ['bytes as a number', NUMBER, new Uint8Array([1]), 932],
] as const)('%s is refused', async (_title, type, value, expected) => {
  expect((await errorOf(roundTrip(type, value))).number).toBe(expected);
});

test('a placeholder without a bind and a bind without a placeholder are refused', async () => {
  expect((await errorOf(session.execute('SELECT :x AS x FROM dual', []))).number).toBe(1008);
  const extra = [input('X', NUMBER, 1), input('Y', NUMBER, 1)];
  expect((await errorOf(session.execute('SELECT :x AS x FROM dual', extra))).number).toBe(1036);
});

test('a query reports names and types of its columns', async () => {
  const result = await session.execute(
    'SELECT n.note_id, n.title, n.body, n.written_at AS at FROM notes n',
    [],
  );
  expect(result.columns.map(({ name, type }) => [name, type.kind])).toEqual([
    ['NOTE_ID', 'NUMBER'],
    ['TITLE', 'VARCHAR2'],
    ['BODY', 'CLOB'],
    ['AT', 'TIMESTAMP'],
  ]);
});

test('RETURNING INTO gives one value per row', async () => {
  await session.execute("INSERT INTO notes (note_id, title) VALUES (2, 'b')", []);
  const text = 'UPDATE notes SET rating = 1 RETURNING note_id INTO :ids';
  const result = await session.execute(text, [{ name: 'IDS', type: NUMBER, direction: 'out' }]);
  expect(result.rowsAffected).toBe(2);
  expect([...[result.outBinds.IDS].flat()].sort()).toEqual([1, 2]);
  await session.rollback();
});
