import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { GetQueueAttributesCommand, SQSClient } from '@aws-sdk/client-sqs';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import * as z from 'zod';
import type { SqsHandler } from '../../functions/runtime/sqs-handler.ts';
import { type SqsPoller, startSqsPoller } from '../../infra/local/sqs/start-sqs-poller.ts';
import { type SqsServer, startSqsServer } from '../../infra/local/sqs/start-sqs-server.ts';
import { createSqsQueue } from '../../lib/queue/sqs/sqs-queue.ts';

const eventSchema = z.object({
  Records: z
    .array(
      z.object({
        messageId: z.string(),
        receiptHandle: z.string(),
        body: z.string(),
        attributes: z.object({ ApproximateReceiveCount: z.string(), SentTimestamp: z.string() }).loose(),
        md5OfBody: z.string(),
        eventSource: z.literal('aws:sqs'),
        eventSourceARN: z.string().startsWith('arn:aws:sqs:us-east-1:'),
        awsRegion: z.literal('us-east-1'),
      }),
    )
    .length(1),
});

const HANDLED = { batchItemFailures: [] };
const WAIT = { timeout: 20_000, interval: 50 };

let directory: string;
let server: SqsServer;
let poller: SqsPoller | undefined;
let failures: unknown[];
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'agent-memory-queue-'));
  failures = [];
  server = await start();
});
afterEach(async () => {
  await poller?.stop();
  await server.stop();
  await rm(directory, { recursive: true });
});

const start = () => startSqsServer({ dataDirectory: directory, visibilitySeconds: 1 });

function poll(handler: SqsHandler, concurrency = 8): void {
  const reportFailure = (error: unknown) => void failures.push(error);
  poller = startSqsPoller({ server, handler, functionTimeoutSeconds: 60, concurrency, reportFailure });
}

async function countMessages(url: string): Promise<number> {
  const { region, endpoint, credentials } = server.queue;
  const client = new SQSClient({ region, endpoint, ...(credentials === undefined ? {} : { credentials }) });
  const { Attributes: attributes = {} } = await client.send(
    new GetQueueAttributesCommand({ QueueUrl: url, AttributeNames: ['All'] }),
  );
  client.destroy();
  return (
    Number(attributes.ApproximateNumberOfMessages) + Number(attributes.ApproximateNumberOfMessagesNotVisible)
  );
}

async function send(...jobIds: readonly string[]): Promise<void> {
  const queue = createSqsQueue(server.queue);
  for (const jobId of jobIds) await queue.send({ jobId });
  await queue.close();
}

describe('the event source of npm start', () => {
  it('calls the handler with one genuine event for each message and deletes what it handled', async () => {
    const bodies: unknown[] = [];
    poll(async (event, context) => {
      const [record] = eventSchema.parse(event).Records;
      expect(context.getRemainingTimeInMillis()).toBeGreaterThan(0);
      bodies.push(JSON.parse(record?.body ?? ''));
      return HANDLED;
    });
    await send('one', 'two');
    await vi.waitFor(async () => expect(await countMessages(server.queue.url)).toBe(0), WAIT);
    expect(bodies).toEqual(expect.arrayContaining([{ jobId: 'one' }, { jobId: 'two' }]));
    expect(bodies).toHaveLength(2);
  });

  it.each<[string, SqsHandler]>([
    [
      'reports',
      async (event) => {
        const [record] = eventSchema.parse(event).Records;
        return { batchItemFailures: [{ itemIdentifier: record?.messageId ?? '' }] };
      },
    ],
    ['throws', () => Promise.reject(new Error('the function ended'))],
  ])('lets a message come three times when the handler %s a failure, then it is dead', async (_, fail) => {
    const counts: string[] = [];
    poll((event, context) => {
      const [record] = eventSchema.parse(event).Records;
      counts.push(record?.attributes.ApproximateReceiveCount ?? '');
      return fail(event, context);
    });
    await send('poison');
    await vi.waitFor(async () => expect(await countMessages(server.deadLetterQueueUrl)).toBe(1), WAIT);
    expect(counts).toEqual(['1', '2', '3']);
    expect(await countMessages(server.queue.url)).toBe(0);
  });

  it('does not let a slow invocation delay others, and runs no more at once than it may', async () => {
    const held = Promise.withResolvers<void>();
    let running = 0;
    let most = 0;
    const handled: string[] = [];
    poll(async (event) => {
      const [record] = eventSchema.parse(event).Records;
      running += 1;
      most = Math.max(most, running);
      if (record?.body.includes('slow')) await held.promise;
      running -= 1;
      handled.push(record?.body ?? '');
      return HANDLED;
    }, 2);
    await send('slow', 'a', 'b', 'c');
    await vi.waitFor(() => expect(handled).toHaveLength(3), WAIT);
    held.resolve();
    await poller?.stop();
    expect(handled).toHaveLength(4);
    expect(most).toBeLessThanOrEqual(2);
  });

  it('keeps messages over a restart of the server', async () => {
    await send('kept');
    await server.stop();
    server = await start();
    const bodies: string[] = [];
    poll(async (event) => {
      bodies.push(eventSchema.parse(event).Records[0]?.body ?? '');
      return HANDLED;
    });
    await vi.waitFor(() => expect(bodies).toEqual(['{"jobId":"kept"}']), WAIT);
  });

  it('reports a server that is gone and goes on when it is stopped', async () => {
    poll(async () => HANDLED);
    await server.stop();
    await vi.waitFor(() => expect(failures.length).toBeGreaterThan(0), WAIT);
    await poller?.stop();
    server = await start();
  });
});
