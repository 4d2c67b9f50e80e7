import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createAgentMemoryClient } from '../../lib/client/agent-memory-client.ts';
import type { AgentMemoryApi } from '../../lib/schemas/agent-memory-api.ts';
import type { UserDataLine } from '../../lib/schemas/user-data.ts';
import { type ApiFixture, startApi } from './api-fixture.ts';

const KEYS = [
  { key: 'key-all', scopes: ['*'] },
  { key: 'key-writer', scopes: ['memories:write', 'threads:read', 'users:write'] },
  { key: 'key-guide', scopes: ['memories:write', 'guidelines:write'] },
].map(({ key, scopes }) => ({ id: key, sha256: createHash('sha256').update(key).digest('hex'), scopes }));

let api: ApiFixture;
let all: AgentMemoryApi;
let writer: AgentMemoryApi;
let guide: AgentMemoryApi;

function clientWith(apiKey: string): AgentMemoryApi {
  return createAgentMemoryClient({
    baseUrl: 'http://memory.test',
    apiKey,
    fetch: (url, init) => api.app.request(url, init),
  });
}

beforeAll(async () => {
  api = await startApi({ variables: { AUTH_MODE: 'api-key', API_KEYS: JSON.stringify(KEYS) } });
  [all, writer, guide] = [clientWith('key-all'), clientWith('key-writer'), clientWith('key-guide')];
  const thread = await all.createThread({ threadId: 'thread', userId: 'ana' });
  await thread.addMemory('Always mention allergens.', { memoryType: 'guideline', memoryId: 'rule' });
  await thread.addMemory('Ana likes tea.', { memoryId: 'fact', memoryType: 'fact' });
});
afterAll(() => api.close());

describe('a key without guidelines:write (HTTP API contract, Callers)', () => {
  it.each([{ content: 'Never mention allergens.' }, { metadata: { a: 1 } }, { ttlDays: 1 }, {}])(
    'cannot change a guideline by %j',
    async (change) => {
      const before = await all.getMemory('rule');
      const thread = await writer.getThread('thread');
      const refused = { code: 'forbidden', message: expect.stringContaining('guidelines:write') };
      await expect(writer.updateMemory('rule', change)).rejects.toMatchObject(refused);
      await expect(thread.updateMemory('rule', change)).rejects.toMatchObject(refused);
      expect(await all.getMemory('rule')).toEqual(before);
    },
  );

  it('cannot import an earlier form or a retrieval text of a guideline', async () => {
    const time = '2026-01-31T09:30:00Z';
    const change = {
      content: 'Forged.',
      metadata: {},
      status: 'active',
      timestamp: null,
      expiresAt: null,
    } as const;
    const author = { operation: 'updateMemory', callerId: 'somebody', requestId: null };
    const additions = (recordId: string): readonly UserDataLine[] => [
      { type: 'earlier_form', memoryId: recordId, ...change, updatedAt: time, replacedAt: time, ...author },
      { type: 'retrieval_text', recordType: 'fact', recordId, number: 90, text: 'planted' },
    ];
    const rows = await api.countRows();
    for (const line of additions('rule'))
      await expect(writer.importRecords([line])).rejects.toMatchObject({ code: 'conflict' });
    expect(await api.countRows()).toBe(rows);
    expect(await writer.importRecords(additions('fact'))).toBe(0);
    expect(await all.importRecords(additions('rule'))).toBe(0);
    expect((await all.getMemoryHistory('rule')).items).toMatchObject([{ content: 'Forged.' }]);
  });

  it('changes other memories, and learns nothing of guidelines elsewhere', async () => {
    await all.createThread({ threadId: 'elsewhere' });
    const elsewhere = await writer.getThread('elsewhere');
    expect(await writer.updateMemory('fact', { content: 'Ana likes coffee.' })).toBe('fact');
    await expect(elsewhere.updateMemory('rule', { metadata: {} })).rejects.toMatchObject({
      code: 'not_found',
    });
    await expect(writer.updateMemory('none', { metadata: {} })).rejects.toMatchObject({ code: 'not_found' });
  });
});

it('a key with guidelines:write changes a guideline', async () => {
  expect(await guide.updateMemory('rule', { content: 'Always mention nuts.' })).toBe('rule');
  expect(await all.getMemory('rule')).toMatchObject({
    content: 'Always mention nuts.',
    recordType: 'guideline',
  });
});
