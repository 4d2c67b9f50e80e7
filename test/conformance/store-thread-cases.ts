import { expect } from 'vitest';
import { messageAppend, newMessage, newRecord, newThread, threadConfig } from '../store/store-samples.ts';
import { fillThread } from './store-fixtures.ts';
import { ODD_IDS, ODD_METADATA, rowCounts, type StoreCase } from './store-stage.ts';

/** Threads: identity, configuration, deletion. */
export const THREAD_CASES: Readonly<Record<string, StoreCase>> = {
  'a created thread is what get returns': async ({ store }) => {
    const config = threadConfig({ memoryExtractionInheritMessageMetadata: ['a', 'b'] });
    const thread = newThread('thread', { metadata: ODD_METADATA, config });
    const created = await store.createThread(thread);
    expect(created).toMatchObject(thread);
    expect(created).toMatchObject({
      messageCount: 0,
      extractedSequence: 0,
      summarizedSequence: 0,
      runningSummary: null,
      summaryStale: false,
    });
    expect(created.createdAt).toMatch(/^20\d\d-.*\.\d{3}Z$/);
    expect(created.updatedAt).toBe(created.createdAt);
    expect(await store.getThread('thread')).toEqual(created);
  },
  'a thread id that is taken is a conflict and the first thread stays': async ({ store }) => {
    const first = await store.createThread(newThread('thread'));
    await expect(store.createThread(newThread('thread', { userId: 'other' }))).rejects.toMatchObject({
      code: 'conflict',
      message: expect.stringContaining('already exists'),
    });
    expect(await store.getThread('thread')).toEqual(first);
  },
  'threads of odd ids are told apart': async ({ store }) => {
    for (const id of ODD_IDS) await store.createThread(newThread(id, { userId: id, agentId: id }));
    for (const id of ODD_IDS) {
      expect(await store.getThread(id)).toMatchObject({ threadId: id, userId: id, agentId: id });
    }
    expect(await store.getThread('use')).toBeUndefined();
    expect(await store.getThread('USER')).toBeUndefined();
    for (const id of ODD_IDS) expect(await store.deleteThread(id)).toBe(1);
  },
  'deleting a thread leaves no row of it in any table': async (stage) => {
    const { store } = stage;
    await fillThread(store, 'user');
    await fillThread(store, 'user2');
    const both = await rowCounts(stage);
    expect(await store.deleteThread('user')).toBe(1);
    const rest = await rowCounts(stage);
    expect(rest).toEqual({
      thread: both.thread / 2,
      record: both.record / 2,
      chunk: both.chunk / 2,
      job: both.job / 2,
    });
    expect(await store.getThread('user')).toBeUndefined();
    expect((await store.getMessages('user2', { limit: 10 }))?.total).toBe(2);
    expect(await store.deleteThread('user')).toBe(0);
    expect(await store.deleteThread('user2')).toBe(1);
    expect(await rowCounts(stage)).toEqual({ thread: 0, record: 0, chunk: 0, job: 0 });
  },
  'deleting a thread without a row removes what names it': async (stage) => {
    const { store } = stage;
    await store.addRecord(newRecord('memory', { threadId: 'no row' }), undefined);
    expect(await store.deleteThread('no row')).toBe(0);
    expect(await store.getRecord('memory', 'memory')).toBeUndefined();
  },
  'each thread method is one round trip, creation two': async ({ store, transport }) => {
    const trips = async (call: () => Promise<unknown>) => {
      const before = transport.roundTrips;
      await call();
      return transport.roundTrips - before;
    };
    expect(await trips(() => store.createThread(newThread('thread')))).toBe(2);
    expect(await trips(() => store.getThread('thread'))).toBe(1);
    const messages = Array.from({ length: 500 }, (_, index) => newMessage(`m${index}`));
    expect(await trips(() => store.appendMessages(messageAppend('thread', messages)))).toBe(1);
    expect(await trips(() => store.getMessages('thread', { limit: 100 }))).toBe(1);
    expect(await trips(() => store.readThreadContext('thread', 5))).toBe(1);
    expect(await trips(() => store.readExtractionInput('job-m0', 'lease'))).toBe(1);
    expect(await trips(() => store.addRecord(newRecord('memory'), 'thread'))).toBe(1);
    expect(await trips(() => store.getRecord('memory', 'memory'))).toBe(1);
    expect(await trips(() => store.deleteRecord('memory', 'memory'))).toBe(1);
    expect(await trips(() => store.deleteThread('thread'))).toBe(1);
  },
};
