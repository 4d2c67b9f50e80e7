import { AgentMemoryError } from '../../lib/errors/agent-memory-error.ts';
import { type App, type AppOptions, createApp, createFailingApp } from '../app.ts';
import { createJsonLogger } from '../http/logger.ts';
import type { Operation } from '../operation.ts';
import { type QueueJob, runQueueJob } from '../queue-job.ts';
import { runScheduledJob, type ScheduledJob } from '../scheduled-job.ts';
import type { Services } from '../services.ts';

/** Variables, secrets and bindings of a Worker. */
export type WorkerEnvironment = Readonly<Record<string, unknown>>;

/** A message of a Cloudflare queue; to retry it leaves the delay to the queue's configuration. */
export interface QueueMessage {
  readonly body: unknown;
  ack(): void;
  retry(): void;
}

export interface Worker {
  fetch(request: Request, environment: WorkerEnvironment): Promise<Response>;
  /** Called by each cron trigger of `wrangler.toml`. */
  scheduled(controller: { readonly cron: string }, environment: WorkerEnvironment): Promise<void>;
  /** Called with messages of the queue that `wrangler.toml` lets the Worker consume. */
  queue(batch: { readonly messages: readonly QueueMessage[] }, environment: WorkerEnvironment): Promise<void>;
}

/** What a Worker serves, and what its triggers and messages start. */
export interface WorkerParts {
  readonly operations: readonly Operation[];
  readonly mountMore?: AppOptions['mountMore'];
  /** By the cron trigger that starts them; one that is not here starts them all, since each is safe to be repeated. */
  readonly scheduledJobs: Readonly<Record<string, ScheduledJob>>;
  readonly queueJob: QueueJob;
  /** Time that jobs of one trigger or batch have; the platform ends them after fifteen minutes. @default 300000 */
  readonly jobMilliseconds?: number;
  /** Makes the services of a Worker from its environment. */
  readonly createServices: (environment: WorkerEnvironment, writeLine: (line: string) => void) => Services;
}

/**
 * The Cloudflare Worker of some operations and jobs: composition root of that runtime. The services are made from the
 * environment of the first event and serve the isolate; a configuration that is wrong fails every request and names
 * itself in the log.
 */
export function createWorker(parts: WorkerParts): Worker {
  const { operations, mountMore, scheduledJobs, queueJob, jobMilliseconds = 300_000, createServices } = parts;
  let services: Services | undefined;
  let app: App | undefined;
  return {
    async fetch(request, environment) {
      try {
        services ??= createServices(environment, writeLine);
        app ??= createApp({ operations, services, mountMore });
      } catch (cause) {
        const failure = new AgentMemoryError('internal', 'the service could not be started', { cause });
        return createFailingApp(failure, createJsonLogger('error', writeLine)).fetch(request);
      }
      return app.fetch(request);
    },
    async scheduled({ cron }, environment) {
      services ??= createServices(environment, writeLine);
      const job = scheduledJobs[cron];
      const due = job === undefined ? Object.values(scheduledJobs) : [job];
      const signal = AbortSignal.timeout(jobMilliseconds);
      for (const each of due) await runScheduledJob(each, services, signal);
    },
    async queue({ messages }, environment) {
      services ??= createServices(environment, writeLine);
      const open = services;
      const signal = AbortSignal.timeout(jobMilliseconds);
      const settle = async (message: QueueMessage): Promise<void> => {
        if (await runQueueJob(queueJob, open, message.body, signal)) message.ack();
        else message.retry();
      };
      await Promise.all(messages.map(settle));
    },
  };
}

function writeLine(line: string): void {
  console.log(line);
}
