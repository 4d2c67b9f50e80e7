import { AgentMemoryError } from '../errors/agent-memory-error.ts';
import type { EmbedCall, Embedder } from './embedder.ts';
import { callWithRetry, type RetryOptions } from './retry.ts';
import type { Tokenizer } from './tokenizer.ts';

export interface EmbeddingBatchesOptions extends RetryOptions {
  /** Counts the tokens of inputs that may be over the model's limit. */
  readonly tokenizer: Pick<Tokenizer, 'count'>;
  /** Width that every vector must have. @default the embedder's own `dimensions` */
  readonly dimensions?: number;
}

/** A token is at least one byte of UTF-8, and a UTF-16 code unit at most three. */
const MAX_TOKENS_PER_CODE_UNIT = 3;

function refuseLongInputs(
  texts: readonly string[],
  maxInputTokens: number,
  tokenizer: Pick<Tokenizer, 'count'>,
): void {
  for (const text of texts) {
    if (text.length * MAX_TOKENS_PER_CODE_UNIT <= maxInputTokens) continue;
    const tokens = tokenizer.count(text);
    if (tokens > maxInputTokens) {
      const message = `A text of ${tokens} tokens is longer than the ${maxInputTokens} that the embedding model takes.`;
      throw new AgentMemoryError('payload_too_large', message);
    }
  }
}

/** Checks one answer; returns the width of its vectors. */
function checkVectors(
  vectors: readonly Float32Array[],
  expectedCount: number,
  expectedWidth: number | undefined,
): number {
  const fail = (message: string): never => {
    throw new AgentMemoryError('model_failed', `The embedding model answered ${message}.`);
  };
  if (vectors.length !== expectedCount) fail(`${vectors.length} vectors for ${expectedCount} texts`);
  const width = expectedWidth ?? vectors[0]?.length ?? 0;
  for (const vector of vectors) {
    if (vector.length !== width || width === 0)
      fail(`a vector of ${vector.length} dimensions instead of ${width}`);
    if (!vector.every(Number.isFinite)) fail('a vector with a value that is no finite number');
    if (vector.every((value) => value === 0)) fail('a zero vector');
  }
  return width;
}

function sliceInto(texts: readonly string[], size: number): readonly (readonly string[])[] {
  return Array.from({ length: Math.ceil(texts.length / size) }, (_, index) =>
    texts.slice(index * size, (index + 1) * size),
  );
}

/** Runs `work` on every item, at most `limit` at a time; the first failure stops the others and is thrown. */
async function runBounded<T, R>(
  items: readonly T[],
  limit: number,
  signal: AbortSignal | undefined,
  work: (item: T, signal: AbortSignal) => Promise<R>,
): Promise<readonly R[]> {
  const stop = new AbortController();
  const combined = signal === undefined ? stop.signal : AbortSignal.any([signal, stop.signal]);
  const results = new Map<number, R>();
  const pending = items.entries();
  const runWorker = async (): Promise<void> => {
    for (const [index, item] of pending) results.set(index, await work(item, combined));
  };
  try {
    await Promise.all(Array.from({ length: Math.min(limit, items.length) }, runWorker));
  } catch (error) {
    stop.abort(error);
    throw error;
  }
  return [...results].toSorted(([a], [b]) => a - b).map(([, result]) => result);
}

/**
 * An embedder that takes any number of texts: the only place that splits, orders, retries and checks embedding calls.
 *
 * Equal texts are embedded once. Calls hold at most `limits.maxInputsPerCall` texts and at most `limits.maxParallelCalls` run at
 * once; retryable failures are tried again (`callWithRetry`). Vectors come back in the order of the texts.
 *
 * @throws `payload_too_large` for a text over `limits.maxInputTokens` (nothing is sent then); `model_failed` for an answer with another
 * count or width than expected, a value that is not finite, or a zero vector; and what the embedder throws
 */
export function withBatches(embedder: Embedder, options: EmbeddingBatchesOptions): Embedder {
  const { limits } = embedder;
  const dimensions = options.dimensions ?? embedder.dimensions;
  let width = dimensions;

  async function embedBatch(texts: readonly string[], call: EmbedCall, signal: AbortSignal) {
    const attempt = () => embedder.embed({ texts, purpose: call.purpose, signal });
    const vectors = await callWithRetry(attempt, options, signal);
    width = checkVectors(vectors, texts.length, width);
    return vectors;
  }

  return {
    modelId: embedder.modelId,
    dimensions,
    limits: { ...limits, maxInputsPerCall: Number.MAX_SAFE_INTEGER },
    async embed(call) {
      const texts = [...new Set(call.texts)];
      refuseLongInputs(texts, limits.maxInputTokens, options.tokenizer);
      const batches = sliceInto(texts, limits.maxInputsPerCall);
      const answers = await runBounded(batches, limits.maxParallelCalls, call.signal, (batch, signal) =>
        embedBatch(batch, call, signal),
      );
      const vectors = answers.flat();
      const vectorOf = new Map(texts.map((text, index) => [text, vectors[index]]));
      return call.texts.flatMap((text) => vectorOf.get(text) ?? []);
    },
  };
}

/**
 * The width of an embedder's vectors: its own `dimensions`, else found by embedding one word.
 *
 * @throws `model_failed` when the answer holds no usable vector; and what the embedder throws
 */
export async function probeDimensions(embedder: Embedder, signal?: AbortSignal): Promise<number> {
  if (embedder.dimensions !== undefined) return embedder.dimensions;
  const vectors = await embedder.embed({ texts: ['dimensions'], purpose: 'document', signal });
  return checkVectors(vectors, 1, undefined);
}
