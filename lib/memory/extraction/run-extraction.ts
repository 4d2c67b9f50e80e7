import type { Extraction } from '../../schemas/extraction.ts';
import type { ExtractionOutcome } from '../../store/extraction-outcome.ts';
import type { MemoryContext } from '../memory-context.ts';
import { runPass } from './extraction-pass.ts';
import { type JobReason, toJobReason } from './failure-reason.ts';
import type { HeldJob } from './held-job.ts';
import { type KnownMessages, searchAhead } from './past-memories.ts';
import { storeFindings } from './store-findings.ts';
import { createStructuredModel, type StructuredModel } from './structured-model.ts';
import { failedExtraction, LOST_JOB, writeOutcome } from './write-outcome.ts';

/** Why nothing is extracted without a language model (contract D23). */
export const NO_MODEL: JobReason = {
  code: 'unsupported',
  detail: 'Extraction needs a language model and none is configured.',
};

/** What a pass writes that found no memories: there is nothing to compare. */
const NO_FINDINGS = {
  memories: [],
  comparedWith: { memoryCount: 0, positionSum: 0 },
  supersededIds: [],
  summary: null,
} as const;

async function writeNothing(
  context: MemoryContext,
  job: HeldJob,
  model: StructuredModel,
  end: Pick<ExtractionOutcome, 'status' | 'reason'>,
): Promise<Extraction> {
  const write = await writeOutcome(context, { ...job, ...model.usage(), ...NO_FINDINGS, ...end });
  return write === 'other_memories' ? failedExtraction(job.jobId, LOST_JOB) : write;
}

async function readAndRun(
  context: MemoryContext,
  job: HeldJob,
  model: StructuredModel,
  known: KnownMessages | undefined,
): Promise<Extraction> {
  const { store, signal } = context;
  const ahead = known === undefined ? undefined : await searchAhead(context, known);
  const input = await store.readExtractionInput(job.jobId, job.leaseToken, {
    signal,
    pastMemories: ahead?.search,
  });
  if (input === undefined) return failedExtraction(job.jobId, LOST_JOB);
  const findings = await runPass(context, model, input, ahead);
  if (findings === undefined) return writeNothing(context, job, model, { status: 'succeeded', reason: null });
  return storeFindings(context, job, findings, model.usage(), input.memoryTally);
}

/**
 * Runs one extraction job whose messages are stored: running summary, past memories, extraction, then everything in
 * one guarded write (contract §8.4). It takes a held job and what that stores, never the request that started it. Never
 * throws: whatever fails is the job's outcome and the answer's reason. Three round trips, two when the messages are known;
 * none is open while a model is called.
 *
 * @param known Contents of the due messages, when the caller has just written them
 */
export async function runExtraction(
  context: MemoryContext,
  job: HeldJob,
  known?: KnownMessages,
): Promise<Extraction> {
  const { llm, signal } = context;
  if (llm === undefined) return failedExtraction(job.jobId, NO_MODEL);
  const model = createStructuredModel(llm, signal);
  try {
    return await readAndRun(context, job, model, known);
  } catch (error) {
    context.reportFailure?.('extraction', error);
    const reason = toJobReason(error, signal);
    return writeNothing(context, job, model, { status: 'failed', reason }).catch(() =>
      failedExtraction(job.jobId, reason),
    );
  }
}
