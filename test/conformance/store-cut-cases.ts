import { expect } from 'vitest';
import type { StoreSearch } from '../../lib/store/search/store-search.ts';
import {
  direction,
  extractionOutcome,
  messageAppend,
  newMessage,
  newRecord,
  newThread,
  storeSearch,
} from '../store/store-samples.ts';
import { chunkAt, EXPIRED } from './store-fixtures.ts';
import type { StoreCase, StoreStage } from './store-stage.ts';

const TEXT = 'a red bicycle';
const QUERIES: readonly StoreSearch['query'][] = [
  { strategy: 'vector', vector: direction(0) },
  { strategy: 'keyword', text: TEXT },
  { strategy: 'hybrid', text: TEXT, vector: direction(0) },
];
const NEAR = 300;
const FAR = ['far 1', 'far 2', 'far 3', 'far 4', 'far 5'];
/** More than the records that are ranked last, unless a search asks for more. */
const MANY = 260;

/** Many records that are nearer and of which none matches, and five that do. */
async function addNearAndFar({ store }: StoreStage): Promise<void> {
  await store.createThread(newThread('thread'));
  const chunks = [chunkAt(1, TEXT)];
  await store.addRecords(
    Array.from({ length: NEAR }, (_, index) =>
      newRecord(`near ${index}`, {
        chunks,
        userId: 'user2',
        agentId: null,
        metadata: { color: 'red' },
        ...(index % 2 === 0 ? { ...EXPIRED, userId: 'user', recordType: 'fact' } : {}),
      }),
    ),
  );
  await store.addRecords(
    FAR.map((id) =>
      newRecord(id, {
        recordType: 'fact',
        userId: 'user',
        agentId: 'agent',
        threadId: 'thread',
        metadata: { color: 'blue' },
        chunks: [chunkAt(85, 'one bicycle')],
      }),
    ),
  );
}

const exact = (value: string): StoreSearch['scope']['user'] => ({ kind: 'exact', value });

/** Every condition stands before the cut: as many come back as there are and were asked for. */
export const CUT_CASES: Readonly<Record<string, StoreCase>> = {
  'each condition comes before the cut, in every strategy (contract §6.1)': async (stage) => {
    await addNearAndFar(stage);
    const { scope } = storeSearch();
    const conditions: readonly Partial<StoreSearch>[] = [
      { scope: { ...scope, user: exact('user') } },
      { scope: { ...scope, agent: exact('agent') } },
      { scope: { ...scope, thread: exact('thread') } },
      { threadId: 'thread', scope: { ...scope, thread: { kind: 'exact_of_thread' } } },
      { recordTypes: ['fact'] },
      { metadataFilter: { color: 'blue' } },
      { metadataFilter: { color: { $not: 'red' } } },
    ];
    for (const query of QUERIES) {
      for (const condition of conditions) {
        for (const maxResults of [1, FAR.length, FAR.length + 1]) {
          const hits = await stage.store.search(storeSearch({ ...condition, query, maxResults }));
          expect(
            hits?.map((hit) => hit.record.id),
            JSON.stringify([query.strategy, condition, maxResults]),
          ).toEqual(FAR.slice(0, maxResults));
        }
      }
    }
  },
  'what is superseded takes no place before the cut (contract §6.1)': async ({ store }) => {
    await store.createThread(newThread('thread'));
    await store.appendMessages(messageAppend('thread', [newMessage('first')]));
    const old = Array.from({ length: 20 }, (_, index) => `old ${index}`);
    await store.addRecords(old.map((id) => newRecord(id, { userId: 'user', chunks: [chunkAt(1, TEXT)] })));
    await store.addRecords(FAR.map((id) => newRecord(id, { chunks: [chunkAt(85, 'one bicycle')] })));
    await store.finishExtraction(extractionOutcome('job-first', 'lease', { supersededIds: old }));
    for (const query of QUERIES) {
      const hits = await store.search(storeSearch({ query, maxResults: 5 }));
      expect([query.strategy, hits?.map((hit) => hit.record.id)]).toEqual([query.strategy, FAR]);
    }
  },
  'as many come back as match, however many there are (contract §6.1)': async ({ store }) => {
    await store.addRecords(
      Array.from({ length: MANY }, (_, index) =>
        newRecord(`r${index}`, { chunks: [chunkAt(index / 3, TEXT), chunkAt(index / 4, TEXT)] }),
      ),
    );
    for (const query of QUERIES) {
      for (const maxResults of [1, 199, 200, 201, MANY - 1, MANY, MANY + 1]) {
        const hits = (await store.search(storeSearch({ query, maxResults }))) ?? [];
        expect([query.strategy, new Set(hits.map((hit) => hit.record.id)).size]).toEqual([
          query.strategy,
          Math.min(maxResults, MANY),
        ]);
        expect(hits).toHaveLength(Math.min(maxResults, MANY));
      }
    }
  },
  'hits end after four million characters, the nearest is always among them': async ({ store }) => {
    await store.createThread(newThread('thread'));
    const content = 'x'.repeat(2_500_000);
    for (const [index, id] of ['one', 'two', 'three'].entries()) {
      const chunks = [chunkAt(10 * index, TEXT)];
      await store.addRecord(newRecord(id, { content, chunks, userId: 'user' }), undefined);
    }
    for (const threadId of [undefined, 'thread']) {
      const search = storeSearch({ query: { strategy: 'vector', vector: direction(0) }, threadId });
      const idsOf = async () => (await store.search(search))?.map((hit) => hit.record.id);
      expect(await idsOf()).toEqual(['one', 'two']);
      const double = { content: { text: content + content, chunks: [chunkAt(0, TEXT)] } };
      await store.updateRecord('memory', 'one', double);
      expect(await idsOf()).toEqual(['one']);
      await store.updateRecord('memory', 'one', { content: { text: content, chunks: [chunkAt(0, TEXT)] } });
    }
  },
};
