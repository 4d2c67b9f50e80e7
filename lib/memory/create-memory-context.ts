import type { Clock } from '../clock.ts';
import { withBatches } from '../models/embedding-batches.ts';
import type { Llm } from '../models/llm.ts';
import { isOracleDatabaseEmbedder, type MemoryEmbedder } from '../models/oracle-database-embedder.ts';
import { withRetry } from '../models/retry.ts';
import type { Tokenizer } from '../models/tokenizer.ts';
import type { JobQueue } from '../queue/job-queue.ts';
import type { SchemaNames } from '../schema/schema-names.ts';
import type { SchemaState } from '../schema/schema-state.ts';
import type { CallerLimits } from '../schemas/caller-limits.ts';
import type { SqlTransport } from '../sql/sql-transport.ts';
import type { WriteAuthor } from '../store/audit/write-author.ts';
import { createMemoryStore } from '../store/create-memory-store.ts';
import { createRequestStore } from '../store/requests/request-store.ts';
import type { MemoryContext, MemorySettings } from './memory-context.ts';

/** What a context on a database is made of, beside its store. */
export interface MemoryParts {
  readonly embedder: MemoryEmbedder | undefined;
  readonly llm: Llm | undefined;
  readonly tokenizer: Tokenizer;
  readonly jobQueue?: JobQueue | undefined;
  readonly clock: Clock;
  readonly settings: MemorySettings;
  readonly limits?: CallerLimits | undefined;
  /** Who writes, for the audit trail and the history of memories. @default IN_PROCESS */
  readonly author?: WriteAuthor | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** The tables that a context reads and writes. */
export interface MemoryTables {
  readonly transport: SqlTransport;
  readonly names: SchemaNames;
  /** What the store says about itself. */
  readonly state: Pick<SchemaState, 'vectorDimensions' | 'retention' | 'vectorIndex'>;
  /** Factor on the distance for each dimension that matches (contract D6). @default DEFAULT_BOOST_FACTOR */
  readonly boostFactor?: number | undefined;
}

/** Joins tables and models to what every use case needs. Nothing connects here, and nothing is kept between two calls. */
export function createMemoryContext(tables: MemoryTables, parts: MemoryParts): MemoryContext {
  const { transport, names, state, boostFactor } = tables;
  const storeContext = {
    transport,
    names,
    limits: parts.limits,
    author: parts.author,
    settings: {
      dimensions: state.vectorDimensions,
      retention: state.retention,
      vectorIndex: state.vectorIndex,
      ...(boostFactor === undefined ? {} : { boostFactor }),
    },
  };
  const store = createMemoryStore(storeContext);
  return joinParts(store, parts, createRequestStore(storeContext));
}

/** The same on a store that is there. Without `requests` idempotency keys are `unsupported`. */
export function joinParts(
  store: MemoryContext['store'],
  parts: MemoryParts,
  requests?: MemoryContext['requests'],
): MemoryContext {
  const { embedder, llm, tokenizer, clock } = parts;
  return {
    ...parts,
    store,
    requests,
    embedder: embedder && inBatches(embedder, store.dimensions, tokenizer, clock),
    llm: llm && withRetry(llm, { clock }),
    newId: () => crypto.randomUUID(),
  };
}

/** A model that is called is called in batches; one in the database is not called. */
function inBatches(
  embedder: MemoryEmbedder,
  storeDimensions: number,
  tokenizer: Tokenizer,
  clock: Clock,
): MemoryEmbedder {
  if (isOracleDatabaseEmbedder(embedder)) return embedder;
  const dimensions = embedder.dimensions ?? storeDimensions;
  return withBatches(embedder, { tokenizer, dimensions, clock });
}
