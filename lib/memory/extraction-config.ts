import { AgentMemoryError, invalidRequest } from '../errors/agent-memory-error.ts';
import type { MemoryExtractionConfig, ResolvedExtractionConfig } from '../schemas/extraction.ts';
import type { CreateThreadRequest } from '../schemas/thread.ts';
import type { ThreadConfig } from '../store/threads/stored-thread.ts';
import type { MemoryContext } from './memory-context.ts';

/** Lowest level of the inheritance (contract §8.1, D9). */
export const SDK_EXTRACTION_CONFIG: ResolvedExtractionConfig = Object.freeze({
  extractMemories: true,
  extractionMode: 'inline',
  memoryExtractionFrequency: -1,
  memoryExtractionWindow: -1,
  memoryExtractionTokenLimit: 32_000,
  enableContextSummary: true,
  contextSummaryUpdateFrequency: -1,
  memoryExtractionCustomInstructions: null,
  memoryExtractionInheritMessageMetadata: true,
  backgroundExtractionQueueFullBehavior: 'wait_then_drop',
  backgroundExtractionQueuePutTimeoutSeconds: 5,
});

const CONTEXT_CARD_TOKEN_LIMIT = 100_000;
const MAX_MESSAGE_TOKEN_LENGTH = 8_000;
const MESSAGE_SHORTENING_INPUT_TOKEN_LIMIT = 30_000;

/** Keeps what was given. An absent key inherits; null is a value of its own. */
export function givenFields<Fields extends object>(fields: Fields): Partial<Fields> {
  const given: Partial<Fields> = { ...fields };
  for (const key in given) if (given[key] === undefined) delete given[key];
  return given;
}

/** Resolves a configuration field by field: thread → client → SDK (contract §8.1). */
export function resolveExtractionConfig(
  thread: MemoryExtractionConfig,
  client: MemoryExtractionConfig,
): ResolvedExtractionConfig {
  return { ...SDK_EXTRACTION_CONFIG, ...givenFields(client), ...givenFields(thread) };
}

/**
 * Refuses a configuration that could not be carried out: `invalid_request` for extraction without a language model
 * (contract D23), `unsupported` for background extraction without a queue.
 */
export function assertExtractable(
  config: Pick<MemoryExtractionConfig, 'extractMemories' | 'extractionMode'>,
  context: MemoryContext,
): void {
  if (config.extractionMode === 'background' && context.jobQueue === undefined) {
    const message = 'background extraction needs a job queue and none is configured';
    throw new AgentMemoryError('unsupported', `extraction.extractionMode: ${message}`, {
      issues: [{ path: 'extraction.extractionMode', message }],
    });
  }
  if (config.extractMemories && context.llm === undefined) {
    throw invalidRequest(
      'extraction.extractMemories',
      'needs a language model and none is configured; set it to false to store without extraction',
    );
  }
}

/** The configuration that a new thread stores. Throws as `assertExtractable` says. */
export function resolveThreadConfig(request: CreateThreadRequest, context: MemoryContext): ThreadConfig {
  const extraction = resolveExtractionConfig(request.extraction ?? {}, context.settings.extraction);
  assertExtractable(extraction, context);
  return {
    extraction,
    contextCardTokenLimit: request.contextCardTokenLimit ?? CONTEXT_CARD_TOKEN_LIMIT,
    maxMessageTokenLength: request.maxMessageTokenLength ?? MAX_MESSAGE_TOKEN_LENGTH,
    messageShorteningInputTokenLimit:
      request.messageShorteningInputTokenLimit ?? MESSAGE_SHORTENING_INPUT_TOKEN_LIMIT,
  };
}
