import * as z from 'zod';
import { CONTENT_LIMIT } from './message.ts';
import { boundedText, meaningfulText } from './well-formed.ts';

/** Retrieval rows that the caller makes of one record, at most. */
export const CHUNK_LIMIT = 1_000;
/** Largest width of an Oracle vector. */
const DIMENSION_LIMIT = 65_535;

/** One vector; the store checks its width. */
export const vectorSchema = z.array(z.number()).min(1).max(DIMENSION_LIMIT);

/**
 * What is searched instead of the content (contract §10.3): a text that may be chunked, or chunks of the caller's own,
 * one row each and never chunked again. `""` and `[]` = no retrieval text.
 */
const indexTextSchema = z.union([
  boundedText(0, CONTENT_LIMIT),
  z.array(meaningfulText(CONTENT_LIMIT)).max(CHUNK_LIMIT),
]);
export const nullableIndexTextSchema = z.union([...indexTextSchema.options, z.null()]);
/** Text that is searched instead of the content: one to be split, or a list of chunks (contract §10.3). */
export type IndexText = z.infer<typeof indexTextSchema>;

/** One vector for one row, or as many as there are chunk texts; written as they are, the embedder is not called. */
export const nullableEmbeddingSchema = z.union([
  vectorSchema,
  z.array(vectorSchema).max(CHUNK_LIMIT),
  z.null(),
]);
/** One vector, or one for each chunk. */
export type Embedding = readonly number[] | readonly (readonly number[])[];

/** A list of numbers is one vector; the empty list holds none. */
export function isVector(embedding: Embedding): embedding is readonly number[] {
  return typeof embedding[0] === 'number';
}

/** The vectors of an embedding, a single one as a list of one. */
export function vectorsOf(embedding: Embedding): readonly (readonly number[])[] {
  return isVector(embedding) ? [embedding] : embedding;
}

/**
 * Why vectors do not fit the retrieval text, or undefined when they do: chunks take one each, a text takes one for its
 * single row, no text takes none or one for a row without text (contract §10.3).
 */
export function vectorFault(text: IndexText, embedding: Embedding): string | undefined {
  const given = vectorsOf(embedding).length;
  if (typeof text !== 'string' && text.length > 0) {
    return given === text.length ? undefined : `holds ${given} vectors for ${text.length} chunk texts`;
  }
  if (given > 1) return `holds ${given} vectors, which need as many chunk texts`;
  return given === 0 && typeof text === 'string' && text.trim() !== '' ? 'holds no vector' : undefined;
}
