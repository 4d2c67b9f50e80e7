import type { MemoryRecord } from '../../schemas/record.ts';
import type { ExtractionInput } from '../../store/extraction/extraction-outcome.ts';
import type { MemoryContext } from '../memory-context.ts';
import type { DueMessages } from './due-messages.ts';
import { type ExtractionAnswer, isExtractionAnswer, readExtractionAnswer } from './extraction-answer.ts';
import { SHOWN_MEMORY_COUNT } from './past-memories.ts';
import { fitSections } from './prompt-budget.ts';
import { renderSections } from './prompt-sections.ts';
import { extractionInstructions } from './prompts.ts';
import { MEMORY_EXTRACTION_SCHEMA } from './response-schemas.ts';
import type { StructuredModel } from './structured-model.ts';

/** Asks the model for memories and checks its answer against what it was shown (contract §8.4). */
export async function extractMemories(
  context: MemoryContext,
  model: StructuredModel,
  input: ExtractionInput,
  { due, shown }: DueMessages,
  known: { readonly pastMemories: readonly MemoryRecord[]; readonly summary: string | null },
): Promise<ExtractionAnswer> {
  const { config } = input.thread;
  const instructions = extractionInstructions(config.extraction.memoryExtractionCustomInstructions);
  const pastMemories = known.pastMemories.slice(0, SHOWN_MEMORY_COUNT);
  const read = { pastMemories, summary: known.summary, messages: shown };
  const sections = fitSections(context.tokenizer, read, {
    promptTokens: config.extraction.memoryExtractionTokenLimit,
    messageTokens: config.maxMessageTokenLength,
  });
  const answer = await model.callForObject({
    purpose: 'memory_extraction',
    messages: [
      { role: 'system', content: instructions },
      { role: 'user', content: renderSections(sections) },
    ],
    responseJsonSchema: MEMORY_EXTRACTION_SCHEMA,
    isMeant: isExtractionAnswer,
  });
  return readExtractionAnswer(answer, {
    messageIds: new Set(sections.messages.map((message) => message.id)),
    memoryIds: new Set(sections.pastMemories.map((memory) => memory.id)),
    fallbackSourceIds: due.map((message) => message.id),
  });
}
