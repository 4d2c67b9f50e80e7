import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { OracleError } from '../../infra/local/oracle/sql/oracle-error.ts';
import { withCounting } from '../../lib/sql/counting-transport.ts';
import { createMemoryStore } from '../../lib/store/create-memory-store.ts';
import type { MemoryTally } from '../../lib/store/extraction/extraction-outcome.ts';
import type { MemoryStore } from '../../lib/store/memory-store.ts';
import { chunkAt, fillThread } from '../conformance/store-fixtures.ts';
import { emptyTables, readJobs, rowCounts, type StoreStage } from '../conformance/store-stage.ts';
import { type EmulatedStore, openEmulatedStore } from './emulated-store.ts';
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

/** Statements that may still run before one fails; null = all of them. */
let statementsLeft: number | null = null;
let opened: EmulatedStore;
let stage: StoreStage;

beforeAll(async () => {
  opened = await openEmulatedStore({ beforeStatement: countDown });
  const { names } = opened;
  const transport = withCounting(opened.transport);
  const open: StoreStage['reopen'] = (changes) =>
    createMemoryStore({
      transport,
      names,
      settings: { dimensions: DIMENSIONS, retention: NO_RETENTION, ...changes },
    });
  stage = { transport, names, store: open({}), reopen: open };
});
beforeEach(() => emptyTables(opened.transport, opened.names));
afterAll(() => opened?.transport.close());

/** One engine session cannot deadlock: the error that a deadlock would give stands in for it. */
function countDown(): void {
  if (statementsLeft === null) return;
  if (statementsLeft === 0) throw new OracleError(60, 'deadlock detected while waiting for resource');
  statementsLeft -= 1;
}

const message = newMessage('new', { chunks: [chunkAt(10)] });
const memory = newRecord('new', { chunks: [chunkAt(10)] });

/** The memories of the thread whose pass ends. */
let comparedWith: MemoryTally;

/** A write, and how many statements it has: each of them is made to fail once. */
const WRITES: Readonly<
  Record<string, { readonly statements: number; run(store: MemoryStore): Promise<unknown> }>
> = {
  createThread: { statements: 2, run: (store) => store.createThread(newThread('new')) },
  appendMessages: { statements: 7, run: (store) => store.appendMessages(messageAppend('user', [message])) },
  addRecord: { statements: 4, run: (store) => store.addRecord(memory, 'user') },
  addRecords: {
    statements: 5,
    run: (store) => store.addRecords([memory, newMessageRecord('new', 'user', { chunks: [chunkAt(20)] })]),
  },
  updateVectors: {
    statements: 5,
    run: (store) =>
      store.updateRecord('memory', 'user memory', {
        retrieval: { kind: 'vectors', vectors: [direction(40)] },
        lifetime: { ttlDays: 1, ttlAnchor: 'created_at' },
      }),
  },
  updateMessageRecord: {
    statements: 5,
    run: (store) =>
      store.updateRecord('message', 'user message 1', {
        content: { text: 'edited', chunks: [chunkAt(50), chunkAt(60)] },
      }),
  },
  deleteMessage: { statements: 4, run: (store) => store.deleteRecord('message', 'user message 1') },
  deleteMemory: { statements: 4, run: (store) => store.deleteRecord('memory', 'user memory') },
  updateMemory: {
    statements: 6,
    run: (store) =>
      store.updateRecord('memory', 'user memory', {
        content: { text: 'other', chunks: [chunkAt(50), chunkAt(60)] },
        lifetime: { ttlDays: 1, ttlAnchor: 'timestamp' },
      }),
  },
  editMessage: {
    statements: 10,
    run: (store) =>
      store.editMessage({
        ...messageAppend('user', [message]),
        messageId: 'user message 1',
        change: { content: { text: 'edited', chunks: [chunkAt(10)] } },
      }),
  },
  updateThread: {
    statements: 2,
    run: (store) => store.updateThread('user', { metadata: { n: 1 }, config: { maxMessageTokenLength: 9 } }),
  },
  deleteThread: { statements: 8, run: (store) => store.deleteThread('user') },
  deleteUser: { statements: 14, run: (store) => store.deleteActor('user_profile', 'user') },
  deleteAgent: { statements: 13, run: (store) => store.deleteActor('agent_profile', 'agent') },
  finishExtraction: {
    statements: 12,
    run: (store) =>
      store.finishExtraction(
        extractionOutcome('job-first', 'lease', {
          memories: [memory],
          comparedWith,
          supersededIds: ['user memory'],
          summary: { text: 'summary', uptoSequence: 1 },
        }),
      ),
  },
  claimDueJob: {
    statements: 2,
    run: (store) =>
      store.claimDueJob({
        jobId: 'job-user message 1',
        leaseToken: 'lease',
        leaseSeconds: 45,
        userLimit: 4,
      }),
  },
  releaseJob: {
    statements: 2,
    run: (store) => store.releaseJob({ ...JOB_RELEASE, jobId: 'job-first', leaseToken: 'lease' }),
  },
  cancelJob: { statements: 3, run: (store) => store.cancelJob('job-first') },
  admitJob: { statements: 2, run: (store) => store.admitJob('job-left out', 9) },
  requeueJob: { statements: 3, run: (store) => store.requeueJob('job-left out', 5) },
};

/** They end with a read, for which no statement is left. */
const READ_BACK = new Set([WRITES.createThread, WRITES.updateThread]);

async function everything(): Promise<unknown> {
  return [
    await rowCounts(stage),
    ...(await Promise.all(['user', 'inline', 'background'].map((threadId) => readJobs(stage, threadId)))),
    await stage.store.readThreadContext('user', 10),
    await stage.store.getRecord('memory', 'user memory'),
    await stage.store.search(storeSearch()),
    await stage.store.listAudit({ userId: undefined, since: undefined, before: undefined, limit: 100 }),
    await stage.store.listHistory({ memoryId: 'user memory', before: undefined, limit: 100 }),
  ];
}

describe('a write that fails at any of its statements', () => {
  it.each(Object.entries(WRITES))(
    '%s leaves everything as it was and can be repeated',
    async (_name, write) => {
      await fillThread(stage.store, 'user');
      await stage.store.createThread(newThread('inline'));
      await stage.store.appendMessages(messageAppend('inline', [newMessage('first')]));
      const background = threadConfig({ extractionMode: 'background' });
      await stage.store.createThread(newThread('background', { config: background }));
      await stage.store.appendMessages(
        messageAppend('background', [newMessage('left out')], { queueCapacity: 0 }),
      );
      const input = await stage.store.readExtractionInput('job-first', 'lease');
      comparedWith = input?.memoryTally ?? { memoryCount: -1, positionSum: -1 };
      const before = await everything();
      for (let index = 0; index < write.statements; index += 1) {
        statementsLeft = index;
        await expect(write.run(stage.store)).rejects.toMatchObject({ code: 'unavailable', retryable: true });
        statementsLeft = null;
        expect(await everything()).toEqual(before);
      }
      statementsLeft = write.statements;
      const counted = write.run(stage.store).finally(() => {
        statementsLeft = null;
      });
      if (READ_BACK.has(write)) await expect(counted).rejects.toMatchObject({ code: 'unavailable' });
      else expect([false, 'lost', 'other_memories']).not.toContain(await counted);
    },
  );
});
