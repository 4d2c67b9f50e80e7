import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { convertV4MiniflareOptions, Miniflare } from 'miniflare';
import * as z from 'zod';
import { buildWorker } from '../../infra/build/bundle.ts';
import { AgentMemoryError, ERROR_CODES } from '../../lib/errors/agent-memory-error.ts';
import type { JobQueue } from '../../lib/queue/job-queue.ts';
import { queueCases } from '../conformance/queue-cases.ts';
import { startLocalSqs } from './local-sqs.ts';

const failureSchema = z
  .object({
    code: z.enum(ERROR_CODES),
    message: z.string(),
    issues: z.array(z.object({ path: z.string(), message: z.string() })),
    retryable: z.boolean(),
  })
  .nullable();

/** A queue of the Worker at `url`, as if it were in this process. */
function remoteQueue(url: URL, queue: number): JobQueue {
  async function call(body: unknown): Promise<void> {
    const response = await fetch(url, { method: 'POST', body: JSON.stringify(body) });
    const failure = failureSchema.parse(await response.json());
    if (failure !== null) throw new AgentMemoryError(failure.code, failure.message, failure);
  }
  return {
    async send(wakeUp, { signal } = {}) {
      signal?.throwIfAborted();
      await call({ queue, call: 'send', wakeUp });
    },
    close: () => call({ queue, call: 'close' }),
  };
}

queueCases('Amazon SQS from a Worker', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'sending-worker-'));
  await buildWorker(directory, 'test/queue/sending-worker.ts');
  const sqs = await startLocalSqs();
  const miniflare = new Miniflare(
    convertV4MiniflareOptions({
      modules: true,
      script: await readFile(join(directory, 'worker.js'), 'utf8'),
      compatibilityDate: '2026-01-01',
      bindings: { SQS: sqs.config },
    }),
  );
  const url = await miniflare.ready;
  let queues = 0;
  return {
    createQueue() {
      queues += 1;
      return remoteQueue(url, queues);
    },
    received: sqs.received,
    async close() {
      await miniflare.dispose();
      await sqs.close();
      await rm(directory, { recursive: true, force: true });
    },
  };
});
