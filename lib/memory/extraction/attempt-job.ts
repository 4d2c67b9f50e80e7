import { AgentMemoryError } from '../../errors/agent-memory-error.ts';
import type { Extraction } from '../../schemas/extraction.ts';
import type { MemoryContext } from '../memory-context.ts';
import { runPass } from './extraction-pass.ts';
import type { JobReason } from './failure-reason.ts';
import type { HeldJob } from './held-job.ts';
import { keepLease } from './keep-lease.ts';
import { COMPARED_MEMORIES, type KnownMessages, searchAhead } from './past-memories.ts';
import { storeFindings } from './store-findings.ts';
import { createStructuredModel, type LlmUsage, type StructuredModel } from './structured-model.ts';
import { writeEnd } from './write-outcome.ts';

/** Why nothing is extracted without a language model (contract D23). */
export const NO_MODEL: JobReason = {
  code: 'unsupported',
  detail: 'Extraction needs a language model and none is configured.',
};
const NO_USAGE: LlmUsage = { llmCalls: 0, promptTokens: null, completionTokens: null };

/** An attempt that left its job as it was: what becomes of it is the caller's to say. */
export interface FailedAttempt {
  readonly kind: 'failed';
  readonly error: unknown;
  readonly usage: LlmUsage;
}

/**
 * How an attempt at a job ended. `ended`: its outcome is stored. `lost`: the job is no longer this worker's, and nothing
 * was written.
 */
export type Attempt =
  | FailedAttempt
  | { readonly kind: 'ended'; readonly extraction: Extraction; readonly usage: LlmUsage }
  | { readonly kind: 'lost'; readonly usage: LlmUsage };

async function readAndRun(
  context: MemoryContext,
  job: HeldJob,
  model: StructuredModel,
  known: KnownMessages | undefined,
): Promise<Extraction | 'lost'> {
  const { store, signal } = context;
  const ahead = known === undefined ? undefined : await searchAhead(context, known);
  const input = await store.readExtractionInput(job.jobId, job.leaseToken, {
    signal,
    pastMemories: ahead?.search,
    newestMemories: COMPARED_MEMORIES,
  });
  if (input === undefined) return 'lost';
  const findings = await runPass(context, model, input, ahead);
  if (findings === undefined) {
    return writeEnd(context, { ...job, ...model.usage(), status: 'succeeded', reason: null });
  }
  return storeFindings(context, job, findings, model.usage(), input.memoryTally);
}

/**
 * One attempt at a held job: running summary, past memories, extraction, then everything in one guarded write (contract
 * §8.4), under a lease that is renewed. It takes a held job and what that stores, never the request that started it. Never
 * throws. Three round trips, two when the messages are known, and two for each pass of the same user and agent that comes in
 * between (`storeFindings`); none is open while a model is called.
 *
 * @param known Contents of the due messages, when the caller has just written them
 */
export async function attemptJob(
  context: MemoryContext,
  job: HeldJob,
  known?: KnownMessages,
): Promise<Attempt> {
  const { llm } = context;
  let usage = () => NO_USAGE;
  try {
    if (llm === undefined) throw new AgentMemoryError('unsupported', NO_MODEL.detail);
    const end = await keepLease(context, job, (leased) => {
      const model = createStructuredModel(llm, leased.signal);
      usage = model.usage;
      return readAndRun(leased, job, model, known);
    });
    return end === 'lost'
      ? { kind: 'lost', usage: usage() }
      : { kind: 'ended', extraction: end, usage: usage() };
  } catch (error) {
    context.reportFailure?.('extraction', error);
    return { kind: 'failed', error, usage: usage() };
  }
}
