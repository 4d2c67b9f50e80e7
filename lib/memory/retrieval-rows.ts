import { AgentMemoryError } from '../errors/agent-memory-error.ts';
import type { Embedder, EmbeddingPurpose } from '../models/embedder.ts';
import type { StoreSearch } from '../store/store-search.ts';
import type { Chunk } from '../store/stored-record.ts';
import type { MemoryContext } from './memory-context.ts';

/** The embedder, or undefined where the search strategy does without. Throws `unsupported` where it does not. */
function usableEmbedder(context: MemoryContext): Embedder | undefined {
  const { searchStrategy } = context.settings;
  if (context.embedder === undefined && searchStrategy !== 'keyword') {
    const message = `The search strategy ${searchStrategy} needs an embedder and none is configured.`;
    throw new AgentMemoryError('unsupported', message);
  }
  return context.embedder;
}

/** Splits a text into chunks that the embedder takes whole (contract D13); white space alone is nothing to find. */
export function splitText(context: MemoryContext, text: string): readonly string[] {
  const { chunkTokens, chunkOverlap } = context.settings;
  const maxTokens = Math.min(chunkTokens, context.embedder?.limits.maxInputTokens ?? chunkTokens);
  const overlapTokens = Math.min(chunkOverlap, Math.floor(maxTokens / 2));
  const chunks = context.tokenizer.split(text, { maxTokens, overlapTokens });
  return chunks.filter((chunk) => chunk.trim() !== '');
}

async function embedTexts(
  embedder: Embedder,
  texts: readonly string[],
  purpose: EmbeddingPurpose,
  signal: AbortSignal | undefined,
): Promise<readonly Float32Array[]> {
  if (texts.length === 0) return [];
  const vectors = await embedder.embed({ texts, purpose, signal });
  if (vectors.length === texts.length) return vectors;
  throw new AgentMemoryError(
    'model_failed',
    `The embedder returned ${vectors.length} vectors for ${texts.length} texts.`,
  );
}

/**
 * Retrieval rows of several texts, or of lists of chunks that stay as they are: chunks with their vectors, made in one
 * embedding pass over all of them. Without an embedder the chunks have no vectors. Errors: `unsupported` without embedder
 * where vectors are searched, and the embedder's.
 */
export async function createRetrievalRows(
  context: MemoryContext,
  texts: readonly (string | readonly string[])[],
): Promise<readonly (readonly Chunk[])[]> {
  const embedder = usableEmbedder(context);
  const chunkTexts = texts.map((text) => (typeof text === 'string' ? splitText(context, text) : text));
  const all = chunkTexts.flat();
  const vectors = embedder === undefined ? [] : await embedTexts(embedder, all, 'document', context.signal);
  let position = 0;
  return chunkTexts.map((chunks) =>
    chunks.map((text) => {
      const embedding = vectors[position] ?? null;
      position += 1;
      return { text, embedding };
    }),
  );
}

/**
 * What a search looks for, by the store's strategy. A text beyond the embedder's limit counts by its beginning.
 * Errors: `unsupported` without embedder where vectors are searched, and the embedder's.
 */
export async function createStoreQuery(context: MemoryContext, text: string): Promise<StoreSearch['query']> {
  const embedder = usableEmbedder(context);
  const { searchStrategy } = context.settings;
  if (embedder === undefined || searchStrategy === 'keyword') return { strategy: 'keyword', text };
  const maxTokens = embedder.limits.maxInputTokens;
  const [beginning = text] = context.tokenizer.split(text.trim(), { maxTokens, overlapTokens: 0 });
  const [vector = new Float32Array()] = await embedTexts(embedder, [beginning], 'query', context.signal);
  return searchStrategy === 'hybrid' ? { strategy: 'hybrid', text, vector } : { strategy: 'vector', vector };
}
