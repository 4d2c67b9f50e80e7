import { expect } from 'vitest';
import type { MemoryStore } from '../../lib/store/memory-store.ts';
import type { ThreadList } from '../../lib/store/threads/stored-thread.ts';
import { messageAppend, newMessage, newThread, threadConfig } from '../store/store-samples.ts';
import { ODD_IDS, ODD_METADATA, type StoreCase } from './store-stage.ts';

async function page(store: MemoryStore, list: Partial<ThreadList> = {}) {
  const { threads, more } = await store.listThreads({
    userId: undefined,
    agentId: undefined,
    before: undefined,
    limit: 10,
    ...list,
  });
  return { ids: threads.map(({ thread }) => thread.threadId), before: threads.at(-1)?.position, more };
}

/** Listing and changing threads. */
export const THREAD_LIST_CASES: Readonly<Record<string, StoreCase>> = {
  'threads are listed newest first, whole, by user and by agent': async ({ store }) => {
    expect(await page(store)).toEqual({ ids: [], before: undefined, more: false });
    const created = [];
    for (const [threadId, userId, agentId] of [
      ['a', 'u1', 'g1'],
      ['b', 'u2', 'g1'],
      ['c', 'u1', 'g2'],
    ] as const) {
      created.push(
        await store.createThread(newThread(threadId, { userId, agentId, metadata: ODD_METADATA })),
      );
    }
    await store.appendMessages(messageAppend('a', [newMessage('m')]));
    const { threads } = await store.listThreads({
      userId: undefined,
      agentId: undefined,
      before: undefined,
      limit: 2,
    });
    expect(threads.map(({ thread }) => thread)).toEqual([created[2], created[1]]);
    expect((await page(store, { userId: 'u1' })).ids).toEqual(['c', 'a']);
    expect((await page(store, { agentId: 'g1' })).ids).toEqual(['b', 'a']);
    expect((await page(store, { userId: 'u1', agentId: 'g1' })).ids).toEqual(['a']);
    expect((await page(store, { userId: 'u' })).ids).toEqual([]);
  },
  'a list goes on where the page ended, whatever is created or deleted meanwhile': async ({ store }) => {
    for (const id of ['a', 'b', 'c', 'd', 'e']) await store.createThread(newThread(id));
    const first = await page(store, { limit: 2 });
    expect(first).toMatchObject({ ids: ['e', 'd'], more: true });
    await store.createThread(newThread('f'));
    await store.deleteThread('d');
    await store.deleteThread('b');
    const second = await page(store, { limit: 2, before: first.before });
    expect(second).toMatchObject({ ids: ['c', 'a'], more: false });
    expect(await page(store, { limit: 2, before: second.before })).toMatchObject({ ids: [], more: false });
  },
  'owners of odd ids are told apart in a list': async ({ store }) => {
    for (const id of ODD_IDS) await store.createThread(newThread(id, { userId: id, agentId: id }));
    for (const id of ODD_IDS) expect((await page(store, { userId: id, agentId: id })).ids).toEqual([id]);
  },
  'a page ends after four million characters, and its first thread is always in it': async ({ store }) => {
    const metadata = { text: 'x'.repeat(60_000) };
    for (let index = 0; index < 80; index += 1)
      await store.createThread(newThread(`t${index}`, { metadata }));
    const first = await page(store, { limit: 80 });
    expect(first.ids.length).toBeGreaterThan(60);
    expect(first.ids.length).toBeLessThan(70);
    expect(first.more).toBe(true);
    const rest = await page(store, { limit: 80, before: first.before });
    expect([...first.ids, ...rest.ids]).toHaveLength(80);
    expect(rest.more).toBe(false);
  },
  'a change of a thread replaces metadata whole and merges settings': async ({ store }) => {
    const before = await store.createThread(newThread('thread', { metadata: { old: 1 } }));
    const change = { contextCardTokenLimit: 5, extraction: { memoryExtractionWindow: 7 } };
    const changed = await store.updateThread('thread', { metadata: ODD_METADATA, config: change });
    expect(changed).toMatchObject({
      metadata: ODD_METADATA,
      config: {
        ...threadConfig({ memoryExtractionWindow: 7 }),
        contextCardTokenLimit: 5,
      },
    });
    expect(Date.parse(changed?.updatedAt ?? '')).toBeGreaterThanOrEqual(Date.parse(before.updatedAt));
    expect(await store.getThread('thread')).toEqual(changed);
    const cleared = await store.updateThread('thread', { metadata: {}, config: {} });
    expect(cleared).toMatchObject({ metadata: {}, config: changed?.config });
  },
  'a list in the settings is replaced, and instructions are cleared by null': async ({ store }) => {
    const config = threadConfig({
      memoryExtractionCustomInstructions: 'Note every allergy.',
      memoryExtractionInheritMessageMetadata: ['a', 'b'],
    });
    await store.createThread(newThread('thread', { config }));
    const extraction = {
      memoryExtractionCustomInstructions: null,
      memoryExtractionInheritMessageMetadata: ['c'],
    };
    const changed = await store.updateThread('thread', { metadata: undefined, config: { extraction } });
    expect(changed?.config).toEqual(threadConfig(extraction));
  },
  'changes of different settings at the same time all last': async ({ store }) => {
    await store.createThread(newThread('thread'));
    const windows = Array.from({ length: 6 }, (_, index) => index + 1);
    await Promise.all([
      ...windows.map((memoryExtractionWindow) =>
        store.updateThread('thread', {
          metadata: undefined,
          config: { extraction: { memoryExtractionWindow } },
        }),
      ),
      store.updateThread('thread', { metadata: { n: 1 }, config: {} }),
      store.updateThread('thread', { metadata: undefined, config: { maxMessageTokenLength: 9 } }),
      store.updateThread('thread', {
        metadata: undefined,
        config: { extraction: { memoryExtractionFrequency: 8 } },
      }),
    ]);
    const thread = await store.getThread('thread');
    expect(thread).toMatchObject({
      metadata: { n: 1 },
      config: { maxMessageTokenLength: 9, extraction: { memoryExtractionFrequency: 8 } },
    });
    expect(windows).toContain(thread?.config.extraction.memoryExtractionWindow);
  },
  'a change of an unknown thread is undefined': async ({ store }) => {
    await store.createThread(newThread('thread'));
    expect(await store.updateThread('threa', { metadata: {}, config: {} })).toBeUndefined();
  },
  'listing threads is one round trip, changing one two': async ({ store, transport }) => {
    await store.createThread(newThread('thread'));
    const before = transport.roundTrips;
    await page(store);
    expect(transport.roundTrips).toBe(before + 1);
    await store.updateThread('thread', { metadata: {}, config: {} });
    expect(transport.roundTrips).toBe(before + 3);
  },
};
