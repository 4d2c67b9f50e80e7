import { AgentMemoryError } from '../errors/agent-memory-error.ts';
import type { Embedder, EmbeddingPurpose } from '../models/embedder.ts';
import {
  isOracleDatabaseEmbedder,
  type MemoryEmbedder,
  type OracleDatabaseEmbedder,
} from '../models/oracle-database-embedder.ts';
import type { Chunk } from '../store/records/stored-record.ts';
import type { QueryVector } from '../store/search/query-vector.ts';
import type { StoreSearch } from '../store/search/store-search.ts';
import type { MemoryContext } from './memory-context.ts';
import { beginningOf, describeExcess, splitText } from './split-text.ts';

/** The embedder, or undefined where the search strategy does without. Throws `unsupported` where it does not. */
function usableEmbedder(context: MemoryContext): MemoryEmbedder | undefined {
  const { searchStrategy } = context.settings;
  if (context.embedder === undefined && searchStrategy !== 'keyword') {
    const message = `The search strategy ${searchStrategy} needs an embedder and none is configured.`;
    throw new AgentMemoryError('unsupported', message);
  }
  return context.embedder;
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

/** Chunks that the database embeds. Whatever is beyond the limit of its model it would leave out without a word. */
function chunksForDatabase(
  context: MemoryContext,
  { modelId }: OracleDatabaseEmbedder,
  texts: readonly string[],
): readonly Chunk[] {
  if (context.store.embeddingModel !== modelId) {
    throw new AgentMemoryError(
      'internal',
      `The store embeds with another model than ${modelId}, or with none.`,
    );
  }
  return texts.map((text) => {
    const excess = describeExcess(context, text);
    if (excess === undefined) return { text, embedding: 'by_database' };
    throw new AgentMemoryError('payload_too_large', `A chunk ${excess}.`);
  });
}

/**
 * Retrieval rows of several texts, or of lists of chunks that stay as they are: chunks with their vectors, made in one
 * embedding pass over all of them; a model in the database makes them when the rows are written. Without an embedder
 * the chunks have no vectors. Errors: `unsupported` without embedder where vectors are searched, `payload_too_large` for
 * a chunk beyond the model's limit, and the embedder's.
 */
export async function createRetrievalRows(
  context: MemoryContext,
  texts: readonly (string | readonly string[])[],
): Promise<readonly (readonly Chunk[])[]> {
  const embedder = usableEmbedder(context);
  const chunkTexts = texts.map((text) => (typeof text === 'string' ? splitText(context, text) : text));
  if (isOracleDatabaseEmbedder(embedder)) {
    return chunkTexts.map((chunks) => chunksForDatabase(context, embedder, chunks));
  }
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

async function queryVector(
  { signal }: MemoryContext,
  embedder: MemoryEmbedder,
  text: string,
): Promise<QueryVector> {
  if (isOracleDatabaseEmbedder(embedder)) return { textToEmbed: text };
  const [vector = new Float32Array()] = await embedTexts(embedder, [text], 'query', signal);
  return vector;
}

/** Makes the retrieval rows of texts, those of each text in its place. */
export type CreateRows = (texts: readonly string[]) => Promise<readonly (readonly Chunk[])[]>;

/** `createRetrievalRows` that embeds each text once, however often it is asked for. */
export function rememberRetrievalRows(context: MemoryContext): CreateRows {
  const known = new Map<string, readonly Chunk[]>();
  return async (texts) => {
    const unknown = [...new Set(texts)].filter((text) => !known.has(text));
    const rows = await createRetrievalRows(context, unknown);
    for (const [index, text] of unknown.entries()) known.set(text, rows[index] ?? []);
    return texts.map((text) => known.get(text) ?? []);
  };
}

/**
 * What a search looks for, by the store's strategy. A text beyond the embedder's limit counts by its beginning.
 * Errors: `unsupported` without embedder where vectors are searched, and the embedder's.
 */
export async function createStoreQuery(context: MemoryContext, text: string): Promise<StoreSearch['query']> {
  const embedder = usableEmbedder(context);
  const { searchStrategy } = context.settings;
  if (embedder === undefined || searchStrategy === 'keyword') return { strategy: 'keyword', text };
  const beginning = beginningOf(context, text.trim(), embedder.limits.maxInputTokens);
  const vector = await queryVector(context, embedder, beginning);
  return searchStrategy === 'hybrid' ? { strategy: 'hybrid', text, vector } : { strategy: 'vector', vector };
}
