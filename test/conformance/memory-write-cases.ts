import { expect } from 'vitest';
import { MEMORY_TYPES } from '../../lib/schemas/record.ts';
import { expectError, type MemoryCase, plainThread } from './memory-stage.ts';

const DAY = 86_400_000;
const ROLES = ['user', 'assistant', 'system', 'tool', 'narrator', 'r'.repeat(30)];

/** What a thread shows of itself and what is written to it. */
export const WRITE_CASES: Readonly<Record<string, MemoryCase>> = {
  'a thread shows its settings, never the text of its messages (contract §4.1)': async (stage) => {
    const thread = await plainThread(stage, { extraction: { extractMemories: true } });
    await thread.addMessages([{ role: 'user', content: 'I live in Lisbon with a walrus.' }]);
    const shown = { ...(await stage.memory.getThread(thread.threadId)) };
    expect(Object.keys(shown).toSorted()).toEqual([
      'agentId',
      'contextCardTokenLimit',
      'createdAt',
      'extraction',
      'maxMessageTokenLength',
      'messageShorteningInputTokenLimit',
      'metadata',
      'threadId',
      'updatedAt',
      'userId',
    ]);
    expect(JSON.stringify(shown)).not.toMatch(/walrus|Lisbon/);
  },

  'extraction settings stand in their group alone: the older form beside it is refused by name (contract §4.1)':
    async ({ memory }) => {
      for (const key of [
        'extractMemories',
        'memoryExtractionWindow',
        'memoryExtractionFrequency',
        'memoryExtractionTokenLimit',
        'enableContextSummary',
        'contextSummaryUpdateFrequency',
        'memoryExtractionCustomInstructions',
        'memoryExtractionInheritMessageMetadata',
        'persistMessagesInConfig',
      ]) {
        const request = { [key]: true, extraction: { extractMemories: false } };
        await expectError(memory.createThread(request), 'invalid_request', key);
      }
    },

  'options that name the argument beside them are refused by name (contract §2)': async (stage) => {
    const { memory } = stage;
    const thread = await plainThread(stage);
    const messages: object = { messages: [] };
    const content: object = { content: 'other' };
    const query = { userId: 'u', query: 'other' };
    await expectError(
      thread.addMessages([{ role: 'user', content: 'a' }], messages),
      'invalid_request',
      'messages',
    );
    for (const owner of [memory, thread]) {
      await expectError(owner.addMemory('a', content), 'invalid_request', 'content');
      await expectError(owner.search('a', query), 'invalid_request', 'query');
    }
    expect(await thread.getMessages()).toEqual([]);
  },

  'all types are searched in one statement, so their concurrency is no setting (contract §4.1)': async (
    stage,
  ) => {
    const request: object = { contextCardTypeSearchConcurrency: 5 };
    await expectError(
      stage.memory.createThread(request),
      'invalid_request',
      'contextCardTypeSearchConcurrency',
    );
  },

  'a limit of 0 or less is kept as it is and limits nothing (contract §4.1, §8.1)': async (stage) => {
    for (const limit of [0, -1, -5]) {
      const thread = await plainThread(stage, {
        threadId: stage.id(`limit ${limit}`),
        extraction: { extractMemories: true, memoryExtractionTokenLimit: limit },
        contextCardTokenLimit: limit,
        maxMessageTokenLength: limit,
        messageShorteningInputTokenLimit: limit,
      });
      expect(await stage.memory.getThread(thread.threadId)).toMatchObject({
        extraction: { memoryExtractionTokenLimit: limit },
        contextCardTokenLimit: limit,
        maxMessageTokenLength: limit,
        messageShorteningInputTokenLimit: limit,
      });
      const content = `${'The sea was calm. '.repeat(3_000)}I collect stamps number ${-limit}.`;
      const { extraction } = await thread.addMessages([{ role: 'user', content }]);
      expect(extraction).toMatchObject({ status: 'completed', memoryIds: [expect.any(String)] });
      expect((await thread.getContextCard()).summary).not.toBe('');
    }
  },

  'a message of any role is one record with its owners (contract §4.2)': async (stage) => {
    const { memory, id } = stage;
    const thread = await plainThread(stage);
    const { ids } = await thread.addMessages(
      ROLES.map((role, index) => ({ role, content: `said ${index}`, metadata: { index } })),
    );
    const { items } = await memory.records.list({ recordType: 'message', threadId: thread.threadId });
    expect(items.map((record) => record.id)).toEqual(ids);
    for (const [index, record] of items.entries()) {
      expect(record).toMatchObject({
        recordType: 'message',
        role: ROLES[index],
        content: `said ${index}`,
        metadata: { index },
        userId: id('user'),
        agentId: id('agent'),
        threadId: id('thread'),
        status: 'active',
      });
    }
    expect((await thread.getMessages()).map((message) => message.role)).toEqual(ROLES);
  },

  'messages and memories by hand are found by search at once (contract §4.2)': async (stage) => {
    const thread = await plainThread(stage);
    const { ids } = await thread.addMessages([
      { role: 'tool', content: 'zeppelin hangar' },
      { role: 'user', content: 'something else entirely' },
    ]);
    const memoryId = await thread.addMemory('zeppelin hangar', { memoryType: 'preference' });
    const [first, second] = await thread.search('zeppelin hangar', { exactThreadMatch: true });
    expect([first?.id, second?.id].toSorted()).toEqual([ids[0], memoryId].toSorted());
    expect(first?.distance).toBeCloseTo(second?.distance ?? Number.NaN, 5);
  },

  'days and anchors hold for the batch or align one to one, a time without offset is UTC (contract §4.3)':
    async (stage) => {
      const thread = await plainThread(stage);
      const naive = { role: 'user', content: 'x', timestamp: '2026-06-01T12:00:00' };
      const expiries = async (ids: readonly string[]) =>
        Promise.all(
          ids.map(async (id) => {
            const { createdAt, expiresAt } = await stage.memory.records.get('message', id);
            return expiresAt === null ? null : (Date.parse(expiresAt) - Date.parse(createdAt)) / DAY;
          }),
        );
      const shared = await thread.addMessages([naive, naive], { ttlDays: 3 });
      expect(await expiries(shared.ids)).toEqual([3, 3]);
      const aligned = await thread.addMessages([naive, naive, naive], { ttlDays: [1, null, 5] });
      expect(await expiries(aligned.ids)).toEqual([1, null, 5]);
      const { ids } = await thread.addMessages([naive, naive], {
        ttlDays: 3_650,
        ttlAnchor: ['timestamp', 'created_at'],
      });
      const [anchored = ''] = ids;
      expect((await stage.memory.records.get('message', anchored)).expiresAt).toBe(
        '2036-05-29T12:00:00.000Z',
      );
      expect((await expiries(ids))[1]).toBe(3_650);
    },

  'thread.addMemory takes the four types, memory by default, and no other (contract §4.3)': async (stage) => {
    const { memory, id } = stage;
    const thread = await plainThread(stage);
    for (const memoryType of MEMORY_TYPES) {
      const added = await thread.addMemory(`a ${memoryType}`, { memoryType });
      expect((await memory.getMemory(added)).recordType).toBe(memoryType);
    }
    const plain = await memory.getMemory(await thread.addMemory('plain', { threadId: id('elsewhere') }));
    expect(plain).toMatchObject({ recordType: 'memory', threadId: id('elsewhere'), userId: id('user') });
    expect(plain.timestamp).toBe(plain.createdAt);
    for (const memoryType of ['message', 'user_profile', 'episode', 'Fact', '']) {
      const options: object = { memoryType };
      await expectError(thread.addMemory('x', options), 'invalid_request', 'memoryType');
    }
  },

  'the end of a window may be null, and a window never goes back (contract §4.6)': async (stage) => {
    const thread = await plainThread(stage);
    await thread.addMessages(['a', 'b', 'c'].map((content) => ({ role: 'user', content })));
    const contents = async (window: { start?: number; end?: number | null }) =>
      (await thread.getMessages(window)).map((message) => message.content).join('');
    expect(await contents({ start: 1, end: null })).toBe('bc');
    expect(await contents({ end: null })).toBe('abc');
    expect(await contents({ start: 1, end: -1 })).toBe('bc');
    expect(await contents({ start: 2, end: 1 })).toBe('');
    expect(await contents({ start: 1, end: 2 })).toBe('b');
  },

  'a summary is made of messages alone and of nothing else that is known (contract §4.6)': async (stage) => {
    const thread = await plainThread(stage);
    await thread.addMessages([{ role: 'user', content: 'The owl is awake.' }]);
    await thread.addMemory('The walrus sleeps');
    await stage.memory.addUser(thread.userId, 'Keeps a walrus');
    const other = await plainThread(stage, { threadId: stage.id('other') });
    await other.addMessages([{ role: 'user', content: 'Another walrus.' }]);
    expect((await thread.getSummary()).content).toBe('user: The owl is awake.');
    expect((await thread.getSummary({ tokenBudget: -1 })).content).toBe('user: The owl is awake.');
  },
};
