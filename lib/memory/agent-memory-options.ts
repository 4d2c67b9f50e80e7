import * as z from 'zod';
import type { Clock } from '../clock.ts';
import type { Embedder } from '../models/embedder.ts';
import type { Llm } from '../models/llm.ts';
import type { MemoryEmbedder } from '../models/oracle-database-embedder.ts';
import type { Tokenizer } from '../models/tokenizer.ts';
import type { JobQueue } from '../queue/job-queue.ts';
import type { Migration } from '../schema/render-migration.ts';
import type { RetentionPolicy } from '../schema/retention-policy.ts';
import {
  SCHEMA_POLICIES,
  type SchemaPolicy,
  SEARCH_INDEX_SYNCS,
  SEARCH_STRATEGIES,
  type SearchIndexSync,
  type SearchStrategy,
} from '../schema/schema-policy.ts';
import { type MemoryExtractionConfig, memoryExtractionConfigSchema } from '../schemas/extraction.ts';
import { parseRequest } from '../schemas/validation-issues.ts';
import type { SqlTransport } from '../sql/sql-transport.ts';
import type { MemoryStore } from '../store/memory-store.ts';
import type { SurvivedWork } from './memory-context.ts';

/** What `openAgentMemory` is given (contract §3.1). Either `transport` or `store`, never both. */
export interface AgentMemoryOptions {
  /** The way to the database: `createOrdsTransport` or `createThinTransport`. It stays the caller's, who closes it. */
  readonly transport?: SqlTransport | undefined;
  /** A store that is open already. Excludes everything that says how one is opened; knows no idempotency keys. */
  readonly store?: MemoryStore | undefined;
  /**
   * What makes vectors. Without one, vector search needs the caller's own vectors (`memory.records`), and the strategy
   * `keyword` works from words alone. `createOracleDatabaseEmbedder` names a model in the database.
   */
  readonly embedder?: MemoryEmbedder | undefined;
  /** For extraction, summaries and cards. Threads that extract need one. */
  readonly llm?: Llm | undefined;
  /** Counts and splits texts: `loadTokenizer`, or any object with its three members. */
  readonly tokenizer: Tokenizer;
  /** True refuses to open without a language model, false lets threads run without. @default as `memoryExtractionConfig` */
  readonly extractMemories?: boolean | undefined;
  /** Client level of the extraction configuration; threads override it field by field (contract §8.1). */
  readonly memoryExtractionConfig?: MemoryExtractionConfig | undefined;
  /** What may be done to the tables (contract §12). @default 'require_existing' */
  readonly schemaPolicy?: SchemaPolicy | undefined;
  /** Scripts of the tables (`readMigrations`), for a policy that may create them. */
  readonly migrations?: readonly Migration[] | undefined;
  /** Must be true for the policy `recreate`, which deletes every memory of the store. */
  readonly confirmRecreate?: boolean | undefined;
  /** Name of the store, joined to its tables by `_`. Excludes `tableNamePrefix`. @default tables without a prefix */
  readonly memoryStoreId?: string | undefined;
  /** Prefix of the tables without separator. Excludes `memoryStoreId`. */
  readonly tableNamePrefix?: string | undefined;
  /** @default 'vector' */
  readonly searchStrategy?: SearchStrategy | undefined;
  /** When a text index takes in new rows; not used by the strategy `vector`. @default 'on_commit' */
  readonly searchIndexSync?: SearchIndexSync | undefined;
  /** Retention of a store that is created now. @default nothing expires */
  readonly memoryRetentionConfig?: Partial<RetentionPolicy> | undefined;
  /** Width of the vectors, where the embedder does not declare it or there is none. */
  readonly vectorDim?: number | undefined;
  /** Where wake-ups of background jobs go; `'inline'` runs them in this process. Closed with the client. @default none */
  readonly jobQueue?: JobQueue | 'inline' | undefined;
  /** Tokens of one retrieval chunk (contract D13). @default 400 */
  readonly chunkTokens?: number | undefined;
  /** Tokens that a chunk shares with the one before. @default 50 */
  readonly chunkOverlap?: number | undefined;
  /** Factor on the distance for each dimension that matches without being exact (contract D6). @default 0.95 */
  readonly scopeBoost?: number | undefined;
  /** @default the clock of the machine */
  readonly clock?: Clock | undefined;
  /** Hears what a missing privilege left out while tables were created. */
  readonly warn?: ((message: string) => void) | undefined;
  /** Hears of failures that answers survive, and of background runs that failed. */
  readonly reportFailure?: ((work: SurvivedWork | 'background_job', error: unknown) => void) | undefined;
}

/** An object with these methods; what else it is, is its maker's matter. */
function objectWith<Value extends object>(...methods: readonly (keyof Value & string)[]) {
  return z.custom<Value>(
    (value) =>
      typeof value === 'object' &&
      value !== null &&
      methods.every((method) => typeof Reflect.get(value, method) === 'function'),
    `must be an object with ${methods.join(', ')}`,
  );
}

const embedder = z.custom<MemoryEmbedder>(
  (value) => isDatabaseEmbedder(value) || objectWith<Embedder>('embed').safeParse(value).success,
  'must be an object with embed, or what createOracleDatabaseEmbedder makes',
);

function isDatabaseEmbedder(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Reflect.get(value, 'kind') === 'oracle-database';
}

const listener = z.custom<(...values: never[]) => void>(
  (value) => typeof value === 'function',
  'must be a function',
);

const optionsSchema = z.strictObject({
  transport: objectWith<SqlTransport>('query', 'executeAtomic', 'executeDdl').optional(),
  store: objectWith<MemoryStore>('appendMessages', 'search').optional(),
  embedder: embedder.optional(),
  llm: objectWith<Llm>('generate').optional(),
  tokenizer: objectWith<Tokenizer>('count', 'split'),
  extractMemories: z.boolean().optional(),
  memoryExtractionConfig: memoryExtractionConfigSchema.optional(),
  schemaPolicy: z.enum(SCHEMA_POLICIES).optional(),
  migrations: z.array(z.custom<Migration>()).min(1).optional(),
  confirmRecreate: z.boolean().optional(),
  memoryStoreId: z.string().optional(),
  tableNamePrefix: z.string().optional(),
  searchStrategy: z.enum(SEARCH_STRATEGIES).optional(),
  searchIndexSync: z.enum(SEARCH_INDEX_SYNCS).optional(),
  memoryRetentionConfig: z
    .strictObject({
      defaultTtlDays: z.number().nullable().optional(),
      maxTtlDays: z.number().nullable().optional(),
    })
    .optional(),
  vectorDim: z.int().min(1).max(65_535).optional(),
  jobQueue: z
    .union([z.literal('inline'), objectWith<JobQueue>('send', 'close')], 'must be a job queue, or "inline"')
    .optional(),
  chunkTokens: z.int().min(16).max(100_000).optional(),
  chunkOverlap: z.int().min(0).max(50_000).optional(),
  scopeBoost: z.number().gt(0).max(1).optional(),
  clock: objectWith<Clock>('now', 'sleep').optional(),
  warn: listener.optional(),
  reportFailure: listener.optional(),
});

/**
 * Checks the shape of the options; their own rules are checked where they are used.
 *
 * @throws AgentMemoryError `invalid_request` naming the option, an unknown one by its name
 */
export function checkOptions(options: AgentMemoryOptions): AgentMemoryOptions {
  parseRequest(optionsSchema, options);
  return options;
}
