import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { AgentMemoryStore } from '../../examples/langgraph/memory-store.ts';
import { type ApiFixture, startApi } from '../api/api-fixture.ts';

let api: ApiFixture;
let store: AgentMemoryStore;
let user = '';
let users = 0;
beforeAll(async () => {
  api = await startApi();
  store = new AgentMemoryStore(api.client);
});
afterAll(() => api?.close());
beforeEach(() => {
  users += 1;
  user = `ana-${users}`;
});

it('keeps an item by namespace and key, and gives back exactly what was put', async () => {
  const value = {
    title: 'Tea',
    tags: ['green', 1, null],
    nested: { $gt: true },
    text: 'Ana likes green tea.',
  };
  await store.put(['users', user, 'notes'], 'a/b', value);
  const item = await store.get(['users', user, 'notes'], 'a/b');
  expect(item).toMatchObject({ value, key: 'a/b', namespace: ['users', user, 'notes'] });
  expect(item?.createdAt).toBeInstanceOf(Date);
  expect(await store.get(['users', user, 'notes', 'a'], 'b')).toBeNull();
  expect(await store.get(['users', user], 'notes')).toBeNull();
});

it('replaces an item whole, and deletes it', async () => {
  const namespace = ['users', user, 'notes'];
  await store.put(namespace, 'k', { one: 'first' });
  await store.put(namespace, 'k', { two: 'second' });
  expect((await store.get(namespace, 'k'))?.value).toEqual({ two: 'second' });
  expect(await store.search(namespace)).toHaveLength(1);
  await store.delete(namespace, 'k');
  await store.delete(namespace, 'k');
  expect(await store.get(namespace, 'k')).toBeNull();
});

it('finds items below a namespace by meaning, the nearest with the highest score', async () => {
  await store.put(['users', user, 'food'], 'tea', { text: 'green tea in the morning' });
  await store.put(['users', user, 'food'], 'bread', { text: 'rye bread for dinner' });
  await store.put(['users', user, 'travel'], 'train', { text: 'night train to Lisbon' });
  await store.put(['users', `${user}x`, 'food'], 'tea', { text: 'green tea in the morning' });
  const found = await store.search(['users', user, 'food'], { query: 'green tea in the morning' });
  expect(found.map(({ key }) => key)).toEqual(['tea', 'bread']);
  expect(found[0]?.score).toBeGreaterThan(0.99);
  expect(found[0]?.score).toBeGreaterThan(found[1]?.score ?? 1);
  const all = await store.search(['users', user], { query: 'night train to Lisbon', limit: 1 });
  expect(all.map(({ key }) => key)).toEqual(['train']);
  const rest = await store.search(['users', user], { query: 'night train to Lisbon', offset: 1 });
  expect(rest).toHaveLength(2);
  expect((await store.search([], { query: 'green tea in the morning', limit: 1 }))[0]?.key).toBe('tea');
});

it('searches what was indexed: everything, some paths, or nothing', async () => {
  const namespace = ['users', user, 'indexed'];
  const value = { title: 'plum', chapters: [{ name: 'violin' }, { name: 'cello' }] };
  await store.put(namespace, 'path', value, ['chapters[*].name']);
  await store.put(namespace, 'none', value, false);
  const scores = async (query: string) =>
    Object.fromEntries((await store.search(namespace, { query })).map(({ key, score }) => [key, score]));
  expect((await scores('violin cello')).path).toBeGreaterThan(0.99);
  expect((await scores('plum')).path).toBeLessThan(0.5);
  expect(await scores('violin')).not.toHaveProperty('none');
  expect((await store.search(namespace)).map(({ key }) => key)).toEqual(['path', 'none']);
});

it('filters by equality, and refuses what the service cannot compare', async () => {
  const namespace = ['users', user, 'tasks'];
  await store.put(namespace, 'open', { status: 'open', size: 1 });
  await store.put(namespace, 'done', { status: 'done', size: 2 });
  const keys = async (filter: Record<string, unknown>) =>
    (await store.search(namespace, { filter })).map(({ key }) => key);
  expect(await keys({ status: 'open' })).toEqual(['open']);
  expect(await keys({ status: { $eq: 'done' }, size: 2 })).toEqual(['done']);
  expect(await keys({ status: { $ne: 'done' } })).toEqual(['open']);
  await expect(keys({ size: { $gt: 1 } })).rejects.toMatchObject({ code: 'unsupported' });
  const page = await store.search(namespace, { limit: 1, offset: 1 });
  expect(page.map(({ key }) => key)).toEqual(['done']);
});

it('lists namespaces by beginning, end and depth', async () => {
  for (const rest of [['a'], ['a', 'v1'], ['b', 'v1']])
    await store.put(['users', user, ...rest], 'k', { x: 'y' });
  const list = (options: object) => store.listNamespaces({ prefix: ['users', user], ...options });
  expect(await list({})).toEqual([
    ['users', user, 'a'],
    ['users', user, 'a', 'v1'],
    ['users', user, 'b', 'v1'],
  ]);
  expect(await list({ suffix: ['v1'], limit: 1, offset: 1 })).toEqual([['users', user, 'b', 'v1']]);
  expect(await list({ maxDepth: 2 })).toEqual([['users', user]]);
  expect(await store.listNamespaces({ prefix: ['users', '*', 'b'] })).toEqual([['users', user, 'b', 'v1']]);
});

it('lets each operation of a batch see those before it', async () => {
  const namespace = ['users', user];
  const results = await store.batch([
    { namespace, key: 'k', value: { n: 'one' } },
    { namespace, key: 'k' },
    { namespace, key: 'k', value: null },
    { namespacePrefix: namespace },
  ]);
  expect(results).toMatchObject([undefined, { value: { n: 'one' } }, undefined, []]);
});

it('makes items that belong to whom the namespace names, and go with them', async () => {
  const thread = await api.client.createThread({ userId: user, agentId: 'pia' });
  await store.put(['users', user, 'agents', 'pia', 'notes'], 'k', { text: 'likes tea' });
  await store.put(['threads', thread.threadId], 'k', { text: 'asked about tea' });
  const [item] = (await api.client.listMemories({ userId: user })).items;
  expect(item).toMatchObject({ content: 'likes tea', userId: user, agentId: 'pia', threadId: null });
  await api.client.deleteThread(thread.threadId);
  expect(await store.get(['threads', thread.threadId], 'k')).toBeNull();
  await api.client.addUser(user, 'Ana');
  await api.client.deleteUser(user, { cascade: true });
  expect(await store.search(['users', user])).toEqual([]);
});
