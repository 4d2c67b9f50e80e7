import { USER_DATA_PARTS } from '../../../lib/schemas/user-data.ts';
import type { MemoryStore } from '../../../lib/store/memory-store.ts';
import type { NewMessageRecord, NewRecord, RecordList } from '../../../lib/store/records/stored-record.ts';
import { everyChange, everyEdit } from './change-requests.ts';
import {
  extractionOutcome,
  JOB_RELEASE,
  messageAppend,
  newMessage,
  newMessageRecord,
  newRecord,
  newThread,
} from './sample-requests.ts';
import { FILTERS } from './search-requests.ts';

/** One use of a store. What it answers does not matter. */
export type StoreCall = (store: MemoryStore) => Promise<unknown>;

const OWNERS = { threadId: 'thread', userId: 'user', agentId: 'agent' } as const;
const CLAIM = { jobId: 'job', leaseToken: 'lease', leaseSeconds: 45 } as const;

/** Writes that add something: a request with an idempotency key may be recorded with them. */
export function additions(vector: Float32Array): readonly StoreCall[] {
  const chunks = [{ text: 'text', embedding: vector }];
  const message = newMessage('message', { chunks });
  const memory: NewRecord = newRecord('memory', { ...OWNERS, chunks });
  const record: NewMessageRecord = newMessageRecord('message', 'thread', {
    userId: 'user',
    agentId: 'agent',
  });
  return [
    (store) => store.createThread(newThread('thread')),
    (store) => store.appendMessages(messageAppend('thread', [message])),
    (store) => store.appendMessages(messageAppend('thread', [message], { canExtract: false })),
    (store) => store.addRecord(memory, undefined),
    (store) => store.addRecord(memory, 'thread'),
    ...[[record], [memory], [memory, record]].map(
      (records): StoreCall =>
        (store) =>
          store.addRecords(records),
    ),
    (store) =>
      store.importUserData({ threads: [], records: [], chunks: [], forms: [], writesGuidelines: true }),
  ];
}

/** Writes about a job: the first or a later one of a request with an idempotency key. */
export function jobWrites(): readonly StoreCall[] {
  const summaries = [null, { text: 'summary', uptoSequence: 1 }];
  const memories = [[], [newRecord('memory', OWNERS)]];
  return [
    (store) => store.cancelJob('job'),
    (store) => store.claimJob(CLAIM),
    (store) => store.claimDueJob({ ...CLAIM, userLimit: 4 }),
    (store) => store.renewLease(CLAIM),
    (store) => store.releaseJob({ ...JOB_RELEASE, ...CLAIM }),
    (store) => store.admitJob('job', 1_000),
    (store) => store.requeueJob('job', 5),
    ...memories.flatMap((added) =>
      summaries.map(
        (summary): StoreCall =>
          (store) =>
            store.finishExtraction(extractionOutcome('job', 'lease', { memories: added, summary })),
      ),
    ),
  ];
}

/** Changes and removals, with each option that makes another text. */
export function changes(): readonly StoreCall[] {
  return [
    (store) => store.updateThread('thread', { metadata: {}, config: {} }),
    (store) => store.updateRecord('memory', 'memory', {}, { threadId: 'thread', exceptType: 'guideline' }),
    (store) => store.updateRecord('memory', 'memory', {}, { recordType: 'fact' }),
    (store) => store.updateRecord('user_profile', 'user', {}),
    (store) => store.updateRecord('agent_profile', 'agent', {}),
    ...([undefined, 'thread'] as const).flatMap((threadId): StoreCall[] => [
      (store) => store.deleteRecord('memory', 'memory', { threadId }),
      (store) => store.deleteRecord('memory', 'memory', { threadId, recordType: 'fact' }),
      (store) => store.deleteRecord('message', 'message', { threadId }),
      (store) => store.deleteRecord('message', 'message', { threadId, recordType: 'message' }),
    ]),
    (store) => store.deleteRecord('user_profile', 'user'),
    (store) => store.deleteRecord('user_profile', 'user', { recordType: 'user_profile' }),
    (store) => store.deleteRecord('agent_profile', 'agent'),
    (store) => store.deleteRecord('agent_profile', 'agent', { recordType: 'agent_profile' }),
    (store) => store.deleteThread('thread'),
    (store) => store.deleteActor('user_profile', 'user'),
    (store) => store.deleteActor('agent_profile', 'agent'),
    (store) =>
      store.saveRebuiltSummary({
        threadId: 'thread',
        text: 'summary',
        uptoSequence: 1,
        threadUpdatedAt: '2026-01-01T00:00:00.000Z',
      }),
    (store) => store.endLostJobs(),
    (store) => store.markWoken(['job']),
    (store) => store.pruneJobs(30, 500),
    (store) => store.pruneRequests(24, 500),
  ];
}

/** Reads, with each option that makes another text. */
export function reads(): readonly StoreCall[] {
  const windows = [{}, { start: 0, end: null }, { after: 7 }];
  return [
    (store) => store.getThread('thread'),
    ...([undefined, 'user'] as const).flatMap((userId) =>
      ([undefined, 'agent'] as const).map(
        (agentId): StoreCall =>
          (store) =>
            store.listThreads({ userId, agentId, before: 7, limit: 10 }),
      ),
    ),
    ...(['memory', 'message', 'user_profile', 'agent_profile'] as const).map(
      (family): StoreCall =>
        (store) =>
          store.getRecord(family, 'id'),
    ),
    ...windows.map(
      (window): StoreCall =>
        (store) =>
          store.getMessages('thread', { ...window, limit: 100 }),
    ),
    (store) => store.countActor('user_profile', 'user'),
    (store) => store.countActor('agent_profile', 'agent'),
    (store) => store.listHistory({ memoryId: 'memory', before: 7, limit: 10 }),
    ...USER_DATA_PARTS.map(
      (part): StoreCall =>
        (store) =>
          store.exportUser({ userId: 'user', part, after: 0, number: 0, vectors: true }),
    ),
    ...([undefined, 'user'] as const).map(
      (userId): StoreCall =>
        (store) =>
          store.listAudit({ userId, since: undefined, before: 7, limit: 10 }),
    ),
    (store) => store.readThreadContext('thread', 5),
    ...jobReads(),
  ];
}

function jobReads(): readonly StoreCall[] {
  return [
    (store) => store.getJob('job'),
    ...([undefined, 'thread'] as const).flatMap((threadId) =>
      ([undefined, 'failed'] as const).map(
        (status): StoreCall =>
          (store) =>
            store.listJobs({ threadId, status, before: 7, limit: 2 }),
      ),
    ),
    (store) => store.readThreadExtraction('thread'),
    (store) => store.readExtractionProgress('thread', 7),
    (store) => store.findNextJobs('job', 4),
    (store) => store.findDueJobs({ graceSeconds: 10, quietSeconds: 60, limit: 500 }),
    (store) => store.readExtractionInput('job', 'lease'),
    (store) => store.readNewestMemories('job', 'lease', { count: 1_000, characters: 2_000 }),
  ];
}

/** Updates and lists in all the forms that a request can give them. */
export function variations(vector: Float32Array): readonly StoreCall[] {
  const start = messageAppend('thread', []);
  const edits = [true, false].flatMap((canExtract) =>
    [...everyEdit()].map((change) => ({ ...start, canExtract, messageId: 'message', change })),
  );
  return [
    ...[...everyChange(vector)].map(
      ({ family, change }): StoreCall =>
        (store) =>
          store.updateRecord(family, 'id', change),
    ),
    ...edits.map(
      (edit): StoreCall =>
        (store) =>
          store.editMessage(edit),
    ),
    ...[...everyRecordList()].map(
      (list): StoreCall =>
        (store) =>
          store.listRecords(list),
    ),
  ];
}

/** Each condition by itself, none and all, and each owner with a filter: what fixed texts depend on. */
function* everyRecordList(): Generator<RecordList> {
  const base = { family: 'memory', after: undefined, limit: 100 } as const;
  const conditions = { ...OWNERS, recordType: 'fact', status: 'active' } as const;
  const [metadataFilter] = FILTERS;
  for (const family of ['memory', 'message', 'user_profile', 'agent_profile'] as const)
    yield { ...base, family };
  for (const [name, value] of Object.entries(conditions)) {
    yield { ...base, [name]: value };
    yield { ...base, [name]: value, metadataFilter };
  }
  yield { ...base, metadataFilter };
  yield { ...base, ...conditions };
  yield { ...base, userId: null, agentId: null, threadId: null };
  for (const filter of FILTERS) yield { ...base, ...conditions, metadataFilter: filter };
}
