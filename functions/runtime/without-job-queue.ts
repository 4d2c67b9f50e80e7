import { AgentMemoryError } from '../../lib/errors/agent-memory-error.ts';
import type { JobQueue } from '../../lib/queue/job-queue.ts';

/** For entries whose operations wake no job: they bundle no queue, and one that did would fail. */
export function withoutJobQueue(): JobQueue {
  return {
    async send() {
      throw new AgentMemoryError('internal', 'this function was built without a job queue');
    },
    async close() {
      // Nothing was opened.
    },
  };
}
