export type { OpenAiCompatibleEndpoint } from './endpoint.ts';
export {
  createOpenAiCompatibleEmbedder,
  type OpenAiCompatibleEmbedderOptions,
} from './openai-compatible-embedder.ts';
export { createOpenAiCompatibleLlm, type OpenAiCompatibleLlmOptions } from './openai-compatible-llm.ts';
