import * as fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { JsonObject } from '../../lib/schemas/metadata.ts';
import { RECORD_TYPES } from '../../lib/schemas/record.ts';
import { createMemoryStore } from '../../lib/store/create-memory-store.ts';
import type { MemoryStore } from '../../lib/store/memory-store.ts';
import type { RecordList } from '../../lib/store/records/stored-record.ts';
import type { ScopeDimension, StoreSearch } from '../../lib/store/search/store-search.ts';
import { emulatorTransport } from '../api/api-fixture.ts';
import { emptyTables } from '../conformance/store-stage.ts';
import { type EmulatedStore, openEmulatedStore } from '../store/emulated-store.ts';
import {
  DIMENSIONS,
  direction,
  NO_RETENTION,
  newMessageRecord,
  newRecord,
  newThread,
} from '../store/store-samples.ts';

/** Raised by the nightly run. */
const RUNS = Number(process.env.SAME_ANSWER_RUNS ?? 150);
const IDS = ['one', 'two', null] as const;
const TYPES = ['memory', 'fact', 'preference'] as const;
const WORDS = ['amber', 'birch', 'copper', 'dune', 'ember', 'flint', 'grove', 'harbor'] as const;

/** Two threads, and one that does not exist. */
const THREADS = ['one', 'two', 'nowhere'] as const;

let opened: EmulatedStore;
let varying: MemoryStore;
let fixed: MemoryStore;

beforeAll(async () => {
  opened = await openEmulatedStore(undefined, { entrance: 'module' });
  const { emulator, transport, names } = opened;
  await emptyTables(transport, names);
  const settings = { dimensions: DIMENSIONS, retention: NO_RETENTION };
  varying = createMemoryStore({ transport: emulatorTransport(emulator), names, settings });
  fixed = createMemoryStore({ transport, names, settings });
  await addRows(varying);
});
afterAll(() => opened?.transport.close());

/** Every owner with every word, so that any scope has something to rank. */
async function addRows(store: MemoryStore): Promise<void> {
  await store.createThread(newThread('one', { userId: 'one', agentId: 'two' }));
  await store.createThread(newThread('two', { userId: 'two', agentId: 'one' }));
  const owners = IDS.flatMap((userId) =>
    IDS.flatMap((agentId) => IDS.map((threadId) => ({ userId, agentId, threadId }))),
  );
  const chunksOf = (index: number) => [
    {
      text: `${WORDS[index % 8]} ${WORDS[(index * 3 + 1) % 8]}`,
      embedding: index % 7 === 0 ? null : direction(index * 11),
    },
  ];
  const memories = owners.map((owner, index) =>
    newRecord(`memory ${index}`, {
      ...owner,
      recordType: TYPES[index % 3] ?? 'memory',
      metadata: { color: index % 2 === 0 ? 'red' : 'blue', place: index % 5 },
      chunks: chunksOf(index),
    }),
  );
  const messages = Array.from({ length: 9 }, (_, index) =>
    newMessageRecord(`message ${index}`, index % 3 === 0 ? 'two' : 'one', {
      chunks: chunksOf(index + 40),
    }),
  );
  await store.addRecords([...memories, ...messages]);
}

const dimension: fc.Arbitrary<ScopeDimension> = fc.oneof(
  fc.constant({ kind: 'unfiltered' } as const),
  fc.record({ kind: fc.constantFrom('exact', 'boost'), value: fc.constantFrom(...IDS) }),
  fc.record({ kind: fc.constantFrom('exact_of_thread', 'boost_of_thread') }),
);
const FILTERS: readonly (JsonObject | null)[] = [
  null,
  { color: 'red' },
  { color: { $not: 'red' }, place: { $not: 0 } },
];
const filter = fc.constantFrom(...FILTERS);
const text = fc
  .oneof(
    fc.uniqueArray(fc.constantFrom(...WORDS), { minLength: 1, maxLength: 8 }),
    fc
      .integer({ min: 5, max: 30 })
      .map((count) => [...WORDS, ...Array.from({ length: count }, (_, index) => `word${index}`)]),
  )
  .map((words) => words.join(' '));
const vector = fc.integer({ min: 0, max: 120 }).map(direction);
const query: fc.Arbitrary<StoreSearch['query']> = fc.oneof(
  vector.map((each) => ({ strategy: 'vector', vector: each }) as const),
  text.map((each) => ({ strategy: 'keyword', text: each }) as const),
  fc.record({ strategy: fc.constant('hybrid' as const), text, vector }),
);
const narrowing: fc.Arbitrary<Pick<StoreSearch, 'metadataFilter' | 'minimums'>> = fc.oneof(
  filter.map((metadataFilter) => ({ metadataFilter, minimums: {} })),
  fc
    .record({ fact: fc.nat(4), preference: fc.nat(4) })
    .map((minimums) => ({ metadataFilter: null, minimums })),
);
const search: fc.Arbitrary<StoreSearch> = fc
  .record({
    threadId: fc.constantFrom(...THREADS),
    scope: fc.record({ user: dimension, agent: dimension, thread: dimension }),
    recordTypes: fc.subarray([...RECORD_TYPES], { minLength: 1 }),
    maxResults: fc.constantFrom(1, 5, 50),
    query,
    narrowing,
  })
  .map(({ narrowing: narrowed, ...parts }) => ({ ...parts, ...narrowed }));

const owner = fc.option(fc.constantFrom(...IDS), { nil: undefined });
const list: fc.Arbitrary<RecordList> = fc.record({
  family: fc.constantFrom('memory', 'message'),
  userId: owner,
  agentId: owner,
  threadId: owner,
  recordType: fc.option(fc.constantFrom(...TYPES), { nil: undefined }),
  status: fc.option(fc.constantFrom('active', 'superseded'), { nil: undefined }),
  metadataFilter: filter,
  after: fc.constantFrom(undefined, 10),
  limit: fc.constantFrom(3, 100),
});

it('a search finds the same over installed statements, to the last digit', async () => {
  let found = 0;
  await fc.assert(
    fc.asyncProperty(search, async (request) => {
      const hits = await varying.search(request);
      found += hits?.length ?? 0;
      expect(await fixed.search(request)).toEqual(hits);
    }),
    { numRuns: RUNS, seed: 1 },
  );
  expect(found).toBeGreaterThan(RUNS);
}, 300_000);

it('a search without a thread finds the same', async () => {
  const anywhere = search.filter(({ scope }) =>
    Object.values(scope).every(({ kind }) => !kind.endsWith('_of_thread')),
  );
  await fc.assert(
    fc.asyncProperty(anywhere, async (request) => {
      const unbound = { ...request, threadId: undefined };
      expect(await fixed.search(unbound)).toEqual(await varying.search(unbound));
    }),
    { numRuns: RUNS / 5, seed: 2 },
  );
}, 300_000);

it('a list is the same over installed statements', async () => {
  await fc.assert(
    fc.asyncProperty(list, async (request) => {
      expect(await fixed.listRecords(request)).toEqual(await varying.listRecords(request));
    }),
    { numRuns: RUNS / 2, seed: 3 },
  );
}, 300_000);
