import { type Clock, systemClock } from '../../clock.ts';
import { AgentMemoryError } from '../../errors/agent-memory-error.ts';
import { createBoundedQueue } from '../bounded-queue.ts';
import type { JobQueue } from '../job-queue.ts';

export interface InlineQueueConfig {
  /** Runs one job; hands it back when the signal aborts. */
  run(jobId: string, signal: AbortSignal): Promise<unknown>;
  /** Hears of a run that failed; the job's row says more, and a sweep sends it again. */
  reportFailure?(error: unknown): void;
  /** Jobs that run at once. @default 4 */
  readonly concurrency?: number;
  /** @default systemClock */
  readonly clock?: Clock;
}

/** How long closing waits, when it does not say, before it aborts what still runs. */
const CLOSE_SECONDS = 10;

/**
 * Runs the jobs in this process, some at once and the others in their order. What waits is in memory alone: `close`
 * runs what is due, up to its limit of time, and leaves the rest to a sweep.
 */
export function createInlineQueue(config: InlineQueueConfig): JobQueue {
  const { concurrency = 4, clock = systemClock } = config;
  const closing = new AbortController();
  const stopping = new AbortController();
  const waiting: string[] = [];
  const running = new Set<Promise<void>>();

  function startNext(): void {
    while (running.size < concurrency) {
      const jobId = stopping.signal.aborted ? undefined : waiting.shift();
      if (jobId === undefined) return;
      const run = runJob(jobId).finally(() => {
        running.delete(run);
        startNext();
      });
      running.add(run);
    }
  }

  async function runJob(jobId: string): Promise<void> {
    try {
      await config.run(jobId, stopping.signal);
    } catch (error) {
      config.reportFailure?.(error);
    }
  }

  async function enqueueLater(jobId: string, delaySeconds: number): Promise<void> {
    try {
      await clock.sleep(delaySeconds * 1_000, closing.signal);
    } catch {
      return;
    }
    enqueue(jobId);
  }

  function enqueue(jobId: string): void {
    waiting.push(jobId);
    queueMicrotask(startNext);
  }

  return createBoundedQueue({
    async deliver({ jobId, delaySeconds }) {
      if (delaySeconds === 0) enqueue(jobId);
      else void enqueueLater(jobId, delaySeconds);
    },
    async close({ timeoutSeconds = CLOSE_SECONDS }) {
      closing.abort();
      const ended = new AbortController();
      const limit = clock.sleep(timeoutSeconds * 1_000, ended.signal).then(
        () => stopping.abort(new AgentMemoryError('unavailable', 'the process is ending')),
        () => undefined,
      );
      startNext();
      while (running.size > 0) await Promise.race(running);
      ended.abort();
      await limit;
    },
  });
}
