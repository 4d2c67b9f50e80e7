import { readModelDimensions } from '../../../lib/schema/embedding-model.ts';
import type { SchemaNames } from '../../../lib/schema/schema-names.ts';
import type { VectorIndex } from '../../../lib/schema/schema-policy.ts';
import { readSchemaState } from '../../../lib/schema/schema-state.ts';
import { type CallerLimits, UNLIMITED } from '../../../lib/schemas/caller-limits.ts';
import type { RawRow } from '../../../lib/sql/result-shape.ts';
import type { SqlTransport } from '../../../lib/sql/sql-transport.ts';
import { DEFAULT_AUDIT_DAYS, pruneAudit } from '../../../lib/store/audit/prune-audit.ts';
import { createMemoryStore } from '../../../lib/store/create-memory-store.ts';
import { purgeExpired } from '../../../lib/store/records/purge.ts';
import { WORD_TIERS } from '../../../lib/store/request-sql/fixed-texts.ts';
import { createRequestStore } from '../../../lib/store/requests/request-store.ts';
import type { StoreContext } from '../../../lib/store/store-context.ts';
import { findTakenId } from '../../../lib/store/user-data/find-taken-id.ts';
import { threadConfig } from './sample-requests.ts';
import {
  everyFixedSearch,
  everyPastMemorySearch,
  everyPlainSearch,
  everySearch,
  NOTHING_TO_FIND,
  queryVectors,
  unitVector,
} from './search-requests.ts';
import { additions, changes, jobWrites, reads, variations } from './store-calls.ts';

/** What the texts of a store depend on. */
export interface StatementSources {
  readonly transport: SqlTransport;
  readonly names: SchemaNames;
  /** Width of the vectors. */
  readonly dimensions: number;
  readonly vectorIndex: VectorIndex;
  /** Whether also the texts of callers with limits. @default true */
  readonly hasLimitedCallers?: boolean;
}

const RECORD_KEY = { record_family: 'memory', record_id: 'memory' };

/** What a transport must answer by statement name, so that every use goes on to its last statement. */
export const ANSWERS: Readonly<Record<string, readonly RawRow[]>> = {
  'threads.get': [
    {
      thread_id: 'thread',
      thread_user_id: 'user',
      thread_agent_id: 'agent',
      thread_metadata: '{}',
      thread_config: JSON.stringify(threadConfig()),
      message_count: 0,
      extracted_seq: 0,
      summarized_seq: 0,
      running_summary: null,
      summary_stale: 0,
      thread_created_at: '2026-01-01T00:00:00.000Z',
      thread_updated_at: '2026-01-01T00:00:00.000Z',
    },
  ],
  'users.count_cascade': [{ record_total: 0 }],
  'agents.count_cascade': [{ record_total: 0 }],
  'records.find_expired': [RECORD_KEY],
  'jobs.find_old': [{ job_id: 'job' }],
  'chunks.find_orphans': [RECORD_KEY],
  'history.find_orphans': [RECORD_KEY],
  'schema.read_model': [{ model_dimensions: 1 }],
};

const ALL_LIMITS: CallerLimits = { users: ['user'], agents: ['agent'], threads: ['thread'] };
const EACH_LIMIT: readonly CallerLimits[] = [
  { users: ['user'] },
  { agents: ['agent'] },
  { threads: ['thread'] },
  ALL_LIMITS,
];

/**
 * Sends every text that a running service can send: all methods over all options that change a text. Over a transport
 * with fixed statements each combination, which are few; else parts that are independent of each other are varied by
 * themselves and with the others at their fullest, and a caller's limits only where nothing else varies.
 */
export async function sendEveryStatement(sources: StatementSources): Promise<void> {
  const { transport, names, hasLimitedCallers = true } = sources;
  const { fixedStatements } = transport.capabilities;
  await sendOfCaller(sources, UNLIMITED, true);
  const callers = fixedStatements ? [ALL_LIMITS] : EACH_LIMIT;
  for (const limits of hasLimitedCallers ? callers : []) await sendOfCaller(sources, limits, fixedStatements);
  if (sources.vectorIndex !== 'none') await sendOfIndex(sources);
  await findTakenId(contextOf(sources, UNLIMITED), {
    threads: [],
    records: [],
    chunks: [],
    forms: [],
    writesGuidelines: true,
  });
  await purgeExpired({ transport, names });
  await pruneAudit({ transport, names }, DEFAULT_AUDIT_DAYS);
  await readSchemaState(transport, names);
  if (names.embeddingModel !== undefined)
    await readModelDimensions(transport, names.embeddingModel, undefined);
}

function contextOf({ transport, names, dimensions }: StatementSources, limits: CallerLimits): StoreContext {
  const retention = { defaultTtlDays: null, maxTtlDays: null };
  return { transport, names, settings: { dimensions, retention }, limits };
}

async function sendOfCaller(sources: StatementSources, limits: CallerLimits, isFull: boolean): Promise<void> {
  const context = contextOf(sources, limits);
  const store = createMemoryStore(context);
  const vector = unitVector(sources.dimensions);
  const calls = [...additions(vector), ...jobWrites(), ...changes(), ...reads()];
  for (const call of isFull ? [...calls, ...variations(vector)] : calls) await call(store);
  await sendRecorded(context);
  await sendSearches(sources, context, isFull);
}

async function sendSearches(
  { transport, names, dimensions }: StatementSources,
  context: StoreContext,
  isFull: boolean,
): Promise<void> {
  const { fixedStatements } = transport.capabilities;
  const store = createMemoryStore(context);
  const vectors = queryVectors(dimensions, names.embeddingModel !== undefined);
  const wordTotals = fixedStatements ? WORD_TIERS : [2];
  for (const search of everyPlainSearch(vectors, wordTotals)) await store.search(search);
  if (isFull)
    for (const search of fixedStatements ? everyFixedSearch(vectors) : everySearch(vectors))
      await store.search(search);
  await store.search(NOTHING_TO_FIND);
  for (const pastMemories of everyPastMemorySearch(vectors, wordTotals))
    await store.readExtractionInput('job', 'lease', { pastMemories });
}

/** Writes that a request is recorded with: its first one, and a later one about its job. */
async function sendRecorded(context: StoreContext): Promise<void> {
  const requests = createRequestStore(context);
  const owners = { threadId: 'thread', userId: null, agentId: null };
  const open = () => requests.recording({ requestKey: 'key', requestHash: 'hash', owners });
  await requests.find('key');
  for (const call of additions(unitVector(context.settings.dimensions))) await call(open());
  for (const call of jobWrites()) {
    const store = open();
    await call(store);
    await call(store);
  }
}

async function sendOfIndex(sources: StatementSources): Promise<void> {
  const { transport, names, dimensions, vectorIndex } = sources;
  const { settings } = contextOf(sources, UNLIMITED);
  const store = createMemoryStore({ transport, names, settings: { ...settings, vectorIndex } });
  const vectors = queryVectors(dimensions, names.embeddingModel !== undefined);
  const wordTotals = transport.capabilities.fixedStatements ? WORD_TIERS : [2];
  for (const search of everyPlainSearch(vectors, wordTotals)) await store.search(search);
}
