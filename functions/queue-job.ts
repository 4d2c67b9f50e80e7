import { describeFailure, type LogFields } from './http/logger.ts';
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
 * later version may have sent it.
 */
export async function runQueueJob(
  job: QueueJob,
  services: Services,
  body: unknown,
  signal: AbortSignal,
): Promise<boolean> {
  try {
    const outcome = await job.run(services, body, signal);
    services.logger.log('info', 'message_handled', { job: job.name, ...outcome });
    return true;
  } catch (error) {
    services.logger.log('error', 'message_failed', { job: job.name, failure: describeFailure(error) });
    return false;
  }
}
