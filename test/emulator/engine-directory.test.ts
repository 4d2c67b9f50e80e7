import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
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

/** A process that writes one row after the other and prints each number once it is committed. */
class Writer {
  readonly child: ChildProcess;
  readonly acknowledged: number[] = [];
  readonly #lines: AsyncIterator<string>;

  constructor() {
    const script = join(import.meta.dirname, 'row-writer.ts');
    const child = spawn(process.execPath, [script, dataDirectory], { stdio: ['ignore', 'pipe', 'inherit'] });
    this.child = child;
    this.#lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  }

  async untilAcknowledged(count: number): Promise<void> {
    while (this.acknowledged.length < count) {
      if (!(await this.#readLine())) {
        throw new Error('the writer ended early');
      }
    }
  }

  /** Kills the process; what it printed before is still read. */
  async kill(): Promise<void> {
    const exited = once(this.child, 'exit');
    this.child.kill('SIGKILL');
    while (await this.#readLine());
    await exited;
  }

  async #readLine(): Promise<boolean> {
    const { value, done } = await this.#lines.next();
    if (done !== true) {
      this.acknowledged.push(Number(value));
    }
    return done !== true;
  }
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

test('a first start that was cut off is started over', async () => {
  await mkdir(join(dataDirectory, 'database'));
  await writeFile(join(dataDirectory, 'database', 'PG_VERSION'), '18\n');
  const engine = await createOracleEngine({ dataDirectory });
  const { rows } = await engine.openSession().execute('SELECT 1 AS one FROM dual', []);
  expect(rows).toEqual([[1]]);
  await engine.close();
});

test('the log stays short however much is written', async () => {
  const engine = await createOracleEngine({ dataDirectory });
  const session = engine.openSession();
  await session.execute('CREATE TABLE documents (content CLOB)', []);
  for (let megabytes = 0; megabytes < 120; megabytes += 2) {
    const value = randomBytes(1_500_000).toString('base64');
    await session.execute('INSERT INTO documents (content) VALUES (:content)', [
      { name: 'CONTENT', type: { kind: 'CLOB' }, direction: 'in', value },
    ]);
    await session.commit();
  }
  const files = await readdir(join(dataDirectory, 'database', 'pg_wal'));
  expect(files.filter((name) => /^[0-9A-F]{24}$/.test(name)).length).toBeLessThanOrEqual(5);
  await engine.close();
});

test('nothing acknowledged is lost when the process is killed', async () => {
  const writer = new Writer();
  await writer.untilAcknowledged(200);
  await writer.kill();

  const engine = await createOracleEngine({ dataDirectory });
  const stored = await storedNumbers(engine.openSession());
  expect(stored).toEqual(expect.arrayContaining(writer.acknowledged));
  expect(stored.length - writer.acknowledged.length).toBeLessThanOrEqual(1);
  await engine.close();
});

test('a second process is refused while the first runs', async () => {
  const writer = new Writer();
  await writer.untilAcknowledged(1);
  const refused = await createOracleEngine({ dataDirectory }).catch((error: unknown) => error);
  expect(refused).toBeInstanceOf(DataDirectoryInUseError);
  expect(String(refused)).toContain(`process ${writer.child.pid}`);
  expect(String(refused)).toContain('--ords-port');
  await writer.kill();
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
