import type { SQSClient } from '@aws-sdk/client-sqs';
import { createBoundedQueue, SEND_LIMIT_MILLISECONDS } from '../bounded-queue.ts';
import type { JobQueue } from '../job-queue.ts';
import { writeWakeUpMessage } from '../wake-up-message.ts';

/** Keys of an AWS identity. */
export interface AwsCredentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken?: string | undefined;
}

/** Which queue of Amazon SQS, and who sends to it. */
export interface SqsQueueConfig {
  /** Of a standard queue. */
  readonly url: string;
  readonly region: string;
  /** Of another server than AWS. @default the host of `url` */
  readonly endpoint?: string | undefined;
  /** @default what the default provider chain of the AWS SDK finds */
  readonly credentials?: AwsCredentials | undefined;
  /** How long a send may take. @default 3000 */
  readonly limitMilliseconds?: number | undefined;
}

/** Shares of the limit for connecting and for one attempt, so that a connection which died unseen leaves time for a second. */
const CONNECTION_SHARE = 0.3;
const ATTEMPT_SHARE = 0.45;

/** Wake-ups through Amazon SQS. The SDK is loaded by the first send, and its connections serve those that follow. */
export function createSqsQueue(config: SqsQueueConfig): JobQueue {
  const limitMilliseconds = config.limitMilliseconds ?? SEND_LIMIT_MILLISECONDS;
  let client: SQSClient | undefined;
  return createBoundedQueue(
    {
      async deliver({ jobId, delaySeconds }, abortSignal) {
        const sdk = await import('@aws-sdk/client-sqs');
        abortSignal.throwIfAborted();
        client ??= new sdk.SQSClient({
          region: config.region,
          endpoint: config.endpoint ?? new URL(config.url).origin,
          credentials: config.credentials,
          maxAttempts: 2,
          requestHandler: {
            connectionTimeout: Math.ceil(limitMilliseconds * CONNECTION_SHARE),
            requestTimeout: Math.ceil(limitMilliseconds * ATTEMPT_SHARE),
            throwOnRequestTimeout: true,
          },
        });
        const command = new sdk.SendMessageCommand({
          QueueUrl: config.url,
          MessageBody: writeWakeUpMessage({ jobId }),
          DelaySeconds: delaySeconds,
        });
        await client.send(command, { abortSignal });
      },
      async close() {
        client?.destroy();
      },
    },
    limitMilliseconds,
  );
}
