import { expect } from 'vitest';
import type { MemoryStore } from '../../lib/store/memory-store.ts';
import type { SearchHit, StoreSearch } from '../../lib/store/search/store-search.ts';
import {
  direction,
  messageAppend,
  newMessage,
  newRecord,
  newThread,
  storeSearch,
} from '../store/store-samples.ts';
import { chunkAt } from './store-fixtures.ts';
import type { StoreCase, StoreStage } from './store-stage.ts';

const TEXTS = ['red', 'blue', 'green'] as const;
const QUERIES: readonly StoreSearch['query'][] = [
  { strategy: 'vector', vector: direction(0) },
  { strategy: 'hybrid', text: 'a red bicycle', vector: direction(0) },
  { strategy: 'hybrid', text: 'who is she', vector: direction(0) },
];

/** Messages with one to three chunks each, every distance several times, so that ties lie at every cut. */
async function fill({ store }: StoreStage, count: number): Promise<void> {
  await store.createThread(newThread('thread'));
  const messages = Array.from({ length: count }, (_, index) =>
    newMessage(`m${String((index * 7) % count).padStart(4, '0')}`, {
      metadata: { third: index % 3 },
      chunks: Array.from({ length: 1 + (index % 3) }, (_each, chunk) =>
        chunkAt((index % 40) + 30 * chunk, `a ${TEXTS[index % 3]} bicycle ${index % 50 === 0 ? 'rare' : ''}`),
      ),
    }),
  );
  for (let start = 0; start < count; start += 500) {
    await store.appendMessages(messageAppend('thread', messages.slice(start, start + 500)));
  }
}

const found = (hits: readonly SearchHit[] | undefined) =>
  hits?.map(({ record, distance }) => [record.id, distance]);

/** The same search in both stores, and the round trips of the one with an index. */
async function compare(stage: StoreStage, indexed: MemoryStore, request: StoreSearch) {
  const exact = found(await stage.store.search(request));
  const before = stage.transport.roundTrips;
  const byIndex = found(await indexed.search(request));
  return { exact, byIndex, roundTrips: stage.transport.roundTrips - before };
}

/** A store with a vector index: searches that nothing narrows ask it, and find what an exact search finds. */
export const INDEX_CASES: Readonly<Record<string, StoreCase>> = {
  'a vector index finds what an exact search finds, in one round trip': async (stage) => {
    await fill(stage, 1_000);
    const indexed = stage.reopen({ vectorIndex: 'hnsw' });
    for (const query of QUERIES) {
      for (const maxResults of [1, 10, 60]) {
        const { exact, byIndex, roundTrips } = await compare(
          stage,
          indexed,
          storeSearch({ query, maxResults }),
        );
        expect(exact).toHaveLength(maxResults);
        expect([query.strategy, maxResults, byIndex]).toEqual([query.strategy, maxResults, exact]);
        expect([query.strategy, maxResults, roundTrips]).toEqual([query.strategy, maxResults, 1]);
      }
    }
  },
  'an index that gives too few records is followed by the exact search': async (stage) => {
    const chunks = Array.from({ length: 900 }, (_, index) => chunkAt(index / 100, 'a red bicycle'));
    await stage.store.addRecords([
      newRecord('all of the nearest chunks', { chunks }),
      ...Array.from({ length: 300 }, (_, index) =>
        newRecord(`far ${index}`, { chunks: [chunkAt(20 + index / 10, 'a blue bicycle')] }),
      ),
    ]);
    const indexed = stage.reopen({ vectorIndex: 'ivf' });
    for (const query of QUERIES) {
      const { exact, byIndex, roundTrips } = await compare(stage, indexed, storeSearch({ query }));
      expect(exact).toHaveLength(10);
      expect(byIndex).toEqual(exact);
      expect([query.strategy, roundTrips]).toEqual([query.strategy, 2]);
    }
  },
  'ties at the edge of the index are told apart by id': async (stage) => {
    const ids = Array.from(
      { length: 1_000 },
      (_, index) => `m${String((index * 37) % 1_000).padStart(4, '0')}`,
    );
    await stage.store.addRecords(ids.map((id) => newRecord(id, { chunks: [chunkAt(10, 'a red bicycle')] })));
    const indexed = stage.reopen({ vectorIndex: 'hnsw' });
    for (const query of QUERIES) {
      const { exact, byIndex } = await compare(stage, indexed, storeSearch({ query }));
      expect(exact?.[0]?.[0]).toBe('m0000');
      expect(byIndex).toEqual(exact);
    }
  },
  'a store smaller than the cut is found whole': async (stage) => {
    await fill(stage, 5);
    await stage.store.addRecord(
      newRecord('words', { chunks: [{ text: 'red', embedding: null }] }),
      undefined,
    );
    const indexed = stage.reopen({ vectorIndex: 'hnsw' });
    for (const query of QUERIES) {
      const { exact, byIndex } = await compare(stage, indexed, storeSearch({ query }));
      expect(exact?.length).toBeGreaterThanOrEqual(5);
      expect(byIndex).toEqual(exact);
    }
  },
  'a query whose vector has no direction is compared by its words, once': async (stage) => {
    await fill(stage, 60);
    const query = { strategy: 'hybrid', text: 'a rare bicycle', vector: new Float32Array(4) } as const;
    const indexed = stage.reopen({ vectorIndex: 'hnsw' });
    const request = storeSearch({ query, maxResults: 100 });
    const { exact, byIndex, roundTrips } = await compare(stage, indexed, request);
    expect(exact).toHaveLength(60);
    expect([byIndex, roundTrips]).toEqual([exact, 1]);
  },
  'what a scope, a type, a filter or a minimum narrows is searched exactly': async (stage) => {
    await fill(stage, 60);
    const indexed = stage.reopen({ vectorIndex: 'hnsw' });
    const { scope } = storeSearch();
    const narrowed: readonly Partial<StoreSearch>[] = [
      { scope: { ...scope, user: { kind: 'exact', value: 'user' } } },
      { scope: { ...scope, thread: { kind: 'boost', value: 'thread' } } },
      { recordTypes: ['message', 'fact'] },
      { metadataFilter: { third: 1 } },
      { minimums: { message: 1 } },
      { threadId: 'thread' },
    ];
    for (const narrowing of narrowed) {
      for (const query of QUERIES) {
        const request = storeSearch({ ...narrowing, query });
        const { exact, byIndex, roundTrips } = await compare(stage, indexed, request);
        expect(byIndex).toEqual(exact);
        expect([narrowing, roundTrips]).toEqual([narrowing, 1]);
      }
    }
  },
};
