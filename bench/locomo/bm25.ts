const STOP_WORDS: ReadonlySet<string> = new Set(
  (
    "a an the is are was were be been being to of in on at for and or but if then than that this these those it its it's " +
    'i you he she they we me him her them my your his their our do does did have has had has with as by from up about ' +
    'into over after what when where which who whom how why will would can could should not no so too very just'
  ).split(' '),
);
const LONG_SUFFIXES = ['ational', 'iveness', 'fulness', 'ousness'];
const SUFFIXES = ["'s", 'ingly', 'edly', 'ing', 'ied', 'ies', 'ed', 'es', 'ly', 's'];
const SHORTEST_STEM = 3;
const K1 = 1.2;
const B = 0.75;

function withoutSuffix(word: string): string {
  for (const suffix of LONG_SUFFIXES) {
    if (word.endsWith(suffix) && word.length - suffix.length >= SHORTEST_STEM)
      return word.slice(0, -suffix.length);
  }
  for (const suffix of SUFFIXES) {
    if (!word.endsWith(suffix) || word.length - suffix.length < SHORTEST_STEM) continue;
    const stem = word.slice(0, -suffix.length);
    return suffix === 'ied' || suffix === 'ies' ? `${stem}y` : stem;
  }
  return word;
}

/** A word without its English ending: suffix, final `e`, doubled last letter. */
export function stem(word: string): string {
  const bare = withoutSuffix(word);
  const short = bare.length > SHORTEST_STEM && bare.endsWith('e') ? bare.slice(0, -1) : bare;
  return /([^lsz])\1$/.test(short) ? short.slice(0, -1) : short;
}

/** Stems of the words that carry meaning, in order. */
export function stems(text: string): readonly string[] {
  const words = text.toLowerCase().match(/[a-z0-9']+/g) ?? [];
  return words.filter((word) => !STOP_WORDS.has(word)).map(stem);
}

/** Scores of all documents for a query, in the documents' order. */
export type Scorer = (query: string) => readonly number[];

/** Plain BM25 (k1 1.2, b 0.75) over stemmed words: the yardstick that every search of this project is held against. */
export function createBm25(documents: readonly string[]): Scorer {
  const frequencies = documents.map((document) => {
    const counts = new Map<string, number>();
    for (const term of stems(document)) counts.set(term, (counts.get(term) ?? 0) + 1);
    return counts;
  });
  const lengths = frequencies.map((counts) => [...counts.values()].reduce((sum, count) => sum + count, 0));
  const average = lengths.reduce((sum, length) => sum + length, 0) / Math.max(1, documents.length);
  const holders = new Map<string, number>();
  for (const counts of frequencies) {
    for (const term of counts.keys()) holders.set(term, (holders.get(term) ?? 0) + 1);
  }
  return (query) => {
    const scores = new Array<number>(documents.length).fill(0);
    for (const term of new Set(stems(query))) {
      const found = holders.get(term);
      if (found === undefined) continue;
      const rarity = Math.log(1 + (documents.length - found + 0.5) / (found + 0.5));
      for (const [index, counts] of frequencies.entries()) {
        const count = counts.get(term) ?? 0;
        const norm = K1 * (1 - B + (B * (lengths[index] ?? 0)) / average);
        if (count > 0) scores[index] = (scores[index] ?? 0) + (rarity * count * (K1 + 1)) / (count + norm);
      }
    }
    return scores;
  };
}
