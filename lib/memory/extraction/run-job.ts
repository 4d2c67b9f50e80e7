import type { Extraction } from '../../schemas/extraction.ts';
import { WORKER_LOST } from '../../store/jobs/job-lifecycle.ts';
import type { MemoryContext } from '../memory-context.ts';
import { wakeNextJobs } from '../wake-up.ts';
import { type Attempt, attemptJob } from './attempt-job.ts';
import { failJob, retryLater } from './end-attempt.ts';
import { toJobReason } from './failure-reason.ts';
import type { HeldJob } from './held-job.ts';
import { mayPass } from './retry-policy.ts';

/** What a worker did about a job. */
export interface JobRun {
  readonly jobId: string;
  /**
   * `nothing_due`: the job is not there, has ended, runs elsewhere, is due later or waits for others of its thread or user. `released`: it waits for its next
   * attempt. `lost`: another worker took the job over, it was cancelled or it is gone; nothing was written.
   */
  readonly outcome: 'nothing_due' | 'succeeded' | 'failed' | 'released' | 'dead' | 'lost';
  /** Why, where there is a reason. */
  readonly reasonCode: string | null;
  readonly llmCalls: number;
}

type JobEnd = Pick<JobRun, 'outcome' | 'reasonCode'>;

const LOST: JobEnd = { outcome: 'lost', reasonCode: null };

/**
 * Runs the job of a wake-up, once for each time it is due: of duplicate, late and early wake-ups all but one find nothing
 * to do, and so do those of later jobs of the same thread and of users who have enough running: the end of an attempt wakes
 * the next. A failure that may pass puts the
 * job back for its next attempt, one that will not ends it. Five round trips when it succeeds, none open while a model is
 * called. Errors: those of the database, when it could not be asked for the job or be
 * told its outcome; then the wake-up has to come again.
 */
export async function runJob(context: MemoryContext, jobId: string): Promise<JobRun> {
  const job: HeldJob = { jobId, leaseToken: crypto.randomUUID() };
  const { jobLeaseSeconds: leaseSeconds, jobUserLimit: userLimit } = context.settings;
  const claim = await context.store.claimDueJob(
    { ...job, leaseSeconds, userLimit },
    { signal: context.signal },
  );
  if (claim === 'nothing_due') return { jobId, outcome: claim, reasonCode: null, llmCalls: 0 };
  const run = claim === 'dead' ? lostTooOften(jobId) : await runAttempt(context, job);
  if (run.outcome !== 'lost') await wakeNextJobs(context, jobId);
  return run;
}

function lostTooOften(jobId: string): JobRun {
  return { jobId, outcome: 'dead', reasonCode: WORKER_LOST, llmCalls: 0 };
}

async function runAttempt(context: MemoryContext, job: HeldJob): Promise<JobRun> {
  const attempt = await attemptJob(context, job);
  const end = await endAttempt(context, job, attempt);
  return { jobId: job.jobId, llmCalls: attempt.usage.llmCalls, ...end };
}

async function endAttempt(context: MemoryContext, job: HeldJob, attempt: Attempt): Promise<JobEnd> {
  if (attempt.kind === 'lost') return LOST;
  if (attempt.kind === 'ended') return toJobEnd(attempt.extraction);
  if (!mayPass(attempt.error)) return toJobEnd(await failJob(context, job, attempt));
  const release = await retryLater(context, job, attempt);
  if (release === 'lost') return LOST;
  const reasonCode = toJobReason(attempt.error, context.signal).code;
  return { outcome: release === 'pending' ? 'released' : release, reasonCode };
}

function toJobEnd(extraction: Extraction | 'lost'): JobEnd {
  if (extraction === 'lost') return LOST;
  const outcome = extraction.status === 'completed' ? 'succeeded' : 'failed';
  return { outcome, reasonCode: extraction.reason?.code ?? null };
}
