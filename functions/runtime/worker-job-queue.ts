import { invalidRequest } from '../../lib/errors/agent-memory-error.ts';
import {
  createCloudflareQueue,
  type QueueBinding,
} from '../../lib/queue/cloudflare-queue/cloudflare-queue.ts';
import type { JobQueue } from '../../lib/queue/job-queue.ts';
import { createSignedSqsQueue } from '../../lib/queue/sqs/signed-sqs-queue.ts';
import type { QueueConfiguration } from './queue-configuration.ts';
import type { WorkerEnvironment } from './worker.ts';

/** Name of the producer binding in `wrangler.toml`. */
const BINDING = 'JOBS';

/**
 * The queue of a Worker: its own binding, or Amazon SQS with keys from its environment, since it has no other source.
 *
 * @throws AgentMemoryError `invalid_request` naming the binding or the variable that is missing
 */
export function createWorkerJobQueue(
  configuration: QueueConfiguration,
  environment: WorkerEnvironment,
): JobQueue {
  if (configuration.kind === 'sqs') {
    const { credentials } = configuration;
    if (credentials === undefined) throw invalidRequest('AWS_ACCESS_KEY_ID', 'is required');
    return createSignedSqsQueue({ ...configuration, credentials });
  }
  const binding = environment[BINDING];
  if (isQueueBinding(binding)) return createCloudflareQueue(binding);
  throw invalidRequest(BINDING, 'JOB_QUEUE=cloudflare-queue needs a queue binding of this name');
}

function isQueueBinding(value: unknown): value is QueueBinding {
  return typeof value === 'object' && value !== null && 'send' in value && typeof value.send === 'function';
}
