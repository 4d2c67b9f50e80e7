import { loadTokenizer } from '../../infra/local/models/load-tokenizer.ts';
import { type EmulatorOptions, startEmulator } from '../../infra/local/oracle/start-emulator.ts';
import { readMigrations } from '../../infra/schema-migrations.ts';
import { systemClock } from '../../lib/clock.ts';
import { AgentMemory } from '../../lib/memory/agent-memory.ts';
import { JOB_DEFAULTS, type MemoryContext, type MemorySettings } from '../../lib/memory/memory-context.ts';
import type { Embedder } from '../../lib/models/embedder.ts';
import { withBatches } from '../../lib/models/embedding-batches.ts';
import type { Llm } from '../../lib/models/llm.ts';
import { createOracleDatabaseEmbedder } from '../../lib/models/oracle-database-embedder.ts';
import { ensureSchema } from '../../lib/schema/ensure-schema.ts';
import { createSchemaNames, type SchemaNames } from '../../lib/schema/schema-names.ts';
import { type CountingTransport, withCounting } from '../../lib/sql/counting-transport.ts';
import { createOrdsTransport } from '../../lib/sql/ords/ords-transport.ts';
import type { SqlTransport } from '../../lib/sql/sql-transport.ts';
import { createMemoryStore } from '../../lib/store/create-memory-store.ts';
import { createRequestStore } from '../../lib/store/requests/request-store.ts';
import { createHashEmbedder } from '../../lib/testing/index.ts';
import { HASH_MODEL, hashModel } from '../database-model.ts';

const DIMENSIONS = 256;
const RETENTION = { defaultTtlDays: null, maxTtlDays: null } as const;

export interface EmulatedMemory {
  readonly memory: AgentMemory;
  readonly transport: CountingTransport;
  /** What the client is made of. */
  readonly context: MemoryContext;
  readonly names: SchemaNames;
  /** The same store through another search strategy; one that compares words needs the option `searchStrategy`. */
  with(strategy: MemorySettings['searchStrategy']): AgentMemory;
}

export interface EmulatedMemoryOptions {
  /** What the schema is made for. @default 'vector' */
  readonly searchStrategy?: MemorySettings['searchStrategy'];
  /** Stands between the store and the transport, once the schema is there. */
  readonly wrapTransport?: (transport: SqlTransport) => SqlTransport;
  readonly wrapEmbedder?: (embedder: Embedder) => Embedder;
  /** The hash embedder is a model of the database. */
  readonly embedsInDatabase?: boolean;
  /** Runs before every request to ORDS. */
  readonly middleware?: EmulatorOptions['middleware'];
  readonly faults?: EmulatorOptions['faults'];
}

/** The library on an emulated database in this process, reached over ORDS; closing the client ends it. */
export async function openEmulatedMemory(
  llm: Llm,
  {
    searchStrategy = 'vector',
    wrapTransport,
    wrapEmbedder,
    embedsInDatabase = false,
    middleware,
    faults,
  }: EmulatedMemoryOptions = {},
): Promise<EmulatedMemory> {
  const emulator = await startEmulator({ embeddingModels: hashModel(DIMENSIONS), middleware, faults });
  const { ordsUrl: url, username, password } = emulator;
  const credentials = { kind: 'basic', username, password } as const;
  const transport = withCounting(createOrdsTransport({ url, credentials }, { fetch: emulator.fetch }));
  const names = createSchemaNames({ embeddingModel: embedsInDatabase ? HASH_MODEL : undefined });
  const embedder = createHashEmbedder({ dimensions: DIMENSIONS });
  await ensureSchema({
    transport,
    names,
    policy: 'create_if_empty',
    migrations: readMigrations(),
    vectorDimensions: DIMENSIONS,
    searchStrategy,
    searchIndexSync: 'on_commit',
    retention: RETENTION,
    embedderModel: embedder.modelId,
  });
  const tokenizer = await loadTokenizer();
  const storeContext = {
    transport: wrapTransport?.(transport) ?? transport,
    names,
    settings: { dimensions: DIMENSIONS, retention: RETENTION },
  };
  const context: MemoryContext = {
    store: createMemoryStore(storeContext),
    requests: createRequestStore(storeContext),
    embedder: embedsInDatabase
      ? createOracleDatabaseEmbedder({ model: HASH_MODEL, dimensions: DIMENSIONS, maxInputTokens: 1000 })
      : withBatches(wrapEmbedder?.(embedder) ?? embedder, { tokenizer }),
    llm,
    tokenizer,
    clock: systemClock,
    newId: () => crypto.randomUUID(),
    settings: {
      searchStrategy,
      chunkTokens: 400,
      chunkOverlap: 50,
      extraction: {},
      ...JOB_DEFAULTS,
    },
  };
  return {
    memory: new AgentMemory(context, () => emulator.close()),
    transport,
    context,
    names,
    with: (strategy) =>
      new AgentMemory({ ...context, settings: { ...context.settings, searchStrategy: strategy } }),
  };
}
