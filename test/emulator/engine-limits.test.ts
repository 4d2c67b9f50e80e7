import { setImmediate } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { OracleEngine, OracleSession } from '../../infra/local/oracle/engine/oracle-engine.ts';
import { errorOf, input, startNotesEngine, TEXT, titles } from './engine-fixture.ts';

let engine: OracleEngine;
let session: OracleSession;

beforeAll(async () => {
  engine = await startNotesEngine();
  session = engine.openSession();
});
afterAll(() => engine.close());

const repeated = (text: string, count = 20_000): string => text.repeat(count);

test.each([
  ['parentheses', `SELECT ${repeated('(')}1${repeated(')')} AS v FROM dual`],
  ['a chain of operators', `SELECT 1${repeated(' + 1')} AS v FROM dual`],
  ['a chain that the parser takes', `SELECT 1${repeated(' + 1', 1_500)} AS v FROM dual`],
  ['function calls', `SELECT ${repeated('NVL(')}1${repeated(', 2)')} AS v FROM dual`],
  ['subqueries', `SELECT * FROM ${repeated('(SELECT * FROM ')}dual${repeated(')')}`],
  ['set operations', `SELECT 1 AS a FROM dual${repeated(' UNION ALL SELECT 1 AS a FROM dual', 2_000)}`],
  ['blocks', `${repeated('BEGIN ')}NULL;${repeated(' END;')}`],
  ['blocks that the parser takes', `${repeated('BEGIN ', 1_200)}NULL;${repeated(' END;', 1_200)}`],
])('%s that are nested too deeply are refused, and the engine goes on', async (_what, text) => {
  expect((await errorOf(session.execute(text, []))).number).toBe(3001);
  expect(await titles(session)).toEqual(['first']);
});

test.each([
  ['$.a', "SELECT JSON_VALUE(:document, '$.a') AS v FROM dual"],
  ['IS JSON', 'SELECT 1 AS v FROM dual WHERE :document IS JSON'],
])('JSON that is nested too deeply is refused: %s', async (_what, sql) => {
  const run = (document: string) => session.execute(sql, [input('DOCUMENT', { kind: 'CLOB' }, document)]);
  expect((await errorOf(run(repeated('[') + repeated(']')))).number).toBe(3001);
  expect((await errorOf(run(repeated('{"a":')))).number).toBe(3001);
  expect((await run(JSON.stringify({ a: repeated('[') }))).rows).toHaveLength(1);
  expect((await run(JSON.stringify(Array.from({ length: 5_000 }, () => ({ b: [1] }))))).rows).toHaveLength(1);
});

test('U+FEFF at the start of a text comes back', async () => {
  const marked = '\ufefftext';
  const sql = 'SELECT :marked AS marked, NULL AS nothing, LENGTH(:marked) AS characters FROM dual';
  const { rows } = await session.execute(sql, [input('MARKED', TEXT, marked)]);
  expect(rows).toEqual([[marked, null, 5]]);
});

test('a recursion without end fills the space for sorting and no more', async () => {
  const sql = `WITH numbers (n) AS (SELECT 1 FROM dual UNION ALL SELECT n + 1 FROM numbers)
    SELECT COUNT(*) AS c FROM numbers`;
  expect((await errorOf(session.execute(sql, []))).number).toBe(1652);
  expect(await titles(session)).toEqual(['first']);
}, 60_000);

test('a loop without end leaves the process alive and ends with the engine', async () => {
  const own = await startNotesEngine();
  const text = `BEGIN LOOP BEGIN UPDATE notes SET rating = 1 WHERE note_id = 99;
    EXCEPTION WHEN OTHERS THEN NULL; END; END LOOP; END;`;
  const endless = errorOf(own.openSession().execute(text, []));
  await setImmediate();
  await own.close();
  expect((await endless).number).toBe(1089);
});
