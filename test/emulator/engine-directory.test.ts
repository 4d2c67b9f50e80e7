import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createOracleEngine } from '../../infra/local/oracle/engine/create-oracle-engine.ts';
import { DataDirectoryInUseError, lockDirectory } from '../../infra/local/oracle/engine/directory-lock.ts';
import type { OracleSession } from '../../infra/local/oracle/engine/oracle-engine.ts';
import { errorOf } from './engine-fixture.ts';

let dataDirectory: string;

beforeEach(async () => {
  dataDirectory = await mkdtemp(join(tmpdir(), 'oracle-emulator-'));
});
afterEach(() => rm(dataDirectory, { recursive: true, force: true }));

const LOCK = 'emulator.lock';

/** Starts a process that writes one row after the other and prints each number once it is committed. */
async function startWriter(): Promise<{ readonly child: ChildProcess; readonly acknowledged: number[] }> {
  const script = join(import.meta.dirname, 'row-writer.ts');
  const child = spawn(process.execPath, [script, dataDirectory], { stdio: ['ignore', 'pipe', 'inherit'] });
  const acknowledged: number[] = [];
  createInterface({ input: child.stdout }).on('line', (line) => {
    acknowledged.push(Number(line));
    child.emit('acknowledged');
  });
  await Promise.race([once(child, 'acknowledged'), endedEarly(child)]);
  return { child, acknowledged };
}

async function endedEarly(child: ChildProcess): Promise<never> {
  const [code] = await once(child, 'close');
  throw new Error(`the writer ended with code ${code}`);
}

async function storedNumbers(session: OracleSession): Promise<readonly unknown[]> {
  const { rows } = await session.execute('SELECT w.id FROM written w ORDER BY w.id', []);
  return rows.map((row) => row[0]);
}

test('a reopened directory knows its tables and rows', async () => {
  const first = await createOracleEngine({ dataDirectory });
  const session = first.openSession();
  await session.execute('CREATE TABLE written (id NUMBER(6) PRIMARY KEY)', []);
  await session.execute('INSERT INTO written (id) VALUES (7)', []);
  await session.commit();
  await session.execute('INSERT INTO written (id) VALUES (8)', []);
  await first.close();

  const second = await createOracleEngine({ dataDirectory });
  const reopened = second.openSession();
  expect(await storedNumbers(reopened)).toEqual([7]);
  expect((await errorOf(reopened.execute('CREATE TABLE written (id NUMBER)', []))).number).toBe(955);
  await second.close();
});

test('nothing acknowledged is lost when the process is killed', async () => {
  const { child, acknowledged } = await startWriter();
  while (acknowledged.length < 200) {
    await Promise.race([once(child, 'acknowledged'), endedEarly(child)]);
  }
  child.kill('SIGKILL');
  await once(child, 'close');

  const engine = await createOracleEngine({ dataDirectory });
  const stored = await storedNumbers(engine.openSession());
  expect(stored).toEqual(expect.arrayContaining(acknowledged));
  expect(stored.length - acknowledged.length).toBeLessThanOrEqual(1);
  await engine.close();
});

test('a second process is refused while the first runs', async () => {
  const { child } = await startWriter();
  const refused = await createOracleEngine({ dataDirectory }).catch((error: unknown) => error);
  expect(refused).toBeInstanceOf(DataDirectoryInUseError);
  expect(String(refused)).toContain(`process ${child.pid}`);
  expect(String(refused)).toContain('--ords-port');
  child.kill('SIGKILL');
  await once(child, 'close');
});

test('a second engine of one process is refused, and a closed one gives the directory back', async () => {
  const unlock = lockDirectory(dataDirectory);
  expect(() => lockDirectory(dataDirectory)).toThrow(DataDirectoryInUseError);
  unlock();
  lockDirectory(dataDirectory)();
});

test('the lock of a process that ended, or whose number another one has now, is taken over', async () => {
  const ended = spawn(process.execPath, ['-e', '']);
  await once(ended, 'close');
  await writeFile(join(dataDirectory, LOCK), JSON.stringify({ pid: ended.pid, startedAt: '1' }));
  lockDirectory(dataDirectory)();
  await writeFile(join(dataDirectory, LOCK), JSON.stringify({ pid: process.pid, startedAt: 'earlier' }));
  lockDirectory(dataDirectory)();
  await writeFile(join(dataDirectory, LOCK), '{"pid":');
  const unlock = lockDirectory(dataDirectory);
  expect(JSON.parse(await readFile(join(dataDirectory, LOCK), 'utf8'))).toMatchObject({ pid: process.pid });
  unlock();
});
