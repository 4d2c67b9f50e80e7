import { AgentMemoryError } from '../../lib/errors/agent-memory-error.ts';
import { type App, createApp, createFailingApp } from '../app.ts';
import { createJsonLogger } from '../http/logger.ts';
import type { Operation } from '../operation.ts';
import { runScheduledJob, type ScheduledJob } from '../scheduled-job.ts';
import type { Services } from '../services.ts';

/** Variables, secrets and bindings of a Worker. */
export type WorkerEnvironment = Readonly<Record<string, unknown>>;

export interface Worker {
  fetch(request: Request, environment: WorkerEnvironment): Promise<Response>;
  /** Called by each cron trigger of `wrangler.toml`; which one is not asked. */
  scheduled(controller: unknown, environment: WorkerEnvironment): Promise<void>;
}

/** What a Worker serves, and what its cron triggers start. */
export interface WorkerParts {
  readonly operations: readonly Operation[];
  readonly jobs: readonly ScheduledJob[];
  /** Makes the services of a Worker from its environment. */
  readonly createServices: (environment: WorkerEnvironment, writeLine: (line: string) => void) => Services;
}

/**
 * The Cloudflare Worker of some operations and jobs: composition root of that runtime. The services are made from the
 * environment of the first event and serve the isolate; a configuration that is wrong fails every request and names
 * itself in the log.
 */
export function createWorker({ operations, jobs, createServices }: WorkerParts): Worker {
  let services: Services | undefined;
  let app: App | undefined;
  return {
    async fetch(request, environment) {
      try {
        services ??= createServices(environment, writeLine);
        app ??= createApp({ operations, services });
      } catch (cause) {
        const failure = new AgentMemoryError('internal', 'the service could not be started', { cause });
        return createFailingApp(failure, createJsonLogger('error', writeLine)).fetch(request);
      }
      return app.fetch(request);
    },
    async scheduled(_controller, environment) {
      services ??= createServices(environment, writeLine);
      for (const job of jobs) await runScheduledJob(job, services);
    },
  };
}

function writeLine(line: string): void {
  console.log(line);
}
