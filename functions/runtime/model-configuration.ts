import type { Environment } from './environment-schema.ts';
import { requiredVariable } from './required-variable.ts';

/** A model behind an API that speaks OpenAI's protocol. */
export interface ModelEndpoint {
  readonly model: string;
  readonly apiBase: string;
  readonly apiKey: string | undefined;
}

/** What may be said about an embedding model; undefined = what the model or its adapter says. */
interface EmbeddingOptions {
  readonly dimensions: number | undefined;
  readonly maxInputTokens: number | undefined;
}

export type EmbedderConfiguration =
  | { readonly kind: 'none' | 'local' }
  | ({ readonly kind: 'oracle-database'; readonly model: string } & EmbeddingOptions)
  | ({ readonly kind: 'openai-compatible' } & ModelEndpoint & EmbeddingOptions);

export type LlmConfiguration =
  | { readonly kind: 'none' | 'rules' }
  | ({ readonly kind: 'openai-compatible'; readonly timeoutSeconds: number } & ModelEndpoint);

export function readEmbedder(environment: Environment): EmbedderConfiguration {
  if (environment.EMBEDDER === 'local') return { kind: 'local' };
  if (environment.EMBEDDER === undefined && environment.SEARCH_STRATEGY === 'keyword')
    return { kind: 'none' };
  const kind = requiredVariable(environment, 'EMBEDDER');
  const options = {
    model: requiredVariable(environment, 'EMBEDDING_MODEL'),
    dimensions: environment.EMBEDDING_DIMENSION,
    maxInputTokens: environment.EMBEDDING_MAX_INPUT_TOKENS,
  };
  if (kind === 'oracle-database') return { kind, ...options };
  return {
    kind: 'openai-compatible',
    ...options,
    apiBase: requiredVariable(environment, 'EMBEDDING_API_BASE'),
    apiKey: environment.EMBEDDING_API_KEY,
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
