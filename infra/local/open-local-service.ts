import { type App, createApp } from '../../functions/app.ts';
import { describeFailure, type Logger } from '../../functions/http/logger.ts';
import { purgeJob } from '../../functions/jobs/purge.ts';
import { sweepJob } from '../../functions/jobs/sweep.ts';
import { mountMcp } from '../../functions/mcp/mount-mcp.ts';
import { ALL_OPERATIONS } from '../../functions/operations.ts';
import type { Configuration } from '../../functions/runtime/configuration.ts';
import { createServices } from '../../functions/runtime/services.ts';
import { shareLoad } from '../../functions/runtime/share-load.ts';
import { type Clock, systemClock } from '../../lib/clock.ts';
import { AgentMemoryError } from '../../lib/errors/agent-memory-error.ts';
import { probeDimensions } from '../../lib/models/embedding-batches.ts';
import { isOracleDatabaseEmbedder, type MemoryEmbedder } from '../../lib/models/oracle-database-embedder.ts';
import { readModelDimensions } from '../../lib/schema/embedding-model.ts';
import { ensureSchema, UNUSED_DIMENSIONS } from '../../lib/schema/ensure-schema.ts';
import type { SchemaState } from '../../lib/schema/schema-state.ts';
import type { SqlTransport } from '../../lib/sql/sql-transport.ts';
import { readMigrations } from '../schema-migrations.ts';
import { startJobTimer } from './job-timer.ts';
import { type LocalDatabase, openLocalDatabase } from './local-database.ts';
import { createLocalModels } from './local-models.ts';
import { loadTokenizer } from './models/load-tokenizer.ts';
import { openLocalQueue } from './open-local-queue.ts';

/** How often expired records are removed, and jobs looked after that nobody works at. */
export const PURGE_MILLISECONDS = 3_600_000;
export const SWEEP_MILLISECONDS = 10_000;

/** The whole service in this process: its schema is there, and `app.fetch` answers. */
export interface LocalService {
  readonly app: App;
  /** Where wake-ups of background jobs go, for the person at the terminal. */
  readonly queuePlace: string;
  /** Ends the requests that still run: a pass of theirs goes on in the background, a wait is told to come again. */
  endRequests(): void;
  close(): Promise<void>;
}

/**
 * Opens the database, brings the schema to what the policy allows, builds the app, runs background jobs as the queue
 * delivers them, and starts what a deployment has a schedule for. Composition root of `npm start`, the demo and the tests
 * that want all of it. Without a data directory the emulator and the queue keep nothing.
 */
export async function openLocalService(
  configuration: Configuration,
  logger: Logger,
  dataDirectory?: string,
  clock: Clock = systemClock,
): Promise<LocalService> {
  await using opened = new AsyncDisposableStack();
  const models = createLocalModels(configuration);
  const database = await openLocalDatabase(configuration.transport, dataDirectory);
  opened.adopt(database, (used) => used.close());
  const schemaState = await openSchema(configuration, database, models.embedder, logger);
  const queue = await openLocalQueue(configuration.queue, {
    dataDirectory: ownsDirectory(configuration) ? dataDirectory : undefined,
    clock,
    reportFailure: (error) => logger.log('warn', 'queue_failed', { failure: describeFailure(error) }),
  });
  opened.adopt(queue, (used) => used.close());
  const { transport } = database;
  const { jobQueue } = queue;
  const ending = new AbortController();
  const services = createServices({
    configuration,
    transport,
    jobQueue,
    ...models,
    loadTokenizer: shareLoad(loadTokenizer),
    logger,
    ...(schemaState === undefined ? {} : { schemaState }),
    clock,
    ending: ending.signal,
  });
  opened.adopt(services, (used) => used.close());
  queue.consume(services);
  opened.adopt(queue, (used) => used.stop());
  opened.adopt(startJobTimer(sweepJob, SWEEP_MILLISECONDS, services, clock), (timer) => timer.stop());
  opened.adopt(startJobTimer(purgeJob, PURGE_MILLISECONDS, services, clock), (timer) => timer.stop());
  const open = opened.move();
  return {
    app: createApp({
      operations: ALL_OPERATIONS,
      services,
      mountMore: mountMcp,
      loopbackOnly: configuration.authentication.mode === 'none',
    }),
    queuePlace: queue.place,
    endRequests: () => ending.abort(new AgentMemoryError('unavailable', 'the service is ending')),
    close: () => open.disposeAsync(),
  };
}

/** Services that share a database have no directory of their own; wake-ups that end with one of them are sent by a sweep. */
function ownsDirectory({ transport }: Configuration): boolean {
  return transport.kind === 'emulator';
}

/** Without an owner the schema is left alone, and the first request looks whether it fits, as in a deployment. */
async function openSchema(
  configuration: Configuration,
  { owner: transport, install }: LocalDatabase,
  embedder: MemoryEmbedder | undefined,
  logger: Logger,
): Promise<SchemaState | undefined> {
  if (transport === undefined) return undefined;
  /** The emulator's user may create no jobs, and this process purges: nobody need be told. */
  const level = configuration.transport.kind === 'emulator' ? 'debug' : 'warn';
  const state = await ensureSchema({
    transport,
    names: configuration.names,
    policy: configuration.schemaPolicy,
    migrations: readMigrations(),
    vectorDimensions: await dimensionsOf(embedder, transport),
    searchStrategy: configuration.settings.searchStrategy,
    searchIndexSync: configuration.searchIndexSync,
    retention: configuration.retention,
    embedderModel: embedder?.modelId ?? '',
    warn: (message) => logger.log(level, 'schema_warning', { message }),
  });
  await install(configuration.names, state);
  return state;
}

/** The width that a new schema gets. */
async function dimensionsOf(embedder: MemoryEmbedder | undefined, transport: SqlTransport): Promise<number> {
  if (embedder === undefined) return UNUSED_DIMENSIONS;
  if (!isOracleDatabaseEmbedder(embedder)) return probeDimensions(embedder);
  return readModelDimensions(transport, embedder.modelId, embedder.dimensions);
}
