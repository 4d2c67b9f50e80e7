import { invalidRequest } from '../../lib/errors/agent-memory-error.ts';
import type { JobQueue } from '../../lib/queue/job-queue.ts';
import { createSqsQueue } from '../../lib/queue/sqs/sqs-queue.ts';
import type { QueueConfiguration } from './queue-configuration.ts';

/**
 * The queue of a process without bindings, such as AWS Lambda. Entries whose operations wake jobs pass it and so bundle
 * the AWS SDK.
 *
 * @throws AgentMemoryError `invalid_request` for `cloudflare-queue`
 */
export function createLambdaJobQueue(configuration: QueueConfiguration): JobQueue {
  if (configuration.kind === 'sqs') return createSqsQueue(configuration);
  throw invalidRequest('JOB_QUEUE', `${configuration.kind} belongs to Workers: use sqs`);
}
