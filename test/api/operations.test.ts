import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createAgentMemoryClient } from '../../lib/client/agent-memory-client.ts';
import { ALL_CONTRACTS } from '../../lib/schemas/operations/all-contracts.ts';
import { takeItems } from '../../lib/schemas/page.ts';
import { type ApiFixture, startApi } from './api-fixture.ts';

let api: ApiFixture;
const called = new Set<string>();
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.close());

/** The operation that a request is for, by its method and the shape of its path. */
function operationOf(method: string, url: string): string | undefined {
  const path = new URL(url).pathname.replace(/^\/v1/, '');
  return ALL_CONTRACTS.find((contract) => {
    const pattern = new RegExp(`^${contract.path.replaceAll(/\{\w+\}/g, '[^/]+')}$`);
    return contract.method.toUpperCase() === method && pattern.test(path);
  })?.id;
}

function recordingClient() {
  return createAgentMemoryClient({
    baseUrl: 'http://memory.test',
    fetch: (url, init) => {
      called.add(operationOf(init.method ?? 'GET', url) ?? `unknown: ${init.method} ${url}`);
      return api.app.request(url, init);
    },
  });
}

describe('every operation', () => {
  it('answers through the client', async () => {
    const memory = recordingClient();
    expect(await memory.addUser('ana', 'Ana lives in Lisbon.', { tier: 'gold' })).toBe('ana');
    expect(await memory.addAgent('guide', 'Plans journeys.')).toBe('guide');
    expect(await memory.getUser('ana')).toMatchObject({
      recordType: 'user_profile',
      metadata: { tier: 'gold' },
    });
    expect(await memory.getAgent('guide')).toMatchObject({
      recordType: 'agent_profile',
      content: 'Plans journeys.',
    });

    const thread = await memory.createThread({
      threadId: 'journey',
      userId: 'ana',
      agentId: 'guide',
      metadata: { n: 1 },
    });
    expect(thread).toMatchObject({ threadId: 'journey', userId: 'ana', metadata: { n: 1 } });
    const { ids, extraction } = await thread.addMessages([
      { role: 'user', content: 'I would like a window seat on the train to Porto.' },
      { role: 'assistant', content: 'Noted: a window seat.', metadata: { sure: true } },
    ]);
    expect([ids.length, extraction.status]).toEqual([2, 'none']);
    expect((await thread.getMessages()).map(({ id }) => id)).toEqual(ids);

    const [first = '', second = ''] = ids;
    expect(await thread.updateMessage(first, { content: 'A window seat, please.' })).toMatchObject({
      id: first,
    });
    expect(await thread.deleteMessage(second)).toBe(1);
    expect(await thread.getMessages()).toMatchObject([{ id: first, content: 'A window seat, please.' }]);
    expect(await memory.updateThread('journey', { metadata: { n: 2 } })).toMatchObject({
      metadata: { n: 2 },
    });
    expect((await memory.listThreads({ userId: 'ana' })).items).toMatchObject([{ threadId: 'journey' }]);

    const memoryId = await thread.addMemory('Ana prefers window seats.', { memoryType: 'preference' });
    expect(await memory.getMemory(memoryId)).toMatchObject({ threadId: 'journey', recordType: 'preference' });
    const unscoped = await memory.addMemory('Trains to Porto leave at noon.');
    expect(await memory.getMemory(unscoped)).toMatchObject({ userId: null, threadId: null });

    const found = await memory.search('window seats', { userId: 'ana', recordTypes: ['preference'] });
    expect(found.map(({ id }) => id)).toEqual([memoryId]);
    expect((await thread.search('window seats')).map(({ id }) => id)).toContain(memoryId);
    expect((await thread.getContextCard()).content).toContain('window seats');
    expect((await thread.getSummary()).content.length).toBeGreaterThan(0);

    expect(await memory.updateMemory(unscoped, { metadata: { line: 'north' } })).toBe(unscoped);
    expect(await thread.updateMemory(memoryId, { content: 'Ana prefers aisle seats.' })).toBe(memoryId);
    const listed = await memory.listMemories({ userId: 'ana', memoryType: 'preference' });
    expect(listed.items.map(({ content }) => content)).toEqual(['Ana prefers aisle seats.']);
    expect(await memory.updateUser('ana', { information: 'Ana lives in Porto.' })).toBe('ana');
    expect(await memory.updateAgent('guide', { metadata: { tier: 'gold' } })).toBe('guide');
    expect((await memory.listUsers()).items.map(({ id }) => id)).toEqual(['ana']);
    expect((await memory.listAgents()).items.map(({ id }) => id)).toEqual(['guide']);

    const { records } = memory;
    const [window = ''] = await records.add({ recordType: 'fact', contents: ['Windows open.'] });
    const [hello = ''] = await records.addBatches([
      { recordType: 'message', contents: ['Hello.'], roles: 'user', threadIds: 'journey' },
    ]);
    expect(await records.get('message', hello)).toMatchObject({ role: 'user', threadId: 'journey' });
    expect((await records.search({ query: 'Windows open.', k: 1 })).map(({ id }) => id)).toEqual([window]);
    expect(await records.update('fact', window, { indexText: null })).toBe(1);
    expect((await records.list({ recordType: 'fact' })).items.map(({ id }) => id)).toEqual([window]);
    expect(await records.delete('fact', window)).toBe(1);
    expect(await thread.getExtraction()).toMatchObject({ succeeded: 0, jobs: [] });
    expect(await thread.waitForExtraction()).toEqual({ succeeded: 0, failed: 0 });
    expect(await memory.listJobs({ threadId: 'journey' })).toEqual({ items: [], nextCursor: null });
    await expect(memory.getJob('no-such-job')).rejects.toMatchObject({ code: 'not_found' });
    await expect(memory.retryJob('no-such-job')).rejects.toMatchObject({ code: 'not_found' });
    await expect(memory.cancelJob('no-such-job')).rejects.toMatchObject({ code: 'not_found' });

    expect((await memory.getMemoryHistory(memoryId)).items).toMatchObject([
      { content: 'Ana prefers window seats.', callerId: 'anonymous' },
    ]);
    expect((await memory.listAudit({ userId: 'ana' })).items.length).toBeGreaterThan(5);
    const lines = await takeItems(memory.exportUser('ana'), 1_000);
    expect(lines.map(({ type }) => type)).toContain('earlier_form');
    await expect(memory.importRecords(lines)).rejects.toMatchObject({ code: 'conflict' });

    expect(await thread.deleteMemory(unscoped)).toBe(0);
    expect(await memory.deleteMemory(memoryId)).toBe(1);
    await expect(memory.getMemory(memoryId)).rejects.toMatchObject({ code: 'not_found' });
    expect((await memory.getThread('journey')).createdAt).toBe(thread.createdAt);
    expect(await memory.deleteThread('journey')).toBe(1);
    await expect(memory.getThread('journey')).rejects.toMatchObject({ code: 'not_found' });
    await expect(memory.addUser('ana', 'again')).rejects.toMatchObject({ code: 'conflict' });
    expect(await memory.deleteUser('ana', { cascade: true })).toBe(1);
    expect(await memory.deleteAgent('guide')).toBe(1);
  });

  it('was called', () => {
    expect([...called].sort()).toEqual(ALL_CONTRACTS.map(({ id }) => id).sort());
  });
});
