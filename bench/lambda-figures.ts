import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { startDeployedEnvironment } from '../test/runtime/deployed-environment.ts';
import type { ClientRequest } from '../test/runtime/lambda-events.ts';
import type { Figure } from './figure.ts';

const TIME_LAMBDA = fileURLToPath(new URL('time-lambda.ts', import.meta.url));

function post(path: string, body: unknown): ClientRequest {
  const headers = { 'content-type': 'application/json' };
  return { method: 'POST', target: path, route: path, headers, body: JSON.stringify(body) };
}

const REQUESTS: Readonly<Record<string, ClientRequest>> = {
  'threads-create': post('/v1/threads', { userId: 'bench', extraction: { extractMemories: false } }),
  'memories-add': post('/v1/memories', { content: 'prefers trains over planes', userId: 'bench' }),
  search: post('/v1/search', { query: 'How do I like to travel?', userId: 'bench' }),
};

/**
 * What built functions take from an event of a REST API to their response, without the time in which they wait for
 * database and models: both answer over HTTP from another process of this machine.
 */
export async function lambdaFigures(directory: string): Promise<readonly Figure[]> {
  const environment = await startDeployedEnvironment();
  try {
    const figures: Figure[] = [];
    for (const [name, request] of Object.entries(REQUESTS)) {
      const { stdout } = await promisify(execFile)(
        process.execPath,
        [TIME_LAMBDA, pathToFileURL(join(directory, name, 'index.mjs')).href, JSON.stringify(request)],
        { env: { ...environment.variables, LOG_LEVEL: 'error' } },
      );
      const value = Number(stdout);
      figures.push({ name: `${name}: Lambda event to response, p95`, value, unit: 'ms', bound: 5 });
    }
    return figures;
  } finally {
    await environment.close();
  }
}
