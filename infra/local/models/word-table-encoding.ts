import { WORD_TABLE_MAGIC, WORD_TABLE_VERSION } from '../../../lib/models/local/word-table.ts';

export interface WordTableEntry {
  readonly word: string;
  /** Share of the word in a sentence, 0 to 1 (rare words weigh more). */
  readonly weight: number;
  /** Weighted vector. */
  readonly vector: ArrayLike<number>;
}

function quantise(vector: ArrayLike<number>): { readonly scale: number; readonly values: Int8Array } {
  const scale = Math.max(...Array.from(vector, Math.abs)) / 127 || 1;
  return { scale, values: Int8Array.from(Array.from(vector, (value) => Math.round(value / scale))) };
}

/** Writes the format that `readWordTable` reads: header, vocabulary, scales, weights, int8 matrix. */
export function encodeWordTable(entries: readonly WordTableEntry[], dimensions: number): Uint8Array {
  const vocabulary = new TextEncoder().encode(entries.map((entry) => entry.word).join('\n'));
  const rows = entries.map((entry) => quantise(entry.vector));
  const header = new DataView(new ArrayBuffer(20));
  [WORD_TABLE_MAGIC, WORD_TABLE_VERSION, entries.length, dimensions, vocabulary.byteLength].forEach(
    (value, index) => {
      header.setUint32(index * 4, value, true);
    },
  );
  const scales = new DataView(new ArrayBuffer(entries.length * 4));
  rows.forEach((row, index) => {
    scales.setFloat32(index * 4, row.scale, true);
  });
  const weights = Uint8Array.from(entries, (entry) => Math.max(1, Math.round(entry.weight * 255)));
  const matrix = new Int8Array(entries.length * dimensions);
  rows.forEach((row, index) => {
    matrix.set(row.values, index * dimensions);
  });
  return Buffer.concat([
    new Uint8Array(header.buffer),
    vocabulary,
    new Uint8Array(scales.buffer),
    weights,
    new Uint8Array(matrix.buffer),
  ]);
}
