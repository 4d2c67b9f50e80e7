import type { Environment } from './environment-schema.ts';
import { requiredVariable } from './required-variable.ts';

/** A model behind an API that speaks OpenAI's protocol. */
export interface ModelEndpoint {
  readonly model: string;
  readonly apiBase: string;
  readonly apiKey: string | undefined;
}

export type EmbedderConfiguration =
  | { readonly kind: 'none' | 'local' }
  | ({ readonly kind: 'openai-compatible'; readonly dimensions: number | undefined } & ModelEndpoint);

export type LlmConfiguration =
  | { readonly kind: 'none' | 'rules' }
  | ({ readonly kind: 'openai-compatible'; readonly timeoutSeconds: number } & ModelEndpoint);

export function readEmbedder(environment: Environment): EmbedderConfiguration {
  if (environment.EMBEDDER === 'local') return { kind: 'local' };
  if (environment.EMBEDDER === undefined && environment.SEARCH_STRATEGY === 'keyword')
    return { kind: 'none' };
  requiredVariable(environment, 'EMBEDDER');
  return {
    kind: 'openai-compatible',
    model: requiredVariable(environment, 'EMBEDDING_MODEL'),
    apiBase: requiredVariable(environment, 'EMBEDDING_API_BASE'),
    apiKey: environment.EMBEDDING_API_KEY,
    dimensions: environment.EMBEDDING_DIMENSION,
  };
}

export function readLlm(environment: Environment): LlmConfiguration {
  if (environment.LLM !== 'openai-compatible') return { kind: environment.LLM };
  return {
    kind: 'openai-compatible',
    model: requiredVariable(environment, 'LLM_MODEL'),
    apiBase: requiredVariable(environment, 'LLM_API_BASE'),
    apiKey: environment.LLM_API_KEY,
    timeoutSeconds: environment.LLM_TIMEOUT_SECONDS,
  };
}
