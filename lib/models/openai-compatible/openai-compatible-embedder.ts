import { OpenAICompatibleEmbeddingModel } from '@ai-sdk/openai-compatible';
import * as z from 'zod';
import { AgentMemoryError } from '../../errors/agent-memory-error.ts';
import type { EmbedCall, Embedder } from '../embedder.ts';
import { throwIfCancelled } from '../model-failure.ts';
import { callSignal, modelConfig, type OpenAiCompatibleEndpoint } from './endpoint.ts';
import { mapCallError } from './map-call-error.ts';

/** Which embedding model, where it is, and its limits. */
export interface OpenAiCompatibleEmbedderOptions extends OpenAiCompatibleEndpoint {
  /** Width to ask for, sent as `dimensions`. Leave it out for a model of one fixed width; it is then probed once. */
  readonly dimensions?: number | undefined;
  /** @default 96 */
  readonly maxInputsPerCall?: number | undefined;
  /** @default 8191 */
  readonly maxInputTokens?: number | undefined;
  /** @default 4 */
  readonly maxParallelCalls?: number | undefined;
  /** Put before every query, for models that want one. */
  readonly queryPrefix?: string | undefined;
  /** Put before every document, for models that want one. */
  readonly documentPrefix?: string | undefined;
}

/** The order of the vectors is in `index`, not in their place. */
const indexedAnswerSchema = z.object({
  data: z.array(z.object({ index: z.int(), embedding: z.array(z.number()) })),
});

function orderByIndex(embeddings: readonly number[][], body: unknown): readonly Float32Array[] {
  const indexed = indexedAnswerSchema.safeParse(body);
  const ordered = indexed.success
    ? indexed.data.data.toSorted((a, b) => a.index - b.index).map(({ embedding }) => embedding)
    : embeddings;
  return ordered.map((embedding) => Float32Array.from(embedding));
}

/**
 * An embedder behind an endpoint that speaks OpenAI's embeddings. One call is one request; wrap it in `withBatches` for any
 * number of texts, retries and the checks of the answer.
 *
 * @throws from `embed`, see `mapCallError`; and `model_failed` for more texts than `maxInputsPerCall`
 */
export function createOpenAiCompatibleEmbedder(options: OpenAiCompatibleEmbedderOptions): Embedder {
  const limits = {
    maxInputsPerCall: options.maxInputsPerCall ?? 96,
    maxInputTokens: options.maxInputTokens ?? 8191,
    maxParallelCalls: options.maxParallelCalls ?? 4,
  };
  const prefixes = { query: options.queryPrefix ?? '', document: options.documentPrefix ?? '' };
  const model = new OpenAICompatibleEmbeddingModel(options.model, {
    ...modelConfig(options),
    maxEmbeddingsPerCall: limits.maxInputsPerCall,
  });

  async function send({ texts, purpose, signal }: EmbedCall) {
    try {
      return await model.doEmbed({
        values: texts.map((text) => `${prefixes[purpose]}${text}`),
        abortSignal: callSignal(options, signal),
        ...(options.dimensions === undefined ? {} : { dimensions: options.dimensions }),
      });
    } catch (error) {
      throw mapCallError('The embedding model', error, signal);
    }
  }

  return {
    modelId: options.model,
    dimensions: options.dimensions,
    limits,
    async embed(call) {
      throwIfCancelled(call.signal);
      if (call.texts.length > limits.maxInputsPerCall) {
        throw new AgentMemoryError('model_failed', `A call takes at most ${limits.maxInputsPerCall} inputs.`);
      }
      const { embeddings, response } = await send(call);
      return orderByIndex(embeddings, response?.body);
    },
  };
}
