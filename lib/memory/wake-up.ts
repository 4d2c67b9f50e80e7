import type { MemoryContext } from './memory-context.ts';

/**
 * Tells the queue of a job that is or will be due. A failure is reported and costs time, not work: a sweep sends the wake-up
 * again. Not under the request's signal, because the job is stored whoever is still there to hear of it.
 *
 * @returns whether the queue took it
 */
export async function sendWakeUp(
  { jobQueue, reportFailure }: Pick<MemoryContext, 'jobQueue' | 'reportFailure'>,
  jobId: string,
  delaySeconds = 0,
): Promise<boolean> {
  if (jobQueue === undefined) return false;
  try {
    await jobQueue.send({ jobId, delaySeconds });
    return true;
  } catch (error) {
    reportFailure?.('job_wake_up', error);
    return false;
  }
}

/**
 * Wakes the jobs that an ended attempt held up: the next of its thread and others of its user, as many as the user may run.
 * A failure is reported, and a sweep makes up for it. One round trip. Never throws.
 */
export async function wakeNextJobs(
  context: Pick<MemoryContext, 'store' | 'jobQueue' | 'settings' | 'reportFailure'>,
  jobId: string,
): Promise<void> {
  if (context.jobQueue === undefined) return;
  try {
    const next = await context.store.findNextJobs(jobId, context.settings.jobUserLimit);
    await Promise.all(next.map((nextId) => sendWakeUp(context, nextId)));
  } catch (error) {
    context.reportFailure?.('job_wake_up', error);
  }
}
