import { AgentMemoryError } from '../errors/agent-memory-error.ts';
import type { Embedding, IndexText } from '../schemas/retrieval-payload.ts';
import type { Chunk } from '../store/records/stored-record.ts';
import { toStoredVectors } from './given-vectors.ts';
import type { MemoryContext } from './memory-context.ts';
import { createRetrievalRows } from './retrieval-rows.ts';
import { describeExcess, splitText } from './split-text.ts';

/** What the retrieval rows of one record are made of (contract §10.3). */
export interface RetrievalPayload {
  /** A text to be chunked, or chunks of the caller's own; `''` and `[]` = none. */
  readonly text: IndexText;
  /** Omitted = derived; null = rows without vectors; else written as they are. They fit the text. */
  readonly embedding: Embedding | null | undefined;
  /** Where text and embedding stand in the request. */
  readonly textPath: string;
  readonly path: string;
}

function textsOf(text: IndexText): readonly string[] {
  return typeof text === 'string' ? [text] : text;
}

function hasText(text: IndexText): boolean {
  return textsOf(text).some((each) => each.trim() !== '');
}

/** Rows with the caller's vectors: one a chunk, or one unchunked row, which without retrieval text has none. */
function givenRows(
  { dimensions }: MemoryContext['store'],
  { text, path }: RetrievalPayload,
  embedding: Embedding,
): readonly Chunk[] {
  const texts = textsOf(text);
  const vectors = toStoredVectors(embedding, dimensions, path);
  return vectors.map((vector, index) => ({ text: texts[index] ?? '', embedding: vector }));
}

/**
 * Chunks of the caller's own are never split. Throws `payload_too_large` naming the first that the embedder does not take.
 */
function assertChunksFit(context: MemoryContext, { text, textPath }: RetrievalPayload): void {
  if (typeof text === 'string') return;
  for (const [index, chunk] of text.entries()) {
    const excess = describeExcess(context, chunk);
    if (excess === undefined) continue;
    const issue = { path: `${textPath}[${index}]`, message: excess };
    throw new AgentMemoryError('payload_too_large', `${issue.path}: ${issue.message}`, { issues: [issue] });
  }
}

/** Rows that only words can find. */
function textRows(context: MemoryContext, { text }: RetrievalPayload): readonly Chunk[] {
  const texts = typeof text === 'string' ? splitText(context, text) : text;
  return texts.map((each) => ({ text: each, embedding: null }));
}

/**
 * The retrieval rows of several records: every given vector is checked first, then all texts without one are chunked
 * and embedded in one pass. Errors: `invalid_request` naming a vector, `payload_too_large` naming a chunk of the
 * caller's own, `unsupported` when a text needs an embedder and there is none, and the embedder's.
 */
export async function createPayloadRows(
  context: MemoryContext,
  payloads: readonly RetrievalPayload[],
): Promise<readonly (readonly Chunk[])[]> {
  const rows = payloads.map((payload) => {
    const { embedding } = payload;
    if (embedding === undefined) return undefined;
    return embedding === null ? textRows(context, payload) : givenRows(context.store, payload, embedding);
  });
  const derived = payloads.filter(({ text }, index) => rows[index] === undefined && hasText(text));
  if (derived.length === 0) return rows.map((each) => each ?? []);
  for (const payload of derived) assertChunksFit(context, payload);
  const made = await createRetrievalRows(
    context,
    derived.map(({ text }) => text),
  );
  const rowsOf = new Map(derived.map((payload, index) => [payload, made[index]]));
  return payloads.map((payload, index) => rows[index] ?? rowsOf.get(payload) ?? []);
}
