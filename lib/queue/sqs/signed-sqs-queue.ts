import { AwsClient } from 'aws4fetch';
import { createBoundedQueue, SEND_LIMIT_MILLISECONDS } from '../bounded-queue.ts';
import type { JobQueue } from '../job-queue.ts';
import { writeWakeUpMessage } from '../wake-up-message.ts';
import type { AwsCredentials, SqsQueueConfig } from './sqs-queue.ts';

/** As `SqsQueueConfig`, with credentials: nothing looks for any. */
export interface SignedSqsQueueConfig extends SqsQueueConfig {
  readonly credentials: AwsCredentials;
}

/** Share of the limit for one attempt, so that a connection which died unseen leaves time for a second. */
const ATTEMPT_SHARE = 0.45;

interface Failure {
  readonly cause: unknown;
  /** Whether another attempt may do better. */
  readonly isPassing: boolean;
}

/** What SQS calls the failure, as the SDK does; its message may repeat what was sent. */
function refusal(answer: string): Error {
  const refused = new Error('Amazon SQS refused the wake-up');
  refused.name = /"__type"\s*:\s*"(?:[^"#]*#)?(\w+)"/.exec(answer)?.[1] ?? 'Error';
  return refused;
}

/**
 * Wake-ups through Amazon SQS by `fetch` and a signature, for Workers: the AWS SDK would be a seventh of their code. One
 * request (SendMessage, Amazon SQS API Reference), and one more when the first got no answer or the service failed.
 */
export function createSignedSqsQueue(config: SignedSqsQueueConfig): JobQueue {
  const { url, region, endpoint = new URL(url).origin, credentials } = config;
  const limitMilliseconds = config.limitMilliseconds ?? SEND_LIMIT_MILLISECONDS;
  const client = new AwsClient({ ...credentials, region, service: 'sqs', retries: 0 });

  /** Undefined when the queue has it. */
  async function attempt(body: string, signal: AbortSignal): Promise<Failure | undefined> {
    const limit = AbortSignal.timeout(Math.ceil(limitMilliseconds * ATTEMPT_SHARE));
    try {
      const response = await client.fetch(endpoint, {
        method: 'POST',
        headers: { 'Content-Type': 'application/x-amz-json-1.0', 'X-Amz-Target': 'AmazonSQS.SendMessage' },
        body,
        signal: AbortSignal.any([signal, limit]),
      });
      const answer = await response.text();
      if (response.ok) return undefined;
      return { cause: refusal(answer), isPassing: response.status >= 500 || response.status === 429 };
    } catch (cause) {
      signal.throwIfAborted();
      return { cause, isPassing: true };
    }
  }

  return createBoundedQueue(
    {
      async deliver({ jobId, delaySeconds }, signal) {
        const body = JSON.stringify({
          QueueUrl: url,
          MessageBody: writeWakeUpMessage({ jobId }),
          DelaySeconds: delaySeconds,
        });
        const first = await attempt(body, signal);
        const last = first?.isPassing ? await attempt(body, signal) : first;
        if (last !== undefined) throw last.cause;
      },
      async close() {
        // No connection is its own.
      },
    },
    limitMilliseconds,
  );
}
