import type { Extraction } from '../../schemas/extraction.ts';
import type { MemoryContext } from '../memory-context.ts';
import { failedPass, type PassResult, runPass } from './extraction-pass.ts';
import { type JobReason, toJobReason } from './failure-reason.ts';
import { createStructuredModel, type StructuredModel } from './structured-model.ts';

/** A job whose lease the caller holds. */
export interface HeldJob {
  readonly jobId: string;
  readonly leaseToken: string;
}

/** Why nothing is extracted without a language model (contract D23). */
export const NO_MODEL: JobReason = {
  code: 'unsupported',
  detail: 'Extraction needs a language model and none is configured.',
};
const LOST_JOB: JobReason = {
  code: 'conflict',
  detail: 'The thread was deleted, the job was cancelled or another worker took it over.',
};

async function attemptPass(
  context: MemoryContext,
  model: StructuredModel,
  job: HeldJob,
): Promise<PassResult | undefined> {
  try {
    const input = await context.store.readExtractionInput(job.jobId, job.leaseToken, {
      signal: context.signal,
    });
    return input === undefined ? undefined : await runPass(context, model, job.jobId, input);
  } catch (error) {
    context.reportFailure?.('extraction', error);
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
    context.reportFailure?.('extraction', error);
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
