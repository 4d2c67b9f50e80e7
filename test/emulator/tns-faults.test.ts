import oracledb, { type Connection } from 'oracledb';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { OracleError } from '../../infra/local/oracle/sql/oracle-error.ts';
import type { Emulator } from '../../infra/local/oracle/start-emulator.ts';
import { TnsFaults } from '../../infra/local/oracle/tns/tns-faults.ts';
import { attributesOf, connect, driverError, firstValue, startTnsEmulator } from './tns-fixture.ts';

const faults = new TnsFaults();
const never = new Promise<void>(() => undefined);
let beforeStatement: (text: string) => void | Promise<void> = () => undefined;
let emulator: Emulator;
let connection: Connection;

beforeAll(async () => {
  const engineFaults = { beforeStatement: (text: string) => beforeStatement(text) };
  emulator = await startTnsEmulator({ tnsFaults: faults, faults: engineFaults });
});
afterAll(() => emulator.close());
beforeEach(async () => {
  connection = await connect(emulator);
});
afterEach(async () => {
  beforeStatement = () => undefined;
  if (connection.isHealthy()) {
    await connection.close();
  }
  const cleaner = await connect(emulator);
  await cleaner.execute('DELETE FROM notes', {}, { autoCommit: true });
  await cleaner.close();
});

const ADD = "INSERT INTO notes (note_id, title) VALUES (1, 'x')";
const COMMITTED = { autoCommit: true };

/** A point that is never left; `isReached` resolves when something gets there. */
function reachable(): { readonly isReached: Promise<void>; point(): Promise<void> } {
  const { promise, resolve } = Promise.withResolvers<void>();
  return {
    isReached: promise,
    point() {
      resolve();
      return never;
    },
  };
}

/** Rows that another session sees. */
async function countNotes(): Promise<unknown> {
  const other = await connect(emulator);
  const count = await firstValue(other, 'SELECT COUNT(*) FROM notes');
  await other.close();
  return count;
}

describe('a call that takes too long', () => {
  beforeEach(() => {
    connection.callTimeout = 20;
  });

  /** The call ends with NJS-123, and the session goes on. */
  async function expectTimeout(work: Promise<unknown>): Promise<void> {
    expect((await driverError(work)).code).toBe('NJS-123');
    connection.callTimeout = 0;
    expect(await firstValue(connection, 'SELECT 1 FROM dual')).toBe(1);
  }

  test('is interrupted inside a statement', async () => {
    beforeStatement = (text) => (text.includes('INSERT') ? never : undefined);
    await expectTimeout(connection.execute(ADD, {}, COMMITTED));
    expect(await countNotes()).toBe(0);
  });

  test('is interrupted inside a block, which is undone', async () => {
    beforeStatement = (text) => (text.includes('UPDATE') ? never : undefined);
    await expectTimeout(
      connection.execute(`BEGIN ${ADD}; UPDATE notes SET title = 'y'; END;`, {}, COMMITTED),
    );
    expect(await countNotes()).toBe(0);
  });

  test('is interrupted inside a loop without end', async () => {
    await expectTimeout(connection.execute('BEGIN LOOP NULL; END LOOP; END;'));
  });

  test('is interrupted while it waits for another session', async () => {
    const other = await connect(emulator);
    await other.execute(ADD);
    expect((await driverError(connection.execute('SELECT 1 FROM dual'))).code).toBe('NJS-123');
    connection.callTimeout = 0;
    await other.close();
    expect(await firstValue(connection, 'SELECT COUNT(*) FROM notes')).toBe(0);
  });

  test('loses an answer that is held, not the work that was committed', async () => {
    connection.callTimeout = 0;
    const { isReached, point } = reachable();
    faults.plan('execute', {
      kind: 'hold',
      get until() {
        return point();
      },
    });
    const call = driverError(connection.execute(ADD, {}, COMMITTED));
    await isReached;
    await connection.break();
    expect((await call).number).toBe(1013);
    expect(await countNotes()).toBe(1);
  });

  test('waits before it runs, and does not run', async () => {
    faults.plan('execute', { kind: 'wait', until: never });
    await expectTimeout(connection.execute(ADD, {}, COMMITTED));
    expect(await countNotes()).toBe(0);
  });

  test('many times', async () => {
    for (let round = 0; round < 10; round += 1) {
      faults.plan('execute', { kind: 'none' }, { kind: 'wait', until: never });
      connection.callTimeout = 0;
      await connection.execute('SELECT 1 FROM dual');
      connection.callTimeout = 5;
      expect((await driverError(connection.execute('SELECT 2 FROM dual'))).code).toBe('NJS-123');
    }
    connection.callTimeout = 0;
    expect(await firstValue(connection, 'SELECT 1 FROM dual')).toBe(1);
  });

  test('leaves no cursor open when its answer is lost', async () => {
    connection.callTimeout = 0;
    for (let round = 0; round < 310; round += 1) {
      const { isReached, point } = reachable();
      faults.plan('execute', {
        kind: 'hold',
        get until() {
          return point();
        },
      });
      const call = driverError(connection.execute(`SELECT ${round} FROM dual`));
      await isReached;
      await connection.break();
      expect((await call).number).toBe(1013);
    }
    expect(await firstValue(connection, 'SELECT 1 FROM dual')).toBe(1);
  });

  test('is interrupted between the rows of an array execution', async () => {
    connection.callTimeout = 0;
    const rows = Array.from({ length: 3000 }, (_, index) => ({ id: index }));
    let count = 0;
    beforeStatement = () => {
      count += 1;
      if (count === 10) {
        // It is only sent; the call that runs now waits for nothing.
        connection.break();
      }
    };
    const call = connection.executeMany('INSERT INTO notes (note_id) VALUES (:id)', rows, COMMITTED);
    expect((await driverError(call)).number).toBe(1013);
    beforeStatement = () => undefined;
    expect(count).toBeLessThan(3000);
    await connection.rollback();
    expect(await countNotes()).toBe(0);
  });

  test('break() of the caller is ORA-01013', async () => {
    connection.callTimeout = 0;
    const { isReached, point } = reachable();
    beforeStatement = point;
    const call = driverError(connection.execute(ADD));
    await isReached;
    beforeStatement = () => undefined;
    await connection.break();
    expect((await call).number).toBe(1013);
    expect(await firstValue(connection, 'SELECT COUNT(*) FROM notes')).toBe(0);
  });
});

test('break() without a call interrupts the next one', async () => {
  await connection.break();
  expect((await driverError(connection.execute(ADD, {}, COMMITTED))).number).toBe(1013);
  expect(await countNotes()).toBe(0);
  expect(await firstValue(connection, 'SELECT 1 FROM dual')).toBe(1);
});

describe('a connection that ends', () => {
  test('before the call: nothing was done', async () => {
    faults.plan('execute', { kind: 'cut', when: 'before' });
    expect((await driverError(connection.execute(ADD, {}, COMMITTED))).code).toBe('NJS-500');
    expect(await countNotes()).toBe(0);
  });

  test('after the call: the commit is there and its answer is not', async () => {
    faults.plan('execute', { kind: 'cut', when: 'after' });
    expect((await driverError(connection.execute(ADD, {}, COMMITTED))).code).toBe('NJS-500');
    expect(await countNotes()).toBe(1);
  });

  test('in the middle of an answer', async () => {
    faults.plan('execute', { kind: 'cut', when: 'within' });
    const sql = "SELECT RPAD('x', 4000, 'y') FROM dual";
    expect((await driverError(connection.execute(sql))).code).toBe('NJS-500');
    connection = await connect(emulator);
    faults.plan('execute', { kind: 'cut', when: 'within' });
    expect((await driverError(connection.execute(ADD, {}, COMMITTED))).code).toBe('NJS-500');
    expect(await countNotes()).toBe(1);
  });

  test('after an execution without a commit: it is rolled back', async () => {
    faults.plan('execute', { kind: 'cut', when: 'after' });
    expect((await driverError(connection.execute(ADD))).code).toBe('NJS-500');
    expect(await countNotes()).toBe(0);
  });

  test('after a commit of its own', async () => {
    faults.plan('commit', { kind: 'cut', when: 'after' });
    await connection.execute(ADD);
    expect((await driverError(connection.commit())).code).toBe('NJS-500');
    expect(await countNotes()).toBe(1);
  });

  test('inside an open transaction of a client that goes away', async () => {
    const abandoned = await connect(emulator);
    await abandoned.execute(ADD);
    faults.plan('ping', { kind: 'cut', when: 'before' });
    expect((await driverError(abandoned.ping())).code).toBe('NJS-500');
    expect(await countNotes()).toBe(0);
  });
});

describe('an error that a test wants', () => {
  test.each([
    [60, 'ORA-00060'],
    [54, 'ORA-00054'],
    [20409, 'ORA-20409'],
  ])('ORA-%i leaves the session', async (number, code) => {
    faults.plan('execute', { kind: 'raise', number, text: 'planned' });
    expect(await driverError(connection.execute(ADD))).toMatchObject({ number, code });
    expect(await firstValue(connection, 'SELECT COUNT(*) FROM notes')).toBe(0);
  });

  test.each([28, 603, 1012, 3113, 3135])('ORA-%i ends the session', async (number) => {
    faults.plan('execute', { kind: 'raise', number });
    expect(await driverError(connection.execute(ADD))).toMatchObject({ code: 'NJS-500', number });
    expect(connection.isHealthy()).toBe(false);
  });

  test('at the second statement of a block', async () => {
    beforeStatement = (text) => {
      if (text.includes('UPDATE')) {
        throw new OracleError(60, 'deadlock detected while waiting for resource');
      }
    };
    const block = `BEGIN ${ADD}; UPDATE notes SET title = 'y'; END;`;
    expect((await driverError(connection.execute(block, {}, COMMITTED))).number).toBe(60);
    expect(await countNotes()).toBe(0);
  });

  test('at the third statement, whatever calls a query with LOBs takes', async () => {
    await connection.execute(ADD);
    const none = { kind: 'none' } as const;
    faults.plan('execute', none, none, { kind: 'raise', number: 60 });
    for (const sql of ['SELECT body FROM notes', 'SELECT title, body FROM notes']) {
      await connection.execute(sql);
    }
    expect((await driverError(connection.execute('SELECT title FROM notes'))).number).toBe(60);
    await connection.rollback();
  });

  test('at fetch, at a LOB, at rollback', async () => {
    faults.plan('fetch', { kind: 'raise', number: 1555 });
    const query = connection.execute('SELECT note_id FROM notes', {}, { prefetchRows: 0 });
    expect((await driverError(query)).number).toBe(1555);
    faults.plan('lob', { kind: 'raise', number: 1652 });
    expect((await driverError(connection.createLob(oracledb.CLOB))).number).toBe(1652);
    faults.plan('rollback', { kind: 'raise', number: 1013 });
    expect((await driverError(connection.rollback())).number).toBe(1013);
  });

  test('a pool goes on with another session', async () => {
    const pool = await oracledb.createPool({ ...attributesOf(emulator), poolMin: 0, poolMax: 1 });
    const first = await pool.getConnection();
    faults.plan('execute', { kind: 'raise', number: 3113 });
    expect((await driverError(first.execute(ADD))).code).toBe('NJS-500');
    await first.close();
    const second = await pool.getConnection();
    expect(await firstValue(second, 'SELECT 1 FROM dual')).toBe(1);
    await second.close();
    await pool.close(0);
  });
});
