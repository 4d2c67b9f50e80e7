import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { SqsQueueConfig } from '../../../lib/queue/sqs/sqs-queue.ts';
import { SQS_REGION, type SqsThreadOptions, sqsServerPlaceSchema } from './sqs-server-place.ts';

/** An SQS-compatible server on a free loopback port, with the two queues of `serverless.yml`. */
export interface SqsServer {
  /** The jobs queue, as senders and pollers of this machine reach it. */
  readonly queue: SqsQueueConfig & { readonly endpoint: string };
  /** Amazon resource name of the jobs queue. */
  readonly queueArn: string;
  /** Where messages go whose consumer failed each time. */
  readonly deadLetterQueueUrl: string;
  stop(): Promise<void>;
}

export interface SqsServerOptions {
  /** Where messages are kept; without it they end with the process. */
  readonly dataDirectory: string | undefined;
  /** Seconds that a received message is hidden: six times what a consumer may take (AWS Lambda, SQS event sources). */
  readonly visibilitySeconds: number;
}

/** A server of this process that answers late is not away: the whole machine is busy. */
const SEND_LIMIT_MILLISECONDS = 15_000;

/**
 * Starts the server, in a thread of its own: it waits for the disk at each message, and this thread has the database.
 * Messages that an earlier process left in the directory are delivered.
 */
export async function startSqsServer(options: SqsServerOptions): Promise<SqsServer> {
  const { dataDirectory, visibilitySeconds } = options;
  const thread = new Worker(new URL('./sqs-server-thread.ts', import.meta.url), {
    workerData: { dataDirectory, visibilitySeconds } satisfies SqsThreadOptions,
  });
  const [message] = await once(thread, 'message');
  const place = sqsServerPlaceSchema.parse(message);
  return {
    queue: {
      url: place.jobs.url,
      region: SQS_REGION,
      endpoint: `http://127.0.0.1:${place.port}`,
      credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
      limitMilliseconds: SEND_LIMIT_MILLISECONDS,
    },
    queueArn: place.jobs.arn,
    deadLetterQueueUrl: place.deadLetterQueueUrl,
    async stop() {
      const ended = once(thread, 'exit');
      thread.postMessage('stop');
      await ended;
    },
  };
}
