import { expect } from 'vitest';
import type { MemoryStore } from '../../lib/store/memory-store.ts';
import type { NewRecord } from '../../lib/store/records/stored-record.ts';
import { messageAppend, newMessage, newRecord, newThread, threadConfig } from '../store/store-samples.ts';
import { chunkAt, EXPIRED } from './store-fixtures.ts';
import { ODD_IDS, rowCounts, type StoreCase } from './store-stage.ts';

const background = threadConfig({ extractionMode: 'background' });

function addMemory(store: MemoryStore, id: string, fields: Partial<NewRecord>, fromThread?: string) {
  return store.addRecord(newRecord(id, { chunks: [chunkAt(0)], ...fields }), fromThread);
}

/** Everything that a user may have with an agent: 1 thread, 2 messages, 4 memories, 2 profiles, a job. */
async function fillUser(store: MemoryStore, userId: string, agentId: string): Promise<void> {
  const threadId = `thread of ${userId}`;
  await store.createThread(newThread(threadId, { userId, agentId, config: background }));
  const messages = [1, 2].map((index) => newMessage(`${userId} ${index}`, { chunks: [chunkAt(index)] }));
  await store.appendMessages(messageAppend(threadId, messages));
  await addMemory(store, `${userId} of thread`, {}, threadId);
  await addMemory(store, `${userId} of nobody in thread`, { userId: null, agentId: null }, threadId);
  await addMemory(store, `${userId} alone`, { userId, agentId: null, threadId: null });
  await addMemory(store, `${userId} expired`, { ...EXPIRED, userId, agentId, threadId: 'no row' });
  const profile = { family: 'user_profile', recordType: 'user_profile' } as const;
  await addMemory(store, userId, profile);
  await addMemory(store, agentId, { family: 'agent_profile', recordType: 'agent_profile' });
}

const NOTHING = { thread: 0, record: 0, chunk: 0, job: 0 };

/** Users and agents with all that is theirs. */
export const CASCADE_CASES: Readonly<Record<string, StoreCase>> = {
  'a user goes with threads, messages, memories, retrieval rows, jobs and profile (contract §3.3)': async (
    stage,
  ) => {
    const { store } = stage;
    await fillUser(store, 'user', 'agent');
    expect(await rowCounts(stage)).toEqual({ thread: 1, record: 8, chunk: 8, job: 1 });
    expect(await store.countActor('user_profile', 'user')).toBe(8);
    expect(await store.deleteActor('user_profile', 'user')).toBe(8);
    expect(await rowCounts(stage)).toEqual({ ...NOTHING, record: 1, chunk: 1 });
    expect(await store.getRecord('agent_profile', 'agent')).toBeDefined();
    expect(await store.countActor('user_profile', 'user')).toBe(0);
    expect(await store.deleteActor('user_profile', 'user')).toBe(0);
  },
  'an agent goes with its threads and all that names it': async (stage) => {
    const { store } = stage;
    await fillUser(store, 'user', 'agent');
    expect(await store.countActor('agent_profile', 'agent')).toBe(7);
    expect(await store.deleteActor('agent_profile', 'agent')).toBe(7);
    expect(await rowCounts(stage)).toEqual({ ...NOTHING, record: 2, chunk: 2 });
    expect(await store.getRecord('memory', 'user alone')).toBeDefined();
    expect(await store.getRecord('user_profile', 'user')).toBeDefined();
  },
  'other users keep every row, whatever their ids look like': async (stage) => {
    const { store } = stage;
    for (const id of ODD_IDS) {
      const user = id.slice(0, 60);
      await fillUser(store, user, `agent of ${user}`);
    }
    for (const id of ODD_IDS) {
      const before = await rowCounts(stage);
      expect(await store.deleteActor('user_profile', id.slice(0, 60))).toBe(8);
      expect(await rowCounts(stage)).toEqual({
        thread: before.thread - 1,
        record: before.record - 7,
        chunk: before.chunk - 7,
        job: before.job - 1,
      });
    }
    expect(await rowCounts(stage)).toMatchObject({ thread: 0, record: ODD_IDS.length, job: 0 });
  },
  'a user and an agent with the same id are independent': async (stage) => {
    const { store } = stage;
    await fillUser(store, 'same', 'helper');
    await fillUser(store, 'other', 'same');
    expect(await store.countActor('agent_profile', 'same')).toBe(7);
    expect(await store.deleteActor('user_profile', 'same')).toBe(8);
    expect(await store.getRecord('agent_profile', 'same')).toBeDefined();
    expect(await store.getThread('thread of other')).toBeDefined();
    expect(await store.deleteActor('agent_profile', 'same')).toBe(7);
    expect(await store.getRecord('user_profile', 'other')).toBeDefined();
  },
  "another user's record in an owned thread goes, the user's record in another's thread too": async (
    stage,
  ) => {
    const { store } = stage;
    for (const userId of ['ana', 'ben']) await store.createThread(newThread(`${userId}'s`, { userId }));
    await addMemory(store, 'of ben in the thread of ana', { userId: 'ben' }, "ana's");
    await addMemory(store, 'of ana in the thread of ben', { userId: 'ana' }, "ben's");
    await addMemory(store, 'of ben', { userId: 'ben' });
    expect(await store.countActor('user_profile', 'ana')).toBe(3);
    expect(await store.deleteActor('user_profile', 'ana')).toBe(3);
    expect(await rowCounts(stage)).toEqual({ thread: 1, record: 1, chunk: 1, job: 0 });
    expect(await store.getThread("ben's")).toBeDefined();
    expect(await store.getRecord('memory', 'of ben')).toBeDefined();
  },
  'without cascade the profile alone goes': async (stage) => {
    const { store } = stage;
    await fillUser(store, 'user', 'agent');
    const before = await rowCounts(stage);
    expect(await store.deleteRecord('user_profile', 'user')).toBe(1);
    expect(await rowCounts(stage)).toEqual({ ...before, record: before.record - 1, chunk: before.chunk - 1 });
  },
  'a cascade is one round trip, its count too': async ({ store, transport }) => {
    await fillUser(store, 'user', 'agent');
    const before = transport.roundTrips;
    await store.countActor('user_profile', 'user');
    await store.deleteActor('user_profile', 'user');
    expect(transport.roundTrips - before).toBe(2);
  },
};
