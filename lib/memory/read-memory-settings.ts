import { AgentMemoryError, invalidRequest } from '../errors/agent-memory-error.ts';
import type { MemoryExtractionConfig } from '../schemas/extraction.ts';
import type { AgentMemoryOptions } from './agent-memory-options.ts';
import { CHUNK_DEFAULTS, JOB_DEFAULTS, type MemorySettings } from './memory-context.ts';

/**
 * The settings of a client that is opened with these options.
 *
 * @throws AgentMemoryError `invalid_request` or `unsupported` naming the option
 */
export function readMemorySettings(options: AgentMemoryOptions): MemorySettings {
  const { searchStrategy = 'vector' } = options;
  const { chunkTokens = CHUNK_DEFAULTS.chunkTokens, chunkOverlap = CHUNK_DEFAULTS.chunkOverlap } = options;
  if (chunkOverlap >= chunkTokens) throw invalidRequest('chunkOverlap', 'must be below chunkTokens');
  return { ...JOB_DEFAULTS, searchStrategy, chunkTokens, chunkOverlap, extraction: readExtraction(options) };
}

/** Both forms of the switch may be given as long as they say the same (contract §3.1). */
function readExtraction(options: AgentMemoryOptions): MemoryExtractionConfig {
  const { extractMemories, memoryExtractionConfig: config = {}, llm, jobQueue } = options;
  const { extractMemories: inConfig = extractMemories } = config;
  if (inConfig !== extractMemories && extractMemories !== undefined) {
    throw invalidRequest('extractMemories', 'contradicts memoryExtractionConfig.extractMemories');
  }
  if (extractMemories === true && llm === undefined) {
    throw invalidRequest('extractMemories', 'needs a language model (llm); false stores without extraction');
  }
  if (config.extractionMode === 'background' && jobQueue === undefined) {
    const path = 'memoryExtractionConfig.extractionMode';
    const message = 'background extraction needs a job queue: give jobQueue, "inline" for this process';
    throw new AgentMemoryError('unsupported', `${path}: ${message}`, { issues: [{ path, message }] });
  }
  return inConfig === undefined ? config : { ...config, extractMemories: inConfig };
}
