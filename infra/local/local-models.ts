import type { Configuration } from '../../functions/runtime/configuration.ts';
import { createEmbedder, createLlm } from '../../functions/runtime/create-models.ts';
import type { Llm } from '../../lib/models/llm.ts';
import type { MemoryEmbedder } from '../../lib/models/oracle-database-embedder.ts';
import { loadLocalEmbedder } from './models/load-local-embedder.ts';

/** The models of `npm start`: the offline ones are at hand here, the others are those of a deployment. */
export function createLocalModels({ embedder, llm }: Configuration): {
  readonly embedder: MemoryEmbedder | undefined;
  readonly llm: Llm | undefined;
} {
  return {
    embedder: embedder.kind === 'local' ? loadLocalEmbedder() : createEmbedder(embedder),
    llm: createLlm(llm),
  };
}
