import { type App, createApp } from '../../functions/app.ts';
import type { LogFields, Logger, LogLevel } from '../../functions/http/logger.ts';
import { mountMcp } from '../../functions/mcp/mount-mcp.ts';
import { ALL_OPERATIONS } from '../../functions/operations.ts';
import { readConfiguration } from '../../functions/runtime/configuration.ts';
import { createServices } from '../../functions/runtime/services.ts';
import type { Services } from '../../functions/services.ts';
import { installModule } from '../../infra/local/install-module.ts';
import { loadTokenizer } from '../../infra/local/models/load-tokenizer.ts';
import type { FaultHooks } from '../../infra/local/oracle/engine/oracle-engine.ts';
import {
  type Emulator,
  type EmulatorOptions,
  startEmulator,
} from '../../infra/local/oracle/start-emulator.ts';
import type { TnsFaults } from '../../infra/local/oracle/tns/tns-faults.ts';
import { readMigrations } from '../../infra/schema-migrations.ts';
import { createAgentMemoryClient } from '../../lib/client/agent-memory-client.ts';
import { type Clock, systemClock } from '../../lib/clock.ts';
import type { Llm } from '../../lib/models/llm.ts';
import type { JobQueue } from '../../lib/queue/job-queue.ts';
import { ensureSchema } from '../../lib/schema/ensure-schema.ts';
import { tableNames } from '../../lib/schema/schema-names.ts';
import type { AgentMemoryApi } from '../../lib/schemas/agent-memory-api.ts';
import type { OrdsMode } from '../../lib/sql/ords/config.ts';
import { createOrdsTransport } from '../../lib/sql/ords/ords-transport.ts';
import type { SqlTransport } from '../../lib/sql/sql-transport.ts';
import { createHashEmbedder, type HashEmbedder } from '../../lib/testing/hash-embedder.ts';
import { connectThin } from '../connect-thin.ts';
import { installRowIsolation } from '../store/install-row-isolation.ts';
import { createOpenApiValidator, type OpenApiValidator } from './openapi-validator.ts';

export interface LoggedEvent {
  readonly level: LogLevel;
  readonly event: string;
  readonly fields: LogFields;
}

/** The whole service in this process, from HTTP to the emulated database. */
export interface ApiFixture {
  readonly app: App;
  readonly services: Services;
  /** Another instance of the service over the same database, as after a restart. */
  openApp(): App;
  /** The typed client over `app.request`. Every answer that it gets is held against the OpenAPI document. */
  readonly client: AgentMemoryApi;
  readonly openApi: OpenApiValidator;
  readonly emulator: Emulator;
  readonly embedder: HashEmbedder;
  /** Everything but the lines that tell of requests. */
  readonly logged: readonly LoggedEvent[];
  readonly requestLines: readonly LoggedEvent[];
  /** Rows of every table of the store together. */
  countRows(): Promise<number>;
  close(): Promise<void>;
}

export interface ApiFixtureOptions {
  readonly variables?: Readonly<Record<string, string>>;
  readonly faults?: FaultHooks;
  readonly llm?: Llm;
  readonly jobQueue?: JobQueue;
  readonly clock?: Clock;
  /** Runs before every request to ORDS. */
  readonly middleware?: EmulatorOptions['middleware'];
  /** @default 'rest-sql' */
  readonly ordsMode?: OrdsMode;
  /** Goes through the TNS listener instead of ORDS, with these faults. */
  readonly tnsFaults?: TnsFaults;
  /** The database limits the rows of limited callers too, over a direct connection. */
  readonly isolatesRows?: boolean;
  /** Stands between the service and its transport. */
  readonly wrapTransport?: (transport: SqlTransport) => SqlTransport;
}

export const WITHOUT_EXTRACTION = { MEMORY_EXTRACTION: '{"extractMemories":false}' };

export async function startApi(options: ApiFixtureOptions = {}): Promise<ApiFixture> {
  const { faults, middleware, tnsFaults, isolatesRows = false, ordsMode = 'rest-sql' } = options;
  const isDirect = tnsFaults !== undefined || isolatesRows;
  const emulator = await startEmulator({
    faults,
    middleware,
    tnsFaults,
    ...(isDirect && { tnsPort: 0 }),
  });
  const read = readConfiguration({ ...WITHOUT_EXTRACTION, ...options.variables }, 'local');
  const configuration = { ...read, isolatesRows };
  const owner = emulatorTransport(emulator);
  const rowAccessProcedure = isolatesRows ? configuration.names.rowAccess : undefined;
  const transport = isDirect
    ? connectThin(emulator, { rowAccessProcedure })
    : emulatorTransport(emulator, ordsMode);
  const embedder = createHashEmbedder();
  await ensureSchema({
    transport: isolatesRows || ordsMode === 'module' ? owner : transport,
    names: configuration.names,
    policy: configuration.schemaPolicy,
    migrations: readMigrations(),
    vectorDimensions: embedder.dimensions ?? 64,
    searchStrategy: configuration.settings.searchStrategy,
    searchIndexSync: configuration.searchIndexSync,
    retention: configuration.retention,
    embedderModel: embedder.modelId,
  });
  if (isolatesRows) await installRowIsolation(emulator.engine, configuration.names.prefix);
  if (ordsMode === 'module') {
    await installModule(emulator, configuration.names, embedder.dimensions ?? 64);
  }
  const logged: LoggedEvent[] = [];
  const requestLines: LoggedEvent[] = [];
  const logger: Logger = {
    log: (level, event, fields) =>
      void (event === 'request' ? requestLines : logged).push({ level, event, fields }),
  };
  const open = () =>
    createServices({
      configuration,
      transport: options.wrapTransport?.(transport) ?? transport,
      embedder,
      llm: options.llm,
      jobQueue: options.jobQueue,
      loadTokenizer,
      logger,
      clock: options.clock ?? systemClock,
    });
  const services = open();
  const app = createApp({ operations: ALL_OPERATIONS, services, mountMore: mountMcp });
  const openApi = createOpenApiValidator();
  return {
    app,
    openApi,
    services,
    openApp: () => createApp({ operations: ALL_OPERATIONS, services: open() }),
    client: createAgentMemoryClient({
      baseUrl: 'http://memory.test',
      fetch: async (url, init) => {
        const response = await app.request(url, init);
        await openApi.check(init.method ?? 'GET', new URL(url).pathname, response);
        return response;
      },
      wait: () => Promise.resolve(),
    }),
    emulator,
    embedder,
    logged,
    requestLines,
    countRows: () => countRows(emulator, tableNames(configuration.names)),
    async close() {
      await transport.close();
      await emulator.close();
    },
  };
}

export function emulatorTransport(
  { ordsUrl: url, username, password, fetch }: Emulator,
  mode: OrdsMode = 'rest-sql',
): SqlTransport {
  return createOrdsTransport({ url, credentials: { kind: 'basic', username, password }, mode }, { fetch });
}

async function countRows(emulator: Emulator, tables: readonly string[]): Promise<number> {
  const session = emulator.engine.openSession();
  try {
    let count = 0;
    for (const table of tables) {
      const { rows } = await session.execute(`SELECT COUNT(*) AS n FROM ${table}`, []);
      count += Number(rows[0]?.[0]);
    }
    return count;
  } finally {
    await session.close();
  }
}

/** The counts of a `Server-Timing` header. */
export function costsOf(response: Response): {
  readonly db: number;
  readonly embed: number;
  readonly llm: number;
} {
  const header = response.headers.get('Server-Timing') ?? '';
  const count = (name: string) => Number(new RegExp(`${name};desc="(\\d+)"`).exec(header)?.[1]);
  return { db: count('db'), embed: count('embed'), llm: count('llm') };
}

export function jsonRequest(method: string, body: unknown): RequestInit {
  return {
    method,
    headers: { 'Content-Type': 'application/json' },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  };
}
