import {
  createRecordingTransport,
  type RecordedStatement,
} from '../../infra/ords/statement-driver/recording-transport.ts';
import { createSchemaNames, type SchemaNames } from '../../lib/schema/schema-names.ts';
import type { JsonObject } from '../../lib/schemas/metadata.ts';
import { MEMORY_TYPES, RECORD_TYPES } from '../../lib/schemas/record.ts';
import { createMemoryStore } from '../../lib/store/create-memory-store.ts';
import type { MemoryStore } from '../../lib/store/memory-store.ts';
import type { MessageEdit } from '../../lib/store/messages/stored-message.ts';
import { purgeExpired } from '../../lib/store/records/purge.ts';
import type {
  NewMessageRecord,
  NewRecord,
  RecordChange,
  RecordList,
} from '../../lib/store/records/stored-record.ts';
import { createRequestStore, type RequestStore } from '../../lib/store/requests/request-store.ts';
import type { ScopeDimension, StoreSearch } from '../../lib/store/search/store-search.ts';
import {
  DIMENSIONS,
  direction,
  extractionOutcome,
  JOB_RELEASE,
  messageAppend,
  NO_RETENTION,
  newMessage,
  newMessageRecord,
  newRecord,
  newThread,
  storeSearch,
  threadConfig,
} from './store-samples.ts';

const SCOPE_DIMENSIONS: readonly ScopeDimension[] = [
  { kind: 'unfiltered' },
  { kind: 'exact', value: 'an id' },
  { kind: 'exact', value: null },
  { kind: 'boost', value: 'an id' },
  { kind: 'boost', value: null },
  { kind: 'exact_of_thread' },
  { kind: 'boost_of_thread' },
];

const QUERIES = [
  { strategy: 'vector', vector: direction(0) },
  { strategy: 'keyword', text: 'blue bicycle' },
  { strategy: 'hybrid', text: 'blue bicycle', vector: direction(0) },
] as const;

/** One filter for each shape that the compiler writes. */
const FILTERS: readonly JsonObject[] = [
  { color: 'blue' },
  { color: null, size: 1.5, open: true, list: [1, 'a'], empty: {} },
  { address: { city: 'Berlin', geo: { lat: 52 } } },
  { tags: { $array_contains: 'a' }, words: { $array_contains: ['a', 'b'] } },
  { tags: { $array_contains_any: ['a', 'b'], $not: { $array_contains_any: [] } } },
  { color: { $not: 'blue' }, place: { $not: { $not: { city: 'Berlin' } } } },
  { 'a "quoted" key\n': 1, '日本 & $agent_memory': { '🙂': ['x'] } },
];

const THREAD_ROW = {
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
};

const RECORD_KEY = { record_family: 'memory', record_id: 'memory' };

/**
 * Every SQL text that the store sends, each once: all methods over all options that change a text. The parts of a
 * search are independent of each other, so each is varied by itself and with the others at their fullest.
 */
export async function everyStatement(
  names: SchemaNames = createSchemaNames(),
): Promise<readonly RecordedStatement[]> {
  const transport = createRecordingTransport({
    rows: {
      'threads.get': [THREAD_ROW],
      'users.count_cascade': [{ record_total: 0 }],
      'agents.count_cascade': [{ record_total: 0 }],
      'records.find_expired': [RECORD_KEY],
      'jobs.find_old': [{ job_id: 'job' }],
      'chunks.find_orphans': [RECORD_KEY],
    },
  });
  const settings = { dimensions: DIMENSIONS, retention: NO_RETENTION };
  const store = createMemoryStore({ transport, names, settings });
  const indexed = createMemoryStore({ transport, names, settings: { ...settings, vectorIndex: 'hnsw' } });
  await callWrites(store);
  await callReads(store);
  await callRepeatable(createRequestStore({ transport, names, settings }));
  for (const search of everySearch()) await store.search(search);
  if (names.embeddingModel !== undefined) await searchByText(store);
  for (const search of everyIndexSearch()) await indexed.search(search);
  await purgeExpired({ transport, names });
  const byText = new Map(transport.statements.map((statement) => [statement.sql, statement]));
  return [...byText.values()];
}

async function callWrites(store: MemoryStore): Promise<void> {
  const message = newMessage('message', { chunks: [{ text: 'text', embedding: direction(10) }] });
  await store.createThread(newThread('thread'));
  await store.appendMessages(messageAppend('thread', [message]));
  await store.appendMessages(messageAppend('thread', [message], { canExtract: false }));
  await store.addRecord(newRecord('memory'), undefined);
  await store.addRecord(newRecord('memory'), 'thread');
  for (const batch of everyBatch()) await store.addRecords(batch);
  for (const change of everyChange()) await store.updateRecord('memory', 'memory', change);
  await store.updateRecord('memory', 'memory', {}, { threadId: 'thread', exceptType: 'guideline' });
  await store.updateRecord('memory', 'memory', {}, { recordType: 'fact' });
  await store.updateRecord('message', 'message', { content: { text: null, chunks: [] } });
  await store.deleteRecord('memory', 'memory', { recordType: 'fact' });
  await store.deleteRecord('message', 'message');
  await store.deleteRecord('memory', 'memory');
  await store.deleteRecord('message', 'message', { threadId: 'thread' });
  await store.deleteRecord('memory', 'memory', { threadId: 'thread' });
  for (const memories of [[], [newRecord('memory')]])
    for (const summary of [null, { text: 'summary', uptoSequence: 1 }])
      await store.finishExtraction(extractionOutcome('job', 'lease', { memories, summary }));
  await store.cancelJob('job');
  await callLifecycle(store);
  await store.saveRebuiltSummary({
    threadId: 'thread',
    text: 'summary',
    uptoSequence: 1,
    threadUpdatedAt: '2026-01-01T00:00:00.000Z',
  });
  for (const canExtract of [true, false]) {
    const start = { ...messageAppend('thread', [message]), canExtract };
    for (const change of everyEdit())
      await store.editMessage({ ...start, threadId: 'thread', messageId: 'message', change });
  }
  await store.updateThread('thread', { metadata: {}, config: {} });
  await store.deleteThread('thread');
  await store.deleteActor('user_profile', 'user');
  await store.deleteActor('agent_profile', 'agent');
}

async function callLifecycle(store: MemoryStore): Promise<void> {
  const claim = { jobId: 'job', leaseToken: 'lease', leaseSeconds: 45 };
  await store.claimJob(claim);
  await store.claimDueJob({ ...claim, userLimit: 4 });
  await store.findNextJobs('job', 4);
  await store.renewLease(claim);
  await store.releaseJob({ ...JOB_RELEASE, ...claim });
  await store.admitJob('job', 1_000);
  await store.requeueJob('job', 5);
  await store.endLostJobs();
  await store.findDueJobs({ graceSeconds: 10, quietSeconds: 60, limit: 500 });
  await store.markWoken(['job']);
  await store.pruneJobs(30, 500);
  await store.pruneRequests(24, 500);
}

/** Writes that a request is recorded with: the first one, alone and about a job, and a later one about its job. */
async function callRepeatable(requests: RequestStore): Promise<void> {
  const owners = { threadId: 'thread', userId: null, agentId: null };
  const request = { requestKey: 'key', requestHash: 'hash', owners };
  await requests.find('key');
  await requests.recording(request).createThread(newThread('thread'));
  const store = requests.recording(request);
  await store.appendMessages(messageAppend('thread', [newMessage('message')]));
  await store.finishExtraction(extractionOutcome('job', 'lease'));
}

/** Messages alone and with other records; other records alone have the text of `addRecord`. */
function* everyBatch(): Generator<readonly (NewRecord | NewMessageRecord)[]> {
  const memory = newRecord('memory', { content: '', chunks: [{ text: '', embedding: direction(10) }] });
  const message = newMessageRecord('message', 'thread');
  yield [message];
  yield [memory, message];
}

/** Each field given or not, each way to count an expiry, each change of retrieval rows. */
function* everyChange(): Generator<RecordChange> {
  const chunks = [{ text: 'text', embedding: direction(10) }];
  const timestamp = '2026-01-01T00:00:00.000Z';
  const vectors = chunks.map(({ embedding }) => embedding);
  for (const lifetime of [undefined, { ttlDays: 7, ttlAnchor: 'created_at' } as const]) {
    yield { lifetime, retrieval: { kind: 'rows', chunks } };
    yield { lifetime, retrieval: { kind: 'vectors', vectors } };
    yield { lifetime, retrieval: { kind: 'no_vectors' } };
  }
  for (const content of [undefined, { text: 'text', chunks }]) {
    for (const metadata of [undefined, {}]) {
      for (const time of [{}, { timestamp }]) {
        const change = { content, metadata, ...time };
        yield change;
        yield { ...change, lifetime: { ttlDays: null, ttlAnchor: 'created_at' } };
        yield { ...change, lifetime: { ttlDays: 7, ttlAnchor: 'created_at' } };
        yield { ...change, lifetime: { ttlDays: null, ttlAnchor: 'timestamp' } };
        yield { ...change, lifetime: { ttlDays: 7, ttlAnchor: 'timestamp' } };
      }
    }
  }
}

/** Each field of a message given or not, each way to count an expiry. */
function* everyEdit(): Generator<MessageEdit['change']> {
  for (const content of [undefined, { text: 'text', chunks: [] }])
    for (const metadata of [undefined, {}]) {
      yield { content, metadata };
      yield { content, metadata, lifetime: { ttlDays: 7, ttlAnchor: 'created_at' } };
      yield { content, metadata, lifetime: { ttlDays: 7, ttlAnchor: 'timestamp' } };
    }
}

async function callReads(store: MemoryStore): Promise<void> {
  await store.getJob('job');
  for (const threadId of [undefined, 'thread']) {
    for (const status of [undefined, 'failed'] as const) {
      await store.listJobs({ threadId, status, before: 7, limit: 2 });
    }
  }
  await store.readThreadExtraction('thread');
  for (const upto of [undefined, 7]) await store.readExtractionProgress('thread', upto);
  await store.getThread('thread');
  for (const userId of [undefined, 'user'])
    for (const agentId of [undefined, 'agent'])
      await store.listThreads({ userId, agentId, before: 7, limit: 10 });
  await store.getRecord('memory', 'memory');
  await store.countActor('user_profile', 'user');
  await store.countActor('agent_profile', 'agent');
  for (const list of everyRecordList()) await store.listRecords(list);
  await store.getMessages('thread', { limit: 100 });
  await store.getMessages('thread', { start: 0, end: null, limit: 100 });
  await store.getMessages('thread', { after: 7, limit: 100 });
  await store.readThreadContext('thread', 5);
  await store.readExtractionInput('job', 'lease');
  for (const search of everyPastMemorySearch())
    await store.readExtractionInput('job', 'lease', { pastMemories: search });
  await store.readNewestMemories('job', 'lease', { count: 1_000, characters: 2_000 });
}

/** Each condition by itself, none and all. */
function* everyRecordList(): Generator<RecordList> {
  const base = { family: 'memory', after: undefined, limit: 100 } as const;
  const ids = { userId: 'user', agentId: 'agent', threadId: 'thread' };
  const conditions = { ...ids, recordType: 'fact', status: 'active' } as const;
  yield base;
  for (const [name, value] of Object.entries(conditions)) yield { ...base, [name]: value };
  yield { ...base, ...conditions };
  yield { ...base, userId: null, agentId: null, threadId: null };
  for (const metadataFilter of FILTERS) yield { ...base, ...conditions, metadataFilter };
}

/** Only a search that nothing narrows asks the vector index. */
function* everyIndexSearch(): Generator<StoreSearch> {
  yield storeSearch();
  yield storeSearch({ query: { strategy: 'hybrid', text: 'blue bicycle', vector: direction(0) } });
}

/** What a pass looks for, by each strategy; other parts of a search are independent of what surrounds it. */
function* everyPastMemorySearch(): Generator<StoreSearch> {
  const scope = {
    user: { kind: 'exact_of_thread' },
    agent: { kind: 'exact_of_thread' },
    thread: { kind: 'boost_of_thread' },
  } as const;
  for (const query of QUERIES)
    yield storeSearch({ threadId: 'thread', scope, recordTypes: MEMORY_TYPES, query });
}

/** Searches whose text the database embeds. */
async function searchByText(store: MemoryStore): Promise<void> {
  const vector = { textToEmbed: 'blue bicycle' };
  await store.search(storeSearch({ query: { strategy: 'vector', vector } }));
  await store.search(storeSearch({ query: { strategy: 'hybrid', text: 'blue bicycle', vector } }));
}

function* everySearch(): Generator<StoreSearch> {
  for (const query of QUERIES) {
    for (const threadId of [undefined, 'thread']) {
      const base = storeSearch({ query, threadId });
      yield base;
      for (const dimension of SCOPE_DIMENSIONS) {
        if (threadId === undefined && dimension.kind.endsWith('_of_thread')) continue;
        for (const name of ['user', 'agent', 'thread'] as const) {
          yield { ...base, scope: { ...base.scope, [name]: dimension } };
        }
        const scope = { user: dimension, agent: dimension, thread: dimension };
        yield { ...base, scope, recordTypes: ['memory', 'fact'], metadataFilter: FILTERS[0] ?? null };
      }
      for (const count of RECORD_TYPES.keys()) yield { ...base, recordTypes: RECORD_TYPES.slice(count) };
      for (const metadataFilter of FILTERS) yield { ...base, metadataFilter };
      yield { ...base, minimums: { fact: 2 } };
      yield { ...base, minimums: { memory: 1, fact: 1, preference: 1, guideline: 1 } };
    }
  }
  for (const query of [{ strategy: 'keyword', text: '???' } as const])
    yield storeSearch({ query, threadId: 'thread' });
}
