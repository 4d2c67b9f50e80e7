import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Miniflare } from 'miniflare';
import * as z from 'zod';

/** The built Worker in workerd. */
export interface RunningWorker {
  readonly url: string;
  /** Lines that the Worker wrote to its console. */
  readonly lines: readonly string[];
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

/** Starts what `buildWorker` made in `directory`, as `wrangler.toml` deploys it. */
export async function startWorker(
  directory: string,
  compatibility: { readonly date: string; readonly flags: readonly string[] },
  variables: Readonly<Record<string, string>>,
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
          compatibilityDate: compatibility.date,
          compatibilityFlags: [...compatibility.flags],
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
          env: Object.fromEntries(
            Object.entries(variables).map(([name, value]) => [name, { type: 'text' as const, value }]),
          ),
        },
      },
    ],
  });
  const url = await miniflare.ready;
  return {
    url: url.href.replace(/\/$/, ''),
    lines,
    async trigger(cron) {
      const worker = scheduledSchema.parse(await miniflare.getWorker());
      return (await worker.scheduled({ cron })).outcome;
    },
    close: () => miniflare.dispose(),
  };
}
