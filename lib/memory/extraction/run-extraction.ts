import type { Extraction } from '../../schemas/extraction.ts';
import type { MemoryContext } from '../memory-context.ts';
import { attemptJob, type FailedAttempt } from './attempt-job.ts';
import { failJob, goOnInBackground } from './end-attempt.ts';
import { toJobReason } from './failure-reason.ts';
import type { HeldJob } from './held-job.ts';
import type { KnownMessages } from './past-memories.ts';
import { failedExtraction, LOST_JOB } from './write-outcome.ts';

/**
 * With a queue nothing is lost when the request has no time left, or when the database cannot be told how the job ended:
 * it goes on in the background, at the latest when its lease is over.
 */
async function settleFailure(
  context: MemoryContext,
  job: HeldJob,
  attempt: FailedAttempt,
): Promise<Extraction | 'lost'> {
  const queued: Extraction = { status: 'queued', jobId: job.jobId };
  try {
    if (context.jobQueue === undefined || !context.signal?.aborted)
      return await failJob(context, job, attempt);
    return (await goOnInBackground(context, job, attempt)) === 'pending' ? queued : 'lost';
  } catch (error) {
    context.reportFailure?.('extraction', error);
    if (context.jobQueue !== undefined) return queued;
    return failedExtraction(job.jobId, toJobReason(attempt.error, context.signal));
  }
}

/**
 * Runs one extraction job whose messages are stored, in the request that made it due or that retries it (contract §8.3).
 * Never throws: whatever fails is the job's outcome and the answer's reason. Round trips as `attemptJob` says.
 *
 * @param known Contents of the due messages, when the caller has just written them
 */
export async function runExtraction(
  context: MemoryContext,
  job: HeldJob,
  known?: KnownMessages,
): Promise<Extraction> {
  const attempt = await attemptJob(context, job, known);
  if (attempt.kind === 'ended') return attempt.extraction;
  const end = attempt.kind === 'lost' ? attempt.kind : await settleFailure(context, job, attempt);
  return end === 'lost' ? failedExtraction(job.jobId, LOST_JOB) : end;
}
