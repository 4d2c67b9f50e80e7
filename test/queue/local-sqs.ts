import { DeleteMessageCommand, ReceiveMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { startFauxqs } from 'fauxqs';
import { createSqsQueue } from '../../lib/queue/sqs/sqs-queue.ts';
import { readWakeUpMessage } from '../../lib/queue/wake-up-message.ts';
import type { QueueStage } from '../conformance/queue-cases.ts';

const CREDENTIALS = { accessKeyId: 'test', secretAccessKey: 'test' };

/** An SQS-compatible server on a loopback port with one queue, and what its consumer received. */
export interface LocalSqs extends QueueStage {
  /** As a sender gives it to the SDK. */
  readonly config: {
    readonly url: string;
    readonly region: string;
    readonly endpoint: string;
    readonly credentials: typeof CREDENTIALS;
  };
}

export async function startLocalSqs(): Promise<LocalSqs> {
  const server = await startFauxqs({ port: 0, logger: false });
  const endpoint = `http://127.0.0.1:${server.port}`;
  const { queueUrl: url } = server.createQueue('jobs');
  const config = { url, region: 'us-east-1', endpoint, credentials: CREDENTIALS };
  const consumer = new SQSClient({ region: config.region, endpoint, credentials: CREDENTIALS });
  const received: string[] = [];

  async function receive(): Promise<number> {
    const { Messages: messages = [] } = await consumer.send(
      new ReceiveMessageCommand({ QueueUrl: url, MaxNumberOfMessages: 10 }),
    );
    for (const { Body: body, ReceiptHandle: receiptHandle } of messages) {
      received.push(readWakeUpMessage(body).jobId);
      await consumer.send(new DeleteMessageCommand({ QueueUrl: url, ReceiptHandle: receiptHandle }));
    }
    return messages.length;
  }

  return {
    config,
    createQueue: () => createSqsQueue(config),
    async received() {
      while ((await receive()) > 0);
      return received;
    },
    async close() {
      consumer.destroy();
      await server.stop();
    },
  };
}
