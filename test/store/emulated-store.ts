import { installModule } from '../../infra/local/install-module.ts';
import type { FaultHooks } from '../../infra/local/oracle/engine/oracle-engine.ts';
import { type Emulator, startEmulator } from '../../infra/local/oracle/start-emulator.ts';
import { readMigrations } from '../../infra/schema-migrations.ts';
import { ensureSchema } from '../../lib/schema/ensure-schema.ts';
import { createSchemaNames, type SchemaNames } from '../../lib/schema/schema-names.ts';
import { createOrdsTransport } from '../../lib/sql/ords/ords-transport.ts';
import type { SqlTransport } from '../../lib/sql/sql-transport.ts';
import { connectThin } from '../connect-thin.ts';
import { HASH_MODEL, hashModel } from '../database-model.ts';
import { createModuleTransport } from '../module-transport.ts';
import { DIMENSIONS, NO_RETENTION } from './store-samples.ts';

export interface EmulatedStore {
  readonly emulator: Emulator;
  readonly transport: SqlTransport;
  readonly names: SchemaNames;
}

const CLIENT = { clientId: 'store', clientSecret: 'of the test' };

/**
 * The way to the emulator: ORDS without a network, ORDS over a port as a client with OAuth2, installed statements over
 * ORDS, or a direct connection.
 */
export type StoreEntrance = 'process' | 'port' | 'module' | 'thin';

function connect(emulator: Emulator, entrance: StoreEntrance): SqlTransport {
  const { ordsUrl: url, username, password, fetch } = emulator;
  if (entrance === 'thin') return connectThin(emulator);
  if (entrance === 'module') {
    const credentials = { kind: 'basic', username, password } as const;
    return createModuleTransport(emulator, { url, credentials, runtime: { fetch }, isOfTest: isOfStage });
  }
  return entrance === 'port'
    ? createOrdsTransport({ url, credentials: { kind: 'client_credentials', ...CLIENT } })
    : createOrdsTransport({ url, credentials: { kind: 'basic', username, password } }, { fetch });
}

/** Statements by which a test looks behind the store. */
const isOfStage = (name: string): boolean => name.startsWith('stage.');

export interface EmulatedStoreOptions {
  /** @default 'process' */
  readonly entrance?: StoreEntrance;
  /** The store's names have an embedding model, which makes vectors of `DIMENSIONS`. */
  readonly embedsInDatabase?: boolean;
}

/** An emulator in this process with the tables of a memory store; closing the transport ends it. */
export async function openEmulatedStore(
  faults?: FaultHooks,
  { entrance = 'process', embedsInDatabase = false }: EmulatedStoreOptions = {},
): Promise<EmulatedStore> {
  const emulator = await startEmulator({
    faults,
    embeddingModels: hashModel(DIMENSIONS),
    ...(entrance === 'port' ? { ordsPort: 0, clients: [CLIENT] } : {}),
    ...(entrance === 'thin' ? { tnsPort: 0 } : {}),
  });
  const connected = connect(emulator, entrance);
  const transport: SqlTransport = {
    ...connected,
    async close() {
      await connected.close();
      await emulator.close();
    },
  };
  const names = createSchemaNames({ embeddingModel: embedsInDatabase ? HASH_MODEL : undefined });
  await ensureSchema({
    transport: entrance === 'module' ? connect(emulator, 'process') : transport,
    names,
    policy: 'create_if_empty',
    migrations: readMigrations(),
    vectorDimensions: DIMENSIONS,
    searchStrategy: 'keyword',
    searchIndexSync: 'on_commit',
    retention: NO_RETENTION,
    embedderModel: 'none',
  });
  if (entrance === 'module') await installModule(emulator, names, DIMENSIONS);
  return { emulator, transport, names };
}
