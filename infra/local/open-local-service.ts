import { type App, createApp } from '../../functions/app.ts';
import type { Logger } from '../../functions/http/logger.ts';
import { purgeJob } from '../../functions/jobs/purge.ts';
import { ALL_OPERATIONS } from '../../functions/operations.ts';
import type { Configuration } from '../../functions/runtime/configuration.ts';
import { createServices } from '../../functions/runtime/services.ts';
import { type Clock, systemClock } from '../../lib/clock.ts';
import { probeDimensions } from '../../lib/models/embedding-batches.ts';
import { isOracleDatabaseEmbedder, type MemoryEmbedder } from '../../lib/models/oracle-database-embedder.ts';
import { readModelDimensions } from '../../lib/schema/embedding-model.ts';
import { ensureSchema } from '../../lib/schema/ensure-schema.ts';
import type { SqlTransport } from '../../lib/sql/sql-transport.ts';
import { UNUSED_DIMENSIONS } from '../schema-environment.ts';
import { readMigrations } from '../schema-migrations.ts';
import { startJobTimer } from './job-timer.ts';
import { openLocalDatabase } from './local-database.ts';
import { createLocalModels } from './local-models.ts';
import { loadTokenizer } from './models/load-tokenizer.ts';

/** The whole service in this process: its schema is there, and `app.fetch` answers. */
export interface LocalService {
  readonly app: App;
  close(): Promise<void>;
}

/**
 * Opens the database, brings the schema to what the policy allows, builds the app and purges expired records every
 * hour. Composition root of `npm start`, the demo and the tests that want all of it. Without a data directory the
 * emulator keeps nothing.
 */
export async function openLocalService(
  configuration: Configuration,
  logger: Logger,
  dataDirectory?: string,
  clock: Clock = systemClock,
): Promise<LocalService> {
  const models = createLocalModels(configuration);
  const database = await openLocalDatabase(configuration.transport, dataDirectory);
  /** The emulator's user may create no jobs, and this process purges: nobody need be told. */
  const lacksPrivileges = configuration.transport.kind === 'emulator';
  try {
    const state = await ensureSchema({
      transport: database.transport,
      names: configuration.names,
      policy: configuration.schemaPolicy,
      migrations: readMigrations(),
      vectorDimensions: await dimensionsOf(models.embedder, database.transport),
      searchStrategy: configuration.settings.searchStrategy,
      searchIndexSync: configuration.searchIndexSync,
      retention: configuration.retention,
      embedderModel: models.embedder?.modelId ?? '',
      warn: (message) => logger.log(lacksPrivileges ? 'debug' : 'warn', 'schema_warning', { message }),
    });
    const { transport } = database;
    const services = createServices({
      configuration,
      transport,
      ...models,
      loadTokenizer,
      logger,
      schemaState: state,
      clock,
    });
    const purge = startJobTimer(purgeJob, services, clock);
    return {
      app: createApp({ operations: ALL_OPERATIONS, services }),
      async close() {
        await purge.stop();
        await services.close();
        await database.close();
      },
    };
  } catch (error) {
    await database.close();
    throw error;
  }
}

/** The width that a new schema gets. */
async function dimensionsOf(embedder: MemoryEmbedder | undefined, transport: SqlTransport): Promise<number> {
  if (embedder === undefined) return UNUSED_DIMENSIONS;
  if (!isOracleDatabaseEmbedder(embedder)) return probeDimensions(embedder);
  return readModelDimensions(transport, embedder.modelId, embedder.dimensions);
}
