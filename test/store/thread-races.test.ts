import { afterAll, beforeAll, expect, it } from 'vitest';
import type { SqlTransport } from '../../lib/sql/sql-transport.ts';
import { createMemoryStore } from '../../lib/store/create-memory-store.ts';
import type { MemoryStore } from '../../lib/store/memory-store.ts';
import { type EmulatedStore, openEmulatedStore } from './emulated-store.ts';
import {
  DIMENSIONS,
  messageAppend,
  NO_RETENTION,
  newMessage,
  newThread,
  threadConfig,
} from './store-samples.ts';

let opened: EmulatedStore;
let store: MemoryStore;

beforeAll(async () => {
  opened = await openEmulatedStore();
  store = openStore(opened.transport);
});
afterAll(() => opened?.transport.close());

function openStore(transport: SqlTransport): MemoryStore {
  const settings = { dimensions: DIMENSIONS, retention: NO_RETENTION };
  return createMemoryStore({ transport, names: opened.names, settings });
}

/** A store whose threads are deleted by somebody else between each write and the read that follows it. */
function openContendedStore(threadId: string): MemoryStore {
  const { transport } = opened;
  return openStore({
    ...transport,
    async query(query, options) {
      await store.deleteThread(threadId);
      return transport.query(query, options);
    },
  });
}

it('a thread that another request deletes while it is created is a conflict', async () => {
  const creation = openContendedStore('short-lived').createThread(newThread('short-lived'));
  await expect(creation).rejects.toMatchObject({
    code: 'conflict',
    message: expect.stringContaining('deleted'),
  });
  expect(await store.getThread('short-lived')).toBeUndefined();
});

it('a thread that another request deletes while it is changed is not there', async () => {
  await store.createThread(newThread('short-lived'));
  const change = { metadata: { a: 1 }, config: {} };
  expect(await openContendedStore('short-lived').updateThread('short-lived', change)).toBeUndefined();
});

it.each(['deleted', 'edited'] as const)(
  'the thread of a message that is %s is locked, also when its summary stays as it is (D3)',
  async (kind) => {
    await store.createThread(newThread(kind, { config: threadConfig({ extractMemories: false }) }));
    await store.appendMessages(messageAppend(kind, [newMessage(kind)]));
    const before = await store.getThread(kind);
    const counts: Readonly<Record<string, number>>[] = [];
    const watched = openStore({
      ...opened.transport,
      async executeAtomic(list, options) {
        const changed = await opened.transport.executeAtomic(list, options);
        counts.push(changed);
        return changed;
      },
    });
    if (kind === 'deleted') await watched.deleteRecord('message', kind, { threadId: kind });
    else await watched.updateRecord('message', kind, { content: { text: 'new', chunks: [] } });
    expect(counts).toEqual([expect.objectContaining({ mark_summary_stale: 1 })]);
    expect(await store.getThread(kind)).toEqual(before);
  },
);
