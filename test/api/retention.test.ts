import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ApiFixture, jsonRequest, startApi } from './api-fixture.ts';

let api: ApiFixture;
beforeAll(async () => {
  api = await startApi({ variables: { DEFAULT_TTL_DAYS: '7', MAX_TTL_DAYS: '30' } });
  await api.client.createThread({ threadId: 'thread-1', userId: 'ana', agentId: 'guide' });
});
afterAll(() => api.close());

const CLAMPED = [{ code: 'ttl_clamped', message: expect.stringContaining('30') }];
const message = { role: 'user', content: 'I am allergic to peanuts.' };

describe('a store with a longest time to live (contract §11)', () => {
  it('warns of days that it cut, once an answer', async () => {
    const thread = await api.client.getThread('thread-1');
    const cut = await thread.addMessages([message, message], { ttlDays: [31, 36_500] });
    expect(cut.warnings).toEqual(CLAMPED);
    const [id = ''] = cut.ids;
    expect((await thread.updateMessage(id, { ttlDays: 31 })).warnings).toEqual(CLAMPED);
    expect((await thread.updateMessage(id, { content: 'new', ttlDays: 31 })).warnings).toEqual(CLAMPED);
  });

  it('says nothing where it cut nothing', async () => {
    for (const ttlDays of [30, 1, null]) {
      const body = { messages: [message], ttlDays };
      const response = await api.app.request('/v1/threads/thread-1/messages', jsonRequest('POST', body));
      expect(response.status).toBe(201);
      expect(await response.json()).not.toHaveProperty('warnings');
    }
  });

  it('warns of days that it cut of a memory, added or changed', async () => {
    const body = { content: 'Ana cooks.', memoryId: 'cut', ttlDays: 31 };
    const added = await api.app.request('/v1/memories', jsonRequest('POST', body));
    expect(await added.json()).toEqual({ id: 'cut', warnings: CLAMPED });
    const changed = await api.app.request('/v1/memories/cut', jsonRequest('PATCH', { ttlDays: 90 }));
    expect(await changed.json()).toEqual({ id: 'cut', warnings: CLAMPED });
    const kept = await api.app.request('/v1/memories/cut', jsonRequest('PATCH', { ttlDays: 30 }));
    expect(await kept.json()).toEqual({ id: 'cut' });
  });

  it.each([
    ['POST', '/v1/threads/thread-1/memories', { content: 'Ana cooks.', ttlDays: 31 }],
    ['POST', '/v1/records', { recordType: 'fact', contents: ['a', 'b'], ttlDays: [1, 31] }],
    ['POST', '/v1/records/batches', { batches: [{ recordType: 'fact', contents: ['a'], ttlDays: 31 }] }],
    ['PATCH', '/v1/records/fact/of-the-store', { ttlDays: 31 }],
  ])('warns of days that it cut of a record: %s %s', async (method, path, body) => {
    if (method === 'PATCH')
      await api.client.records.add({ recordType: 'fact', contents: ['a'], recordIds: 'of-the-store' });
    const cut = await api.app.request(path, jsonRequest(method, body));
    expect(await cut.json()).toMatchObject({ warnings: CLAMPED });
    const kept = await api.app.request(
      path,
      jsonRequest(method, JSON.parse(JSON.stringify(body).replace('31', '30'))),
    );
    expect(await kept.json()).not.toHaveProperty('warnings');
  });

  it.each([
    [{ ttlDays: 90 }, 30],
    [{ ttlDays: null }, 30],
    [{ ttlAnchor: 'created_at' }, 7],
    [{ ttlDays: 3 }, 3],
    [{ content: 'Ana bakes.' }, 20],
  ] as const)('counts the days of a changed memory: %j', async (change, days) => {
    const id = await api.client.addMemory('Ana cooks.', { ttlDays: 20 });
    await api.client.updateMemory(id, change);
    const memory = await api.client.getMemory(id);
    expect(Date.parse(memory.expiresAt ?? '') - Date.parse(memory.createdAt)).toBe(days * 86_400_000);
  });

  it('lets memories expire by its default, and profiles never', async () => {
    await api.client.addUser('ana', 'Ana cooks.');
    await api.client.addAgent('guide', 'Plans meals.');
    await api.client.updateUser('ana', { information: 'Ana bakes.' });
    expect((await api.client.getUser('ana')).expiresAt).toBeNull();
    expect((await api.client.getAgent('guide')).expiresAt).toBeNull();
    const memory = await api.client.getMemory(await api.client.addMemory('Ana cooks.'));
    expect(Date.parse(memory.expiresAt ?? '') - Date.parse(memory.createdAt)).toBe(7 * 86_400_000);
  });
});
