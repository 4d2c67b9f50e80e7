import type { Extraction } from '../../schemas/extraction.ts';
import type { JobOutcome, JobStart } from '../../store/messages/stored-message.ts';
import type { MemoryContext } from '../memory-context.ts';
import { sendWakeUp } from '../wake-up.ts';
import { admitJob, type StoredMessages } from './admit-job.ts';
import { NO_MODEL } from './attempt-job.ts';
import type { KnownMessages } from './past-memories.ts';
import { runExtraction } from './run-extraction.ts';

/** The job that a write may start, under a new id and a lease that no repeated request can hold. */
export function createJobStart(context: MemoryContext): JobStart {
  return {
    jobId: context.newId(),
    leaseToken: crypto.randomUUID(),
    leaseSeconds: context.settings.jobLeaseSeconds,
    maxAttempts: context.settings.jobMaxAttempts,
    queueCapacity: context.settings.queueCapacity,
    canExtract: context.llm !== undefined,
  };
}

/**
 * What becomes of the extraction after the write is durable (D2): an inline job runs now, a background job is announced to
 * the queue. Errors: `extraction_queue_full` with the ids of the stored messages (contract §8.3), nothing else.
 *
 * @param known Contents of the due messages, when the write makes them due and no others
 */
export async function settleExtraction(
  context: MemoryContext,
  { job }: JobOutcome,
  { jobId, leaseToken }: JobStart,
  stored: StoredMessages,
  known?: KnownMessages,
): Promise<Extraction> {
  switch (job) {
    case 'none':
      return { status: 'none', jobId: null };
    case 'full':
      return admitJob(context, jobId, stored);
    case 'pending':
      await sendWakeUp(context, jobId);
      return { status: 'queued', jobId };
    case 'unsupported':
      return { status: 'failed', jobId, reason: NO_MODEL };
    case 'running':
      return runExtraction(context, { jobId, leaseToken }, known);
  }
}
