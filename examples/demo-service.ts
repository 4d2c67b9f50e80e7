import { createJsonLogger } from '../functions/http/logger.ts';
import { readConfiguration } from '../functions/runtime/configuration.ts';
import { openLocalService } from '../infra/local/open-local-service.ts';
import { type AppServer, serveApp } from '../infra/local/serve-app.ts';

/**
 * A service of its own for a demo, on a free port, with its data in memory: gone when it is closed.
 *
 * @param transport how it reaches its emulator, as `npm start -- --transport` has it
 * @param ordsMode as the variable ORDS_MODE has it
 */
export async function startDemoService(transport?: string, ordsMode?: string): Promise<AppServer> {
  const variables = { LOG_LEVEL: 'error', ORACLE_TRANSPORT: transport, ORDS_MODE: ordsMode };
  const configuration = readConfiguration(variables, 'local');
  const service = await openLocalService(
    configuration,
    createJsonLogger('error', (line) => console.error(line)),
  );
  const server = await serveApp(service.app, '127.0.0.1', 0);
  return {
    url: server.url,
    async close() {
      await server.close();
      await service.close();
    },
  };
}
