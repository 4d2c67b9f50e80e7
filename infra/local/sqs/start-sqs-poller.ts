import { DeleteMessageCommand, type Message, ReceiveMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import type { SqsHandler } from '../../../functions/runtime/sqs-handler.ts';
import { type Clock, systemClock } from '../../../lib/clock.ts';
import type { SqsQueueConfig } from '../../../lib/queue/sqs/sqs-queue.ts';

export interface SqsPollerOptions {
  readonly server: { readonly queue: SqsQueueConfig; readonly queueArn: string };
  /** The handler of the function, as AWS Lambda would call it. */
  readonly handler: SqsHandler;
  /** Seconds that one invocation may take. */
  readonly functionTimeoutSeconds: number;
  /** Invocations at once. @default 8 */
  readonly concurrency?: number;
  /** Hears of a queue that cannot be reached and of invocations that failed as a whole. */
  readonly reportFailure: (error: unknown) => void;
  /** @default systemClock */
  readonly clock?: Clock;
}

/** What takes messages from a queue until it is stopped. */
export interface SqsPoller {
  /** Takes no further message and resolves when the invocations that go on have ended. */
  stop(): Promise<void>;
}

/** Seconds that a receive waits for a message (Amazon SQS: long polling, at most 20). */
const RECEIVE_SECONDS = 20;
const FAILURE_PAUSE_MILLISECONDS = 1_000;

/**
 * The event source of a function on this machine: receives messages of the queue, calls the handler with events of one
 * message, as `batchSize: 1` in `serverless.yml`, and deletes a message unless its invocation reports or throws a failure.
 * A message that is not deleted comes again when its visibility time-out is over, and goes to the dead-letter queue after
 * the third time; both is the queue's doing.
 */
export function startSqsPoller(options: SqsPollerOptions): SqsPoller {
  const { server, handler, concurrency = 8, clock = systemClock, reportFailure } = options;
  const { url: queueUrl } = server.queue;
  const client = createClient(server.queue);
  const stopping = new AbortController();
  const invocations = new Set<Promise<void>>();

  async function receive(): Promise<readonly Message[]> {
    const command = new ReceiveMessageCommand({
      QueueUrl: queueUrl,
      MaxNumberOfMessages: Math.min(10, concurrency - invocations.size),
      WaitTimeSeconds: RECEIVE_SECONDS,
      MessageSystemAttributeNames: ['All'],
    });
    return (await client.send(command, { abortSignal: stopping.signal })).Messages ?? [];
  }

  async function invoke(message: Message): Promise<void> {
    const deadline = clock.now().getTime() + options.functionTimeoutSeconds * 1_000;
    const context = { getRemainingTimeInMillis: () => Math.max(0, deadline - clock.now().getTime()) };
    try {
      const response = await handler(toEvent(message, server), context);
      if (response.batchItemFailures.length > 0) return;
      await client.send(
        new DeleteMessageCommand({ QueueUrl: queueUrl, ReceiptHandle: message.ReceiptHandle }),
      );
    } catch (error) {
      reportFailure(error);
    }
  }

  async function poll(): Promise<void> {
    while (!stopping.signal.aborted) {
      try {
        for (const message of await receive()) {
          const invocation = invoke(message).finally(() => invocations.delete(invocation));
          invocations.add(invocation);
        }
        if (invocations.size >= concurrency) await Promise.race(invocations);
      } catch (error) {
        if (stopping.signal.aborted) return;
        reportFailure(error);
        await clock.sleep(FAILURE_PAUSE_MILLISECONDS, stopping.signal).catch(() => undefined);
      }
    }
  }

  const polling = poll();
  return {
    async stop() {
      stopping.abort();
      await polling;
      await Promise.all(invocations);
      client.destroy();
    },
  };
}

function createClient({ region, endpoint, credentials }: SqsQueueConfig): SQSClient {
  return new SQSClient({
    region,
    ...(endpoint === undefined ? {} : { endpoint }),
    ...(credentials === undefined ? {} : { credentials }),
  });
}

/** The event that AWS Lambda's event source for SQS makes of a message. */
function toEvent(message: Message, { queue, queueArn }: SqsPollerOptions['server']) {
  return {
    Records: [
      {
        messageId: message.MessageId,
        receiptHandle: message.ReceiptHandle,
        body: message.Body,
        attributes: message.Attributes ?? {},
        messageAttributes: message.MessageAttributes ?? {},
        md5OfBody: message.MD5OfBody,
        eventSource: 'aws:sqs',
        eventSourceARN: queueArn,
        awsRegion: queue.region,
      },
    ],
  };
}
