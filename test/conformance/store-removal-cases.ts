import { expect } from 'vitest';
import type { MemoryStore } from '../../lib/store/memory-store.ts';
import type { SearchHit, StoreSearch } from '../../lib/store/search/store-search.ts';
import {
  direction,
  extractionOutcome,
  messageAppend,
  newMessage,
  newRecord,
  newThread,
  storeSearch,
  threadConfig,
} from '../store/store-samples.ts';
import { chunkAt, EXPIRED } from './store-fixtures.ts';
import type { StoreCase } from './store-stage.ts';

const WORD = 'zanzibar';
const UNHEARD = 'kilimanjaro';
const TEXTS = ['good morning', `my ${WORD}`, 'that sounds fine', 'lovely weather', 'fresh bread'];

/** A thread of messages and two memories; the second message and the first memory alone hold the word. */
async function tell(store: MemoryStore): Promise<void> {
  await store.createThread(newThread('thread', { config: threadConfig() }));
  const messages = TEXTS.map((text, index) =>
    newMessage(`m${index}`, {
      content: text,
      timestamp: EXPIRED.timestamp,
      chunks: [chunkAt(70 + index, text), chunkAt(80, 'second chunk')],
    }),
  );
  await store.appendMessages(messageAppend('thread', messages));
  const memories = [`the island of ${WORD}`, 'the weather on Sunday'];
  for (const [index, text] of memories.entries()) {
    const chunks = [chunkAt(60 + index, text)];
    await store.addRecord(
      newRecord(`memory ${index}`, { content: text, chunks, timestamp: EXPIRED.timestamp }),
      'thread',
    );
  }
}

type Search = (query: StoreSearch['query']) => Promise<readonly SearchHit[] | undefined>;
const vector = direction(75);
const ranks = (hits: readonly SearchHit[] | undefined) =>
  hits?.map(({ record, distance }) => [record.id, distance]);

/** Whether a query for the word ranks like one for a word that was never there, alone and beside other words. */
async function expectForgotten(search: Search, way: string): Promise<void> {
  expect(ranks(await search({ strategy: 'keyword', text: WORD })), way).toEqual([]);
  for (const beside of ['', ' weather', ' morning bread']) {
    for (const strategy of ['keyword', 'hybrid'] as const) {
      const find = (word: string) => search({ strategy, text: `${word}${beside}`, vector });
      expect(ranks(await find(WORD)), `${way}: ${strategy} ${beside}`).toEqual(ranks(await find(UNHEARD)));
    }
  }
}

/** Ways in which the words of a message go. */
const MESSAGE_WAYS: Readonly<Record<string, (store: MemoryStore) => Promise<unknown>>> = {
  deleted: (store) => store.deleteRecord('message', 'm1'),
  'deleted from its thread': (store) => store.deleteRecord('message', 'm1', { threadId: 'thread' }),
  edited: (store) =>
    store.editMessage({
      threadId: 'thread',
      messageId: 'm1',
      change: { content: { text: 'my island', chunks: [chunkAt(71, 'my island')] } },
      jobId: 'edit',
      leaseToken: 'lease',
      leaseSeconds: 45,
      maxAttempts: 5,
      queueCapacity: 1_000,
      canExtract: true,
    }),
  expired: (store) => store.updateRecord('message', 'm1', { lifetime: EXPIRED }),
  'given another retrieval text': (store) =>
    store.updateRecord('message', 'm1', { retrieval: { kind: 'rows', chunks: [chunkAt(71, 'island')] } }),
  'left without retrieval text': (store) =>
    store.updateRecord('message', 'm1', { retrieval: { kind: 'rows', chunks: [] } }),
  'left without text': (store) =>
    store.updateRecord('message', 'm1', { content: { text: null, chunks: [] } }),
};

/** Ways in which the words of a memory go. */
const MEMORY_WAYS: Readonly<Record<string, (store: MemoryStore) => Promise<unknown>>> = {
  deleted: (store) => store.deleteRecord('memory', 'memory 0'),
  edited: (store) =>
    store.updateRecord('memory', 'memory 0', {
      content: { text: 'an island', chunks: [chunkAt(60, 'an island')] },
    }),
  expired: (store) => store.updateRecord('memory', 'memory 0', { lifetime: EXPIRED }),
  superseded: (store) =>
    store.finishExtraction(extractionOutcome('job-m0', 'lease', { supersededIds: ['memory 0'] })),
};

/** Before each way the other holder of the word is deleted, so that the way alone decides. */
const cases: Record<string, StoreCase> = {};
for (const [way, remove] of Object.entries(MESSAGE_WAYS)) {
  cases[`a message that was ${way} helps no query, neighbour or conversation (contract §6.1, §11)`] = async ({
    store,
  }) => {
    await tell(store);
    await store.deleteRecord('memory', 'memory 0');
    const search: Search = (query) => store.search(storeSearch({ query }));
    expect(ranks(await search({ strategy: 'keyword', text: WORD }))?.[0]?.[0]).toBe('m1');
    await remove(store);
    await expectForgotten(search, way);
  };
}
for (const [way, remove] of Object.entries(MEMORY_WAYS)) {
  cases[`a memory that was ${way} helps no query (contract §6.1, §11)`] = async ({ store }) => {
    await tell(store);
    await store.deleteRecord('message', 'm1');
    const search: Search = (query) => store.search(storeSearch({ query }));
    expect(ranks(await search({ strategy: 'keyword', text: WORD }))?.[0]?.[0]).toBe('memory 0');
    await remove(store);
    await expectForgotten(search, way);
  };
}

/** What is left of words after what held them is gone: nothing. */
export const REMOVAL_CASES: Readonly<Record<string, StoreCase>> = {
  ...cases,
  'a thread that was deleted leaves no words to other threads (contract §3.3, §6.1)': async ({ store }) => {
    await tell(store);
    await store.createThread(newThread('other'));
    await store.appendMessages(
      messageAppend('other', [newMessage('o1', { chunks: [chunkAt(70, 'lovely weather')] })], {
        jobId: 'other',
      }),
    );
    expect(await store.deleteThread('thread')).toBe(1);
    await expectForgotten((query) => store.search(storeSearch({ query })), 'thread deleted');
  },
  'an actor that was deleted with all that is theirs leaves no words (contract §3.3, §6.1)': async ({
    store,
  }) => {
    await tell(store);
    await store.addRecord(newRecord('kept', { chunks: [chunkAt(70, 'lovely weather')] }), undefined);
    await store.deleteActor('user_profile', 'user');
    await expectForgotten((query) => store.search(storeSearch({ query })), 'actor deleted');
  },
};
