import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createOracleEngine } from '../../infra/local/oracle/engine/create-oracle-engine.ts';
import type { OracleEngine, OracleSession } from '../../infra/local/oracle/engine/oracle-engine.ts';
import { addNote, errorOf, input, NUMBER, startNotesEngine, TEXT, titles } from './engine-fixture.ts';
import { FUNCTION_ERRORS, FUNCTION_VALUES, REFUSED_FUNCTIONS } from './stored-function-cases.ts';

let engine: OracleEngine;
let session: OracleSession;

beforeAll(async () => {
  engine = await startNotesEngine();
  session = engine.openSession();
});
afterAll(() => engine.close());

const run = async (text: string, ...binds: Parameters<OracleSession['execute']>[1]) =>
  (await session.execute(text, binds)).rows;
const values = async (call: string) => (await run(`SELECT ${call} AS v FROM dual`))[0]?.[0];
const failure = (text: string) => errorOf(session.execute(text, []));

describe.each(FUNCTION_VALUES)('$title', ({ source, calls }) => {
  test.each(calls)('%s', async (call, expected) => {
    await run(`CREATE OR REPLACE FUNCTION ${source}`);
    expect(await values(call)).toEqual(expected);
  });
});

test.each(FUNCTION_ERRORS)('$title', async ({ source, call, error }) => {
  await run(`CREATE OR REPLACE FUNCTION ${source}`);
  expect((await failure(`SELECT ${call} AS v FROM dual`)).message).toMatch(error);
});

test.each(REFUSED_FUNCTIONS)('refuses $title', async ({ source, error }) => {
  expect((await failure(`CREATE FUNCTION ${source}`)).message).toMatch(error);
});

describe('a stored function as an object', () => {
  const twice = (factor = 2) => `FUNCTION twice (n NUMBER) RETURN NUMBER IS BEGIN RETURN n * ${factor}; END;`;

  test('is called in any clause, with values of rows and binds', async () => {
    await run(`CREATE OR REPLACE ${twice()}`);
    const text =
      'SELECT twice(n.note_id) AS a, twice(:x) AS b FROM notes n WHERE twice(n.note_id) = 2 ORDER BY twice(n.note_id)';
    expect(await run(text, input('X', NUMBER, 21))).toEqual([[2, 42]]);
    const block =
      'DECLARE l_n NUMBER := twice(4); BEGIN IF twice(l_n) = 16 THEN UPDATE notes SET rating = twice(l_n); END IF; END;';
    await run(block);
    expect(await run('SELECT rating FROM notes')).toEqual([[16]]);
    await session.rollback();
  });

  test('is replaced, with another signature too, and dropped', async () => {
    await run(`CREATE OR REPLACE ${twice()}`);
    expect((await failure(`CREATE ${twice(3)}`)).number).toBe(955);
    await run(`CREATE FUNCTION IF NOT EXISTS ${twice(3).slice('FUNCTION '.length)}`);
    expect(await values('twice(1)')).toBe(2);
    const both = `CREATE OR REPLACE FUNCTION IF NOT EXISTS ${twice(3).slice('FUNCTION '.length)}`;
    expect((await failure(both)).number).toBe(11541);
    await run(
      'CREATE OR REPLACE FUNCTION twice (t VARCHAR2, n NUMBER) RETURN VARCHAR2 IS BEGIN RETURN t || n; END;',
    );
    expect(await values("twice('a', 1)")).toBe('a1');
    await run('DROP FUNCTION twice');
    expect((await failure('SELECT twice(1) AS v FROM dual')).number).toBe(904);
    expect((await failure('DROP FUNCTION twice')).number).toBe(4043);
    await run('DROP FUNCTION IF EXISTS twice');
  });

  test('has a name that no table, view or sequence has', async () => {
    expect((await failure('CREATE FUNCTION notes RETURN NUMBER IS BEGIN RETURN 1; END;')).number).toBe(955);
    await run('CREATE OR REPLACE FUNCTION taken RETURN NUMBER IS BEGIN RETURN 1; END;');
    expect((await failure('CREATE TABLE taken (id NUMBER)')).number).toBe(955);
    await run('DROP FUNCTION taken');
  });

  test('is replaced in a view that uses it, and not dropped from under it', async () => {
    await run(`CREATE OR REPLACE ${twice()}`);
    await run('CREATE VIEW doubled AS SELECT twice(n.note_id) AS amount FROM notes n');
    await run(`CREATE OR REPLACE ${twice(5)}`);
    expect(await run('SELECT d.amount FROM doubled d')).toEqual([[5]]);
    expect((await failure('DROP FUNCTION twice')).number).toBe(3001);
    await run('DROP VIEW doubled');
  });

  test('may have names that PostgreSQL would cut', async () => {
    const name = `${'long_'.repeat(20)}name`;
    await run(`CREATE FUNCTION ${name}1 RETURN NUMBER IS
      FUNCTION ${name}1 RETURN NUMBER IS BEGIN RETURN 1; END;
      FUNCTION ${name}2 RETURN NUMBER IS BEGIN RETURN 2; END;
    BEGIN RETURN ${name}1 * 10 + ${name}2; END;`);
    await run(`CREATE FUNCTION ${name}2 RETURN NUMBER IS BEGIN RETURN 3; END;`);
    expect(await run(`SELECT ${name}1 AS one, ${name}2 AS other FROM dual`)).toEqual([[12, 3]]);
    await run(`DROP FUNCTION ${name}1`);
    expect(await values(`${name}2`)).toBe(3);
    await run(`DROP FUNCTION ${name}2`);
  });

  test('stands in no CHECK condition and in no default', async () => {
    await run(`CREATE OR REPLACE ${twice()}`);
    expect((await failure('CREATE TABLE checked (id NUMBER CHECK (twice(id) > 1))')).number).toBe(904);
    expect((await failure('CREATE TABLE filled (id NUMBER DEFAULT twice(1))')).number).toBe(4044);
  });

  test('shows in the data dictionary', async () => {
    await run(
      'CREATE OR REPLACE FUNCTION listed RETURN NUMBER DETERMINISTIC PARALLEL_ENABLE IS BEGIN RETURN 1; END;',
    );
    const objects = "SELECT o.object_type, o.status FROM user_objects o WHERE o.object_name = 'LISTED'";
    expect(await run(objects)).toEqual([['FUNCTION', 'VALID']]);
    const procedures = 'SELECT p.object_type, p.deterministic, p.parallel FROM user_procedures p';
    expect(await run(`${procedures} WHERE p.object_name = 'LISTED'`)).toEqual([['FUNCTION', 'YES', 'YES']]);
    await run('DROP FUNCTION listed');
    expect(await run(objects)).toEqual([]);
  });

  test('is DDL, which commits', async () => {
    await run(addNote(2, 'second'));
    await run(`CREATE OR REPLACE ${twice()}`);
    await session.rollback();
    expect(await titles(session)).toEqual(['first', 'second']);
    await run('DELETE FROM notes WHERE note_id = 2');
    await session.commit();
    await run(`BEGIN EXECUTE IMMEDIATE 'CREATE OR REPLACE ${twice(5)}'; END;`);
    expect(await values('twice(2)')).toBe(10);
  });

  test.each([
    ['SELECT twice() AS v FROM dual'],
    ['SELECT twice(1, 2) AS v FROM dual'],
    ['SELECT twice AS v FROM dual'],
    ["SELECT twice(JSON('1')) AS v FROM dual"],
  ])('takes its own arguments only: %s', async (text) => {
    await run(`CREATE OR REPLACE ${twice()}`);
    expect((await failure(text)).message).toMatch(/^ORA-06553: PLS-306: .*'TWICE'/);
  });

  test('takes text for a number as SQL converts it', async () => {
    await run(`CREATE OR REPLACE ${twice()}`);
    expect(await run('SELECT twice(:t) AS v FROM dual', input('T', TEXT, '21'))).toEqual([[42]]);
    expect((await errorOf(run('SELECT twice(:t) AS v FROM dual', input('T', TEXT, 'x')))).number).toBe(1722);
  });

  test('is there again when its directory is opened again', async () => {
    const dataDirectory = mkdtempSync(join(tmpdir(), 'stored-functions-'));
    try {
      const first = await createOracleEngine({ dataDirectory });
      const writer = first.openSession();
      const source = `CREATE FUNCTION kept (n NUMBER) RETURN NUMBER IS
        FUNCTION half (m NUMBER) RETURN NUMBER IS BEGIN RETURN m / 2; END;
      BEGIN RETURN half(n) + 1; END;`;
      await writer.execute(source, []);
      await writer.close();
      await first.close();
      const second = await createOracleEngine({ dataDirectory });
      const reader = second.openSession();
      expect((await reader.execute('SELECT kept(4) AS v FROM dual', [])).rows).toEqual([[3]]);
      await reader.execute('DROP FUNCTION kept', []);
      await reader.close();
      await second.close();
    } finally {
      rmSync(dataDirectory, { recursive: true });
    }
  }, 60_000);
});
