import { describeFailure, type LogFields } from './http/logger.ts';
import { isPositive, outcomeLevel } from './http/outcome-level.ts';
import type { Services } from './services.ts';

/** Work that a clock starts, not a caller: bounded, and safe to be cut off and repeated. */
export interface ScheduledJob {
  readonly name: string;
  /** Returns what it did, as counts for the log. */
  run(services: Services, signal: AbortSignal): Promise<LogFields>;
}

/**
 * Runs a job once and logs what it did; that there was nothing to do is a detail. A failure is logged and thrown, so that
 * the platform's own record of the run shows it too; a run that the signal cut off is thrown, and no failure in the log.
 */
export async function runScheduledJob(
  job: ScheduledJob,
  services: Services,
  signal: AbortSignal,
): Promise<LogFields> {
  try {
    const outcome = await job.run(services, signal);
    const level = outcomeLevel(outcome, !Object.values(outcome).some(isPositive));
    services.logger.log(level, 'job_finished', { job: job.name, ...outcome });
    return outcome;
  } catch (error) {
    if (signal.aborted) services.logger.log('info', 'job_cut_off', { job: job.name });
    else services.logger.log('error', 'job_failed', { job: job.name, failure: describeFailure(error) });
    throw error;
  }
}
