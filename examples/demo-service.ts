import { createJsonLogger } from '../functions/http/logger.ts';
import { readConfiguration } from '../functions/runtime/configuration.ts';
import { openLocalService } from '../infra/local/open-local-service.ts';
import { type AppServer, serveApp } from '../infra/local/serve-app.ts';

/** A service of its own for a demo, on a free port, with its data in memory: gone when it is closed. */
export async function startDemoService(): Promise<AppServer> {
  const configuration = readConfiguration({ LOG_LEVEL: 'error' }, 'local');
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
