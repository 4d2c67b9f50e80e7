import type { Hono } from 'hono';
import type { AppEnvironment } from '../middleware/app-environment.ts';
import { startBudget } from '../request-budget.ts';
import type { Services } from '../services.ts';
import { DOCUMENTATION_PATH, documentationPage } from './documentation-page.ts';
import { openApiDocument } from './openapi-document.ts';

/** Mounts what stands outside `/v1`: health of the service, and the document of its API with a page that shows it. No authentication. */
export function mountServiceRoutes(app: Hono<AppEnvironment>, services: Services): void {
  app.get('/health/live', (c) => c.json({ status: 'ok' }));
  app.get('/health/ready', async (c) => {
    const details = await startBudget(c.req.raw.signal, services).run((signal) =>
      services.checkReadiness(c.var.meter, signal),
    );
    return c.json({ status: 'ok', ...(services.diagnostics ? details : {}) });
  });
  app.get('/openapi.json', (c) => c.json(openApiDocument()));
  app.get(DOCUMENTATION_PATH, documentationPage);
}
