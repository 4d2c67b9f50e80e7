import type { Extraction } from '../../schemas/extraction.ts';
import type { ReleaseOutcome } from '../../store/jobs/job-lifecycle.ts';
import type { MemoryContext } from '../memory-context.ts';
import { sendWakeUp } from '../wake-up.ts';
import type { FailedAttempt } from './attempt-job.ts';
import { toJobReason } from './failure-reason.ts';
import type { HeldJob } from './held-job.ts';
import { retrySeconds } from './retry-policy.ts';
import { writeEnd } from './write-outcome.ts';

/**
 * Ends the job of a failed attempt as failed and tells what is stored. Not under the request's signal: an ended request
 * must not leave the job hanging. One round trip. Errors: those of the store.
 */
export function failJob(
  context: MemoryContext,
  job: HeldJob,
  { error, usage }: FailedAttempt,
): Promise<Extraction | 'lost'> {
  const reason = toJobReason(error, context.signal);
  return writeEnd(context, { ...job, ...usage, status: 'failed', reason });
}

/**
 * Puts the job of a failed attempt back for its next one and sends the wake-up for it; a job without attempts left is dead.
 * Not under the request's signal either. Two round trips. Errors: those of the store.
 */
export async function retryLater(
  context: MemoryContext,
  job: HeldJob,
  attempt: FailedAttempt,
): Promise<ReleaseOutcome> {
  const delays = retrySeconds(context, attempt.error);
  const outcome = await release(context, job, attempt, { retrySeconds: delays, countsAttempt: true });
  if (outcome === 'pending') await sendDelayedWakeUp(context, job.jobId, delays);
  return outcome;
}

/** Hands a job that its request has no more time for to a background worker: no attempt is lost by it. One round trip. */
export async function goOnInBackground(
  context: MemoryContext,
  job: HeldJob,
  attempt: FailedAttempt,
): Promise<ReleaseOutcome> {
  const outcome = await release(context, job, attempt, { retrySeconds: [0], countsAttempt: false });
  if (outcome === 'pending') await sendWakeUp(context, job.jobId);
  return outcome;
}

function release(
  context: MemoryContext,
  job: HeldJob,
  { error, usage }: FailedAttempt,
  how: { readonly retrySeconds: readonly number[]; readonly countsAttempt: boolean },
): Promise<ReleaseOutcome> {
  const reason = toJobReason(error, context.signal);
  return context.store.releaseJob({ ...job, ...usage, ...how, reason });
}

/** The number of the attempt is in the row alone. When it cannot be read, a sweep sends the wake-up. */
async function sendDelayedWakeUp(
  context: MemoryContext,
  jobId: string,
  delays: readonly number[],
): Promise<void> {
  try {
    const attempt = (await context.store.getJob(jobId))?.attempt ?? 0;
    await sendWakeUp(context, jobId, Math.ceil(delays[Math.min(attempt, delays.length) - 1] ?? 0));
  } catch (error) {
    context.reportFailure?.('job_wake_up', error);
  }
}
