import { afterAll, beforeAll } from 'vitest';
import { type AppServer, serveApp } from '../../infra/local/serve-app.ts';
import { createAgentMemoryClient } from '../../lib/client/agent-memory-client.ts';
import { createRulesLlm } from '../../lib/models/rules/rules-llm.ts';
import { type ApiFixture, startApi } from '../api/api-fixture.ts';
import { memoryCases } from '../conformance/memory-cases.ts';

let api: ApiFixture;
let server: AppServer;
beforeAll(async () => {
  api = await startApi({ llm: createRulesLlm(), variables: { MEMORY_EXTRACTION: '{}' } });
  server = await serveApp(api.app, '127.0.0.1', 0);
});
afterAll(async () => {
  await server?.close();
  await api?.close();
});

memoryCases('a server of Node', async () => createAgentMemoryClient({ baseUrl: server.url }));
