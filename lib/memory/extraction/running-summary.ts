import type { ExtractionInput } from '../../store/extraction/extraction-outcome.ts';
import type { StoredMessage } from '../../store/messages/stored-message.ts';
import type { MemoryContext } from '../memory-context.ts';
import { fitSections } from './prompt-budget.ts';
import { renderSections } from './prompt-sections.ts';
import { SUMMARY_INSTRUCTIONS } from './prompts.ts';
import { CONTEXT_SUMMARY_SCHEMA } from './response-schemas.ts';
import type { StructuredModel } from './structured-model.ts';
import { isSummaryAnswer, readSummary } from './summary-answer.ts';

/** The stored summary, unless a deletion has made it stale (contract D3). */
export function currentSummary({ thread }: Pick<ExtractionInput, 'thread'>): string | null {
  return thread.summaryStale || thread.runningSummary === '' ? null : thread.runningSummary;
}

/**
 * Brings the running summary up to date with the messages; without any, and when the model has nothing to say, it stays
 * as it is (contract §8.4).
 */
export async function updateRunningSummary(
  context: MemoryContext,
  model: StructuredModel,
  input: ExtractionInput,
  messages: readonly StoredMessage[],
): Promise<string | null> {
  const summary = currentSummary(input);
  if (messages.length === 0) return summary;
  const { config } = input.thread;
  const sections = fitSections(
    context.tokenizer,
    { pastMemories: [], summary, messages },
    {
      promptTokens: config.extraction.memoryExtractionTokenLimit,
      messageTokens: config.maxMessageTokenLength,
    },
  );
  const answer = await model.callForObject({
    purpose: 'context_summary',
    messages: [
      { role: 'system', content: SUMMARY_INSTRUCTIONS },
      { role: 'user', content: renderSections(sections) },
    ],
    responseJsonSchema: CONTEXT_SUMMARY_SCHEMA,
    isMeant: isSummaryAnswer,
  });
  return readSummary(answer) || summary;
}
