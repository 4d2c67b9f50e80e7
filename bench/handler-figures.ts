import { createApp } from '../functions/app.ts';
import { createJsonLogger } from '../functions/http/logger.ts';
import { ALL_OPERATIONS } from '../functions/operations.ts';
import { readConfiguration } from '../functions/runtime/configuration.ts';
import { createServices } from '../functions/runtime/services.ts';
import { loadTokenizer } from '../infra/local/models/load-tokenizer.ts';
import type { SqlTransport } from '../lib/sql/sql-transport.ts';
import { createHashEmbedder } from '../lib/testing/hash-embedder.ts';
import type { Figure } from './figure.ts';
import { percentile, time } from './statistics.ts';

const WARM_UP = 200;
const SAMPLES = 1_000;

/** A database that answers at once: nothing found, every statement of a list did what it should. */
const NOTHING: SqlTransport = {
  capabilities: { maxRows: 10_000, fixedStatements: false },
  query: async () => [],
  executeAtomic: async (list) =>
    Object.fromEntries(
      list.statements.map(({ name, expect }) => [name, typeof expect?.rows === 'number' ? expect.rows : 0]),
    ),
  executeDdl: async () => {},
  close: async () => {},
};

const REQUESTS = {
  addMessages: {
    path: '/v1/threads/bench/messages',
    body: { messages: [{ role: 'user', content: 'I prefer trains over planes.' }] },
  },
  search: { path: '/v1/search', body: { query: 'How do I like to travel?', userId: 'bench' } },
};

/** What a request costs in our own code: routing, validation, use case, SQL text and answer, without database and models. */
export async function handlerFigures(): Promise<readonly Figure[]> {
  const configuration = readConfiguration({}, 'local');
  const embedder = createHashEmbedder();
  const services = createServices({
    configuration,
    transport: NOTHING,
    embedder,
    llm: undefined,
    loadTokenizer,
    logger: createJsonLogger('error', () => {}),
    schemaState: {
      schemaVersion: 3,
      vectorDimensions: embedder.dimensions ?? 0,
      searchStrategy: 'vector',
      searchIndexSync: 'on_commit',
      retention: { defaultTtlDays: null, maxTtlDays: null },
      embedderModel: embedder.modelId,
      vectorIndex: 'none',
      jsonIndex: 'none',
    },
  });
  const app = createApp({ operations: ALL_OPERATIONS, services });
  const figures: Figure[] = [];
  for (const [name, { path, body }] of Object.entries(REQUESTS)) {
    const call = async () => {
      const headers = { 'Content-Type': 'application/json' };
      const response = await app.request(path, { method: 'POST', headers, body: JSON.stringify(body) });
      if (!response.ok) throw new Error(`${name} answered ${response.status}: ${await response.text()}`);
      await response.arrayBuffer();
    };
    await time(WARM_UP, call);
    const samples = await time(SAMPLES, call);
    figures.push({
      name: `${name}: handler overhead, p95`,
      value: percentile(samples, 0.95),
      unit: 'ms',
      bound: 5,
    });
  }
  return figures;
}
