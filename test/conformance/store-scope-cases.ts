import { expect } from 'vitest';
import type { MemoryStore } from '../../lib/store/memory-store.ts';
import type { ScopeDimension, StoreSearch } from '../../lib/store/search/store-search.ts';
import { direction, newRecord, newThread, storeSearch } from '../store/store-samples.ts';
import { chunkAt } from './store-fixtures.ts';
import type { StoreCase, StoreStage } from './store-stage.ts';

interface Owners {
  readonly user: string | null;
  readonly agent: string | null;
  readonly thread: string | null;
}
const DIMENSIONS = ['user', 'agent', 'thread'] as const;

/** Each dimension: the wanted id, one that begins with it, and none. */
const RECORDS: readonly Owners[] = [null, 'user', 'user2'].flatMap((user) =>
  [null, 'agent', 'agent2'].flatMap((agent) =>
    [null, 'thread', 'thread2'].map((thread) => ({ user, agent, thread })),
  ),
);
const recordId = ({ user, agent, thread }: Owners) => `${user} ${agent} ${thread}`;

/** The rows of the scope table: {omitted, id, null} × exact {true, false}. */
const dimensionsOf = (name: (typeof DIMENSIONS)[number]): readonly ScopeDimension[] => [
  { kind: 'unfiltered' },
  { kind: 'exact', value: name },
  { kind: 'exact', value: null },
  { kind: 'boost', value: name },
  { kind: 'boost', value: null },
];

const SCOPES: readonly StoreSearch['scope'][] = dimensionsOf('user').flatMap((user) =>
  dimensionsOf('agent').flatMap((agent) => dimensionsOf('thread').map((thread) => ({ user, agent, thread }))),
);

async function addRecords(store: MemoryStore): Promise<void> {
  await store.createThread(newThread('thread'));
  for (const owners of RECORDS) {
    const { user: userId, agent: agentId, thread: threadId } = owners;
    const chunks = [chunkAt(60, 'a red bicycle')];
    await store.addRecord(newRecord(recordId(owners), { userId, agentId, threadId, chunks }), undefined);
  }
}

/** The matrix, against the table read literally. */
async function checkMatrix({ store }: StoreStage, query: StoreSearch['query']): Promise<void> {
  await addRecords(store);
  const all = await store.search(storeSearch({ query, maxResults: 100 }));
  const base = all?.[0]?.distance ?? Number.NaN;
  expect(all?.map((hit) => hit.distance)).toEqual(RECORDS.map(() => base));
  for (const scope of SCOPES) {
    const hits = (await store.search(storeSearch({ query, scope, maxResults: 100 }))) ?? [];
    const found = new Map(hits.map((hit) => [hit.record.id, hit.distance / base]));
    const expected = new Map(
      RECORDS.filter((owners) => isIn(scope, owners)).map((owners) => [
        recordId(owners),
        boost(scope, owners),
      ]),
    );
    expect([scope, [...found.keys()].sort()]).toEqual([scope, [...expected.keys()].sort()]);
    for (const [id, factor] of expected) expect(found.get(id)).toBeCloseTo(factor, 6);
    const distances = hits.map((hit) => hit.distance);
    expect(distances).toEqual(distances.toSorted((one, other) => one - other));
  }
}

function isIn(scope: StoreSearch['scope'], owners: Owners): boolean {
  return DIMENSIONS.every((name) => {
    const wanted = scope[name];
    return wanted.kind !== 'exact' || wanted.value === owners[name];
  });
}

function boost(scope: StoreSearch['scope'], owners: Owners): number {
  return DIMENSIONS.reduce((factor, name) => {
    const wanted = scope[name];
    return wanted.kind === 'boost' && wanted.value === owners[name] ? factor * 0.95 : factor;
  }, 1);
}

/** Whose records a search sees (contract §5, D5, D6). */
export const SCOPE_CASES: Readonly<Record<string, StoreCase>> = {
  'the scope table holds in vector search (contract §5)': (stage) => checkMatrix(stage, storeSearch().query),
  'the scope table holds in keyword search (contract §5)': (stage) =>
    checkMatrix(stage, { strategy: 'keyword', text: 'bicycle' }),
  'the scope table holds in hybrid search (contract §5)': (stage) =>
    checkMatrix(stage, { strategy: 'hybrid', text: 'bicycle', vector: direction(0) }),
  'ids of the thread are taken from its row (contract §5)': async ({ store }) => {
    await addRecords(store);
    const exact: ScopeDimension = { kind: 'exact_of_thread' };
    const boosted: ScopeDimension = { kind: 'boost_of_thread' };
    const request = storeSearch({ threadId: 'thread', maxResults: 100 });
    for (const query of [
      request.query,
      { strategy: 'keyword', text: 'bicycle' } as const,
      { strategy: 'hybrid', text: 'bicycle', vector: direction(0) } as const,
    ]) {
      const own = await store.search({
        ...request,
        query,
        scope: { user: exact, agent: exact, thread: exact },
      });
      expect(own?.map((hit) => hit.record.id)).toEqual(['user agent thread']);
      const near = await store.search({
        ...request,
        query,
        scope: { user: exact, agent: boosted, thread: boosted },
      });
      expect(near).toHaveLength(9);
      expect(near?.[0]?.record.id).toBe('user agent thread');
      expect((near?.[0]?.distance ?? 0) / (near?.[8]?.distance ?? 1)).toBeCloseTo(0.95 ** 2, 6);
    }
  },
  'the boost is a setting and comes before the cut (contract §5, D6)': async ({ store, reopen }) => {
    await store.addRecord(newRecord('near', { chunks: [chunkAt(40)] }), undefined);
    await store.addRecord(newRecord('own', { userId: 'user', chunks: [chunkAt(50)] }), undefined);
    const unfiltered: ScopeDimension = { kind: 'unfiltered' };
    const scope = { user: { kind: 'boost', value: 'user' }, agent: unfiltered, thread: unfiltered } as const;
    const request = storeSearch({ scope, maxResults: 1 });
    expect((await store.search(request))?.[0]?.record.id).toBe('near');
    expect((await reopen({ boostFactor: 0.5 }).search(request))?.[0]?.record.id).toBe('own');
  },
};
