import { AgentMemoryError, invalidRequest } from '../errors/agent-memory-error.ts';
import { type JobQueue, LONGEST_DELAY_SECONDS } from './job-queue.ts';

/** How one kind of queue takes a wake-up. */
export interface WakeUpCarrier {
  /** Resolves when the queue has it; gives up when the signal aborts. `delaySeconds` is a whole number from 0 to 900. */
  deliver(
    wakeUp: { readonly jobId: string; readonly delaySeconds: number },
    signal: AbortSignal,
  ): Promise<void>;
  close(options: { readonly timeoutSeconds?: number | undefined }): Promise<void>;
}

/** How long a send may take, in milliseconds: whoever sends has a caller waiting, and a sweep makes up for what is lost. */
export const SEND_LIMIT_MILLISECONDS = 3_000;

/**
 * A queue over its carrier: checks the delay, ends a send at a limit of time or when its caller aborts, and maps every
 * failure. A delay is rounded up to whole seconds. The caller's own abort is thrown as it is.
 */
export function createBoundedQueue(
  carrier: WakeUpCarrier,
  limitMilliseconds: number = SEND_LIMIT_MILLISECONDS,
): JobQueue {
  let isClosed = false;
  return {
    async send({ jobId, delaySeconds = 0 }, { signal } = {}) {
      if (!(delaySeconds >= 0 && delaySeconds <= LONGEST_DELAY_SECONDS)) {
        throw invalidRequest('delaySeconds', `must be from 0 to ${LONGEST_DELAY_SECONDS}`);
      }
      signal?.throwIfAborted();
      if (isClosed) throw new AgentMemoryError('unavailable', 'the job queue is closed');
      const limit = AbortSignal.timeout(limitMilliseconds);
      const either = signal === undefined ? limit : AbortSignal.any([signal, limit]);
      try {
        await untilAborted(carrier.deliver({ jobId, delaySeconds: Math.ceil(delaySeconds) }, either), either);
      } catch (cause) {
        signal?.throwIfAborted();
        throw new AgentMemoryError('unavailable', 'the job queue did not take the wake-up', { cause });
      }
    },
    async close(options = {}) {
      if (isClosed) return;
      isClosed = true;
      await carrier.close(options);
    },
  };
}

/** A carrier may be late to notice its signal; whoever waits for it must not be. */
function untilAborted(outcome: Promise<void>, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const abort = (): void => reject(signal.reason);
    signal.addEventListener('abort', abort, { once: true });
    outcome.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  });
}
