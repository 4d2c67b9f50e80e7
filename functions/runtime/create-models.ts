import { invalidRequest } from '../../lib/errors/agent-memory-error.ts';
import type { Llm } from '../../lib/models/llm.ts';
import { createOpenAiCompatibleEmbedder } from '../../lib/models/openai-compatible/openai-compatible-embedder.ts';
import { createOpenAiCompatibleLlm } from '../../lib/models/openai-compatible/openai-compatible-llm.ts';
import {
  createOracleDatabaseEmbedder,
  type MemoryEmbedder,
} from '../../lib/models/oracle-database-embedder.ts';
import { createRulesLlm } from '../../lib/models/rules/rules-llm.ts';
import type { EmbedderConfiguration, LlmConfiguration } from './model-configuration.ts';

/**
 * The embedder of a deployed process; undefined without one.
 *
 * @throws AgentMemoryError `invalid_request` for `local`, whose word table only `npm start` has
 */
export function createEmbedder(configuration: EmbedderConfiguration): MemoryEmbedder | undefined {
  if (configuration.kind === 'none') return undefined;
  if (configuration.kind === 'openai-compatible') return createOpenAiCompatibleEmbedder(configuration);
  if (configuration.kind === 'oracle-database') return createOracleDatabaseEmbedder(configuration);
  throw invalidRequest('EMBEDDER', 'local belongs to npm start: use openai-compatible');
}

/** The language model of a process; undefined without one. */
export function createLlm(configuration: LlmConfiguration): Llm | undefined {
  if (configuration.kind === 'openai-compatible') return createOpenAiCompatibleLlm(configuration);
  return configuration.kind === 'rules' ? createRulesLlm() : undefined;
}
