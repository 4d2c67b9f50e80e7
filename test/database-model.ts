import type { EmbeddingModel } from '../infra/local/oracle/engine/oracle-engine.ts';
import { createHashEmbedder } from '../lib/testing/index.ts';

/** Name of the test model in the database. */
export const HASH_MODEL = 'HASH_MODEL';

/** The hash embedder as a model of the emulated database. */
export function hashModel(dimensions: number): ReadonlyMap<string, EmbeddingModel> {
  const embedder = createHashEmbedder({ dimensions, limits: { maxInputsPerCall: 10_000 } });
  const model: EmbeddingModel = {
    dimensions,
    embed: (texts) => embedder.embed({ texts, purpose: 'document' }),
  };
  return new Map([[HASH_MODEL, model]]);
}
