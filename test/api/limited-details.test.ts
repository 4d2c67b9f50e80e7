import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AgentMemoryApi } from '../../lib/schemas/agent-memory-api.ts';
import { type CountingTransport, withCounting } from '../../lib/sql/counting-transport.ts';
import { createScriptedLlm } from '../../lib/testing/scripted-llm.ts';
import { type ApiFixture, startApi } from './api-fixture.ts';
import { clientOf, startLimitedApi } from './limited-callers.ts';
import { post } from './repeated-request.ts';

describe('a running summary of messages that a caller may not see', () => {
  const prompts: string[] = [];
  const llm = createScriptedLlm((call) => {
    if (call.purpose === 'context_card') prompts.push(JSON.stringify(call.messages));
    if (call.purpose === 'memory_extraction') return { memories: [] };
    return { summary: call.purpose === 'context_summary' ? 'Bob told a secret.' : 'A card.', topics: [] };
  });
  let api: ApiFixture;
  let all: AgentMemoryApi;
  let ana: AgentMemoryApi;
  beforeAll(async () => {
    api = await startLimitedApi({
      llm,
      variables: { MEMORY_EXTRACTION: '{"contextSummaryUpdateFrequency":1}' },
    });
    [all, ana] = [clientOf(api, 'key-all'), clientOf(api, 'key-ana')];
  });
  afterAll(() => api.close());

  async function promptOf(memory: AgentMemoryApi, threadId: string): Promise<string> {
    await (await memory.getThread(threadId)).getContextCard();
    return prompts.at(-1) ?? '';
  }

  async function startThread(threadId: string) {
    const thread = await all.createThread({ threadId, userId: 'ana' });
    const userIds = ['ana', 'bob'];
    const ids = await all.records.add({
      recordType: 'message',
      contents: ['Ana greets.', 'The secret of Bob.'],
      roles: 'user',
      threadIds: threadId,
      userIds,
    });
    await thread.addMessages([{ role: 'user', content: 'Ana asks.' }]);
    return { thread, foreign: ids[1] ?? '' };
  }

  it('is neither shown nor sent to a model; others read it', async () => {
    await startThread('mixed');
    expect(await promptOf(all, 'mixed')).toContain('Bob told a secret.');
    const prompt = await promptOf(ana, 'mixed');
    expect(prompt).toContain('Ana asks.');
    expect(prompt).not.toMatch(/secret/);
  });

  it('is not exported; others export it', async () => {
    await startThread('exported');
    const summariesOf = async (memory: AgentMemoryApi) => {
      const summaries = [];
      for await (const line of memory.exportUser('ana'))
        if (line.type === 'thread' && line.threadId === 'exported')
          summaries.push([line.runningSummary, line.summarizedSequence]);
      return summaries;
    };
    expect(await summariesOf(all)).toEqual([['Bob told a secret.', expect.any(Number)]]);
    expect(await summariesOf(ana)).toEqual([[null, 0]]);
  });

  it('is shown when there are no such messages', async () => {
    const thread = await ana.createThread({ threadId: 'own' });
    await thread.addMessages([{ role: 'user', content: 'Ana asks.' }]);
    expect(await promptOf(ana, 'own')).toContain('Bob told a secret.');
  });

  it('is not replaced by a card that is made without them, and not made stale by a refused deletion', async () => {
    const { thread, foreign } = await startThread('stale');
    expect(await (await ana.getThread('stale')).deleteMessage(foreign)).toBe(0);
    expect(await promptOf(all, 'stale')).toContain('Bob told a secret.');
    await thread.deleteMessage((await thread.getMessages())[0]?.id ?? '');
    await promptOf(ana, 'stale');
    expect(await promptOf(all, 'stale')).not.toContain('Bob told a secret.');
    expect(await promptOf(all, 'stale')).toContain('A card.');
  });
});

it('a pass compares with what is known of the user of its thread, whoever sent the messages', async () => {
  const prompts: string[] = [];
  const llm = createScriptedLlm((call) => {
    prompts.push(JSON.stringify(call.messages));
    return { memories: [] };
  });
  const api = await startLimitedApi({ llm });
  const all = clientOf(api, 'key-all');
  const owners = { userId: 'ana', agentId: 'guide' };
  await all.createThread({ threadId: 'ana/guide', ...owners });
  await all.addMemory('Ana has a rose garden.', { ...owners, threadId: 'elsewhere' });
  const thread = await clientOf(api, 'key-thread').getThread('ana/guide');
  expect(await thread.search('rose garden')).toEqual([]);
  const { ids } = await thread.addMessages([{ role: 'user', content: 'My garden grows.' }]);
  await thread.updateMessage(ids[0] ?? '', { content: 'My rose garden grows.' });
  await api.close();
  expect(prompts).toHaveLength(2);
  for (const prompt of prompts) expect(prompt).toContain('Ana has a rose garden.');
});

describe('keys of repeatable requests', () => {
  let api: ApiFixture;
  const entry = (key: string, limits: object) => ({
    id: 'one',
    sha256: createHash('sha256').update(key).digest('hex'),
    scopes: ['*'],
    ...limits,
  });
  const KEYS = [
    entry('wide', {}),
    entry('wide-next', {}),
    entry('narrow', { users: ['ana', 'bob'] }),
    entry('narrow-next', { users: ['bob', 'ana'] }),
    entry('other', { users: ['ana'] }),
  ];
  beforeAll(async () => {
    api = await startApi({ variables: { AUTH_MODE: 'api-key', API_KEYS: JSON.stringify(KEYS) } });
  });
  afterAll(() => api.close());

  it('are those of one caller while a key is replaced, and of nobody who reaches more or less', async () => {
    const add = (key: string) =>
      post(api.app, '/memories', { content: 'a', userId: 'ana' }, 'shared', {
        Authorization: `Bearer ${key}`,
      });
    const answers = new Map<string, readonly [string, string | null]>();
    for (const key of ['wide', 'wide-next', 'narrow', 'narrow-next', 'other']) {
      const { text, replayed } = await add(key);
      answers.set(key, [text, replayed]);
    }
    expect([...answers.values()].map(([, replayed]) => replayed)).toEqual([null, 'true', null, 'true', null]);
    expect(new Set([...answers.values()].map(([text]) => text)).size).toBe(3);
  });
});

describe('limits', () => {
  it('cost no round trip', async () => {
    let counting: CountingTransport | undefined;
    const api = await startLimitedApi({
      wrapTransport: (transport) => {
        counting = withCounting(transport);
        return counting;
      },
    });
    const [all, ana] = [clientOf(api, 'key-all'), clientOf(api, 'key-ana')];
    await all.addUser('ana', 'Ana.');
    const costOf = async (call: () => Promise<unknown>): Promise<number> => {
      const before = counting?.roundTrips ?? 0;
      await call();
      return (counting?.roundTrips ?? 0) - before;
    };
    const costs = async (memory: AgentMemoryApi, name: string): Promise<readonly number[]> => {
      const thread = await memory.createThread({ threadId: name, userId: 'ana' });
      const id = await thread.addMemory('Ana rows.', { memoryId: name });
      const calls: readonly (() => Promise<unknown>)[] = [
        () => memory.createThread({ threadId: `${name}-2`, userId: 'ana' }),
        () => memory.getThread(name),
        () => memory.listThreads(),
        () => memory.updateThread(name, { metadata: {} }),
        () => thread.addMessages([{ id: name, role: 'user', content: 'a' }]),
        () => thread.updateMessage(name, { content: 'b' }),
        () => thread.getMessages(),
        () => thread.search('a'),
        () => thread.getContextCard(),
        () => thread.getSummary(),
        () => thread.getExtraction(),
        () => thread.waitForExtraction(),
        () => memory.addMemory('a', { userId: 'ana' }),
        () => memory.getMemory(id),
        () => memory.listMemories(),
        () => memory.updateMemory(id, { metadata: {} }),
        () => memory.search('a', { userId: 'ana' }),
        () => memory.getUser('ana'),
        () => memory.listUsers(),
        () => memory.updateUser('ana', { metadata: {} }),
        () => memory.deleteUser('ana', { cascade: true, dryRun: true }),
        () => memory.records.list({ recordType: 'fact' }),
        () => memory.records.search({ query: 'a', k: 1 }),
        () => memory.listJobs(),
        () => thread.deleteMessage(name),
        () => memory.deleteMemory(id),
        () => memory.deleteThread(name),
      ];
      const found: number[] = [];
      for (const call of calls) found.push(await costOf(call));
      return found;
    };
    expect(await costs(ana, 'limited')).toEqual(await costs(all, 'free'));
    await api.close();
  });
});
