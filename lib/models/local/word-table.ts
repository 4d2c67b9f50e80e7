import { AgentMemoryError } from '../../errors/agent-memory-error.ts';

/** "AMWT", little-endian. */
export const WORD_TABLE_MAGIC = 0x54574d41;
export const WORD_TABLE_VERSION = 1;
const HEADER_BYTES = 20;

/** Word vectors, quantised to int8 with one scale a word; already weighted by how rare the word is. */
export interface WordTable {
  readonly dimensions: number;
  /** Row of a lower-case word, or undefined when the table does not know it. */
  rowOf(word: string): number | undefined;
  /** Share of a word in a sentence, 0 to 1; small for frequent words. */
  weightOf(row: number): number;
  /** Adds the vector of a row to the first `dimensions` places of `target`. */
  addRow(row: number, target: Float32Array): void;
}

function damaged(): AgentMemoryError {
  return new AgentMemoryError('internal', 'The word table of the local embedder is not readable.');
}

/**
 * Reads a word table from its bytes without copying the vectors.
 *
 * Layout, little-endian: five uint32 (magic, version, words, dimensions, vocabulary bytes); the words, most frequent first,
 * separated by line feeds; a float32 scale a word; a uint8 weight a word (255 = 1); an int8 vector a word.
 *
 * @throws `internal` when the bytes are no such table.
 */
export function readWordTable(bytes: Uint8Array): WordTable {
  if (bytes.byteLength < HEADER_BYTES) throw damaged();
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const [magic, version, count, dimensions, vocabularyBytes] = [
    view.getUint32(0, true),
    view.getUint32(4, true),
    view.getUint32(8, true),
    view.getUint32(12, true),
    view.getUint32(16, true),
  ];
  const scalesStart = HEADER_BYTES + vocabularyBytes;
  const weightsStart = scalesStart + count * 4;
  const matrixStart = weightsStart + count;
  if (magic !== WORD_TABLE_MAGIC || version !== WORD_TABLE_VERSION) throw damaged();
  if (bytes.byteLength !== matrixStart + count * dimensions) throw damaged();

  const words = new TextDecoder().decode(bytes.subarray(HEADER_BYTES, scalesStart)).split('\n');
  const rows = new Map(words.map((word, row) => [word, row]));
  const matrix = new Int8Array(bytes.buffer, bytes.byteOffset + matrixStart, count * dimensions);
  return {
    dimensions,
    rowOf: (word) => rows.get(word),
    weightOf: (row) => view.getUint8(weightsStart + row) / 255,
    addRow(row, target) {
      const scale = view.getFloat32(scalesStart + row * 4, true);
      const start = row * dimensions;
      for (let index = 0; index < dimensions; index += 1) {
        target[index] = (target[index] ?? 0) + scale * (matrix[start + index] ?? 0);
      }
    },
  };
}
