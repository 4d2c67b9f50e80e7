import oracledb, { type Connection } from 'oracledb';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Emulator } from '../../infra/local/oracle/start-emulator.ts';
import {
  CLOB_AS_TEXT,
  connect,
  driverError,
  firstValue,
  lobOf,
  rowsOf,
  startTnsEmulator,
} from './tns-fixture.ts';

let emulator: Emulator;
let connection: Connection;

beforeAll(async () => {
  emulator = await startTnsEmulator();
});
afterAll(() => emulator.close());
beforeEach(async () => {
  connection = await connect(emulator);
});
afterEach(async () => {
  await connection.rollback();
  await connection.close();
});

const INSERT = 'INSERT INTO notes (note_id, title) VALUES (:id, :title)';
const NUMBER_OUT = { dir: oracledb.BIND_OUT, type: oracledb.NUMBER } as const;

async function addNotes(count: number): Promise<void> {
  const rows = Array.from({ length: count }, (_, index) => ({ id: index, title: `note ${index}` }));
  await connection.executeMany(INSERT, rows);
}

describe('queries', () => {
  test.each([1, 2, 3, 100, 5000])('1,000 rows in batches of %i', async (fetchArraySize) => {
    await addNotes(1000);
    for (const prefetchRows of [0, 2, 1000, 1001]) {
      const options = { fetchArraySize, prefetchRows };
      const rows = await rowsOf(connection, 'SELECT note_id FROM notes ORDER BY note_id', {}, options);
      expect(rows.map(([id]) => id)).toEqual(Array.from({ length: 1000 }, (_, index) => index));
    }
  });

  test('rows with LOBs in batches, and again with another type', async () => {
    const rows = Array.from({ length: 25 }, (_, index) => ({ id: index, body: 'x'.repeat(index * 500) }));
    await connection.executeMany('INSERT INTO notes (note_id, body) VALUES (:id, :body)', rows);
    const sql = 'SELECT note_id, body FROM notes ORDER BY note_id';
    const expected = rows.map(({ id, body }) => [id, body === '' ? null : body]);
    for (let round = 0; round < 3; round += 1) {
      expect(await rowsOf(connection, sql, {}, { ...CLOB_AS_TEXT, fetchArraySize: 10 })).toEqual(expected);
    }
    const lobs = await rowsOf(connection, sql);
    expect(await lobOf(lobs[1]?.[1]).getData()).toBe(rows[1]?.body);
  });

  test('metadata', async () => {
    const { metaData = [] } = await connection.execute('SELECT * FROM kinds');
    const described = metaData.map(({ name, dbTypeName, byteSize, precision }) => [
      name,
      dbTypeName,
      byteSize ?? precision,
    ]);
    expect(described).toContainEqual(['NAME', 'VARCHAR2', 4000]);
    expect(described).toContainEqual(['EMBEDDING', 'VECTOR', undefined]);
    expect(described).toContainEqual(['AT_ZONE', 'TIMESTAMP WITH TIME ZONE', 6]);
    expect(metaData.find(({ name }) => name === 'EMBEDDING')).toMatchObject({
      vectorDimensions: 3,
      vectorFormat: oracledb.VECTOR_FORMAT_FLOAT32,
    });
    expect(metaData.find(({ name }) => name === 'ANY_VECTOR')).not.toHaveProperty('vectorDimensions');
  });

  test('a result set that is closed early, and a stream', async () => {
    await addNotes(20);
    const { resultSet } = await connection.execute<unknown[]>(
      'SELECT note_id FROM notes ORDER BY note_id',
      {},
      { resultSet: true, fetchArraySize: 3 },
    );
    expect(await resultSet?.getRows(5)).toHaveLength(5);
    await resultSet?.close();
    const read: unknown[] = [];
    for await (const row of connection.queryStream('SELECT note_id FROM notes ORDER BY note_id')) {
      read.push(row);
    }
    expect(read).toHaveLength(20);
  });

  test('are described again when a table has changed', async () => {
    await connection.execute('CREATE TABLE changing (a NUMBER)');
    await connection.execute('INSERT INTO changing VALUES (1)');
    expect(await rowsOf(connection, 'SELECT * FROM changing')).toEqual([[1]]);
    await connection.execute('ALTER TABLE changing ADD (b VARCHAR2(10))');
    expect(await rowsOf(connection, 'SELECT * FROM changing')).toEqual([[1, null]]);
    await connection.execute('DROP TABLE changing');
  });

  test('are described again when a bind has another type', async () => {
    const at = new Date(2024, 1, 29, 1, 2, 3, 4);
    for (const type of [oracledb.DB_TYPE_TIMESTAMP_TZ, oracledb.DB_TYPE_TIMESTAMP, oracledb.DB_TYPE_DATE]) {
      const { metaData, rows } = await connection.execute('SELECT :v FROM dual', { v: { val: at, type } });
      expect(metaData?.[0]?.dbType).toBe(type);
      expect(String(rows)).toBe(String(at));
    }
  });

  test('FOR UPDATE opens a transaction', async () => {
    await addNotes(1);
    await connection.commit();
    await rowsOf(connection, 'SELECT note_id FROM notes WHERE note_id = 0 FOR UPDATE');
    expect(connection.transactionInProgress).toBe(true);
    await connection.rollback();
    expect(connection.transactionInProgress).toBe(false);
    await connection.execute('DELETE FROM notes', {}, { autoCommit: true });
  });
});

describe('binds', () => {
  test('of one name at several places, and by position', async () => {
    expect(await rowsOf(connection, 'SELECT :a, :b, :a FROM dual', { a: 1, b: 'x' })).toEqual([[1, 'x', 1]]);
    expect(await rowsOf(connection, 'SELECT :1, :2 FROM dual', ['x', 2])).toEqual([['x', 2]]);
    expect(await rowsOf(connection, 'SELECT :a, :a, :b FROM dual', ['x', 2, 'y'])).toEqual([['x', 2, 'y']]);
  });

  test('change their types from one execution to the next', async () => {
    for (const value of [1, 'x'.repeat(10), 'x'.repeat(5000), null, 2.5]) {
      await connection.execute('INSERT INTO notes (note_id, body) VALUES (1, :body)', { body: value });
      const body = await firstValue(connection, 'SELECT body FROM notes', {}, CLOB_AS_TEXT);
      expect(body).toBe(value === null ? null : String(value));
      await connection.rollback();
    }
  });

  test('long text goes straight into a column and nowhere else', async () => {
    const long = 'x'.repeat(4001);
    await connection.execute('INSERT INTO notes (note_id, body, title) VALUES (:id, :body, :title)', {
      body: long,
      id: 1,
      title: 'short',
    });
    await connection.execute('UPDATE notes SET body = :body WHERE note_id = :id', {
      body: `${long}y`,
      id: 1,
    });
    const twoRows = 'INSERT INTO notes (note_id, body) VALUES (:a, :b), (:c, :d)';
    await connection.execute(twoRows, { a: 2, b: long, c: 3, d: long });
    await connection.execute('DELETE FROM notes WHERE note_id IN (2, 3) AND LENGTH(body) = 4001');
    const sql = 'SELECT note_id, title, LENGTH(body) FROM notes';
    expect(await rowsOf(connection, sql)).toEqual([[1, 'short', 4002]]);
    for (const text of [
      'SELECT :body FROM dual',
      'INSERT INTO notes (note_id, body) VALUES (2, UPPER(:body))',
      "UPDATE notes SET body = :body || 'x'",
      'UPDATE notes SET title = (SELECT :body FROM dual)',
      'INSERT INTO notes (note_id, body) SELECT 2, :body FROM dual',
    ]) {
      const error = await driverError(connection.execute(text, { body: long }));
      expect([text, error.number]).toEqual([text, 1461]);
    }
  });

  test('RETURNING INTO gives a list each', async () => {
    await addNotes(3);
    const { outBinds, rowsAffected } = await connection.execute<{ ids: number[]; titles: string[] }>(
      'UPDATE notes SET title = UPPER(title) WHERE note_id > :id RETURNING note_id, title INTO :ids, :titles',
      { id: 0, ids: NUMBER_OUT, titles: { dir: oracledb.BIND_OUT, type: oracledb.STRING } },
    );
    expect(rowsAffected).toBe(2);
    expect(outBinds?.ids.toSorted()).toEqual([1, 2]);
    expect(outBinds?.titles.toSorted()).toEqual(['NOTE 1', 'NOTE 2']);
    const none = await connection.execute<{ ids: number[] }>(
      'DELETE FROM notes WHERE note_id = 99 RETURNING note_id INTO :ids',
      { ids: NUMBER_OUT },
    );
    expect(none.outBinds?.ids).toEqual([]);
  });

  test('blocks read, write, and do both', async () => {
    const block = 'BEGIN :total := :total + :step; :copy := :total; END;';
    for (let round = 0; round < 3; round += 1) {
      const { outBinds } = await connection.execute<{ total: number; copy: number }>(block, {
        total: { dir: oracledb.BIND_INOUT, type: oracledb.NUMBER, val: round },
        step: 10,
        copy: NUMBER_OUT,
      });
      expect(outBinds).toEqual({ total: round + 10, copy: round + 10 });
    }
  });

  test('the block of an atomic list', async () => {
    await addNotes(2);
    const block = `DECLARE
      affected NUMBER;
    BEGIN
      UPDATE notes SET title = :title, body = :body WHERE note_id = :id;
      affected := SQL%ROWCOUNT;
      IF affected <> 1 THEN RAISE_APPLICATION_ERROR(-20404, 'update'); END IF;
      :rows_1 := affected;
      SELECT COUNT(*) INTO :rows_2 FROM notes;
    END;`;
    const body = { val: 'é'.repeat(40_000), type: oracledb.CLOB };
    const binds = { title: 'changed', body, rows_1: NUMBER_OUT, rows_2: NUMBER_OUT };
    for (let round = 0; round < 2; round += 1) {
      const { outBinds } = await connection.execute(block, { ...binds, id: 1 });
      expect(outBinds).toEqual({ rows_1: 1, rows_2: 2 });
    }
    const error = await driverError(connection.execute(block, { ...binds, id: 9 }));
    expect(error).toMatchObject({ code: 'ORA-20404', number: 20404 });
    expect(error.message).toContain('ORA-20404: update');
    expect(await firstValue(connection, 'SELECT LENGTH(body) FROM notes WHERE note_id = 1')).toBe(40_000);
  });

  test('index-by tables, cursors and statements that are only parsed are refused', async () => {
    const cursor = { dir: oracledb.BIND_OUT, type: oracledb.CURSOR };
    const list = { dir: oracledb.BIND_IN, type: oracledb.NUMBER, val: [1, 2] };
    for (const work of [
      connection.execute('BEGIN :c := NULL; END;', { c: cursor }),
      connection.execute('BEGIN :n := :list; END;', { list, n: NUMBER_OUT }),
      connection.getStatementInfo('SELECT 1 FROM dual'),
    ]) {
      expect((await driverError(work)).number).toBe(3001);
    }
    expect(await firstValue(connection, 'SELECT 1 FROM dual')).toBe(1);
  });
});

describe('many rows at once', () => {
  test('300 rows, with counts of each', async () => {
    await addNotes(300);
    expect(await firstValue(connection, 'SELECT COUNT(*) FROM notes')).toBe(300);
    const { rowsAffected, dmlRowCounts } = await connection.executeMany(
      'DELETE FROM notes WHERE note_id < :n',
      [{ n: 1 }, { n: 1 }, { n: 10 }],
      { dmlRowCounts: true },
    );
    expect([rowsAffected, dmlRowCounts]).toEqual([10, [1, 0, 9]]);
  });

  test('goes on after failed rows when it is asked to', async () => {
    const rows = [1, 2, 2, 3, 1, 4].map((id) => ({ id, title: 'x' }));
    const { batchErrors = [], rowsAffected } = await connection.executeMany(INSERT, rows, {
      batchErrors: true,
      autoCommit: true,
    });
    expect(batchErrors.map(({ message, offset }) => [message.slice(0, 10), offset])).toEqual([
      ['ORA-00001:', 2],
      ['ORA-00001:', 4],
    ]);
    expect([rowsAffected, connection.transactionInProgress]).toEqual([4, true]);
    await connection.rollback();
    expect((await driverError(connection.executeMany(INSERT, rows))).number).toBe(1);
    expect(await firstValue(connection, 'SELECT COUNT(*) FROM notes')).toBe(2);
  });

  test('RETURNING and blocks give values for each row', async () => {
    const returned = await connection.executeMany<{ out: number[] }>(
      'INSERT INTO notes (note_id) VALUES (:id) RETURNING note_id * 2 INTO :out',
      [{ id: 1 }, { id: 2 }],
      { bindDefs: { id: { type: oracledb.NUMBER }, out: NUMBER_OUT } },
    );
    expect(returned.outBinds).toEqual([{ out: [2] }, { out: [4] }]);
    const computed = await connection.executeMany<{ out: number }>(
      'BEGIN :out := :id * 2; END;',
      [{ id: 1 }, { id: 2 }, { id: 3 }],
      { bindDefs: { id: { type: oracledb.NUMBER }, out: NUMBER_OUT } },
    );
    expect(computed.outBinds).toEqual([{ out: 2 }, { out: 4 }, { out: 6 }]);
  });
});

describe('transactions and sessions', () => {
  test('autoCommit, commit and rollback', async () => {
    const other = await connect(emulator);
    await connection.execute(INSERT, { id: 1, title: 'a' }, { autoCommit: true });
    await connection.execute(INSERT, { id: 2, title: 'b' }, { autoCommit: true });
    expect(await firstValue(other, 'SELECT COUNT(*) FROM notes')).toBe(2);
    await connection.execute('DELETE FROM notes');
    expect(connection.transactionInProgress).toBe(true);
    await connection.rollback();
    await connection.execute('DELETE FROM notes');
    await connection.commit();
    expect(await firstValue(other, 'SELECT COUNT(*) FROM notes')).toBe(0);
    await other.close();
  });

  test('twenty sessions count to a hundred together', async () => {
    await connection.execute(INSERT, { id: 0, title: '0' }, { autoCommit: true });
    const sessions = await Promise.all(Array.from({ length: 20 }, () => connect(emulator)));
    const add = 'UPDATE notes SET title = TO_NUMBER(title) + 1 WHERE note_id = 0';
    await Promise.all(
      sessions.map(async (session, index) => {
        for (let round = 0; round < 5; round += 1) {
          await session.execute(add, {}, { autoCommit: index % 2 === 0 });
          await session.commit();
        }
        await session.close();
      }),
    );
    expect(await firstValue(connection, 'SELECT title FROM notes')).toBe('100');
    await connection.execute('DELETE FROM notes', {}, { autoCommit: true });
  });

  test('a closed connection rolls back', async () => {
    const other = await connect(emulator);
    await other.execute(INSERT, { id: 1, title: 'a' });
    await other.close();
    expect(await firstValue(connection, 'SELECT COUNT(*) FROM notes')).toBe(0);
  });

  test('ping, client attributes, the schema and ALTER SESSION', async () => {
    await connection.ping();
    Object.assign(connection, {
      clientId: 'someone',
      module: 'tests',
      action: 'run',
      clientInfo: 'é',
      dbOp: 'x',
      ecid: 'e',
    });
    expect(await firstValue(connection, 'SELECT 1 FROM dual')).toBe(1);
    connection.currentSchema = 'MEMORY';
    expect(await firstValue(connection, 'SELECT 2 FROM dual')).toBe(2);
    connection.currentSchema = 'OTHER';
    expect((await driverError(connection.execute('SELECT 1 FROM dual'))).number).toBe(1435);
    connection.currentSchema = 'MEMORY';
    for (const sql of [
      "ALTER SESSION SET NLS_DATE_FORMAT = 'YYYY-MM-DD' NLS_NUMERIC_CHARACTERS = '.,'",
      "ALTER SESSION SET TIME_ZONE = '+00:00'",
      'ALTER SESSION SET CURRENT_SCHEMA = memory',
      'ALTER SESSION SET CURRENT_SCHEMA = agent_memory',
    ]) {
      await connection.execute(sql);
    }
    for (const [sql, number] of [
      ['ALTER SESSION SET no_such_parameter = 1', 2248],
      ["ALTER SESSION SET NLS_SORT = 'GERMAN'", 3001],
      ['ALTER SESSION CLOSE DATABASE LINK x', 3001],
    ] as const) {
      expect([sql, (await driverError(connection.execute(sql))).number]).toEqual([sql, number]);
    }
  });

  test('more cursors than a session may have open', async () => {
    const open = Array.from({ length: 300 }, (_, index) =>
      connection.execute(`SELECT ${index} FROM dual`, {}, { resultSet: true, keepInStmtCache: false }),
    );
    await Promise.all(open);
    expect((await driverError(connection.execute('SELECT 1 FROM dual'))).number).toBe(1000);
  });
});

describe('errors', () => {
  test('have the number of Oracle, the place, and leave the session as it was', async () => {
    for (const [sql, number, offset] of [
      ['SELECT nothing FROM dual', 904, 7],
      ['SELECT * FROM nowhere', 942, 14],
      ['SELEC 1', 900, 0],
      ["INSERT INTO notes (note_id, title) VALUES (1, RPAD('x', 101))", 12899, 0],
      ['CREATE TABLE notes (a NUMBER)', 955, 13],
      ['BEGIN RAISE_APPLICATION_ERROR(-20001, 1); END;', 20001, 0],
      ['SELECT 1/0 FROM dual', 1476, 0],
      ['SELECT :x FROM dual WHERE a LIMIT 1', 933, undefined],
    ] as const) {
      const error = await driverError(connection.execute(sql, sql.includes(':x') ? { x: 1 } : {}));
      expect([sql, error.number]).toEqual([sql, number]);
      expect(error.code).toBe(`ORA-${String(number).padStart(5, '0')}`);
      if (offset !== undefined && offset > 0) {
        expect([sql, error.offset]).toEqual([sql, offset]);
      }
    }
    expect(await firstValue(connection, 'SELECT 1 FROM dual')).toBe(1);
  });

  test('a violated constraint keeps the cursor, and the next row is written', async () => {
    await connection.execute(INSERT, { id: 1, title: 'a' });
    expect((await driverError(connection.execute(INSERT, { id: 1, title: 'b' }))).number).toBe(1);
    await connection.execute(INSERT, { id: 2, title: 'c' });
    expect(await firstValue(connection, 'SELECT COUNT(*) FROM notes')).toBe(2);
  });

  test('a session that idles in a transaction is ended with ORA-02396', async () => {
    const own = await startTnsEmulator({ idleTransactionMilliseconds: 1 });
    const [first, second] = [await connect(own), await connect(own)];
    await first.execute(INSERT, { id: 1, title: 'a' });
    expect(await firstValue(second, 'SELECT COUNT(*) FROM notes')).toBe(0);
    const error = await driverError(first.execute('SELECT 1 FROM dual'));
    expect([error.code, error.number]).toEqual(['NJS-500', 2396]);
    expect(first.isHealthy()).toBe(false);
    await own.close();
  });
});
