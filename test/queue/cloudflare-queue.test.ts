import { convertV4MiniflareOptions, Miniflare } from 'miniflare';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import {
  createCloudflareQueue,
  type QueueBinding,
} from '../../lib/queue/cloudflare-queue/cloudflare-queue.ts';
import { readWakeUpMessage } from '../../lib/queue/wake-up-message.ts';
import { queueCases } from '../conformance/queue-cases.ts';

/** Keeps what its queue delivers and answers requests with it. */
const CONSUMER = `
const received = [];
export default {
  queue(batch) { for (const message of batch.messages) received.push(message.body); },
  fetch() { return Response.json(received); },
};`;

queueCases('a Cloudflare queue', async () => {
  const miniflare = new Miniflare(
    convertV4MiniflareOptions({
      modules: true,
      script: CONSUMER,
      compatibilityDate: '2026-01-01',
      queueProducers: { JOBS: 'jobs' },
      queueConsumers: { jobs: { maxBatchSize: 5, maxBatchTimeout: 0 } },
    }),
  );
  const url = await miniflare.ready;
  const binding = await miniflare.getQueueProducer<{ readonly jobId: string }>('JOBS');
  return {
    createQueue: () => createCloudflareQueue(binding),
    async received() {
      const bodies = z.array(z.unknown()).parse(await (await fetch(url)).json());
      return bodies.map((body) => readWakeUpMessage(body).jobId);
    },
    close: () => miniflare.dispose(),
  };
});

describe('a queue over a binding', () => {
  it('sends a value in whole seconds', async () => {
    const sent: unknown[] = [];
    const binding: QueueBinding = { send: async (...parts) => void sent.push(parts) };
    await createCloudflareQueue(binding).send({ jobId: 'a', delaySeconds: 2.1 });
    expect(sent).toEqual([[{ jobId: 'a' }, { contentType: 'json', delaySeconds: 3 }]]);
  });

  it('is unavailable when the binding fails or does not answer', async () => {
    const cause = new Error('Queue send failed: Too Many Requests');
    const failing = createCloudflareQueue({ send: () => Promise.reject(cause) });
    const error: unknown = await failing.send({ jobId: 'a' }).catch((reason) => reason);
    expect(error).toMatchObject({ code: 'unavailable', retryable: true, cause });
    expect(String(error)).not.toContain('Too Many');
    const silent = createCloudflareQueue({ send: () => new Promise(() => undefined) }, 20);
    await expect(silent.send({ jobId: 'a' })).rejects.toMatchObject({ code: 'unavailable' });
  });
});
