import { isOracleDatabaseEmbedder } from '../models/oracle-database-embedder.ts';
import type { MemoryContext } from './memory-context.ts';

const encoder = new TextEncoder();
/** A UTF-16 code unit is at most three bytes of UTF-8. */
const BYTES_PER_CODE_UNIT = 3;

/** Whether a text has at most so many bytes in UTF-8. */
function fitsBytes(text: string, maxBytes: number): boolean {
  return text.length * BYTES_PER_CODE_UNIT <= maxBytes || encoder.encode(text).length <= maxBytes;
}

/** Bytes that the embedder takes at once; only a model in the database counts them. */
export function maxInputBytes({ embedder }: MemoryContext): number {
  return isOracleDatabaseEmbedder(embedder) ? embedder.limits.maxInputBytes : Number.POSITIVE_INFINITY;
}

/** Why the embedder does not take a text whole; undefined when it does, and without an embedder. */
export function describeExcess(context: MemoryContext, text: string): string | undefined {
  const { embedder, tokenizer } = context;
  if (embedder === undefined) return undefined;
  const { maxInputTokens } = embedder.limits;
  const maxBytes = maxInputBytes(context);
  const fitsTokens = fitsBytes(text, maxInputTokens) || tokenizer.count(text) <= maxInputTokens;
  if (fitsTokens && fitsBytes(text, maxBytes)) return undefined;
  const limit = maxBytes === Number.POSITIVE_INFINITY ? '' : ` or ${maxBytes} bytes`;
  return `is longer than the ${maxInputTokens} tokens${limit} that the embedding model takes`;
}

/** Pieces of a chunk that each fit; tokens of very long words can be more bytes than a model in the database takes. */
function withinBytes(context: MemoryContext, chunk: string, maxBytes: number): readonly string[] {
  if (fitsBytes(chunk, maxBytes)) return [chunk];
  const maxTokens = Math.floor(context.tokenizer.count(chunk) / 2);
  if (maxTokens < 1) return [chunk];
  const pieces = context.tokenizer.split(chunk, { maxTokens, overlapTokens: 0 });
  return pieces.length < 2 ? [chunk] : pieces.flatMap((piece) => withinBytes(context, piece, maxBytes));
}

/** Splits a text into chunks that the embedder takes whole (contract D13); white space alone is nothing to find. */
export function splitText(context: MemoryContext, text: string): readonly string[] {
  const { chunkTokens, chunkOverlap } = context.settings;
  const maxTokens = Math.min(chunkTokens, context.embedder?.limits.maxInputTokens ?? chunkTokens);
  const overlapTokens = Math.min(chunkOverlap, Math.floor(maxTokens / 2));
  const chunks = context.tokenizer.split(text, { maxTokens, overlapTokens });
  return chunks
    .flatMap((chunk) => withinBytes(context, chunk, maxInputBytes(context)))
    .filter((chunk) => chunk.trim() !== '');
}

/** The beginning of a text that the embedder takes whole. */
export function beginningOf(context: MemoryContext, text: string, maxTokens: number): string {
  const [beginning = text] = context.tokenizer.split(text, { maxTokens, overlapTokens: 0 });
  const [fitting = beginning] = withinBytes(context, beginning, maxInputBytes(context));
  return fitting;
}
