import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Miniflare } from 'miniflare';
import * as z from 'zod';

/** The built Worker in workerd. */
export interface RunningWorker {
  readonly url: string;
  /** Lines that the Worker wrote to its console. */
  readonly lines: readonly string[];
  /** Puts a message into the queue of a producer binding, as anybody might. */
  send(binding: string, message: unknown): Promise<void>;
  /** Runs what a cron trigger runs; `ok` when it did not fail. */
  trigger(cron: string): Promise<string>;
  close(): Promise<void>;
}

/** What Miniflare's own types leave out of a Worker. */
const scheduledSchema = z.custom<{
  scheduled(controller: { readonly cron: string }): Promise<{ readonly outcome: string }>;
}>((value) => typeof Reflect.get(Object(value), 'scheduled') === 'function');

async function bytesOf(path: string): Promise<Uint8Array<ArrayBuffer>> {
  return new Uint8Array(await readFile(path));
}

/** What of `wrangler.toml` a Worker in workerd is started with. */
export interface WorkerConfig {
  readonly compatibility_date: string | undefined;
  readonly compatibility_flags: readonly string[];
  readonly queues: {
    readonly producers?: readonly { readonly binding: string; readonly queue?: string }[];
    readonly consumers?: readonly {
      readonly queue: string;
      readonly max_batch_size?: number;
      readonly max_batch_timeout?: number;
      readonly max_retries?: number;
      readonly dead_letter_queue?: string;
    }[];
  };
}

/**
 * Starts what `buildWorker` made in `directory`, as `wrangler.toml` deploys it; a message that failed comes again at once.
 *
 * @param rateLimits Requests in a minute that the Worker has a rate limit binding for
 */
export async function startWorker(
  directory: string,
  config: WorkerConfig,
  variables: Readonly<Record<string, string>>,
  rateLimits: readonly number[] = [],
): Promise<RunningWorker> {
  const lines: string[] = [];
  const miniflare = new Miniflare({
    cf: false,
    telemetry: { enabled: false },
    handleStructuredLogs: ({ message }) => void lines.push(message),
    workers: [
      {
        config: {
          name: 'agent-memory-functions',
          compatibilityDate: config.compatibility_date ?? '',
          compatibilityFlags: [...config.compatibility_flags],
          manifest: {
            mainModule: 'worker.js',
            modules: {
              'worker.js': { type: 'esm', contents: await readFile(join(directory, 'worker.js'), 'utf8') },
              'tiktoken_bg.wasm': {
                type: 'wasm',
                contents: await bytesOf(join(directory, 'tiktoken_bg.wasm')),
              },
            },
          },
          env: {
            ...Object.fromEntries(
              Object.entries(variables).map(([name, value]) => [name, { type: 'text' as const, value }]),
            ),
            ...Object.fromEntries(
              (config.queues.producers ?? []).map(({ binding, queue }) => [
                binding,
                { type: 'queue' as const, name: queue ?? '' },
              ]),
            ),
            ...Object.fromEntries(
              rateLimits.map((limit) => [
                `RATE_LIMIT_${limit}`,
                {
                  type: 'rate-limit' as const,
                  namespace: String(limit),
                  simple: { limit, period: 60 as const },
                },
              ]),
            ),
          },
          triggers: (config.queues.consumers ?? []).map((consumer) => ({
            type: 'queue' as const,
            name: consumer.queue,
            maxBatchSize: consumer.max_batch_size,
            maxBatchTimeout: consumer.max_batch_timeout,
            maxRetries: consumer.max_retries,
            deadLetterQueue: consumer.dead_letter_queue,
          })),
        },
      },
    ],
  });
  const url = await miniflare.ready;
  return {
    url: url.href.replace(/\/$/, ''),
    lines,
    async send(binding, message) {
      const producer = await miniflare.getQueueProducer(binding);
      await producer.send(message);
    },
    async trigger(cron) {
      const worker = scheduledSchema.parse(await miniflare.getWorker());
      return (await worker.scheduled({ cron })).outcome;
    },
    close: () => miniflare.dispose(),
  };
}
