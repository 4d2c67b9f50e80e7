import { afterAll, beforeAll, expect, it } from 'vitest';
import { listModuleStatements } from '../../infra/ords/list-module-statements.ts';
import { renderFilterFunction } from '../../infra/ords/render-module-script.ts';
import { AgentMemoryError } from '../../lib/errors/agent-memory-error.ts';
import { createSchemaNames } from '../../lib/schema/schema-names.ts';
import type { AgentMemoryApi } from '../../lib/schemas/agent-memory-api.ts';
import { compileBlock } from '../../lib/sql/block-compiler.ts';
import type { SqlTransport } from '../../lib/sql/sql-transport.ts';
import { createHashEmbedder } from '../../lib/testing/hash-embedder.ts';
import type { ApiFixture } from '../api/api-fixture.ts';
import { clientOf, fillLimitedStage, LIMITED, startLimitedApi } from '../api/limited-callers.ts';

const names = createSchemaNames();
/** Names of texts that were sent and are not in the list. */
const missing = new Set<string>();
let api: ApiFixture;

/** Runs every text over the transport, with fixed statements, and notes those that a database would not have. */
function noteMissing(transport: SqlTransport, installed: ReadonlySet<string>): SqlTransport {
  const note = (name: string, sql: string): void => {
    if (!installed.has(`${name}\n${sql}`)) missing.add(name);
  };
  return {
    ...transport,
    capabilities: { ...transport.capabilities, fixedStatements: true },
    query: (query, options) => {
      note(query.name, query.sql.trim());
      return transport.query(query, options);
    },
    executeAtomic: (list, options) => {
      note(list.name, compileBlock(list).sql);
      return transport.executeAtomic(list, options);
    },
  };
}

beforeAll(async () => {
  const dimensions = createHashEmbedder().dimensions ?? 0;
  const list = await listModuleStatements(names, dimensions);
  const installed = new Set(list.map(({ name, sql }) => `${name}\n${sql}`));
  api = await startLimitedApi({ wrapTransport: (transport) => noteMissing(transport, installed) });
  const session = api.emulator.engine.openSession();
  await session.execute(renderFilterFunction(names), []);
  await session.close();
  await fillLimitedStage(clientOf(api, 'key-all'));
}, 120_000);
afterAll(() => api?.close());

/** Uses of the API by a caller who owns a thread, a memory and a message: whatever has a text of its own. */
function usesOf(memory: AgentMemoryApi): readonly (() => Promise<unknown>)[] {
  const thread = () => memory.getThread('ana/guide');
  const owners = { userId: 'ana', agentId: 'guide' };
  const message = { id: 'of the limited', role: 'user', content: 'I like the garden.' };
  return [
    () => memory.createThread({ threadId: 'new', ...owners }),
    async () => (await thread()).addMessages([message]),
    async () => (await thread()).updateMessage('of the limited', { content: 'I like roses.', ttlDays: 9 }),
    async () => (await thread()).getMessages({ start: 0, end: 3 }),
    async () => (await thread()).addMemory('likes roses', { memoryId: 'of the limited' }),
    async () => (await thread()).search('roses', { metadataFilter: { color: 'red' } }),
    async () => (await thread()).getContextCard({ minRelevantResultsByType: { fact: 1 } }),
    async () => (await thread()).getSummary(),
    async () => (await thread()).deleteMessage('of the limited'),
    async () => (await thread()).getContextCard(),
    async () => (await thread()).getExtraction(),
    () => memory.search('garden', { ...owners }),
    () => memory.listThreads({ ...owners }),
    () => memory.listJobs({ threadId: 'ana/guide' }),
    () => memory.listMemories({ ...owners, threadId: 'ana/guide' }),
    () => memory.listUsers(),
    () => memory.records.search({ query: 'garden', k: 3 }),
    () => memory.records.list({ recordType: 'fact', metadataFilter: { color: 'red' } }),
    () => memory.records.add({ recordType: 'fact', contents: ['a'], userIds: 'ana', agentIds: 'guide' }),
    () => memory.records.update('memory', 'of the limited', { content: 'likes tulips', metadata: {} }),
    () => memory.records.delete('memory', 'of the limited'),
    () => memory.updateMemory('of the limited', { metadata: { color: 'red' } }),
    () => memory.updateThread('ana/guide', { metadata: { n: 1 } }),
    () => memory.deleteUser('ana', { cascade: true, dryRun: true }),
    () => memory.deleteThread('new'),
    () => memory.deleteThread('ana/guide'),
    () => memory.deleteUser('ana', { cascade: true }),
  ];
}

it.each(['key-ana', 'key-guide', 'key-all-three', 'key-nobody'].filter((key) => key in LIMITED))(
  'what a limited caller sends is installed: %s',
  async (key) => {
    for (const use of usesOf(clientOf(api, key))) {
      const outcome = await use().catch((error: unknown) => error);
      if (AgentMemoryError.is(outcome))
        expect(['forbidden', 'not_found', 'conflict']).toContain(outcome.code);
      else expect(outcome).not.toBeInstanceOf(Error);
    }
    expect([...missing]).toEqual([]);
  },
);
