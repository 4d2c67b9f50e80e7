import { expect } from 'vitest';
import type { MemoryStore } from '../../lib/store/memory-store.ts';
import type { NewMessageRow } from '../../lib/store/messages/stored-message.ts';
import type { SearchHit, StoreSearch } from '../../lib/store/search/store-search.ts';
import {
  direction,
  messageAppend,
  newMessage,
  newRecord,
  newThread,
  storeSearch,
  threadConfig,
} from '../store/store-samples.ts';
import { chunkAt, EXPIRED } from './store-fixtures.ts';
import type { StoreCase } from './store-stage.ts';

const ids = (hits: readonly SearchHit[] | undefined) => hits?.map((hit) => hit.record.id);
const keyword = (text: string): StoreSearch['query'] => ({ strategy: 'keyword', text });
const hybrid = (text: string, degrees = 0): StoreSearch['query'] => ({
  strategy: 'hybrid',
  text,
  vector: direction(degrees),
});

/** A thread of messages with these texts, all at a right angle to the first axis. */
async function converse(
  store: MemoryStore,
  texts: readonly string[],
  change: (index: number) => Partial<NewMessageRow> = () => ({}),
): Promise<void> {
  const config = threadConfig({ extractMemories: false });
  await store.createThread(newThread('thread', { config }));
  const messages = texts.map((text, index) =>
    newMessage(`m${index}`, { content: text, chunks: [chunkAt(90, text)], ...change(index) }),
  );
  await store.appendMessages(messageAppend('thread', messages));
}

async function find(store: MemoryStore, query: StoreSearch['query'], maxResults = 10) {
  return ids(await store.search(storeSearch({ query, maxResults })));
}

const CONVERSATION = [
  'good morning',
  'my zanzibar',
  'that sounds fine',
  'lovely weather',
  'fresh bread',
  'a nap',
];

/** Words, and words with a vector: what counts beside the record's own text, and what never does. */
export const HYBRID_CASES: Readonly<Record<string, StoreCase>> = {
  'a rare word comes first among 200 records as near (contract §12)': async ({ store }) => {
    await converse(
      store,
      Array.from({ length: 200 }, (_, index) => `the invoice of a client ${index === 137 ? 'qx7731' : ''}`),
      (index) => ({
        chunks: [
          chunkAt(
            index === 137 ? 40 : index / 10,
            `the invoice of a client ${index === 137 ? 'qx7731' : ''}`,
          ),
        ],
      }),
    );
    expect((await find(store, keyword('invoice QX7731')))?.[0]).toBe('m137');
    expect((await find(store, hybrid('invoice QX7731')))?.[0]).toBe('m137');
    expect((await find(store, hybrid('qx7731')))?.[0]).toBe('m137');
  },
  'a paraphrase without a shared word is first by vector, and among the first three in hybrid (contract §12)':
    async ({ store }) => {
      const texts = ['the report is late', 'a report about trains', 'kitten', 'a late train', 'report'];
      for (const [index, text] of texts.entries()) {
        const chunks = [chunkAt(text === 'kitten' ? 5 : 80, text)];
        await store.addRecord(newRecord(text, { chunks, content: String(index) }), undefined);
      }
      expect((await find(store, storeSearch().query))?.[0]).toBe('kitten');
      expect((await find(store, hybrid('a feline report')))?.slice(0, 3)).toContain('kitten');
      expect(await find(store, keyword('a feline report'))).not.toContain('kitten');
      expect((await find(store, hybrid('feline')))?.[0]).toBe('kitten');
    },
  'the text itself is first and nearest in both (contract §12)': async ({ store }) => {
    await converse(store, ['a red bicycle', 'a red car', 'a blue bicycle'], (index) => ({
      chunks: [chunkAt(index * 30, ['a red bicycle', 'a red car', 'a blue bicycle'][index])],
    }));
    for (const query of [keyword('a red bicycle'), hybrid('a red bicycle')]) {
      const hits = await store.search(storeSearch({ query }));
      expect(ids(hits)?.[0]).toBe('m0');
      expect(hits?.[0]?.distance).toBeCloseTo(1 / 101, 6);
      for (const { distance } of hits ?? []) expect(distance).toBeLessThanOrEqual(2);
    }
  },
  'a hybrid distance is the mean of its parts (contract §12, D21)': async ({ store }) => {
    for (const [id, degrees] of [
      ['words', 90],
      ['meaning', 0],
      ['neither', 90],
    ] as const) {
      const chunks = [chunkAt(degrees, id === 'words' ? 'bicycle' : 'car')];
      await store.addRecord(newRecord(id, { chunks }), undefined);
    }
    const hits = await store.search(storeSearch({ query: hybrid('bicycle') }));
    const scaled = (mean: number) => (1 + 100 * mean) / 101;
    expect(ids(hits)).toEqual(['words', 'meaning', 'neither']);
    for (const [index, mean] of [1 / 2.5, 1.5 / 2.5, 1].entries()) {
      expect(hits?.[index]?.distance).toBeCloseTo(scaled(mean), 6);
    }
  },
  'a hybrid query without telling words is compared by its vector, one without direction by its words':
    async ({ store }) => {
      for (const degrees of [10, 50, 30]) {
        await store.addRecord(
          newRecord(`at ${degrees}`, { chunks: [chunkAt(degrees, `bicycle ${degrees}`)] }),
          undefined,
        );
      }
      const byVector = await store.search(storeSearch());
      for (const text of ['', '???', 'what is the']) {
        expect(await store.search(storeSearch({ query: hybrid(text) }))).toEqual(byVector);
      }
      const vector = new Float32Array(4);
      const byWords = await store.search(storeSearch({ query: keyword('bicycle 50') }));
      const query = { strategy: 'hybrid', text: 'bicycle 50', vector } as const;
      expect(await store.search(storeSearch({ query }))).toEqual(byWords);
      expect(await store.search(storeSearch({ query: { ...query, text: '?' } }))).toEqual([]);
    },
  'any form of an English word is the word': async ({ store }) => {
    await converse(store, ['she painted a sunrise', 'the hobbies of a friend', 'we went home']);
    expect(await find(store, keyword('painting'))).toEqual(['m0']);
    expect(await find(store, keyword('hobby'))).toEqual(['m1']);
    expect(await find(store, keyword('go'))).toEqual(['m2']);
  },
  'messages beside a word are nearer than others, a keyword search finds the word alone': async ({
    store,
  }) => {
    await converse(store, CONVERSATION, (index) => ({
      timestamp: index < 4 ? '2026-01-01T10:00:00.000Z' : '2026-01-02T10:00:00.000Z',
    }));
    expect(await find(store, hybrid('zanzibar'))).toEqual(['m1', 'm0', 'm2', 'm3', 'm4', 'm5']);
    expect(await find(store, keyword('zanzibar'))).toEqual(['m1']);
    const hits = (await store.search(storeSearch({ query: hybrid('zanzibar') }))) ?? [];
    const [own, before, after, later, ...otherDay] = hits.map((hit) => hit.distance);
    expect(own).toBeLessThan(before ?? 0);
    expect(before).toBe(after);
    expect(after).toBeLessThan(later ?? 0);
    expect(later).toBeLessThan(otherDay[0] ?? 0);
    expect(otherDay[0]).toBe(otherDay[1]);
  },
  'words that were deleted, edited away or have expired help no other message (contract §6.1, §11)': async ({
    store,
  }) => {
    await converse(store, CONVERSATION);
    const all = (distances: readonly SearchHit[] | undefined) =>
      new Set(distances?.map((hit) => hit.distance));
    const query = hybrid('zanzibar');
    expect(all(await store.search(storeSearch({ query }))).size).toBeGreaterThan(1);
    const chunks = [chunkAt(90, 'my island')];
    await store.updateRecord('message', 'm1', { content: { text: 'my island', chunks } });
    expect(all(await store.search(storeSearch({ query }))).size).toBe(1);
    expect(await find(store, keyword('zanzibar'))).toEqual([]);
    await store.deleteRecord('message', 'm1', { threadId: 'thread' });
    expect(all(await store.search(storeSearch({ query: hybrid('island') }))).size).toBe(1);
    await store.updateRecord('message', 'm4', { timestamp: EXPIRED.timestamp, lifetime: EXPIRED });
    expect(await find(store, hybrid('bread'))).toEqual(['m0', 'm2', 'm3', 'm5']);
    expect(all(await store.search(storeSearch({ query: hybrid('bread') }))).size).toBe(1);
  },
  'what the scope hides neither helps its neighbours nor changes how rare a word is (contract §5, §12)':
    async ({ store }) => {
      const scope = { ...storeSearch().scope, user: { kind: 'exact', value: 'ana' } } as const;
      const add = (id: string, userId: string, text: string) =>
        store.addRecord(newRecord(id, { userId, chunks: [chunkAt(90, text)] }), undefined);
      await add('one', 'ana', 'red bicycle');
      await add('two', 'ana', 'red car');
      const query = hybrid('red bicycle');
      const alone = await store.search(storeSearch({ scope, query }));
      for (let index = 0; index < 20; index += 1) await add(`other ${index}`, 'bob', 'bicycle');
      expect(await store.search(storeSearch({ scope, query }))).toEqual(alone);
    },
  'a hybrid search keeps exact counts, minimums and one result a record (contract §6.1, §12)': async ({
    store,
  }) => {
    await converse(
      store,
      Array.from({ length: 450 }, () => 'bicycle'),
      (index) => ({
        chunks: [chunkAt(index / 9, 'bicycle'), chunkAt(80, 'car')],
      }),
    );
    await store.addRecord(
      newRecord('fact', { recordType: 'fact', chunks: [chunkAt(90, 'train')] }),
      undefined,
    );
    for (const maxResults of [1, 300, 450])
      expect(await find(store, hybrid('bicycle'), maxResults)).toHaveLength(maxResults);
    expect(new Set(await find(store, hybrid('bicycle'), 1_000)).size).toBe(451);
    const request = storeSearch({ query: hybrid('bicycle'), maxResults: 3, minimums: { fact: 1 } });
    expect(ids(await store.search(request))).toEqual(['m0', 'm1', 'fact']);
  },
  'a hybrid search keeps filters, types, threads and one round trip (contract §6.1, §12)': async ({
    store,
    transport,
  }) => {
    await converse(store, ['bicycle', 'bicycle'], (index) => ({
      metadata: { color: ['red', 'blue'][index] ?? '' },
    }));
    await store.addRecord(newRecord('memory', { chunks: [chunkAt(0, 'bicycle')] }), 'thread');
    const query = hybrid('bicycle');
    const before = transport.roundTrips;
    expect(ids(await store.search(storeSearch({ query, metadataFilter: { color: 'blue' } })))).toEqual([
      'm1',
    ]);
    expect(ids(await store.search(storeSearch({ query, recordTypes: ['memory'] })))).toEqual(['memory']);
    expect(await store.search(storeSearch({ query, threadId: 'nobody' }))).toBeUndefined();
    expect(await store.search(storeSearch({ query, threadId: 'thread', recordTypes: ['fact'] }))).toEqual([]);
    expect(transport.roundTrips - before).toBe(4);
  },
  'a word that a thousand chunks and most of all hold is left out beside a rarer one, not alone': async ({
    store,
  }) => {
    await converse(
      store,
      Array.from({ length: 500 }, () => 'bicycle'),
    );
    for (const part of [1, 2, 3]) {
      const chunks = [chunkAt(90, 'bicycle')];
      const messages = Array.from({ length: 250 }, (_, index) => newMessage(`${part} ${index}`, { chunks }));
      await store.appendMessages(messageAppend('thread', messages));
    }
    await store.addRecord(newRecord('rare', { chunks: [chunkAt(90, 'zanzibar')] }), undefined);
    expect(await find(store, keyword('bicycle zanzibar'))).toEqual(['rare']);
    expect(await find(store, keyword('bicycle'))).toHaveLength(10);
  },
};
