import { expect } from 'vitest';
import { expectError, type MemoryCase, plainThread } from './memory-stage.ts';

const ISO_UTC = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/;

export const THREAD_CASES: Readonly<Record<string, MemoryCase>> = {
  'createThread shows what it stored, and getThread shows the same (contract §3.2)': async (stage) => {
    const { memory, id } = stage;
    const created = await plainThread(stage, { metadata: { plan: 'pro', deep: { list: [1, 'b', null] } } });
    const read = await memory.getThread(id('thread'));
    for (const thread of [created, read]) {
      expect(thread).toMatchObject({
        threadId: id('thread'),
        userId: id('user'),
        agentId: id('agent'),
        metadata: { plan: 'pro', deep: { list: [1, 'b', null] } },
        contextCardTokenLimit: 100_000,
        maxMessageTokenLength: 8_000,
        messageShorteningInputTokenLimit: 30_000,
      });
      expect(thread.createdAt).toMatch(ISO_UTC);
      expect(thread.updatedAt).toMatch(ISO_UTC);
    }
    expect(read.extraction).toEqual(created.extraction);
  },

  'omitted ids become a different one each (contract §3.2, §4.1)': async ({ memory }) => {
    const { threadId, userId, agentId } = await memory.createThread({
      extraction: { extractMemories: false },
    });
    expect(new Set([threadId, userId, agentId]).size).toBe(3);
  },

  'extraction settings of the thread win over the defaults (contract §8.1)': async (stage) => {
    const thread = await plainThread(stage, {
      extraction: { extractMemories: false, memoryExtractionWindow: 4, memoryExtractionFrequency: 2 },
    });
    expect(thread.extraction).toMatchObject({
      extractMemories: false,
      memoryExtractionWindow: 4,
      memoryExtractionFrequency: 2,
      memoryExtractionTokenLimit: 32_000,
      contextSummaryUpdateFrequency: -1,
    });
  },

  'a taken thread id is a conflict (contract §3.2, D7)': async (stage) => {
    await plainThread(stage);
    await expectError(plainThread(stage), 'conflict');
  },

  'an unknown thread is not found, and deleting it is 0 (contract §3.2, D7)': async ({ memory, id }) => {
    await expectError(memory.getThread(id('nothing')), 'not_found');
    expect(await memory.deleteThread(id('nothing'))).toBe(0);
  },

  'an unknown key is refused by its name (HTTP API contract)': async ({ memory }) => {
    const request = { threadId: 'x', title: 'y' };
    await expectError(memory.createThread(request), 'invalid_request', 'title');
  },

  'an id that no URL can carry, that is empty or too long is refused': async ({ memory }) => {
    for (const threadId of ['', '.', '..', 'a\nb', 'x'.repeat(129), 'a\u0000']) {
      await expectError(memory.createThread({ threadId }), 'invalid_request', 'threadId');
    }
  },

  'ids with slashes, quotes and other scripts work': async (stage) => {
    const { memory, id } = stage;
    for (const odd of ['a/b', '日本', 'x%2Fy', "o'clock", '"q"', 'a?b#c', '🙂 é']) {
      const threadId = id(odd);
      const created = await plainThread(stage, { threadId });
      await created.addMessages([{ id: id(`${odd} message`), role: 'user', content: odd }]);
      const thread = await memory.getThread(threadId);
      expect(thread.threadId).toBe(threadId);
      expect(await thread.getMessages()).toMatchObject([{ id: id(`${odd} message`), content: odd }]);
      expect(await memory.deleteThread(threadId)).toBe(1);
    }
  },

  'deleteThread takes messages and memories of the thread with it, and nothing else (contract §3.3)': async (
    stage,
  ) => {
    const { memory, id } = stage;
    const thread = await plainThread(stage);
    const other = await plainThread(stage, { threadId: id('other') });
    await thread.addMessages([{ role: 'user', content: 'green tea' }]);
    await thread.addMemory('likes green tea', { memoryId: id('own') });
    await other.addMemory('likes green tea too', { memoryId: id('kept') });
    await memory.addMemory('green tea for all threads', { memoryId: id('free'), userId: id('user') });
    expect(await memory.deleteThread(thread.threadId)).toBe(1);
    expect(await memory.deleteThread(thread.threadId)).toBe(0);
    await expectError(thread.getMessages(), 'not_found');
    await expectError(memory.getMemory(id('own')), 'not_found');
    const found = await memory.search('green tea', { userId: id('user') });
    expect(found.map((result) => result.id).toSorted()).toEqual([id('free'), id('kept')].toSorted());
  },

  'deleteThread of an id without a thread removes the records that name it and answers 0 (contract §10.2)':
    async (stage) => {
      const { memory, id } = stage;
      const owner = { userId: id('user') };
      await memory.addMemory('green tea', { ...owner, memoryId: id('named'), threadId: id('no thread') });
      await memory.records.add({
        recordType: 'fact',
        contents: ['green tea too'],
        recordIds: id('fact'),
        threadIds: id('no thread'),
        userIds: id('user'),
      });
      await memory.addMemory('green tea as well', {
        ...owner,
        memoryId: id('kept'),
        threadId: id('no thread 2'),
      });
      await expectError(memory.getThread(id('no thread')), 'not_found');
      expect(await memory.deleteThread(id('no thread'))).toBe(0);
      await expectError(memory.getMemory(id('named')), 'not_found');
      await expectError(memory.getMemory(id('fact')), 'not_found');
      const found = await memory.search('green tea', owner);
      expect(found.map((result) => result.id)).toEqual([id('kept')]);
    },

  'background extraction is refused by name as long as there is no queue (contract §8.3)': async (stage) => {
    await expectError(plainThread(stage, { extraction: { extractionMode: 'background' } }), 'unsupported');
  },
};
