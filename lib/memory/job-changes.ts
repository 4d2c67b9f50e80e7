import { AgentMemoryError } from '../errors/agent-memory-error.ts';
import type { Job } from '../schemas/job.ts';
import { NO_MODEL } from './extraction/attempt-job.ts';
import { runExtraction } from './extraction/run-extraction.ts';
import { getJob } from './jobs.ts';
import type { MemoryContext } from './memory-context.ts';
import { requireFound } from './not-found.ts';
import { sendWakeUp, wakeNextJobs } from './wake-up.ts';

/**
 * Cancels a pending or running job; what a pass of it still finds out is not written. Its messages stay its own until it
 * is retried. Two round trips, three with a queue: the next job of the thread is woken. Errors: `not_found`, `conflict` for a job that has ended.
 */
export async function cancelJob(context: MemoryContext, jobId: string): Promise<Job> {
  if (context.recorded !== undefined) return requireFound(context.recorded.job, 'job', jobId);
  await context.store.cancelJob(jobId, { signal: context.signal });
  await wakeNextJobs(context, jobId);
  return getJob(context, jobId);
}

/**
 * Runs a failed, dead or cancelled job again. With a queue it waits for a worker, with all its attempts before it, and the
 * answer is the job as it waits: two round trips. Without one it runs in this request and within its budget, whatever the
 * number of its attempts, and the answer is the job as it ended: up to five round trips, none open while a model is called.
 * Errors: `not_found`, also when the thread is deleted meanwhile; `conflict` for a job in another state; `unsupported`
 * without a language model (contract D23): then the job stays as it was.
 */
export async function retryJob(context: MemoryContext, jobId: string): Promise<Job> {
  if (context.recorded !== undefined) return requireFound(context.recorded.job, 'job', jobId);
  if (context.llm === undefined) {
    await getJob(context, jobId);
    throw new AgentMemoryError('unsupported', NO_MODEL.detail);
  }
  if (context.jobQueue !== undefined) return requeueJob(context, jobId);
  const job = { jobId, leaseToken: crypto.randomUUID() };
  const leaseSeconds = context.settings.jobLeaseSeconds;
  await context.store.claimJob({ ...job, leaseSeconds }, { signal: context.signal });
  await runExtraction(context, job);
  // The pass may have used up the request's time; its outcome is stored and told all the same.
  return requireFound(await context.store.getJob(jobId), 'job', jobId);
}

async function requeueJob(context: MemoryContext, jobId: string): Promise<Job> {
  await context.store.requeueJob(jobId, context.settings.jobMaxAttempts, { signal: context.signal });
  try {
    return await getJob(context, jobId);
  } finally {
    // After the read: a worker that is quick would show in the answer.
    await sendWakeUp(context, jobId);
  }
}
