import type { PGlite } from '@electric-sql/pglite';
import { BlockCompiler } from './block/block-compiler.ts';
import { lockDirectory } from './directory-lock.ts';
import { EngineQueue } from './engine-queue.ts';
import { EngineSession, type SessionParts } from './engine-session.ts';
import { openDatabase } from './open-database.ts';
import type { OracleEngine, OracleEngineOptions } from './oracle-engine.ts';
import { PostgresConnection } from './postgres-connection.ts';
import { RowPolicies } from './row-isolation/row-policies.ts';
import { StatementTranslator } from './statement-translator.ts';
import { StoredCatalog } from './stored-catalog.ts';
import { TableMaintenance } from './table-maintenance.ts';

const DEFAULT_IDLE_MILLISECONDS = 10_000;

/**
 * Starts an emulated Oracle database.
 *
 * @throws DataDirectoryInUseError when another process has the data directory
 */
export async function createOracleEngine(options: OracleEngineOptions = {}): Promise<OracleEngine> {
  const { dataDirectory } = options;
  const unlock = dataDirectory === undefined ? () => undefined : lockDirectory(dataDirectory);
  try {
    const database = await openDatabase(options);
    return await startEngine(database, unlock, options);
  } catch (error) {
    unlock();
    throw error;
  }
}

async function startEngine(
  database: PGlite,
  unlock: () => void,
  options: OracleEngineOptions,
): Promise<OracleEngine> {
  const connection = new PostgresConnection(database);
  const catalog = new StoredCatalog(options.embeddingModels);
  await catalog.load(connection);
  const translator = new StatementTranslator(catalog);
  const queue = new EngineQueue();
  const running = new Set<Promise<unknown>>();
  const stop = new AbortController();
  const parts: SessionParts = {
    connection,
    catalog,
    translator,
    queue,
    running,
    maintenance: new TableMaintenance(connection, queue, running),
    blocks: new BlockCompiler(translator),
    policies: new RowPolicies(connection, catalog, translator),
    models: options.embeddingModels ?? new Map(),
    faults: options.faults ?? {},
    stop: stop.signal,
    idleTransactionMilliseconds: options.idleTransactionMilliseconds ?? DEFAULT_IDLE_MILLISECONDS,
  };
  let closing: Promise<void> | undefined;
  return {
    openSession: () => new EngineSession(parts),
    async snapshot() {
      await queue.acquire();
      try {
        await connection.control('CHECKPOINT');
        return await database.dumpDataDir('none');
      } finally {
        queue.release();
      }
    },
    close() {
      stop.abort();
      closing ??= closeEngine(database, parts).finally(unlock);
      return closing;
    },
  };
}

/** Lets calls that run now finish; open transactions are lost, as when a server is shut down. */
async function closeEngine(database: PGlite, parts: SessionParts): Promise<void> {
  const { queue, running, maintenance } = parts;
  maintenance.close();
  queue.close();
  await Promise.allSettled(running);
  await database.close();
}
