import { loadLocalEmbedder } from '../infra/local/models/load-local-embedder.ts';
import type { MemorySettings } from '../lib/memory/memory-context.ts';
import { RECORD_TYPES } from '../lib/schemas/record.ts';
import type { StoreSearch } from '../lib/store/search/store-search.ts';
import type { Figure } from './figure.ts';
import { fillTo, MARKED, OWNED, OWNER, WORDS } from './large-store.ts';
import { listFigures } from './list-figures.ts';
import { type MemoryOnEmulator, openMemoryOnEmulator } from './memory-on-emulator.ts';
import { median, percentile, type Timing, timeBestRound } from './statistics.ts';

const SEARCHES = 15;
const WARM_UP = 5;
const ROUNDS = 3;
const STRATEGIES = ['vector', 'keyword', 'hybrid'] as const;
const UNFILTERED = { kind: 'unfiltered' } as const;
/** A scoped search grows no more than this when the store grows tenfold from here on. */
const SCOPED_GROWTH = { from: 10_000, bound: 1.5 } as const;
/** Milliseconds of processor time of an exact search for a vector over everything: on an idle machine the time that passes. */
const UNSCOPED_VECTOR = { size: 100_000, bound: 300 } as const;
/** A word of a few records, one of a fifteenth of them, and one of all of them. */
const QUERIES = {
  usual: (index: number) => `the ${WORDS[index % WORDS.length]} of day ${index * 7}`,
  'a word of every record': () => 'noted',
} as const;
const embedder = loadLocalEmbedder();

/** One kind of search that is measured at every size. */
interface SearchCase {
  readonly name: string;
  readonly isScoped: boolean;
  /** Judged by `UNSCOPED_VECTOR`. */
  readonly isUnscopedVector: boolean;
  readonly expected: number;
  request(index: number, size: number): Promise<StoreSearch>;
}

/** The sizes to measure: `BENCH_LARGE=1` adds one that takes minutes. */
export function searchSizes(large: string | undefined): readonly number[] {
  return large === '1' ? [1_000, 10_000, 100_000] : [1_000, 10_000];
}

/**
 * How long a search takes by the size of the store, in each strategy: for a caller who owns 500 records, over everything,
 * and with a filter that five records meet; and by what factor its processor time grows when the store grows tenfold. A
 * search that finds another number of records than it must ends the measurement. At the largest size all records are
 * listed too.
 */
export async function searchFigures(sizes: readonly number[]): Promise<readonly Figure[]> {
  const bench = await openMemoryOnEmulator();
  try {
    const figures: Figure[] = [];
    let stored = 0;
    const before = new Map<string, number>();
    for (const size of sizes) {
      const start = performance.now();
      await fillTo(bench.with('hybrid'), embedder, stored, size);
      figures.push({ name: `${size} records, adding them`, value: performance.now() - start, unit: 'ms' });
      stored = size;
      for (const each of searchCases()) {
        const timing = await measure(bench, each, size);
        figures.push(...figuresOf(each, size, timing, before.get(each.name)));
        before.set(each.name, median(timing.processor));
      }
    }
    return [...figures, ...(await listFigures(bench, embedder, stored))];
  } finally {
    await bench.close();
  }
}

function figuresOf(
  { name, isScoped, isUnscopedVector }: SearchCase,
  size: number,
  { passed, processor }: Timing,
  earlier: number | undefined,
): readonly Figure[] {
  const limit = isUnscopedVector && size === UNSCOPED_VECTOR.size ? { bound: UNSCOPED_VECTOR.bound } : {};
  const growth = isScoped && size > SCOPED_GROWTH.from ? { bound: SCOPED_GROWTH.bound } : {};
  const label = `${size} records, ${name}`;
  return [
    { name: `${label}, p50`, value: median(passed), unit: 'ms' },
    { name: `${label}, p95`, value: percentile(passed, 0.95), unit: 'ms' },
    { name: `${label}, p50 of processor time`, value: median(processor), unit: 'ms', ...limit },
    ...(earlier === undefined
      ? []
      : [{ name: `${label}, growth`, value: median(processor) / earlier, unit: '', ...growth } as const]),
  ];
}

function* searchCases(): Generator<SearchCase> {
  for (const strategy of STRATEGIES) {
    for (const [scope, user] of [
      [`caller of ${OWNED}`, { kind: 'exact', value: OWNER }],
      ['unscoped', UNFILTERED],
    ] as const) {
      for (const [kind, text] of Object.entries(QUERIES)) {
        yield {
          name: `${strategy}, ${scope}, ${kind}`,
          isScoped: user !== UNFILTERED,
          isUnscopedVector: strategy === 'vector' && user === UNFILTERED,
          expected: 10,
          request: (index) => searchRequest(strategy, text(index), { user }),
        };
      }
    }
    yield {
      name: `${strategy}, unscoped, filter of ${MARKED}`,
      isScoped: false,
      isUnscopedVector: false,
      expected: MARKED,
      request: (index, size) =>
        searchRequest(strategy, `noted ${QUERIES.usual(index)}`, { metadataFilter: { size } }),
    };
  }
}

async function measure(bench: MemoryOnEmulator, searchCase: SearchCase, size: number): Promise<Timing> {
  const run = async (index: number) => {
    const found = await bench.store.search(await searchCase.request(index, size));
    if (found?.length !== searchCase.expected)
      throw new Error(`${searchCase.name} found ${found?.length} records among ${size}`);
  };
  for (let index = 0; index < WARM_UP; index += 1) await run(index);
  return timeBestRound(ROUNDS, SEARCHES, run);
}

async function searchRequest(
  strategy: MemorySettings['searchStrategy'],
  text: string,
  {
    user = UNFILTERED,
    metadataFilter = null,
  }: {
    readonly user?: StoreSearch['scope']['user'];
    readonly metadataFilter?: StoreSearch['metadataFilter'];
  },
): Promise<StoreSearch> {
  return {
    threadId: undefined,
    scope: { user, agent: UNFILTERED, thread: UNFILTERED },
    recordTypes: RECORD_TYPES,
    metadataFilter,
    maxResults: 10,
    query: await toQuery(strategy, text),
    minimums: {},
  };
}

async function toQuery(
  strategy: MemorySettings['searchStrategy'],
  text: string,
): Promise<StoreSearch['query']> {
  if (strategy === 'keyword') return { strategy, text };
  const [vector = new Float32Array()] = await embedder.embed({ texts: [text], purpose: 'query' });
  return strategy === 'hybrid' ? { strategy, text, vector } : { strategy, vector };
}
