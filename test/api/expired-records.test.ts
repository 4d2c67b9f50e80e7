import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createRulesLlm } from '../../lib/models/rules/rules-llm.ts';
import type { ThreadApi } from '../../lib/schemas/agent-memory-api.ts';
import type { AddMemoryOptions } from '../../lib/schemas/memory.ts';
import type { SearchResult } from '../../lib/schemas/search.ts';
import { type ApiFixture, startApi } from './api-fixture.ts';

/** An expiry that was over before the record was written. */
const EXPIRED = {
  timestamp: '2020-01-01T00:00:00.000Z',
  ttlDays: 1,
  ttlAnchor: 'timestamp',
} as const;
const SECRET = 'zanzibar';

/** A lifetime that is over once a day has gone by. */
const ONE_DAY = { ttlDays: 1, ttlAnchor: 'created_at' } as const;

/** Moves every expiry of the store, as if two days had gone by. */
async function twoDaysPass({ emulator }: ApiFixture): Promise<void> {
  const session = emulator.engine.openSession();
  try {
    for (const table of ['MEMORY_RECORD', 'MEMORY_CHUNK']) {
      await session.execute(`UPDATE ${table} SET expires_at = expires_at - NUMTODSINTERVAL(2, 'DAY')`, []);
    }
    await session.commit();
  } finally {
    await session.close();
  }
}

const QUERY = `${SECRET} visible message memory preference fact`;
const FACTS = ['expired fact', 'aged fact', 'moved fact'];
const PREFERENCES = ['expired preference', 'aged preference', 'moved preference'];
const MESSAGES = ['expired message', 'aged message', 'moved message'];

/** What has expired by each anchor, and by a change of its lifetime, beside what is visible. */
async function addRecords({ client }: ApiFixture): Promise<ThreadApi> {
  const thread = await client.createThread({ threadId: 'thread', userId: 'ana', agentId: 'guide' });
  await thread.addMessages(
    [
      { id: 'expired message', role: 'user', content: `${SECRET} one`, timestamp: EXPIRED.timestamp },
      { id: 'aged message', role: 'user', content: `${SECRET} two` },
      { id: 'moved message', role: 'user', content: `${SECRET} three`, timestamp: EXPIRED.timestamp },
      { id: 'message', role: 'user', content: 'visible message' },
    ],
    { ttlDays: [1, 1, null, 30], ttlAnchor: ['timestamp', 'created_at', 'created_at', 'created_at'] },
  );
  for (const memoryType of ['fact', 'preference'] as const) {
    const add = (name: string, options: AddMemoryOptions) =>
      thread.addMemory(`${SECRET} ${memoryType}`, {
        memoryId: `${name} ${memoryType}`,
        memoryType,
        ...options,
      });
    await add('expired', EXPIRED);
    await add('aged', ONE_DAY);
    await add('moved', { timestamp: EXPIRED.timestamp });
  }
  await thread.addMemory('visible memory', { memoryId: 'visible', ttlDays: 30 });
  await thread.updateMessage('moved message', { ttlDays: 1, ttlAnchor: 'timestamp' });
  await client.updateMemory('moved fact', { ttlDays: 1, ttlAnchor: 'timestamp' });
  await client.records.update('preference', 'moved preference', EXPIRED);
  return thread;
}

describe.each(['vector', 'keyword', 'hybrid'])(
  'expired records with %s search (contract §11)',
  (strategy) => {
    let api: ApiFixture;
    let thread: ThreadApi;

    beforeAll(async () => {
      api = await startApi({ variables: { SEARCH_STRATEGY: strategy } });
      thread = await addRecords(api);
      await twoDaysPass(api);
    });
    afterAll(() => api?.close());

    it.each<readonly [string, () => Promise<readonly SearchResult[]>, readonly string[]]>([
      ['of the client', () => api.client.search(QUERY, { userId: 'ana' }), ['message', 'visible']],
      [
        'of the client by types',
        () => api.client.search(QUERY, { userId: 'ana', recordTypes: ['preference', 'fact', 'message'] }),
        ['message'],
      ],
      [
        'of the client by metadata',
        () => api.client.search(QUERY, { userId: 'ana', metadataFilter: { a: { $not: 1 } } }),
        ['message', 'visible'],
      ],
      ['of the thread', () => thread.search(QUERY), ['message', 'visible']],
      ['of the thread alone', () => thread.search(QUERY, { exactThreadMatch: true }), ['message', 'visible']],
      ['of the store', () => api.client.records.search({ query: QUERY, k: 100 }), ['message', 'visible']],
      ['for a word that nothing else holds', () => thread.search(SECRET, { recordTypes: ['fact'] }), []],
    ])('are in no search %s', async (_name, search, expected) => {
      expect((await search()).map(({ id }) => id).toSorted()).toEqual(expected);
    });

    it('are in no search for a vector', async () => {
      const [vector = new Float32Array()] = await api.embedder.embed({ texts: [SECRET], purpose: 'query' });
      const search = api.client.records.search({ queryVector: [...vector], k: 100 });
      if (strategy === 'keyword') await expect(search).rejects.toMatchObject({ code: 'unsupported' });
      else expect((await search).map(({ id }) => id).toSorted()).toEqual(['message', 'visible']);
    });

    it('are in no list', async () => {
      const { client } = api;
      const idsOf = (page: { readonly items: readonly { readonly id: string }[] }) =>
        page.items.map(({ id }) => id);
      expect(idsOf(await client.listMemories())).toEqual(['visible']);
      expect(idsOf(await client.listMemories({ threadId: 'thread', memoryType: 'preference' }))).toEqual([]);
      expect(idsOf(await client.listMemories({ userId: 'ana', limit: 1 }))).toEqual(['visible']);
      expect(idsOf(await client.records.list({ recordType: 'message' }))).toEqual(['message']);
      expect(idsOf(await client.records.list({ recordType: 'memory', userId: 'ana' }))).toEqual(['visible']);
      for (const recordType of ['fact', 'preference'] as const)
        expect(await client.records.list({ recordType })).toEqual({ items: [], nextCursor: null });
      const listed = await client.records.listThreadMessages('thread');
      expect(listed.map(({ id }) => id)).toEqual(['message']);
    });

    it('are in no window of messages, and indexes count the others', async () => {
      for (const window of [{}, { start: 0 }, { start: 0, end: -1 }, { start: 0, end: 4 }, { end: 1 }]) {
        expect((await thread.getMessages(window)).map(({ id }) => id)).toEqual(['message']);
      }
      expect(await thread.getMessages({ start: 1, end: -1 })).toEqual([]);
    });

    it('cannot be read', async () => {
      const reads = [
        ...[...FACTS, ...PREFERENCES].map((id) => api.client.getMemory(id)),
        ...FACTS.map((id) => api.client.records.get('fact', id)),
        ...PREFERENCES.map((id) => api.client.records.get('preference', id)),
        ...MESSAGES.map((id) => api.client.records.get('message', id)),
      ];
      for (const read of reads) await expect(read).rejects.toMatchObject({ code: 'not_found' });
    });

    it('are in no card and no summary', async () => {
      const counts = { fallbackMessageCount: 100, maxRelevantResults: 100, maxRecentMessages: 100 };
      for (const request of [{}, counts, { minRelevantResultsByType: { fact: 3, preference: 3 } }]) {
        const card = await thread.getContextCard(request);
        expect(card.content).toContain('visible');
        expect(JSON.stringify(card)).not.toContain(SECRET);
      }
      const summary = await thread.getSummary();
      expect(summary.content).toContain('visible message');
      expect(summary.content).not.toContain(SECRET);
    });

    it('cannot be updated or given another lifetime', async () => {
      const updates = [
        ...FACTS.map((id) => () => api.client.updateMemory(id, { ttlDays: null })),
        ...PREFERENCES.map((id) => () => api.client.updateMemory(id, { content: 'back' })),
        ...FACTS.map((id) => () => thread.updateMemory(id, { ttlDays: 9 })),
        ...MESSAGES.map((id) => () => thread.updateMessage(id, { ttlDays: null })),
        ...MESSAGES.map((id) => () => thread.updateMessage(id, { content: 'back' })),
      ];
      for (const update of updates) await expect(update()).rejects.toMatchObject({ code: 'not_found' });
      const { records } = api.client;
      for (const change of [
        { content: 'back' },
        { ttlDays: null },
        { indexText: ['back'] },
        { metadata: {} },
      ]) {
        for (const id of FACTS) expect(await records.update('fact', id, change)).toBe(0);
        for (const id of MESSAGES) expect(await records.update('message', id, change)).toBe(0);
      }
      expect(await records.update('fact', 'aged fact', { embedding: null })).toBe(0);
    });

    it('keep their ids until they are deleted or purged', async () => {
      const again = (memoryId: string) => api.client.addMemory('again', { memoryId, userId: 'bob' });
      for (const id of FACTS) await expect(again(id)).rejects.toMatchObject({ code: 'conflict' });
      expect(await api.client.deleteMemory('aged fact')).toBe(1);
      expect(await api.client.deleteMemory('aged fact')).toBe(0);
      expect(await again('aged fact')).toBe('aged fact');
      expect(await thread.deleteMessage('aged message')).toBe(1);
      expect(await thread.getMessages()).toHaveLength(1);
    });
  },
);

describe('what was made of a message that expires (contract §11)', () => {
  it('keeps its own expiry; the running summary goes with the message', async () => {
    const api = await startApi({ variables: { MEMORY_EXTRACTION: '{}' }, llm: createRulesLlm() });
    try {
      const thread = await api.client.createThread({ userId: 'ana', agentId: 'guide' });
      const message = { role: 'user', content: 'I live in Lisbon.', timestamp: EXPIRED.timestamp };
      const { ids, extraction } = await thread.addMessages([message]);
      const [memoryId = ''] = extraction.memoryIds ?? [];
      const before = await api.client.getMemory(memoryId);
      await thread.updateMessage(ids[0] ?? '', { ttlDays: 1, ttlAnchor: 'timestamp' });
      expect(await thread.getMessages()).toEqual([]);
      expect(await api.client.getMemory(memoryId)).toEqual(before);
      await api.client.deleteMemory(memoryId);
      expect((await thread.getContextCard()).content).not.toContain('Lisbon');
    } finally {
      await api.close();
    }
  });
});
