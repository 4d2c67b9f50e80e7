import { expect } from 'vitest';
import type { JsonObject } from '../../lib/schemas/metadata.ts';
import type { StoreSearch } from '../../lib/store/search/store-search.ts';
import { matchesFilter } from '../store/evaluate-metadata-filter.ts';
import { direction, newRecord, storeSearch } from '../store/store-samples.ts';
import { chunkAt } from './store-fixtures.ts';
import { ODD_METADATA, type StoreCase } from './store-stage.ts';

/** Metadata whose values are easily mistaken for each other. */
const DOCUMENTS: readonly JsonObject[] = [
  {},
  { a: null },
  { a: 1 },
  { a: 1.5 },
  { a: '1' },
  { a: true },
  { a: 'true' },
  { a: 'null' },
  { a: '' },
  { a: '*' },
  { a: [] },
  { a: {} },
  { a: [1] },
  { a: ['1', 'x'] },
  { a: ['x', '1'] },
  { a: [[1]] },
  { a: [{ b: 1 }] },
  { a: { b: 1 } },
  { a: { b: 1, c: 'x' } },
  { a: { b: [1, 'x'] } },
  { a: { b: { c: [] } } },
  { a: ['a,b', 'a;b', 'a|b', '', '🙂', null, false] },
  { a: '2026-01-01T00:00:00.000Z', b: 'x' },
  { 'd e': 'x', $agent_memory: { importance: 5 }, 日本: 'É', "it's": '"' },
  ODD_METADATA,
];

const FILTERS: readonly JsonObject[] = [
  ...DOCUMENTS.filter((document) => document !== ODD_METADATA),
  { list: ODD_METADATA.list ?? null, big: 9_007_199_254_740_991, user_id: 'victim' },
  { a: { $not: 1 } },
  { a: { $not: null } },
  { a: { $not: {} } },
  { a: { $not: { $not: 'x' } } },
  { a: { $not: { b: 1 } } },
  { a: { $array_contains: 'x' } },
  { a: { $array_contains: ['x', '1'] } },
  { a: { $array_contains: [] } },
  { a: { $array_contains: null } },
  { a: { $array_contains: 1 } },
  { a: { $array_contains: { b: 1 } } },
  { a: { $array_contains: [[1]] } },
  { a: { $array_contains_any: ['x', '🙂'] } },
  { a: { $array_contains_any: [] } },
  { a: { $array_contains_any: ['a,b', 'nothing'] } },
  { a: { $array_contains_any: [false] } },
  { a: { $not: { $array_contains: 'x' } } },
  { a: { $not: { $array_contains_any: ['x', '🙂'] } } },
  { a: { $not: { $array_contains_any: [] } } },
  { a: { $array_contains: 'x', $not: { $array_contains: 'nothing' } } },
  { a: { $array_contains: 'x', $not: ['x', '1'] } },
  { a: { b: { $array_contains: 'x' } } },
  { a: { b: { $not: 1 } } },
  { a: { $not: 'x' }, b: 'x' },
  { b: { $not: 'x' }, 'd e': 'x' },
  { missing: { $not: { $array_contains: 'x' } } },
  { missing: {} },
  { constructor: 1 },
  { toString: { $not: 1 } },
];

/** Metadata filters (contract §7) against their plain meaning. */
export const FILTER_CASES: Readonly<Record<string, StoreCase>> = {
  'filters select what their plain meaning selects (contract §7)': async ({ store }) => {
    for (const [index, metadata] of DOCUMENTS.entries()) {
      const chunks = [chunkAt(30, 'bicycle')];
      await store.addRecord(newRecord(documentId(index), { metadata, chunks }), undefined);
    }
    for (const metadataFilter of FILTERS) {
      const found = await store.search(storeSearch({ metadataFilter, maxResults: 100 }));
      const expected = [...DOCUMENTS.keys()].filter((index) =>
        matchesFilter(metadataFilter, DOCUMENTS[index] ?? {}),
      );
      expect([JSON.stringify(metadataFilter), ...ids(found)]).toEqual([
        JSON.stringify(metadataFilter),
        ...expected.map(documentId),
      ]);
    }
  },
  'filters hold in keyword search too, and before the cut (contract §6.1, §7)': async ({ store }) => {
    for (const [index, color] of ['red', 'red', 'red', 'blue'].entries()) {
      const chunks = [chunkAt(10 * (index + 1), 'bicycle')];
      await store.addRecord(newRecord(documentId(index), { metadata: { color }, chunks }), undefined);
    }
    const base = { metadataFilter: { color: 'blue' }, maxResults: 1 };
    const keyword: StoreSearch['query'] = { strategy: 'keyword', text: 'bicycle' };
    expect(ids(await store.search(storeSearch(base)))).toEqual([documentId(3)]);
    expect(ids(await store.search(storeSearch({ ...base, query: keyword })))).toEqual([documentId(3)]);
  },
  'five matches that are farthest of 2,000 are five results, in every strategy (contract §6.1, §7)': async ({
    store,
    reopen,
  }) => {
    const records = Array.from({ length: 2_000 }, (_, index) =>
      newRecord(`r${index}`, {
        metadata: { color: index % 400 === 399 ? 'rare' : 'usual' },
        chunks: [chunkAt(index % 400 === 399 ? 170 : index / 20, 'a blue bicycle')],
      }),
    );
    await store.addRecords(records);
    const vector = direction(0);
    const queries: readonly StoreSearch['query'][] = [
      { strategy: 'vector', vector },
      { strategy: 'keyword', text: 'blue bicycle' },
      { strategy: 'hybrid', text: 'blue bicycle', vector },
    ];
    for (const searched of [store, reopen({ vectorIndex: 'hnsw' })]) {
      for (const query of queries) {
        const hits = await searched.search(storeSearch({ query, metadataFilter: { color: 'rare' } }));
        expect(hits?.map(({ record }) => record.id)).toEqual(['r1199', 'r1599', 'r1999', 'r399', 'r799']);
      }
    }
  },
  'a wrong filter is refused by name before the database sees it (contract §7)': async ({
    store,
    transport,
  }) => {
    const refused: readonly (readonly [JsonObject, string])[] = [
      [{ color: { $gt: 1 } }, 'color.$gt'],
      [{ color: { $NOT: 1 } }, 'color.$NOT'],
      [{ color: { $: 1 } }, 'color.$'],
      [{ color: { $not: { $in: ['red'] } } }, 'color.$not.$in'],
      [{ color: { shade: { $or: [] } } }, 'color.shade.$or'],
      [{ color: { $not: 'red', shade: 1 } }, 'color'],
      [{ color: { $array_contains_any: 'red' } }, 'color.$array_contains_any'],
      [{ color: { $array_contains_any: { a: 1 } } }, 'color.$array_contains_any'],
    ];
    for (const [metadataFilter, path] of refused) {
      const refusal = { code: 'invalid_request', issues: [{ path: `metadataFilter.${path}` }] };
      await expect(store.search(storeSearch({ metadataFilter }))).rejects.toMatchObject(refusal);
      const list = { family: 'memory', after: undefined, limit: 1, metadataFilter } as const;
      await expect(store.listRecords(list)).rejects.toMatchObject(refusal);
    }
    expect(transport.roundTrips).toBe(0);
  },
};

function documentId(index: number): string {
  return `document ${String(index).padStart(3, '0')}`;
}

function ids(hits: Awaited<ReturnType<Parameters<StoreCase>[0]['store']['search']>>): readonly string[] {
  return hits?.map((hit) => hit.record.id) ?? ['unknown thread'];
}
