import { finished } from 'node:stream/promises';
import oracledb, { type Connection, type ConnectionAttributes } from 'oracledb';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Emulator } from '../../infra/local/oracle/start-emulator.ts';
import { connect, driverError, firstValue, lobOf, startTnsEmulator } from './tns-fixture.ts';

let emulator: Emulator;

beforeAll(async () => {
  emulator = await startTnsEmulator();
});
afterAll(() => emulator.close());

const cursorOut = { c: { dir: oracledb.BIND_OUT, type: oracledb.CURSOR } };
const list = { l: { dir: oracledb.BIND_IN, type: oracledb.NUMBER, val: [1, 2] } };

async function writeToFetchedLob(connection: Connection): Promise<void> {
  await connection.execute("INSERT INTO notes (note_id, body) VALUES (1, 'x')");
  const lob = lobOf(await firstValue(connection, 'SELECT body FROM notes FOR UPDATE'));
  lob.end('y');
  await finished(lob, { readable: false });
}

async function startSessionlessTransaction(connection: Connection): Promise<void> {
  await connection.beginSessionlessTransaction({ transactionId: 'one' });
}

const CALLS: readonly (readonly [string, (connection: Connection) => Promise<unknown>])[] = [
  ['a REF CURSOR', (connection) => connection.execute('BEGIN :c := NULL; END;', cursorOut)],
  ['an index-by table', (connection) => connection.execute('BEGIN :l := NULL; END;', list)],
  ['an INTERVAL', (connection) => connection.execute('SELECT SYSTIMESTAMP - SYSTIMESTAMP FROM dual')],
  ['parsing alone', (connection) => connection.getStatementInfo('SELECT 1 FROM dual')],
  ['an object type', (connection) => connection.getDbObjectClass('SOMETHING')],
  ['a sessionless transaction', startSessionlessTransaction],
  ['a new password', (connection) => connection.changePassword('memory', 'emulator', 'other')],
  ['writing to a LOB of a table', writeToFetchedLob],
];

test.each(CALLS)('%s is refused, and the session goes on', async (_name, call) => {
  const connection = await connect(emulator);
  expect((await driverError(call(connection))).number).toBe(3001);
  expect(await firstValue(connection, 'SELECT 1 FROM dual')).toBe(1);
  await connection.close();
});

const LOGINS: readonly (readonly [string, ConnectionAttributes, number])[] = [
  ['an administrative privilege', { privilege: oracledb.SYSDBA }, 1031],
  ['another edition', { edition: 'OTHER' }, 38802],
  ['a new password', { newPassword: 'other' }, 3001],
  ['a proxy user', { user: 'memory[other]' }, 3001],
  ['an application context', { appContext: [['CLIENTCONTEXT', 'name', 'value']] }, 3001],
];

test.each(LOGINS)('%s at login is refused', async (_name, attributes, number) => {
  expect((await driverError(connect(emulator, attributes))).number).toBe(number);
});

test('a pipeline is refused, and the session goes on', async () => {
  const connection = await connect(emulator);
  const pipeline = new oracledb.Pipeline();
  pipeline.addExecute('SELECT 1 FROM dual');
  pipeline.addCommit();
  expect((await driverError(connection.runPipeline(pipeline))).number).toBe(3001);
  expect(await firstValue(connection, 'SELECT 1 FROM dual')).toBe(1);
  await connection.close();
});

test('RETURNING into less room than the value has fails in the driver', async () => {
  const connection = await connect(emulator);
  await connection.execute("INSERT INTO notes (note_id, title) VALUES (1, 'four')");
  const binds = { t: { dir: oracledb.BIND_OUT, type: oracledb.STRING, maxSize: 3 } };
  const work = connection.execute('UPDATE notes SET note_id = 2 RETURNING title INTO :t', binds);
  expect((await driverError(work)).code).toBe('NJS-016');
  await connection.close();
});
