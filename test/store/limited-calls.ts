import { createRecordingTransport } from '../../infra/ords/statement-driver/recording-transport.ts';
import { ANSWERS } from '../../infra/ords/statement-driver/send-every-statement.ts';
import { createSchemaNames } from '../../lib/schema/schema-names.ts';
import type { CallerLimits } from '../../lib/schemas/caller-limits.ts';
import { USER_DATA_PARTS } from '../../lib/schemas/user-data.ts';
import { createMemoryStore } from '../../lib/store/create-memory-store.ts';
import type { MemoryStore } from '../../lib/store/memory-store.ts';
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
} from './store-samples.ts';

const CLAIM = { jobId: 'job', leaseToken: 'lease', leaseSeconds: 45 };

export const LIMITS = { users: ['user'], agents: ['agent'], threads: ['thread'] };
export const OWNERS = { userId: 'user', agentId: 'agent', threadId: 'thread' };

/** A store of a caller with these limits, and what it sends. */
export function limitedStore(limits: CallerLimits, fixedStatements = false) {
  const transport = createRecordingTransport({ rows: ANSWERS, fixedStatements });
  const settings = { dimensions: DIMENSIONS, retention: NO_RETENTION, vectorIndex: 'hnsw' as const };
  const store = createMemoryStore({ transport, names: createSchemaNames(), settings, limits });
  return { store, statements: transport.statements };
}

export type Call = (store: MemoryStore) => Promise<unknown>;
type Methods = {
  [Name in keyof MemoryStore as MemoryStore[Name] extends (...input: never) => unknown ? Name : never]: Call;
};

const QUERIES = [
  { strategy: 'vector', vector: direction(0) },
  { strategy: 'keyword', text: 'blue bicycle' },
  { strategy: 'hybrid', text: 'blue bicycle', vector: direction(0) },
] as const;

/** What a caller asks for: each statement of these is limited, or refuses what is outside. */
export const OF_CALLERS = {
  createThread: (store) => store.createThread(newThread('thread', OWNERS)),
  getThread: (store) => store.getThread('thread'),
  listThreads: (store) =>
    store.listThreads({ userId: undefined, agentId: undefined, before: undefined, limit: 1 }),
  updateThread: (store) => store.updateThread('thread', { metadata: {}, config: {} }),
  deleteThread: (store) => store.deleteThread('thread'),
  appendMessages: (store) => store.appendMessages(messageAppend('thread', [newMessage('message')])),
  editMessage: (store) =>
    store.editMessage({
      ...messageAppend('thread', []),
      messageId: 'message',
      change: { content: { text: 'text', chunks: [] } },
    }),
  getMessages: (store) => store.getMessages('thread', { limit: 1 }),
  addRecord: (store) => store.addRecord(newRecord('memory'), 'thread'),
  addRecords: (store) => store.addRecords([newMessageRecord('message', 'thread')]),
  getRecord: async (store) => {
    await store.getRecord('memory', 'memory');
    await store.getRecord('message', 'message');
  },
  updateRecord: (store) => store.updateRecord('memory', 'memory', { metadata: {} }),
  deleteRecord: async (store) => {
    await store.deleteRecord('memory', 'memory');
    await store.deleteRecord('message', 'message', { threadId: 'thread' });
  },
  listRecords: (store) => store.listRecords({ family: 'memory', after: undefined, limit: 1 }),
  deleteActor: async (store) => {
    await store.deleteActor('user_profile', 'user');
    await store.deleteActor('agent_profile', 'agent');
  },
  countActor: async (store) => {
    await store.countActor('user_profile', 'user');
    await store.countActor('agent_profile', 'agent');
  },
  listHistory: (store) => store.listHistory({ memoryId: 'memory', before: undefined, limit: 1 }),
  exportUser: async (store) => {
    for (const part of USER_DATA_PARTS)
      await store.exportUser({ userId: 'user', part, after: 0, number: 0, vectors: false });
  },
  importUserData: (store) =>
    store.importUserData({ threads: [], records: [], chunks: [], forms: [], writesGuidelines: true }),
  listAudit: (store) => store.listAudit({ userId: undefined, since: undefined, before: undefined, limit: 1 }),
  search: async (store) => {
    for (const query of QUERIES) {
      await store.search(storeSearch({ query }));
      await store.search(storeSearch({ query, threadId: 'thread' }));
    }
    await store.search(storeSearch({ query: { strategy: 'keyword', text: '???' }, threadId: 'thread' }));
  },
  readThreadContext: (store) => store.readThreadContext('thread', 1),
  saveRebuiltSummary: (store) =>
    store.saveRebuiltSummary({
      threadId: 'thread',
      text: 'summary',
      uptoSequence: 1,
      threadUpdatedAt: '2026-01-01T00:00:00.000Z',
    }),
  getJob: (store) => store.getJob('job'),
  listJobs: (store) =>
    store.listJobs({ threadId: undefined, status: undefined, before: undefined, limit: 1 }),
  readThreadExtraction: (store) => store.readThreadExtraction('thread'),
  readExtractionProgress: (store) => store.readExtractionProgress('thread', undefined),
  cancelJob: (store) => store.cancelJob('job'),
  claimJob: (store) => store.claimJob(CLAIM),
  requeueJob: (store) => store.requeueJob('job', 5),
} satisfies Partial<Methods>;

/** What workers and sweeps do, under a lease that no caller knows or by a clock. */
const OF_THE_SERVICE = {
  claimDueJob: (store) => store.claimDueJob({ ...CLAIM, userLimit: 4 }),
  renewLease: (store) => store.renewLease(CLAIM),
  releaseJob: (store) => store.releaseJob({ ...JOB_RELEASE, ...CLAIM }),
  admitJob: (store) => store.admitJob('job', 1_000),
  endLostJobs: (store) => store.endLostJobs(),
  findNextJobs: (store) => store.findNextJobs('job', 4),
  findDueJobs: (store) => store.findDueJobs({ graceSeconds: 10, quietSeconds: 60, limit: 500 }),
  markWoken: (store) => store.markWoken(['job']),
  pruneJobs: (store) => store.pruneJobs(30, 500),
  pruneRequests: (store) => store.pruneRequests(24, 500),
  readExtractionInput: (store) => store.readExtractionInput('job', 'lease'),
  readNewestMemories: (store) => store.readNewestMemories('job', 'lease', { count: 1, characters: 1 }),
  finishExtraction: (store) => store.finishExtraction(extractionOutcome('job', 'lease')),
} satisfies Partial<Methods>;

/** A method of the store that is in neither list does not compile. */
export const EVERY_METHOD: Methods = { ...OF_CALLERS, ...OF_THE_SERVICE };
