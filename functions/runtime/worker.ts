import { AgentMemoryError } from '../../lib/errors/agent-memory-error.ts';
import { type App, createApp, createFailingApp } from '../app.ts';
import { createJsonLogger } from '../http/logger.ts';
import type { Operation } from '../operation.ts';
import type { Services } from '../services.ts';

/** Variables, secrets and bindings of a Worker. */
export type WorkerEnvironment = Readonly<Record<string, unknown>>;

export interface Worker {
  fetch(request: Request, environment: WorkerEnvironment): Promise<Response>;
}

/** Makes the services of a Worker from its environment. */
export type CreateWorkerServices = (
  environment: WorkerEnvironment,
  writeLine: (line: string) => void,
) => Services;

/**
 * The Cloudflare Worker of some operations: composition root of that runtime. The app is made from the environment of
 * the first request and serves the isolate; a configuration that is wrong fails every request and names itself in the
 * log.
 */
export function createWorker(operations: readonly Operation[], createServices: CreateWorkerServices): Worker {
  let app: App | undefined;
  return {
    async fetch(request, environment) {
      try {
        app ??= createApp({ operations, services: createServices(environment, writeLine) });
      } catch (cause) {
        const failure = new AgentMemoryError('internal', 'the service could not be started', { cause });
        return createFailingApp(failure, createJsonLogger('error', writeLine)).fetch(request);
      }
      return app.fetch(request);
    },
  };
}

function writeLine(line: string): void {
  console.log(line);
}
