import * as fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { createMemoryStore } from '../../lib/store/create-memory-store.ts';
import type { MemoryStore } from '../../lib/store/memory-store.ts';
import type { Chunk } from '../../lib/store/records/stored-record.ts';
import { EXPIRED } from '../conformance/store-fixtures.ts';
import { emptyTables } from '../conformance/store-stage.ts';
import { type EmulatedStore, openEmulatedStore } from './emulated-store.ts';
import { type SampleChunk, type SampleRecord, wordRanking } from './evaluate-word-ranking.ts';
import {
  DIMENSIONS,
  direction,
  NO_RETENTION,
  newMessageRecord,
  newRecord,
  newThread,
  storeSearch,
} from './store-samples.ts';

const WORDS = ['zanzibar', 'kiwi', 'onyx', 'fjord', 'quartz'] as const;
const UNHEARD = 'kilimanjaro';
const THREADS = ['first', 'second'] as const;
const DAYS = ['2026-01-01', '2026-01-02'] as const;
const BOOST = 0.95;

/** A record of the store, whether the search sees it or not. */
interface Sample {
  readonly kind: 'message' | 'memory';
  readonly thread: (typeof THREADS)[number];
  readonly day: (typeof DAYS)[number];
  readonly chunks: readonly SampleChunk[];
  readonly hidden: 'no' | 'of another user' | 'expired';
}

const chunk: fc.Arbitrary<SampleChunk> = fc.record({
  words: fc.uniqueArray(fc.constantFrom(...WORDS), { maxLength: 3 }),
  degrees: fc.option(fc.integer({ min: 5, max: 120 }), { freq: 6 }),
});
const sample: fc.Arbitrary<Sample> = fc.record({
  kind: fc.constantFrom('message', 'message', 'message', 'memory'),
  thread: fc.constantFrom(...THREADS),
  day: fc.constantFrom(...DAYS),
  chunks: fc.array(chunk, { minLength: 1, maxLength: 2 }),
  hidden: fc.constantFrom('no', 'no', 'no', 'no', 'of another user', 'expired'),
});
const samples = fc.array(sample, { minLength: 4, maxLength: 16 });
const query = fc.uniqueArray(fc.constantFrom(...WORDS, UNHEARD), { minLength: 1, maxLength: 4 });

let opened: EmulatedStore;
let store: MemoryStore;
beforeAll(async () => {
  opened = await openEmulatedStore();
  const { transport, names } = opened;
  const settings = { dimensions: DIMENSIONS, retention: NO_RETENTION, boostFactor: BOOST };
  store = createMemoryStore({ transport, names, settings });
});
beforeEach(() => emptyTables(opened.transport, opened.names));
afterAll(() => opened?.transport.close());

function toChunk({ words, degrees }: SampleChunk): Chunk {
  return {
    text: ['so', ...words].join(' '),
    embedding: degrees === null ? null : direction(degrees),
  };
}

/** Writes the samples in their order and returns what a search for the user sees, as the evaluator reads it. */
async function write(all: readonly Sample[]): Promise<readonly SampleRecord[]> {
  await emptyTables(opened.transport, opened.names);
  for (const thread of THREADS) await store.createThread(newThread(thread));
  const sequences = new Map<string, number>();
  const seen: SampleRecord[] = [];
  const records = all.map(({ kind, thread, day, chunks, hidden }, index) => {
    const id = `r${String(index).padStart(2, '0')}`;
    const fields = {
      userId: hidden === 'of another user' ? 'user2' : 'user',
      timestamp: `${day}T12:00:00.000Z`,
      chunks: chunks.map(toChunk),
      ...(hidden === 'expired' ? { ttlDays: EXPIRED.ttlDays, ttlAnchor: EXPIRED.ttlAnchor } : {}),
    };
    const sequence = (sequences.get(thread) ?? 0) + 1;
    if (kind === 'message') sequences.set(thread, sequence);
    const place = kind === 'message' ? { threadId: thread, sequence, day } : null;
    if (hidden === 'no') seen.push({ id, chunks, place, factor: thread === 'first' ? BOOST : 1 });
    return kind === 'message'
      ? newMessageRecord(id, thread, fields)
      : newRecord(id, { ...fields, threadId: thread });
  });
  await store.addRecords(records);
  return seen;
}

const SCOPE = {
  user: { kind: 'exact', value: 'user' },
  agent: { kind: 'unfiltered' },
  thread: { kind: 'boost', value: 'first' },
} as const;

it('distances are what docs/search.md says, among the rows that the search sees (contract §12)', async () => {
  await fc.assert(
    fc.asyncProperty(samples, query, async (all, words) => {
      const seen = await write(all);
      for (const strategy of ['keyword', 'hybrid'] as const) {
        const expected = wordRanking(strategy, words, seen);
        const text = words.join(' ');
        const hits = await store.search(
          storeSearch({ scope: SCOPE, query: { strategy, text, vector: direction(0) }, maxResults: 100 }),
        );
        expect(hits?.map((hit) => hit.record.id).toSorted()).toEqual([...expected.keys()].toSorted());
        for (const hit of hits ?? [])
          expect([hit.record.id, hit.distance]).toEqual([
            hit.record.id,
            expect.closeTo(expected.get(hit.record.id) ?? Number.NaN, 6),
          ]);
      }
    }),
    { numRuns: 40 },
  );
});
