import { AgentMemoryError } from '../errors/agent-memory-error.ts';
import type { EmbedCall, Embedder, EmbedderLimits } from '../models/embedder.ts';
import { addHashedFeature, scaleSlice, sliceLength } from '../models/local/hashed-features.ts';
import { throwIfCancelled } from '../models/model-failure.ts';

/** An embedder that remembers what it was asked. */
export interface HashEmbedder extends Embedder {
  /** Every call so far, in order. */
  readonly calls: readonly EmbedCall[];
}

/** Width, limits and name of a hash embedder. */
export interface HashEmbedderOptions {
  /** @default 64 */
  readonly dimensions?: number;
  readonly limits?: Partial<EmbedderLimits>;
  readonly modelId?: string;
}

const DEFAULT_LIMITS: EmbedderLimits = { maxInputsPerCall: 96, maxInputTokens: 8192, maxParallelCalls: 4 };

function embedText(text: string, dimensions: number): Float32Array {
  const vector = new Float32Array(dimensions);
  const slice = { start: 0, width: dimensions };
  const words =
    text
      .normalize('NFKC')
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu) ?? [];
  for (const word of words) addHashedFeature(vector, slice, word, 1);
  if (sliceLength(vector, 0, dimensions) === 0) addHashedFeature(vector, slice, `text:${text}`, 1);
  scaleSlice(vector, 0, dimensions, 1 / sliceLength(vector, 0, dimensions));
  return vector;
}

/**
 * An embedder for tests: unit vectors of hashed words, so texts that share words are near each other and the same
 * text always gives the same vector. It has no idea of meaning. Records its calls, and throws `model_failed` when a
 * call holds more inputs than its limit, as a real model would.
 */
export function createHashEmbedder(options: HashEmbedderOptions = {}): HashEmbedder {
  const dimensions = options.dimensions ?? 64;
  const limits = { ...DEFAULT_LIMITS, ...options.limits };
  const calls: EmbedCall[] = [];
  return {
    modelId: options.modelId ?? `hash-${dimensions}`,
    dimensions,
    limits,
    calls,
    async embed(call) {
      calls.push(call);
      throwIfCancelled(call.signal);
      if (call.texts.length > limits.maxInputsPerCall) {
        throw new AgentMemoryError('model_failed', `A call takes at most ${limits.maxInputsPerCall} inputs.`);
      }
      return call.texts.map((text) => embedText(text, dimensions));
    },
  };
}
