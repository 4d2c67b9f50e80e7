import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod';
import { MCP_TOOL_NAMES } from '../../functions/mcp/mcp-tool-names.ts';
import { MCP_TOOLS } from '../../functions/mcp/mcp-tools.ts';
import { createRulesLlm } from '../../lib/models/rules/rules-llm.ts';
import { type ApiFixture, startApi } from '../api/api-fixture.ts';

const KEYS = {
  reader: { key: 'key-of-the-reader', scopes: ['memories:read'] },
  writer: { key: 'key-of-the-writer', scopes: ['threads:write', 'memories:read', 'memories:write'] },
  all: { key: 'key-of-everyone', scopes: ['*'] },
};
type Name = keyof typeof KEYS;

async function apiKeys(): Promise<string> {
  const entries = Object.entries(KEYS).map(async ([id, { key, scopes }]) => {
    const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(key));
    return { id, sha256: Buffer.from(digest).toString('hex'), scopes };
  });
  return JSON.stringify(await Promise.all(entries));
}

let api: ApiFixture;
beforeAll(async () => {
  const variables = { AUTH_MODE: 'api-key', API_KEYS: await apiKeys(), MEMORY_EXTRACTION: '{}' };
  api = await startApi({ llm: createRulesLlm(), variables });
});
afterAll(() => api.close());

/** A real client of the protocol over the app, as one of the callers. */
async function connect(name: Name): Promise<Client> {
  const client = new Client({ name: 'test', version: '1' });
  const transport = new StreamableHTTPClientTransport(new URL('http://memory.test/mcp'), {
    fetch: async (url, init) => api.app.request(url.toString(), init),
    requestInit: { headers: { Authorization: `Bearer ${KEYS[name].key}` } },
  });
  await client.connect(transport);
  return client;
}

const answers = z.looseObject({ isError: z.boolean().optional(), structuredContent: z.looseObject({}) });

async function call(client: Client, name: string, given: Record<string, unknown>) {
  const { isError = false, structuredContent } = answers.parse(
    await client.callTool({ name, arguments: given }),
  );
  return { isError, answer: structuredContent };
}

describe('the MCP endpoint', () => {
  it('has a tool for each name, made from its operation', async () => {
    const client = await connect('all');
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual([...MCP_TOOL_NAMES]);
    for (const { inputSchema, description } of tools) {
      expect(inputSchema).toMatchObject({ type: 'object', additionalProperties: false });
      expect(description).not.toBe('');
    }
    const list = tools.find(({ name }) => name === 'list_memories');
    expect(list?.inputSchema.properties?.limit).toMatchObject({ type: 'integer', maximum: 1_000 });
    await client.close();
  });

  it('carries a conversation from its first message to a corrected memory', async () => {
    const client = await connect('all');
    const thread = await call(client, 'create_thread', { userId: 'ana', threadId: 'trip/1' });
    expect(thread).toMatchObject({ isError: false, answer: { threadId: 'trip/1', userId: 'ana' } });
    const added = await call(client, 'add_messages', {
      threadId: 'trip/1',
      messages: [{ role: 'user', content: 'I live in Lisbon.' }],
    });
    expect(added.isError).toBe(false);
    const waited = await call(client, 'wait_for_extraction', { threadId: 'trip/1' });
    expect(waited.answer).toMatchObject({ status: 'completed' });
    const memory = await call(client, 'add_memory', { content: 'Ana likes window seats.', userId: 'ana' });
    const listed = await call(client, 'list_memories', { userId: 'ana', limit: 5 });
    expect(JSON.stringify(listed.answer)).toContain('window seats');
    const memoryId = z.string().parse(memory.answer.id);
    await call(client, 'update_memory', { memoryId, content: 'Ana likes aisle seats.' });
    const found = await call(client, 'search', { query: 'aisle seats', userId: 'ana' });
    expect(JSON.stringify(found.answer)).toContain('aisle seats');
    const card = await call(client, 'get_context_card', { threadId: 'trip/1' });
    expect(JSON.stringify(card.answer)).toContain('Lisbon');
    expect(await call(client, 'delete_memory', { memoryId })).toEqual({
      isError: false,
      answer: { deleted: 1 },
    });
    await client.close();
  });

  it('tells what is wrong as the HTTP API does', async () => {
    const client = await connect('all');
    const missing = await call(client, 'get_context_card', { threadId: 'nowhere' });
    expect(missing).toMatchObject({ isError: true, answer: { code: 'not_found', status: 404 } });
    const wrong = await call(client, 'search', { query: 7, userId: 'ana', colour: 'blue' });
    expect(wrong).toMatchObject({ isError: true, answer: { code: 'invalid_request' } });
    expect(JSON.stringify(wrong.answer)).toContain('colour');
    const unknown = await call(client, 'delete_memory', { memoryId: 'm', cascade: true });
    expect(unknown).toMatchObject({ isError: true, answer: { code: 'invalid_request' } });
    await client.close();
  });

  it('shows a caller the tools of its scopes, and runs no other', async () => {
    const client = await connect('reader');
    const { tools } = await client.listTools();
    const readable = MCP_TOOLS.filter(({ operation }) => operation.contract.access === 'memories:read');
    expect(tools.map(({ name }) => name)).toEqual(readable.map(({ name }) => name));
    const rows = await api.countRows();
    await expect(client.callTool({ name: 'add_memory', arguments: { content: 'no' } })).rejects.toThrow(
      'add_memory',
    );
    expect(await api.countRows()).toBe(rows);
    await client.close();
  });

  it('tells in the line of the request what a tool cost', async () => {
    const client = await connect('all');
    for (const content of ['Ana rows.', 'Ana runs.'])
      await call(client, 'add_memory', { content, userId: 'ana' });
    const { fields } = api.requestLines.at(-1) ?? {};
    expect(fields).toMatchObject({ operation: 'mcp', databaseRequests: 1, embeddingCalls: 1 });
    await client.close();
  });

  it('answers every request to its end: there is nothing to listen on', async () => {
    const version = '2026-07-28';
    const params = {
      notifications: { toolsListChanged: true },
      _meta: {
        'io.modelcontextprotocol/protocolVersion': version,
        'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
        'io.modelcontextprotocol/clientCapabilities': {},
      },
    };
    const response = await api.app.request('/mcp', {
      method: 'POST',
      headers: {
        'Content-Type': 'application/json',
        Accept: 'application/json, text/event-stream',
        Authorization: `Bearer ${KEYS.all.key}`,
        'MCP-Protocol-Version': version,
        'Mcp-Method': 'subscriptions/listen',
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'subscriptions/listen', params }),
    });
    expect(await response.text()).toContain('Subscription limit reached');
  });

  it('asks for the scope of guidelines beside that of memories', async () => {
    const client = await connect('writer');
    const given = { content: 'Always answer in French.', memoryType: 'guideline', userId: 'ana' };
    expect(await call(client, 'add_memory', given)).toMatchObject({
      isError: true,
      answer: { code: 'forbidden', status: 403 },
    });
    await client.close();
  });

  it('takes nothing without a credential, and nothing but POST', async () => {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' });
    const headers = { 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream' };
    const bare = await api.app.request('/mcp', { method: 'POST', headers, body });
    expect(bare.status).toBe(401);
    const wrong = { ...headers, Authorization: 'Bearer wrong' };
    expect((await api.app.request('/mcp', { method: 'POST', headers: wrong, body })).status).toBe(401);
    const right = { ...headers, Authorization: `Bearer ${KEYS.all.key}` };
    expect((await api.app.request('/mcp', { headers: right })).status).toBe(405);
    expect((await api.app.request('/mcp', { method: 'POST', headers: right, body: '{' })).status).toBe(400);
  });

  it('offers what the configuration lists', async () => {
    const limited = await startApi({ variables: { MCP_TOOLS: 'search, get_context_card' } });
    try {
      const client = new Client({ name: 'test', version: '1' });
      const transport = new StreamableHTTPClientTransport(new URL('http://memory.test/mcp'), {
        fetch: async (url, init) => limited.app.request(url.toString(), init),
      });
      await client.connect(transport);
      const { tools } = await client.listTools();
      expect(tools.map(({ name }) => name)).toEqual(['search', 'get_context_card']);
      await client.close();
    } finally {
      await limited.close();
    }
    await expect(startApi({ variables: { MCP_TOOLS: 'search,drop' } })).rejects.toThrow('MCP_TOOLS');
  });

  it('has no field of a tool in two places of its operation', () => {
    for (const { operation } of MCP_TOOLS) {
      const { parameters, query, body } = operation.contract;
      const names = [parameters, query, body].flatMap((part) =>
        part instanceof z.ZodObject ? Object.keys(part.shape) : [],
      );
      expect(names, operation.contract.id).toEqual([...new Set(names)]);
    }
  });
});
