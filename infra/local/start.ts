import { once } from 'node:events';
import { env } from 'node:process';
import { createJsonLogger } from '../../functions/http/logger.ts';
import { readConfiguration } from '../../functions/runtime/configuration.ts';
import { explainFailure } from '../explain-failure.ts';
import { openLocalService } from './open-local-service.ts';
import { serveApp } from './serve-app.ts';
import { readStartRequest } from './start-options.ts';
import { welcome } from './welcome.ts';

/** What a request may take to its end once the process has to end; one that waits for a model or a job is told then. */
const REQUEST_GRACE_MILLISECONDS = 1_000;

async function start(overrides: Readonly<Record<string, string>>): Promise<void> {
  const configuration = readConfiguration({ ...env, ...overrides }, 'local');
  const { host, port, dataDirectory } = configuration.server;
  const logger = createJsonLogger(configuration.logLevel, (line) => console.error(line));
  const service = await openLocalService(configuration, logger, dataDirectory);
  const server = await serveApp(service.app, host, port).catch(async (error: unknown) => {
    await service.close();
    throw error;
  });
  console.log(welcome(configuration, server.url, service.queuePlace));
  await Promise.race([once(process, 'SIGINT'), once(process, 'SIGTERM')]);
  const overdue = setTimeout(() => service.endRequests(), REQUEST_GRACE_MILLISECONDS);
  await server.close();
  clearTimeout(overdue);
  await service.close();
}

/** What a person at the terminal reads of a failed start. */
function explain(error: unknown): string {
  const reason = explainFailure(error);
  const isPortTaken = error instanceof Error && 'code' in error && error.code === 'EADDRINUSE';
  return isPortTaken ? `${reason}; choose another --port` : reason;
}

const request = readStartRequest(process.argv.slice(2));
if (request.kind === 'usage') {
  (request.exitCode === 0 ? console.log : console.error)(request.text);
  process.exitCode = request.exitCode;
} else {
  try {
    await start(request.overrides);
    // A session whose database does not answer cannot be closed, and its socket would hold the process.
    process.exit();
  } catch (error) {
    console.error(`the service could not start: ${explain(error)}`);
    process.exitCode = 1;
  }
}
