import { readWakeUpMessage } from '../lib/queue/wake-up-message.ts';
import { describeFailure, type LogFields } from './http/logger.ts';
import { outcomeLevel } from './http/outcome-level.ts';
import type { Services } from './services.ts';

/** Work that a queue message starts: safe to be started twice, late, or out of order. */
export interface QueueJob {
  readonly name: string;
  /**
   * Does what the message asks and returns what came of it, for the log. `body` is what the queue delivered. Hands the work
   * back when the signal aborts, before the platform ends the process.
   */
  run(services: Services, body: unknown, signal: AbortSignal): Promise<LogFields>;
}

/**
 * Runs a job for one message and logs what came of it. False when it failed: the message has to come again, and when it
 * has come too often the queue moves it to its dead-letter queue. That holds for a message that cannot be read, too: a
 * later version may have sent it. Work that was cut off by the signal is no failure, and its message comes again as well.
 */
export async function runQueueJob(
  job: QueueJob,
  services: Services,
  body: unknown,
  signal: AbortSignal,
): Promise<boolean> {
  const { logger } = services;
  try {
    const outcome = await job.run(services, body, signal);
    const level = outcomeLevel(outcome, outcome.outcome === 'nothing_due');
    logger.log(level, 'message_handled', { job: job.name, ...outcome });
    return true;
  } catch (error) {
    const about = { job: job.name, ...namedJob(body) };
    if (signal.aborted) logger.log('info', 'message_returned', about);
    else logger.log('error', 'message_failed', { ...about, failure: describeFailure(error) });
    return false;
  }
}

function namedJob(body: unknown): LogFields {
  try {
    return { jobId: readWakeUpMessage(body).jobId };
  } catch {
    return {};
  }
}
