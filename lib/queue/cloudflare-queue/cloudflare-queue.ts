import { createBoundedQueue } from '../bounded-queue.ts';
import type { JobQueue } from '../job-queue.ts';
import type { WakeUpMessage } from '../wake-up-message.ts';

/** What is used of a Worker's queue binding. */
export interface QueueBinding {
  send(
    message: WakeUpMessage,
    options: { readonly contentType: 'json'; readonly delaySeconds: number },
  ): Promise<unknown>;
}

/** Wake-ups through a Cloudflare queue, to be sent by a Worker that has it as a producer binding. */
export function createCloudflareQueue(binding: QueueBinding, limitMilliseconds?: number): JobQueue {
  return createBoundedQueue(
    {
      async deliver({ jobId, delaySeconds }) {
        await binding.send({ jobId }, { contentType: 'json', delaySeconds });
      },
      async close() {
        // The binding belongs to the Worker: there is nothing of this queue's own to free.
      },
    },
    limitMilliseconds,
  );
}
