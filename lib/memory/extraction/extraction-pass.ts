import type { ExtractionInput, ExtractionOutcome } from '../../store/extraction-outcome.ts';
import type { StoredMessage } from '../../store/stored-message.ts';
import type { StoredThread } from '../../store/stored-thread.ts';
import type { MemoryContext } from '../memory-context.ts';
import { keepNewMemories } from './distinct-memories.ts';
import { type DueMessages, divideMessages } from './due-messages.ts';
import { extractMemories } from './extract-memories.ts';
import type { ExtractionAnswer } from './extraction-answer.ts';
import type { JobReason } from './failure-reason.ts';
import { inheritMetadata } from './inherited-metadata.ts';
import { createMemoryRecords } from './new-memories.ts';
import { findPastMemories } from './past-memories.ts';
import { updateRunningSummary } from './running-summary.ts';
import { shortenMessages } from './shorten-messages.ts';
import type { StructuredModel } from './structured-model.ts';

/** What a pass leaves to be written. */
export type PassResult = Pick<
  ExtractionOutcome,
  'status' | 'reason' | 'memories' | 'supersededIds' | 'summary'
>;

const NOTHING_WRITTEN = { memories: [], supersededIds: [], summary: null } as const;

/** A pass that leaves nothing but its reason. */
export function failedPass(reason: JobReason): PassResult {
  return { ...NOTHING_WRITTEN, status: 'failed', reason };
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
 * One pass over the due messages: shortened prompt copies, running summary, past memories, extraction, records
 * (contract §8.4). Writes nothing. One step after the other: no model is called while the database is. Errors: `invalid_request` for metadata that disagrees (D19), and what models and store
 * throw.
 */
export async function runPass(
  context: MemoryContext,
  model: StructuredModel,
  jobId: string,
  input: ExtractionInput,
): Promise<PassResult> {
  const divided = divideMessages(input);
  if (divided.due.length === 0) return { ...NOTHING_WRITTEN, status: 'succeeded', reason: null };
  const { thread } = input;
  const inherited = inheritMetadata(
    divided.due.map((message) => message.metadata),
    thread.config.extraction.memoryExtractionInheritMessageMetadata,
  );
  const messages = await shortenDivided(context, model, thread, divided);
  const pastMemories = await findPastMemories(context, thread, messages.due);
  const summary = await updateRunningSummary(context, model, input, messages.toSummarize);
  const answer = await extractMemories(context, model, input, messages, { pastMemories, summary });
  const added = await keepNewMemories(context, answer.memories, pastMemories);
  return {
    status: 'succeeded',
    reason: describeUnusable(answer),
    memories: await createMemoryRecords(added, { jobId, modelId: model.modelId, thread, inherited }),
    supersededIds: [...new Set(added.flatMap(({ memory }) => memory.supersedes))],
    summary:
      messages.toSummarize.length > 0 && summary !== null
        ? { text: summary, uptoSequence: input.uptoSequence }
        : null,
  };
}
