import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createRulesLlm } from '../../lib/models/rules/rules-llm.ts';
import type { ThreadApi } from '../../lib/schemas/agent-memory-api.ts';
import { type ApiFixture, startApi } from './api-fixture.ts';

/** An expiry that was over before the record was written. */
const EXPIRED = {
  timestamp: '2020-01-01T00:00:00.000Z',
  ttlDays: 1,
  ttlAnchor: 'timestamp',
} as const;
const SECRET = 'zanzibar';

describe.each(['vector', 'keyword', 'hybrid'])(
  'expired records with %s search (contract §11)',
  (strategy) => {
    let api: ApiFixture;
    let thread: ThreadApi;
    let expiredMessage = '';

    beforeAll(async () => {
      api = await startApi({ variables: { SEARCH_STRATEGY: strategy } });
      thread = await api.client.createThread({ threadId: 'thread', userId: 'ana', agentId: 'guide' });
      const { ids } = await thread.addMessages(
        [
          { role: 'user', content: `${SECRET} message`, timestamp: EXPIRED.timestamp },
          { role: 'user', content: 'visible message' },
        ],
        { ttlDays: [EXPIRED.ttlDays, null], ttlAnchor: ['timestamp', 'created_at'] },
      );
      [expiredMessage = ''] = ids;
      await thread.addMemory(`${SECRET} preference`, {
        memoryId: 'expired',
        memoryType: 'preference',
        ...EXPIRED,
      });
      await thread.addMemory(`${SECRET} fact`, { memoryId: 'moved', memoryType: 'fact' });
      await thread.addMemory('visible memory', { memoryId: 'visible' });
      await api.client.updateMemory('moved', EXPIRED);
    });
    afterAll(() => api?.close());

    it('are in no search', async () => {
      const query = `${SECRET} visible message memory preference fact`;
      const found = [
        await api.client.search(query, { userId: 'ana' }),
        await api.client.search(query, { userId: 'ana', recordTypes: ['preference', 'fact', 'message'] }),
        await thread.search(query),
      ];
      expect(found.map((results) => results.map(({ content }) => content).sort())).toEqual([
        ['visible memory', 'visible message'],
        ['visible message'],
        ['visible memory', 'visible message'],
      ]);
    });

    it('are in no list and cannot be read', async () => {
      expect((await api.client.listMemories()).items.map(({ id }) => id)).toEqual(['visible']);
      const typed = await api.client.listMemories({ threadId: 'thread', memoryType: 'preference' });
      expect(typed.items).toEqual([]);
      for (const id of ['expired', 'moved']) {
        await expect(api.client.getMemory(id)).rejects.toMatchObject({ code: 'not_found' });
      }
      const messages = await thread.getMessages();
      expect(messages.map(({ content }) => content)).toEqual(['visible message']);
      expect(await thread.getMessages({ start: 0, end: -1 })).toHaveLength(1);
    });

    it('are in no card and no summary', async () => {
      const card = await thread.getContextCard();
      const summary = await thread.getSummary();
      expect(card.content).toContain('visible');
      expect(summary.content).toContain('visible message');
      expect(`${card.content}${JSON.stringify(card)}${summary.content}`).not.toContain(SECRET);
    });

    it('cannot be updated or given another lifetime', async () => {
      const refusals = [
        api.client.updateMemory('expired', { ttlDays: null }),
        api.client.updateMemory('moved', { content: 'back' }),
        thread.updateMemory('expired', { ttlDays: 9 }),
        thread.updateMessage(expiredMessage, { ttlDays: null }),
        thread.updateMessage(expiredMessage, { content: 'back' }),
      ];
      for (const refusal of refusals) await expect(refusal).rejects.toMatchObject({ code: 'not_found' });
    });

    it('keep their ids until they are purged', async () => {
      await expect(api.client.addMemory('again', { memoryId: 'expired' })).rejects.toMatchObject({
        code: 'conflict',
      });
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
