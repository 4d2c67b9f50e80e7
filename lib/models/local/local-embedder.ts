import { AgentMemoryError } from '../../errors/agent-memory-error.ts';
import type { Embedder, EmbedderLimits } from '../embedder.ts';
import { throwIfCancelled } from '../model-failure.ts';
import { addHashedFeature, scaleSlice, sliceLength } from './hashed-features.ts';
import { tokenizeWords } from './tokenize-words.ts';
import { baseForms } from './word-forms.ts';
import { readWordTable, type WordTable } from './word-table.ts';

const HASHED_DIMENSIONS = 156;
const LIMITS: EmbedderLimits = Object.freeze({
  maxInputsPerCall: 2048,
  maxInputTokens: 1_000_000,
  maxParallelCalls: 1,
});

function findRow(table: WordTable, word: string): number | undefined {
  const row = table.rowOf(word);
  if (row !== undefined) return row;
  for (const form of baseForms(word)) {
    const formRow = table.rowOf(form);
    if (formRow !== undefined) return formRow;
  }
  return undefined;
}

/** Hiragana carries mostly grammar (は, です, ます), so n-grams made of it alone count for little. */
function gramWeight(gram: string): number {
  return /^\p{Script=Hiragana}+$/u.test(gram) ? 0.2 : 1;
}

/** Adds the n-grams (1 to 3 characters, 2 and 3 for words of Latin letters) of a word that the table does not know. */
function addUnknownWord(vector: Float32Array, start: number, word: string): void {
  const slice = { start, width: HASHED_DIMENSIONS };
  const characters = [...word];
  const isLatin = /^[\p{Script=Latin}\p{N}]+$/u.test(word);
  if (isLatin) addHashedFeature(vector, slice, `=${word}`, 2);
  const marked = isLatin ? ['^', ...characters, '$'] : characters;
  for (const size of isLatin ? [2, 3] : [1, 2, 3]) {
    for (let index = 0; index + size <= marked.length; index += 1) {
      const gram = marked.slice(index, index + size).join('');
      addHashedFeature(vector, slice, gram, gramWeight(gram));
    }
  }
}

/** How much an unknown word weighs beside known ones: one for a word, more for a run of text without spaces. */
function unknownMass(word: string): number {
  return Math.max(1, [...word].length / 4);
}

function scaleTo(vector: Float32Array, start: number, width: number, length: number): boolean {
  const current = sliceLength(vector, start, width);
  if (current < 1e-6) return false;
  scaleSlice(vector, start, width, length / current);
  return true;
}

function embedText(table: WordTable, text: string): Float32Array {
  const start = table.dimensions;
  const vector = new Float32Array(start + HASHED_DIMENSIONS);
  let knownMass = 0;
  let hashedMass = 0;
  for (const word of tokenizeWords(text)) {
    const row = findRow(table, word);
    if (row === undefined) {
      addUnknownWord(vector, start, word);
      hashedMass += unknownMass(word);
    } else {
      table.addRow(row, vector);
      knownMass += table.weightOf(row);
    }
  }
  const total = knownMass + hashedMass;
  const hasWords = knownMass > 0 && scaleTo(vector, 0, start, Math.sqrt(knownMass / total));
  const hasHashes =
    hashedMass > 0 && scaleTo(vector, start, HASHED_DIMENSIONS, Math.sqrt(hashedMass / total));
  if (!hasWords && !hasHashes) {
    addHashedFeature(vector, { start, width: HASHED_DIMENSIONS }, `text:${text.trim()}`, 1);
  }
  scaleTo(vector, 0, vector.length, 1);
  return vector;
}

/**
 * An embedder that needs no network: sums of rarity-weighted word vectors from `table`, with the characters of words that
 * the table does not know hashed into places of their own. English only has meaning here; other scripts, ids and symbols match
 * by shared characters. Word order and negation are not seen. Deterministic, unit length, never zero.
 *
 * @param table bytes of a word table (see `readWordTable`)
 * @throws `internal` when the bytes are no word table; `embed` throws `model_failed` for an empty text
 */
export function createLocalEmbedder(table: Uint8Array): Embedder {
  const words = readWordTable(table);
  return {
    modelId: 'local-word-table-1',
    dimensions: words.dimensions + HASHED_DIMENSIONS,
    limits: LIMITS,
    async embed(call) {
      throwIfCancelled(call.signal);
      return call.texts.map((text) => {
        if (text.trim() === '') throw new AgentMemoryError('model_failed', 'An empty text has no embedding.');
        return embedText(words, text);
      });
    },
  };
}
