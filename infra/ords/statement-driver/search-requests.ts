import type { JsonObject } from '../../../lib/schemas/metadata.ts';
import { MEMORY_TYPES, RECORD_TYPES } from '../../../lib/schemas/record.ts';
import { WORD_TIERS } from '../../../lib/store/request-sql/fixed-texts.ts';
import type { QueryVector } from '../../../lib/store/search/query-vector.ts';
import type { ScopeDimension, StoreSearch } from '../../../lib/store/search/store-search.ts';

/** One filter for each shape that the compiler writes. */
export const FILTERS: readonly JsonObject[] = [
  { color: 'blue' },
  { color: null, size: 1.5, open: true, list: [1, 'a'], empty: {} },
  { address: { city: 'Berlin', geo: { lat: 52 } } },
  { tags: { $array_contains: 'a' }, words: { $array_contains: ['a', 'b'] } },
  { tags: { $array_contains_any: ['a', 'b'], $not: { $array_contains_any: [] } } },
  { color: { $not: 'blue' }, place: { $not: { $not: { city: 'Berlin' } } } },
  { 'a "quoted" key\n': 1, '日本 & $agent_memory': { '🙂': ['x'] } },
];

const ANYONE = { kind: 'unfiltered' } as const;
const EXACT = { kind: 'exact', value: 'an id' } as const;
const OF_THREAD = { kind: 'exact_of_thread' } as const;
const SCOPE_DIMENSIONS: readonly ScopeDimension[] = [
  ANYONE,
  EXACT,
  { kind: 'exact', value: null },
  { kind: 'boost', value: 'an id' },
  { kind: 'boost', value: null },
  OF_THREAD,
  { kind: 'boost_of_thread' },
];

/** What a fixed text of a scope depends on: which dimension leads, and where its value comes from. */
const LEADING_SCOPES: readonly Partial<StoreSearch['scope']>[] = [
  {},
  { user: EXACT },
  { user: OF_THREAD },
  { thread: EXACT },
];

/** What a pass looks for: memories of the user and agent of its thread. */
const PAST_MEMORIES = {
  threadId: 'thread',
  scope: { user: OF_THREAD, agent: OF_THREAD, thread: { kind: 'boost_of_thread' } },
  recordTypes: MEMORY_TYPES,
} as const;

/** Vectors that the statements of a store may compare: one from outside, and a text for a model in the database. */
export function queryVectors(dimensions: number, embedsInDatabase: boolean): readonly QueryVector[] {
  const given = unitVector(dimensions);
  return embedsInDatabase ? [given, { textToEmbed: 'blue bicycle' }] : [given];
}

export function unitVector(dimensions: number): Float32Array {
  return Float32Array.from({ length: dimensions }, (_, index) => (index === 0 ? 1 : 0));
}

/** A query of each strategy with so many words, once with each of the vectors. */
export function* everyQuery(
  vectors: readonly QueryVector[],
  wordTotals: readonly number[],
): Generator<StoreSearch['query']> {
  for (const vector of vectors) yield { strategy: 'vector', vector };
  for (const total of wordTotals) {
    const text = Array.from({ length: total }, (_, index) => `word${index + 1}`).join(' ');
    yield { strategy: 'keyword', text };
    for (const vector of vectors) yield { strategy: 'hybrid', text, vector };
  }
}

/** All that fixed texts of a search depend on. No request has both a filter and minimums (contract §6, §9.1). */
export function* everyFixedSearch(vectors: readonly QueryVector[]): Generator<StoreSearch> {
  const narrowings = [{}, { metadataFilter: FILTERS[0] ?? null }, { minimums: { fact: 1 } }];
  for (const query of everyQuery(vectors, WORD_TIERS))
    for (const scope of LEADING_SCOPES)
      for (const narrowing of narrowings)
        yield searchOf(query, { threadId: 'thread', scope: { ...UNFILTERED, ...scope }, ...narrowing });
}

/** Searches whose parts are independent of each other: each is varied by itself and with the others at their fullest. */
export function* everySearch(vectors: readonly QueryVector[]): Generator<StoreSearch> {
  for (const query of everyQuery(vectors, [2]))
    for (const threadId of [undefined, 'thread']) yield* everyPart(searchOf(query, { threadId }));
}

function* everyPart(base: StoreSearch): Generator<StoreSearch> {
  yield base;
  for (const dimension of SCOPE_DIMENSIONS) {
    if (base.threadId === undefined && dimension.kind.endsWith('_of_thread')) continue;
    for (const name of ['user', 'agent', 'thread'] as const)
      yield { ...base, scope: { ...base.scope, [name]: dimension } };
    const scope = { user: dimension, agent: dimension, thread: dimension };
    yield { ...base, scope, recordTypes: ['memory', 'fact'], metadataFilter: FILTERS[0] ?? null };
  }
  for (const count of RECORD_TYPES.keys()) yield { ...base, recordTypes: RECORD_TYPES.slice(count) };
  for (const metadataFilter of FILTERS) yield { ...base, metadataFilter };
  yield { ...base, minimums: { fact: 2 } };
  yield { ...base, minimums: { memory: 1, fact: 1, preference: 1, guideline: 1 } };
}

/** Searches that nothing narrows, which alone ask a vector index. */
export function* everyPlainSearch(
  vectors: readonly QueryVector[],
  wordTotals: readonly number[],
): Generator<StoreSearch> {
  for (const query of everyQuery(vectors, wordTotals)) yield searchOf(query);
}

/** What comes with the messages of a pass; other parts of a search are independent of what surrounds it. */
export function* everyPastMemorySearch(
  vectors: readonly QueryVector[],
  wordTotals: readonly number[],
): Generator<StoreSearch> {
  for (const query of everyQuery(vectors, wordTotals)) yield searchOf(query, PAST_MEMORIES);
}

const UNFILTERED: StoreSearch['scope'] = { user: ANYONE, agent: ANYONE, thread: ANYONE };

/** A query without a word: only whether the thread exists is asked. */
export const NOTHING_TO_FIND: StoreSearch = searchOf(
  { strategy: 'keyword', text: '???' },
  { threadId: 'thread' },
);

function searchOf(query: StoreSearch['query'], parts: Partial<StoreSearch> = {}): StoreSearch {
  return {
    threadId: undefined,
    scope: UNFILTERED,
    recordTypes: RECORD_TYPES,
    metadataFilter: null,
    maxResults: 10,
    minimums: {},
    ...parts,
    query,
  };
}
