import { AgentMemoryError } from '../errors/agent-memory-error.ts';
import type { JobQueue, WakeUp } from '../queue/job-queue.ts';

/** A queue that remembers what it was sent. */
export interface RecordingQueue extends JobQueue {
  /** Every wake-up that it took, in order, with its delay. */
  readonly sent: readonly Required<WakeUp>[];
  /** Whether it takes wake-ups; at first it does. */
  setAvailable(isAvailable: boolean): void;
}

/** A job queue for tests: it delivers nothing, and the test calls whoever consumes. */
export function createRecordingQueue(): RecordingQueue {
  const sent: Required<WakeUp>[] = [];
  let takes = true;
  return {
    sent,
    setAvailable(isAvailable) {
      takes = isAvailable;
    },
    async send({ jobId, delaySeconds = 0 }, { signal } = {}) {
      signal?.throwIfAborted();
      if (!takes) throw new AgentMemoryError('unavailable', 'the job queue did not take the wake-up');
      sent.push({ jobId, delaySeconds });
    },
    async close() {
      takes = false;
    },
  };
}
