import { loadLocalEmbedder } from '../infra/local/models/load-local-embedder.ts';
import type { MemorySettings } from '../lib/memory/memory-context.ts';
import { RECORD_TYPES } from '../lib/schemas/record.ts';
import type { StoreSearch } from '../lib/store/store-search.ts';
import type { Figure } from './figure.ts';
import { type MemoryOnEmulator, openMemoryOnEmulator } from './memory-on-emulator.ts';
import { percentile, time } from './statistics.ts';

const BATCH = 500;
const OWNED = 500;
const SEARCHES = 30;
const OWNER = 'owner';
const STRATEGIES = ['vector', 'keyword', 'hybrid'] as const;
const UNFILTERED = { kind: 'unfiltered' } as const;
const WORDS =
  'garden train invoice violin harbour recipe passport telescope bicycle novel lantern orchard ferry museum kettle'.split(
    ' ',
  );
/** A word of a few records, one of a fifteenth of them, and one of all of them. */
const QUERIES = {
  usual: (index: number) => `the ${WORDS[index % WORDS.length]} of day ${index * 7}`,
  'a word of every record': () => 'noted',
} as const;

function sentence(index: number): string {
  const [one, other] = [index, index * 7 + 3].map((number) => WORDS[number % WORDS.length]);
  return `On day ${index} I noted the ${one} beside the ${other}, entry ${(index * 2_654_435_761) % 99_991}.`;
}

/** The sizes to measure: `BENCH_LARGE=1` adds one that takes minutes to fill. */
export function searchSizes(large: string | undefined): readonly number[] {
  return large === '1' ? [1_000, 10_000, 100_000] : [1_000, 10_000];
}

/**
 * How long a search takes by the size of the store, each strategy, for a caller who owns 500 records and over everything, and
 * by what factor it grows when the store grows tenfold.
 */
export async function searchFigures(sizes: readonly number[]): Promise<readonly Figure[]> {
  const bench = await openMemoryOnEmulator();
  try {
    const figures: Figure[] = [];
    let stored = 0;
    let before = new Map<string, number>();
    for (const size of sizes) {
      await fill(bench, stored, size);
      stored = size;
      const medians = new Map<string, number>();
      for (const [name, samples] of await measure(bench)) {
        const median = percentile(samples, 0.5);
        const earlier = before.get(name);
        medians.set(name, median);
        figures.push(
          { name: `${size} records, ${name}, p50`, value: median, unit: 'ms' },
          { name: `${size} records, ${name}, p95`, value: percentile(samples, 0.95), unit: 'ms' },
        );
        if (earlier !== undefined)
          figures.push({ name: `${size} records, ${name}, growth`, value: median / earlier, unit: '' });
      }
      before = medians;
    }
    return figures;
  } finally {
    await bench.close();
  }
}

/** The first 500 records belong to the caller, every further 500 to somebody else. */
async function fill(bench: MemoryOnEmulator, from: number, to: number): Promise<void> {
  const memory = bench.with('hybrid');
  for (let start = from; start < to; start += BATCH) {
    const userId = start < OWNED ? OWNER : `user ${start}`;
    const thread = await memory.createThread({ userId, extraction: { extractMemories: false } });
    await thread.addMessages(
      Array.from({ length: BATCH }, (_, index) => ({ role: 'user', content: sentence(start + index) })),
    );
  }
}

async function measure(bench: MemoryOnEmulator): Promise<ReadonlyMap<string, readonly number[]>> {
  const samples = new Map<string, readonly number[]>();
  for (const strategy of STRATEGIES) {
    for (const [scope, user] of [
      [`caller of ${OWNED}`, { kind: 'exact', value: OWNER }],
      ['unscoped', UNFILTERED],
    ] as const) {
      for (const [kind, text] of Object.entries(QUERIES)) {
        const run = async (index: number) => {
          const query = await toQuery(strategy, text(index));
          const found = await bench.store.search({
            threadId: undefined,
            scope: { user, agent: UNFILTERED, thread: UNFILTERED },
            recordTypes: RECORD_TYPES,
            metadataFilter: null,
            maxResults: 10,
            query,
            minimums: {},
          });
          if (found?.length !== 10) throw new Error(`${strategy} found ${found?.length} records`);
        };
        await time(3, run);
        samples.set(`${strategy}, ${scope}, ${kind}`, await time(SEARCHES, run));
      }
    }
  }
  return samples;
}

const embedder = loadLocalEmbedder();

async function toQuery(
  strategy: MemorySettings['searchStrategy'],
  text: string,
): Promise<StoreSearch['query']> {
  if (strategy === 'keyword') return { strategy, text };
  const [vector = new Float32Array()] = await embedder.embed({ texts: [text], purpose: 'query' });
  return strategy === 'hybrid' ? { strategy, text, vector } : { strategy, vector };
}
