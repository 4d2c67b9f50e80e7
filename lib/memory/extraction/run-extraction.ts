import type { Extraction } from '../../schemas/extraction.ts';
import type {
  ExtractionInput,
  ExtractionOutcome,
  StoredMessage,
  StoredThread,
} from '../../store/memory-store.ts';
import type { MemoryContext } from '../memory-context.ts';
import { keepDistinctMemories } from './distinct-memories.ts';
import { type DueMessages, divideMessages } from './due-messages.ts';
import { extractMemories } from './extract-memories.ts';
import type { ExtractionAnswer } from './extraction-answer.ts';
import { type JobReason, toJobReason } from './failure-reason.ts';
import { inheritMetadata } from './inherited-metadata.ts';
import { createMemoryRecords } from './new-memories.ts';
import { findPastMemories } from './past-memories.ts';
import { updateRunningSummary } from './running-summary.ts';
import { shortenMessages } from './shorten-messages.ts';
import { createStructuredModel, type StructuredModel } from './structured-model.ts';

/** A job whose lease the caller holds. */
export interface HeldJob {
  readonly jobId: string;
  readonly leaseToken: string;
}

type PassResult = Pick<ExtractionOutcome, 'status' | 'reason' | 'memories' | 'supersededIds' | 'summary'>;

const NOTHING_WRITTEN = { memories: [], supersededIds: [], summary: null } as const;
/** Why nothing is extracted without a language model (contract D23). */
export const NO_MODEL: JobReason = {
  code: 'unsupported',
  detail: 'Extraction needs a language model and none is configured.',
};
const LOST_JOB: JobReason = {
  code: 'conflict',
  detail: 'The thread was deleted or another worker took the job over.',
};

function failedPass(reason: JobReason): PassResult {
  return { ...NOTHING_WRITTEN, status: 'failed', reason };
}

/** Says what of an answer could not be used; null when all of it was. */
function describeUnusable({ droppedItems, removedIds }: ExtractionAnswer): JobReason | null {
  if (droppedItems === 0 && removedIds === 0) return null;
  return {
    code: 'unusable_items',
    detail: `Of the model's answer ${droppedItems} items were dropped and ${removedIds} unknown ids removed.`,
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

async function runPass(
  context: MemoryContext,
  model: StructuredModel,
  { jobId }: HeldJob,
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
  const [summary, pastMemories] = await Promise.all([
    updateRunningSummary(context, model, input, messages.toSummarize),
    findPastMemories(context, thread, messages.due),
  ]);
  const answer = await extractMemories(context, model, input, messages, { pastMemories, summary });
  const distinct = keepDistinctMemories(answer.memories, pastMemories);
  return {
    status: 'succeeded',
    reason: describeUnusable(answer),
    memories: await createMemoryRecords(context, distinct, {
      jobId,
      modelId: model.modelId,
      thread,
      inherited,
    }),
    supersededIds: [...new Set(distinct.flatMap((memory) => memory.supersedes))],
    summary:
      messages.toSummarize.length > 0 && summary !== null
        ? { text: summary, uptoSequence: input.uptoSequence }
        : null,
  };
}

async function attemptPass(
  context: MemoryContext,
  model: StructuredModel,
  job: HeldJob,
): Promise<PassResult | undefined> {
  try {
    const input = await context.store.readExtractionInput(job.jobId, job.leaseToken, {
      signal: context.signal,
    });
    return input === undefined ? undefined : await runPass(context, model, job, input);
  } catch (error) {
    return failedPass(toJobReason(error, context.signal));
  }
}

function toExtraction(job: HeldJob, result: PassResult): Extraction {
  const reason = result.reason === null ? {} : { reason: result.reason };
  if (result.status === 'failed') return { status: 'failed', jobId: job.jobId, ...reason };
  return {
    status: 'completed',
    jobId: job.jobId,
    memoryIds: result.memories.map((memory) => memory.id),
    ...reason,
  };
}

/** The outcome is written without the request's signal: an ended request must not leave the job hanging. */
async function finish(
  context: MemoryContext,
  model: StructuredModel,
  job: HeldJob,
  result: PassResult,
): Promise<Extraction> {
  try {
    const written = await context.store.finishExtraction({ ...job, ...result, ...model.usage() });
    return toExtraction(job, written ? result : failedPass(LOST_JOB));
  } catch (error) {
    return toExtraction(job, failedPass(toJobReason(error, undefined)));
  }
}

/**
 * Runs one extraction job whose messages are stored: running summary, past memories, extraction, then everything in
 * one guarded write (contract §8.4). Never throws: whatever fails is the job's outcome and the answer's reason. Three
 * round trips; none is open while a model is called.
 */
export async function runExtraction(context: MemoryContext, job: HeldJob): Promise<Extraction> {
  const { llm, signal } = context;
  if (llm === undefined) return toExtraction(job, failedPass(NO_MODEL));
  const model = createStructuredModel(llm, signal);
  const result = await attemptPass(context, model, job);
  return result === undefined ? toExtraction(job, failedPass(LOST_JOB)) : finish(context, model, job, result);
}
