import { setImmediate } from 'node:timers/promises';
import { runScheduledJob, type ScheduledJob } from '../../functions/scheduled-job.ts';
import type { Services } from '../../functions/services.ts';
import type { Clock } from '../../lib/clock.ts';

/** Something that runs by itself until it is stopped. */
export interface JobTimer {
  /** Ends the wait, or the run that is going on, and resolves when nothing runs any more. */
  stop(): Promise<void>;
}

/**
 * Runs a job at once and then after each interval: in a process of this machine, what a schedule is to a deployment. A run that
 * fails is in the log, and the next one comes all the same.
 */
export function startJobTimer(
  job: ScheduledJob,
  intervalMilliseconds: number,
  services: Services,
  clock: Clock,
): JobTimer {
  const stopping = new AbortController();
  const running = runUntilStopped(job, intervalMilliseconds, services, clock, stopping.signal);
  return {
    async stop() {
      stopping.abort();
      await running;
    },
  };
}

async function runUntilStopped(
  job: ScheduledJob,
  intervalMilliseconds: number,
  services: Services,
  clock: Clock,
  signal: AbortSignal,
): Promise<void> {
  await setImmediate();
  while (!signal.aborted) {
    try {
      await runScheduledJob(job, services, signal);
    } catch {
      // It is logged; the next run tries again.
    }
    try {
      await clock.sleep(intervalMilliseconds, signal);
    } catch {
      return;
    }
  }
}
