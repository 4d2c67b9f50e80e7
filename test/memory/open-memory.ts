import { loadTokenizer } from '../../infra/local/models/load-tokenizer.ts';
import { readMigrations } from '../../infra/schema-migrations.ts';
import { systemClock } from '../../lib/clock.ts';
import { createMemoryContext } from '../../lib/memory/create-memory-context.ts';
import {
  CHUNK_DEFAULTS,
  JOB_DEFAULTS,
  type MemoryContext,
  type MemorySettings,
} from '../../lib/memory/memory-context.ts';
import type { Embedder } from '../../lib/models/embedder.ts';
import type { Llm } from '../../lib/models/llm.ts';
import { createOracleDatabaseEmbedder } from '../../lib/models/oracle-database-embedder.ts';
import { ensureSchema } from '../../lib/schema/ensure-schema.ts';
import type { SchemaNames } from '../../lib/schema/schema-names.ts';
import type { SqlTransport } from '../../lib/sql/sql-transport.ts';
import { createHashEmbedder } from '../../lib/testing/index.ts';

/** Width of the vectors of the hash embedder. */
export const MEMORY_DIMENSIONS = 256;
const RETENTION = { defaultTtlDays: null, maxTtlDays: null } as const;

export interface OpenMemoryOptions {
  readonly transport: SqlTransport;
  /** Creates the schema. @default `transport` */
  readonly owner?: SqlTransport | undefined;
  /** Vectors come from the database when they name a model: the hash embedder in it. */
  readonly names: SchemaNames;
  readonly llm: Llm;
  /** What the schema is made for. @default 'vector' */
  readonly searchStrategy?: MemorySettings['searchStrategy'] | undefined;
  /** Stands between the store and the transport, once the schema is there. */
  readonly wrapTransport?: ((transport: SqlTransport) => SqlTransport) | undefined;
  readonly wrapEmbedder?: ((embedder: Embedder) => Embedder) | undefined;
}

/** Creates the schema of a store and gives what a client on it is made of. */
export async function openMemory({
  transport,
  owner = transport,
  names,
  llm,
  searchStrategy = 'vector',
  wrapTransport,
  wrapEmbedder,
}: OpenMemoryOptions): Promise<MemoryContext> {
  const embedder = createHashEmbedder({ dimensions: MEMORY_DIMENSIONS });
  const state = await ensureSchema({
    transport: owner,
    names,
    policy: 'create_if_empty',
    migrations: readMigrations(),
    vectorDimensions: MEMORY_DIMENSIONS,
    searchStrategy,
    searchIndexSync: 'on_commit',
    retention: RETENTION,
    embedderModel: embedder.modelId,
  });
  const model = names.embeddingModel;
  return createMemoryContext(
    { transport: wrapTransport?.(transport) ?? transport, names, state },
    {
      embedder:
        model === undefined
          ? (wrapEmbedder?.(embedder) ?? embedder)
          : createOracleDatabaseEmbedder({ model, dimensions: MEMORY_DIMENSIONS, maxInputTokens: 1000 }),
      llm,
      tokenizer: await loadTokenizer(),
      clock: systemClock,
      settings: { searchStrategy, ...CHUNK_DEFAULTS, extraction: {}, ...JOB_DEFAULTS },
    },
  );
}
