/** One retrieval row of a sample. */
export interface SampleChunk {
  readonly words: readonly string[];
  /** Its angle from the query vector; null = no vector. */
  readonly degrees: number | null;
}

/** A record that a search sees. */
export interface SampleRecord {
  readonly id: string;
  readonly chunks: readonly SampleChunk[];
  /** Where a message stands; null for anything else. */
  readonly place: { readonly threadId: string; readonly sequence: number; readonly day: string } | null;
  /** What the scope's boosts make of its distance. */
  readonly factor: number;
}

const distanceOf = (degrees: number) => 1 - Math.cos((degrees * Math.PI) / 180);
const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0);
/** What a message takes of a word that only messages this far away hold. */
const NEIGHBOUR_SHARE: Readonly<Record<number, number>> = { 1: 0.5, 2: 0.25 };

/** The weights of the query's words among the rows that the search sees, as in BM25. */
function weightsOf(query: readonly string[], records: readonly SampleRecord[]): ReadonlyMap<string, number> {
  const chunks = records.flatMap((record) => record.chunks);
  return new Map(
    query.map((word) => {
      const found = chunks.filter((chunk) => chunk.words.includes(word)).length;
      return [word, Math.log(1 + (chunks.length - found + 0.5) / (found + 0.5))];
    }),
  );
}

const holds = (record: SampleRecord, word: string) =>
  record.chunks.some((chunk) => chunk.words.includes(word));

/**
 * The distances of docs/search.md by plain counting: what a record holds, what the messages beside it hold, what its
 * thread says on its day, and how near its vector is. Records that the search does not find are left out.
 */
export function wordRanking(
  strategy: 'keyword' | 'hybrid',
  query: readonly string[],
  records: readonly SampleRecord[],
): ReadonlyMap<string, number> {
  const weights = weightsOf(query, records);
  const weightOf = (words: readonly string[]) => sum(words.map((word) => weights.get(word) ?? 0));
  const total = weightOf(query);

  function sameDay(record: SampleRecord): readonly SampleRecord[] {
    const { place } = record;
    return records.filter(
      (other) => place !== null && other.place?.threadId === place.threadId && other.place.day === place.day,
    );
  }
  function besideWeight(record: SampleRecord): number {
    const missing = query.filter((word) => !holds(record, word));
    return sum(
      missing.map((word) => {
        const holders = sameDay(record).filter((other) => holds(other, word));
        const shares = holders.map((other) => {
          const steps = Math.abs((other.place?.sequence ?? 0) - (record.place?.sequence ?? 0));
          return NEIGHBOUR_SHARE[steps] ?? 0;
        });
        return weightOf([word]) * Math.min(1, sum(shares));
      }),
    );
  }

  return new Map(
    records.flatMap((record): readonly (readonly [string, number])[] => {
      const own = Math.max(
        0,
        ...record.chunks.map((chunk) => weightOf(query.filter((word) => chunk.words.includes(word)))),
      );
      const vectors = record.chunks.flatMap(({ degrees }) => (degrees === null ? [] : [distanceOf(degrees)]));
      const isFound = own > 0 || (strategy === 'hybrid' && vectors.length > 0);
      if (!isFound) return [];
      const said = weightOf(query.filter((word) => sameDay(record).some((other) => holds(other, word))));
      const parts = [1 - (own + besideWeight(record)) / total, 0.5 * (1 - Math.max(own, said) / total)];
      if (strategy === 'hybrid') parts.push(vectors.length === 0 ? 1 : Math.min(...vectors));
      const mean = sum(parts) / (strategy === 'hybrid' ? 2.5 : 1.5);
      return [[record.id, (record.factor * (1 + 100 * mean)) / 101]];
    }),
  );
}
