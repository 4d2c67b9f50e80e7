import { afterAll, beforeAll, expect, test } from 'vitest';
import type { OracleEngine, OracleSession } from '../../infra/local/oracle/engine/oracle-engine.ts';
import { addNote, errorOf, input, NUMBER, output, startNotesEngine, TEXT, titles } from './engine-fixture.ts';

let engine: OracleEngine;
let session: OracleSession;

beforeAll(async () => {
  engine = await startNotesEngine();
  session = engine.openSession();
});
afterAll(() => engine.close());

const run = async (text: string, ...binds: Parameters<OracleSession['execute']>[1]) => {
  const { outBinds } = await session.execute(text, binds);
  return outBinds;
};

test('loops over a query, a range and until a condition holds', async () => {
  const text = `DECLARE
    l_total NUMBER := 0;
    l_names VARCHAR2(100 CHAR);
  BEGIN
    FOR l_row IN (SELECT n.note_id, n.title FROM notes n ORDER BY n.note_id) LOOP
      l_names := l_names || l_row.title || ';';
      l_total := l_total + l_row.note_id;
    END LOOP;
    FOR l_i IN 1..10 LOOP
      CONTINUE WHEN l_i = 2;
      EXIT WHEN l_i > 3;
      l_total := l_total + l_i * 10;
    END LOOP;
    WHILE l_total < 100 LOOP
      l_total := l_total + 30;
    END LOOP;
    :names := l_names;
    :total := l_total;
  END;`;
  const outs = await run(text, output('NAMES', TEXT), output('TOTAL', NUMBER));
  expect(outs).toEqual({ NAMES: 'first;', TOTAL: 101 });
});

test('runs DDL from a literal and ignores that the object exists', async () => {
  const text = `BEGIN
    EXECUTE IMMEDIATE q'~CREATE TABLE made_here (id NUMBER)~';
  EXCEPTION WHEN OTHERS THEN IF SQLCODE NOT IN (-955, -1408) THEN RAISE; END IF; END;`;
  await run(text);
  await run(text);
  await run("BEGIN EXECUTE IMMEDIATE 'DROP TABLE made_here'; END;");
  const again = errorOf(run("BEGIN EXECUTE IMMEDIATE 'DROP TABLE made_here'; END;"));
  expect((await again).message).toMatch(/^ORA-00942: .*\nORA-06512: at line 1$/);
});

test('keeps what DDL committed when the block fails after it', async () => {
  const text = `BEGIN ${addNote(2, 'second')}; EXECUTE IMMEDIATE 'CREATE TABLE kept (id NUMBER)'; ${addNote(3, 'third')}; RAISE_APPLICATION_ERROR(-20001, 'stop'); END;`;
  expect((await errorOf(run(text))).number).toBe(20001);
  expect(await titles(session)).toEqual(['first', 'second']);
  await session.execute('DELETE FROM notes WHERE note_id = 2', []);
  await session.execute('DROP TABLE kept', []);
});

test('undoes only itself inside a transaction', async () => {
  await session.execute(addNote(2, 'second'), []);
  await errorOf(run(`BEGIN ${addNote(3, 'third')}; RAISE_APPLICATION_ERROR(-20001, 'stop'); END;`));
  expect(await titles(session)).toEqual(['first', 'second']);
  await session.rollback();
});

test('does not open a transaction when it changes nothing', async () => {
  const other = engine.openSession();
  await run('BEGIN SELECT n.title INTO :title FROM notes n; END;', output('TITLE', TEXT));
  expect(await titles(other)).toEqual(['first']);
  await other.close();
});

test('gives the number and text of a handled error', async () => {
  const text = `BEGIN
    BEGIN ${addNote(1, 'again')}; EXCEPTION WHEN OTHERS THEN :code := SQLCODE; :text := SQLERRM; END;
    BEGIN SELECT n.title INTO :text FROM notes n WHERE n.note_id = 9; EXCEPTION WHEN NO_DATA_FOUND THEN :missing := SQLCODE; END;
    :afterwards := SQLCODE;
  END;`;
  const names = ['CODE', 'MISSING', 'AFTERWARDS'].map((name) => output(name, NUMBER));
  const outs = await run(text, ...names, output('TEXT', TEXT));
  expect(outs).toMatchObject({ CODE: -1, MISSING: 100, AFTERWARDS: 0 });
  expect(outs.TEXT).toMatch(/^ORA-00001: unique constraint/);
});

test('names the line where an error was raised', async () => {
  const text =
    "BEGIN\n  NULL;\n  IF 1 = 1 THEN\n    RAISE_APPLICATION_ERROR(-20404, 'no note ' || :id);\n  END IF;\nEND;";
  const error = await errorOf(run(text, input('ID', NUMBER, 5)));
  expect(error.message).toBe('ORA-20404: no note 5\nORA-06512: at line 4');
});

test('evaluates in the database what is more than simple', async () => {
  const text = `DECLARE l_text VARCHAR2(20 CHAR) := 'abc'; l_flag BOOLEAN;
  BEGIN
    :upper := UPPER(l_text) || LENGTH(l_text);
    l_flag := l_text LIKE 'a%' AND l_text BETWEEN 'a' AND 'b';
    IF l_flag THEN :third := 10 / 4; END IF;
    IF NOT (l_text IN ('x', 'y')) THEN :big := 9007199254740991 + 2; END IF;
  END;`;
  const outs = await run(text, output('UPPER', TEXT), output('THIRD', NUMBER), output('BIG', NUMBER));
  expect(outs).toEqual({ UPPER: 'ABC3', THIRD: 2.5, BIG: '9007199254740993' });
});

test.each([
  ['BEGIN COMMIT; END;', /COMMIT.*does not support/],
  ['BEGIN ROLLBACK; END;', /ROLLBACK.*does not support/],
  ['DECLARE CURSOR c IS SELECT 1 FROM dual; BEGIN NULL; END;', /CURSOR.*does not support/],
  ['BEGIN NULL; END; SELECT 1 FROM dual', /PLS-00103/],
  ['BEGIN RAISE; END;', /PLS-00367/],
  ['BEGIN NULL; EXCEPTION WHEN OTHERS THEN NULL; WHEN NO_DATA_FOUND THEN NULL; END;', /PLS-00370/],
  ['BEGIN EXIT; END;', /PLS-00376/],
  ['DECLARE l_a NUMBER; l_a NUMBER; BEGIN NULL; END;', /PLS-00371/],
  ['DECLARE l_a CONSTANT NUMBER := 1; BEGIN l_a := 2; END;', /PLS-00363/],
  ['BEGIN :x := l_missing + 1; END;', /PLS-00201: identifier 'L_MISSING'/],
  ['BEGIN IF l_missing = 1 THEN NULL; END IF; :x := 1; END;', /PLS-00201: identifier 'L_MISSING'/],
  ['BEGIN DBMS_OUTPUT.PUT_LINE(:x); END;', /PLS-00201: identifier 'DBMS_OUTPUT'/],
  [
    'DECLARE title VARCHAR2(5); BEGIN SELECT n.title INTO title FROM notes n; END;',
    /has the name of a column of NOTES/,
  ],
  ["BEGIN EXECUTE IMMEDIATE 'DROP TABLE notes' || :x; END;", /does not support EXECUTE IMMEDIATE/],
  [
    'BEGIN UPDATE notes SET unknown_column = 1; END;',
    /^ORA-06550: line 1, column 24:\nPL\/SQL: ORA-00904: .*\nORA-06550: line 1, column 7:\nPL\/SQL: SQL Statement ignored$/,
  ],
])('%s is refused', async (text, expected) => {
  const binds = text.includes(':x') ? [output('X', NUMBER)] : [];
  const error = await errorOf(session.execute(text, binds));
  expect(error.number).toBe(6550);
  expect(error.message).toMatch(expected);
});

test.each([
  ['DECLARE l_n NUMBER(2); BEGIN l_n := 100; END;', 'number precision too large'],
  ["DECLARE l_t VARCHAR2(2 BYTE); BEGIN l_t := 'äö'; END;", 'character string buffer too small'],
  ["BEGIN :short := 'abcd'; END;", 'character string buffer too small'],
])('%s does not fit', async (text, expected) => {
  const short = { kind: 'VARCHAR2', length: 3, unit: 'BYTE' } as const;
  const error = await errorOf(run(text, ...(text.includes(':short') ? [output('SHORT', short)] : [])));
  expect(error.message).toBe(`ORA-06502: PL/SQL: numeric or value error: ${expected}\nORA-06512: at line 1`);
});

test('does not assign to an IN bind', async () => {
  const error = await errorOf(run('BEGIN :n := 1; END;', input('N', NUMBER, 0)));
  expect(error.message).toMatch(/PLS-00363/);
});
