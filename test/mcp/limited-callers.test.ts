import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, expect, it } from 'vitest';
import * as z from 'zod';
import type { ApiFixture } from '../api/api-fixture.ts';
import { clientOf, fillLimitedStage, isInside, LIMITED, startLimitedApi } from '../api/limited-callers.ts';

let api: ApiFixture;
beforeAll(async () => {
  api = await startLimitedApi();
  await fillLimitedStage(clientOf(api, 'key-all'));
}, 60_000);
afterAll(() => api.close());

const answers = z.looseObject({
  isError: z.boolean().optional(),
  structuredContent: z.looseObject({
    code: z.string().optional(),
    items: z
      .array(
        z.object({
          userId: z.string().nullable(),
          agentId: z.string().nullable(),
          threadId: z.string().nullable(),
        }),
      )
      .optional(),
    userId: z.string().optional(),
  }),
});

async function callAs(key: string, name: string, given: Record<string, unknown>) {
  const client = new Client({ name: 'test', version: '1' });
  const transport = new StreamableHTTPClientTransport(new URL('http://memory.test/mcp'), {
    fetch: async (url, init) => api.app.request(url.toString(), init),
    requestInit: { headers: { Authorization: `Bearer ${key}` } },
  });
  await client.connect(transport);
  return answers.parse(await client.callTool({ name, arguments: given })).structuredContent;
}

it.each(Object.entries(LIMITED))('tools show %s its own memories only', async (key, limits) => {
  const { items = [] } = await callAs(key, 'list_memories', { limit: 1_000 });
  expect(items.filter((item) => !isInside(item, limits))).toEqual([]);
  const all = await callAs('key-all', 'list_memories', { limit: 1_000 });
  expect(items).toHaveLength((all.items ?? []).filter((item) => isInside(item, limits)).length);
});

it('tools refuse what a caller names outside its limits, and create threads inside', async () => {
  expect(await callAs('key-ana', 'search', { query: 'a', userId: 'bob' })).toMatchObject({
    code: 'forbidden',
  });
  expect(await callAs('key-ana', 'add_memory', { content: 'a' })).toMatchObject({ code: 'forbidden' });
  expect(await callAs('key-ana', 'get_context_card', { threadId: 'bob/guide' })).toMatchObject({
    code: 'not_found',
  });
  expect(await callAs('key-ana', 'create_thread', {})).toMatchObject({ userId: 'ana' });
});
