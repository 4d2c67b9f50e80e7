import { randomBytes } from 'node:crypto';
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createOracleEngine } from '../../infra/local/oracle/engine/create-oracle-engine.ts';
import { EngineQueue } from '../../infra/local/oracle/engine/engine-queue.ts';
import { openDatabase } from '../../infra/local/oracle/engine/open-database.ts';
import { PostgresConnection } from '../../infra/local/oracle/engine/postgres-connection.ts';
import { TableMaintenance } from '../../infra/local/oracle/engine/table-maintenance.ts';

const GROUPED = 'SELECT o.id FROM owned o WHERE o.owner = 1 GROUP BY o.id, o.owner';

async function startMaintained() {
  const database = await openDatabase({});
  const connection = new PostgresConnection(database);
  const queue = new EngineQueue();
  const running = new Set<Promise<unknown>>();
  const maintenance = new TableMaintenance(connection, queue, running);
  await connection.control('CREATE TABLE owned (id int, owner int)');
  await connection.run('INSERT INTO owned SELECT i, 1 FROM generate_series(1, 10000) i');
  const plan = async () => (await connection.run(`EXPLAIN ${GROUPED}`)).rows.flat().join('\n');
  const settle = async () => {
    await setImmediate();
    await Promise.all(running);
  };
  return { queue, maintenance, plan, settle, close: () => database.close() };
}

test('statistics exist soon after rows were written, so that many rows are grouped by hash', async () => {
  const { maintenance, plan, settle, close } = await startMaintained();
  expect(await plan()).not.toMatch(/HashAggregate[^\n]*rows=10000\b/);
  maintenance.afterTurn();
  await settle();
  expect(await plan()).toMatch(/HashAggregate[^\n]*rows=10000\b/);
  await close();
});

test('a session that has the engine is not interrupted', async () => {
  const { queue, maintenance, plan, settle, close } = await startMaintained();
  await queue.acquire();
  const before = await plan();
  maintenance.afterTurn();
  await setImmediate();
  expect(await plan()).toBe(before);
  queue.release();
  maintenance.afterTurn();
  await settle();
  expect(await plan()).not.toBe(before);
  await close();
});

async function directoryMegabytes(directory: string): Promise<number> {
  const names = await readdir(directory, { recursive: true });
  const sizes = await Promise.all(names.map(async (name) => (await stat(join(directory, name))).size));
  return sizes.reduce((sum, size) => sum + size, 0) / 1_000_000;
}

test('changing one row again and again does not fill the disk', async () => {
  const dataDirectory = await mkdtemp(join(tmpdir(), 'oracle-emulator-'));
  const engine = await createOracleEngine({ dataDirectory });
  const session = engine.openSession();
  await session.execute('CREATE TABLE counters (id NUMBER, changes NUMBER, note CLOB)', []);
  await session.execute('CREATE INDEX counters_changes ON counters (changes)', []);
  await session.execute('INSERT INTO counters (id, changes) VALUES (1, 0)', []);
  await session.commit();
  const base = join(dataDirectory, 'database', 'base');
  const before = await directoryMegabytes(base);
  for (let change = 0; change < 10_000; change += 1) {
    const value = randomBytes(3_000).toString('base64');
    await session.execute('UPDATE counters SET changes = changes + 1, note = :note', [
      { name: 'NOTE', type: { kind: 'CLOB' }, direction: 'in', value },
    ]);
    await session.commit();
  }
  expect((await directoryMegabytes(base)) - before).toBeLessThan(25);
  await engine.close();
  await rm(dataDirectory, { recursive: true, force: true });
}, 60_000);
