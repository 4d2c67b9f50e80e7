import type { MemoryRecord } from '../../schemas/record.ts';
import type { ExtractionInput, ExtractionOutcome } from '../../store/extraction/extraction-outcome.ts';
import type { StoredMessage } from '../../store/messages/stored-message.ts';
import type { StoredThread } from '../../store/threads/stored-thread.ts';
import type { MemoryContext } from '../memory-context.ts';
import { type DueMessages, divideMessages } from './due-messages.ts';
import { extractMemories } from './extract-memories.ts';
import type { ExtractedMemory, ExtractionAnswer } from './extraction-answer.ts';
import type { JobReason } from './failure-reason.ts';
import { inheritMetadata } from './inherited-metadata.ts';
import type { MemoryOrigin } from './new-memories.ts';
import { findPastMemories, type PastMemorySearch } from './past-memories.ts';
import { updateRunningSummary } from './running-summary.ts';
import { shortenMessages } from './shorten-messages.ts';
import type { StructuredModel } from './structured-model.ts';

/** What a pass found out: what is left is to compare it with what is known, and to write it. */
export interface Findings {
  readonly extracted: readonly ExtractedMemory[];
  /** Memories that were known when the pass began, as far as they can be the same. */
  readonly knownMemories: readonly MemoryRecord[];
  readonly origin: Omit<MemoryOrigin, 'jobId'>;
  readonly summary: ExtractionOutcome['summary'];
  readonly reason: JobReason | null;
}

/** Says what of an answer could not be used as it was; null when all of it was. */
function describeUnusable(answer: ExtractionAnswer): JobReason | null {
  const { droppedItems, removedIds, shortenedContents } = answer;
  if (droppedItems + removedIds + shortenedContents === 0) return null;
  return {
    code: 'unusable_items',
    detail: `Of the model's answer ${droppedItems} items were dropped, ${removedIds} unknown ids removed and ${shortenedContents} contents shortened.`,
  };
}

async function shortenDivided(
  context: MemoryContext,
  model: StructuredModel,
  thread: StoredThread,
  { due, shown, toSummarize }: DueMessages,
): Promise<DueMessages> {
  const read = toSummarize.length > shown.length ? toSummarize : shown;
  const shortened = await shortenMessages(context, model, thread, read);
  const replace = (message: StoredMessage) => shortened.get(message.id) ?? message;
  return { due, shown: shown.map(replace), toSummarize: toSummarize.map(replace) };
}

/**
 * One pass over the due messages: shortened prompt copies, running summary, past memories, extraction (contract §8.4).
 * Writes nothing. One step after the other: no model is called while the database is. Undefined when no due message has
 * anything to say. Errors: `invalid_request` for metadata that disagrees (D19), and what models and store throw.
 *
 * @param ahead The search whose hits came with the input
 */
export async function runPass(
  context: MemoryContext,
  model: StructuredModel,
  input: ExtractionInput,
  ahead: PastMemorySearch | undefined,
): Promise<Findings | undefined> {
  const divided = divideMessages(input);
  if (divided.due.length === 0) return undefined;
  const { thread } = input;
  const inherited = inheritMetadata(
    divided.due.map((message) => message.metadata),
    thread.config.extraction.memoryExtractionInheritMessageMetadata,
  );
  const messages = await shortenDivided(context, model, thread, divided);
  const pastMemories = await findPastMemories(context, input, messages.due, ahead);
  const summary = await updateRunningSummary(context, model, input, messages.toSummarize);
  const answer = await extractMemories(context, model, input, messages, { pastMemories, summary });
  return {
    extracted: answer.memories,
    knownMemories: [...pastMemories, ...input.newestMemories],
    origin: { modelId: model.modelId, thread, inherited },
    summary:
      messages.toSummarize.length > 0 && summary !== null
        ? { text: summary, uptoSequence: input.uptoSequence }
        : null,
    reason: describeUnusable(answer),
  };
}
