import { once } from 'node:events';
import { env } from 'node:process';
import { createJsonLogger } from '../../functions/http/logger.ts';
import { readConfiguration } from '../../functions/runtime/configuration.ts';
import { explainFailure } from '../explain-failure.ts';
import { openLocalService } from './open-local-service.ts';
import { serveApp } from './serve-app.ts';
import { readStartRequest } from './start-options.ts';
import { welcome } from './welcome.ts';

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
  await server.close();
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
  } catch (error) {
    console.error(`the service could not start: ${explain(error)}`);
    process.exitCode = 1;
  }
}
