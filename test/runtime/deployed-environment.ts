import { installModule } from '../../infra/local/install-module.ts';
import { type Emulator, startEmulator } from '../../infra/local/oracle/start-emulator.ts';
import { readMigrations } from '../../infra/schema-migrations.ts';
import { ensureSchema } from '../../lib/schema/ensure-schema.ts';
import { createSchemaNames } from '../../lib/schema/schema-names.ts';
import { emulatorTransport } from '../api/api-fixture.ts';
import { type ModelServer, startModelServer } from './model-server.ts';

/** What a deployment finds around it, on loopback ports: ORDS in front of a database with its schema, and models. */
export interface DeployedEnvironment {
  readonly emulator: Emulator;
  readonly models: ModelServer;
  /** Environment variables of a function or Worker in it. */
  readonly variables: Readonly<Record<string, string>>;
  /** Instead of `variables`, for what may only call installed statements; they are there once `installStatements` ran. */
  readonly moduleVariables: Readonly<Record<string, string>>;
  /** Instead of `variables`, for what reaches the database through its TNS listener. */
  readonly directVariables: Readonly<Record<string, string>>;
  installStatements(): Promise<void>;
  close(): Promise<void>;
}

const EMBEDDING_MODEL = 'hash';
const CLIENT = { clientId: 'functions', clientSecret: 'of-the-test' };
const CALLER = { clientId: 'caller', clientSecret: 'of-the-test', roles: ['agent-memory.caller'] } as const;

export async function startDeployedEnvironment(): Promise<DeployedEnvironment> {
  const emulator = await startEmulator({ ordsPort: 0, tnsPort: 0, clients: [CLIENT, CALLER] });
  const models = await startModelServer();
  await ensureSchema({
    transport: emulatorTransport(emulator),
    names: createSchemaNames(),
    policy: 'create_if_empty',
    migrations: readMigrations(),
    vectorDimensions: models.dimensions,
    searchStrategy: 'vector',
    searchIndexSync: 'on_commit',
    retention: { defaultTtlDays: null, maxTtlDays: null },
    embedderModel: EMBEDDING_MODEL,
  });
  const others = {
    EMBEDDER: 'openai-compatible',
    EMBEDDING_MODEL,
    EMBEDDING_API_BASE: models.apiBase,
    EMBEDDING_DIMENSION: String(models.dimensions),
    LLM: 'openai-compatible',
    LLM_MODEL: 'rules',
    LLM_API_BASE: models.apiBase,
    JOB_QUEUE: 'inline',
    AUTH_MODE: 'none',
  };
  return {
    emulator,
    models,
    variables: {
      ORACLE_TRANSPORT: 'ords',
      ORDS_URL: emulator.ordsUrl,
      ORDS_CLIENT_ID: CLIENT.clientId,
      ORDS_CLIENT_SECRET: CLIENT.clientSecret,
      ...others,
    },
    moduleVariables: {
      ORACLE_TRANSPORT: 'ords',
      ORDS_MODE: 'module',
      ORDS_URL: emulator.ordsUrl,
      ORDS_CLIENT_ID: CALLER.clientId,
      ORDS_CLIENT_SECRET: CALLER.clientSecret,
      ...others,
    },
    directVariables: {
      ORACLE_TRANSPORT: 'thin',
      ORACLE_CONNECT_STRING: emulator.connectString ?? '',
      ORACLE_USER: emulator.username,
      ORACLE_PASSWORD: emulator.password,
      ...others,
    },
    installStatements: () => installModule(emulator, createSchemaNames(), models.dimensions),
    async close() {
      await models.close();
      await emulator.close();
    },
  };
}
