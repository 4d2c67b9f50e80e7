import { expect } from 'vitest';
import { expectError, type MemoryCase, type MemoryStage, plainThread } from './memory-stage.ts';

/** Threads of this case's user, one for each name, oldest first. */
async function threadsNamed(stage: MemoryStage, ...names: readonly string[]): Promise<void> {
  for (const name of names) await plainThread(stage, { threadId: stage.id(name) });
}

export const THREAD_CHANGE_CASES: Readonly<Record<string, MemoryCase>> = {
  'threads are listed newest first, by user, by agent and by both (HTTP API contract, listThreads)': async (
    stage,
  ) => {
    const { memory, id } = stage;
    await threadsNamed(stage, 'a', 'b');
    await plainThread(stage, { threadId: id('c'), agentId: id('other'), metadata: { n: 1 } });
    await plainThread(stage, { threadId: id('d'), userId: id('other') });
    const listed = async (options: { userId?: string; agentId?: string }) =>
      (await memory.listThreads(options)).items.map((thread) => thread.threadId);
    expect(await listed({ userId: id('user') })).toEqual([id('c'), id('b'), id('a')]);
    expect(await listed({ agentId: id('agent') })).toEqual([id('d'), id('b'), id('a')]);
    expect(await listed({ userId: id('user'), agentId: id('other') })).toEqual([id('c')]);
    expect(await listed({ userId: id('nobody') })).toEqual([]);
    expect((await listed({})).slice(0, 4)).toEqual([id('d'), id('c'), id('b'), id('a')]);
    const page = await memory.listThreads({ userId: id('user'), limit: 1 });
    expect(page.items[0]).toMatchObject({ ...(await memory.getThread(id('c'))) });
  },

  'pages of threads follow each other while others create and delete (HTTP API contract, Conventions)':
    async (stage) => {
      const { memory, id } = stage;
      await threadsNamed(stage, 'a', 'b', 'c', 'd', 'e');
      const userId = id('user');
      const first = await memory.listThreads({ userId, limit: 2 });
      expect(first.items.map((thread) => thread.threadId)).toEqual([id('e'), id('d')]);
      await threadsNamed(stage, 'f');
      await memory.deleteThread(id('d'));
      await memory.deleteThread(id('c'));
      const cursor = first.nextCursor ?? 'none';
      const second = await memory.listThreads({ userId, limit: 2, cursor });
      expect(second.items.map((thread) => thread.threadId)).toEqual([id('b'), id('a')]);
      expect(second.nextCursor).toBeNull();
    },

  'every thread of a list can be iterated, whatever the size of a page': async (stage) => {
    const { memory, id } = stage;
    await threadsNamed(stage, 'a', 'b', 'c', 'd', 'e');
    for (const limit of [1, 2, 5, 1_000]) {
      const found: string[] = [];
      for await (const thread of memory.iterateThreads({ userId: id('user'), limit }))
        found.push(thread.threadId);
      expect(found).toEqual(['e', 'd', 'c', 'b', 'a'].map(id));
    }
    const { nextCursor } = await memory.listThreads({ userId: id('user'), limit: 3 });
    const rest: string[] = [];
    for await (const thread of memory.iterateThreads({ userId: id('user'), cursor: nextCursor ?? 'none' }))
      rest.push(thread.threadId);
    expect(rest).toEqual(['b', 'a'].map(id));
  },

  'a listed thread is a live handle': async (stage) => {
    const { memory, id } = stage;
    await threadsNamed(stage, 'a');
    const [thread] = (await memory.listThreads({ userId: id('user') })).items;
    await thread?.addMessages([{ role: 'user', content: 'hello' }]);
    expect(await thread?.getMessages()).toMatchObject([{ content: 'hello' }]);
  },

  'a limit outside 1–1000, a cursor of nothing and an unknown parameter are refused by name': async ({
    memory,
  }) => {
    for (const limit of [0, -1, 1_001, 1e9, 1.5, Number.NaN]) {
      await expectError(memory.listThreads({ limit }), 'invalid_request', 'limit');
    }
    for (const cursor of ['', 'abc', 'bWVtb3JpZXM6Nw']) {
      await expectError(memory.listThreads({ cursor }), 'invalid_request', 'cursor');
    }
    await expectError(memory.listThreads({ userId: '' }), 'invalid_request', 'userId');
    const unknown: Record<string, never> = JSON.parse('{"threadId": "x"}');
    await expectError(memory.listThreads(unknown), 'invalid_request', 'threadId');
  },

  'updateThread replaces metadata whole, null clears it, omitted keeps it (contract §3.2)': async (stage) => {
    const { memory, id } = stage;
    await plainThread(stage, { metadata: { a: 1, b: { c: 2 } } });
    const replaced = await memory.updateThread(id('thread'), { metadata: { b: null } });
    expect(replaced.metadata).toEqual({ b: null });
    const kept = await memory.updateThread(id('thread'), { contextCardTokenLimit: 9 });
    expect(kept.metadata).toEqual({ b: null });
    expect((await memory.updateThread(id('thread'), { metadata: null })).metadata).toEqual({});
    expect((await memory.getThread(id('thread'))).metadata).toEqual({});
  },

  'updateThread keeps the stored value of every setting that it is not given (contract §3.2)': async (
    stage,
  ) => {
    const { memory, id } = stage;
    const created = await plainThread(stage, {
      extraction: {
        extractMemories: false,
        memoryExtractionWindow: 4,
        memoryExtractionCustomInstructions: 'Note every allergy.',
        memoryExtractionInheritMessageMetadata: ['topic', 'turn'],
      },
      contextCardTokenLimit: 500,
    });
    const changed = await memory.updateThread(id('thread'), {
      extraction: { memoryExtractionFrequency: 2, memoryExtractionInheritMessageMetadata: ['topic'] },
      maxMessageTokenLength: -1,
    });
    expect(changed).toMatchObject({
      contextCardTokenLimit: 500,
      maxMessageTokenLength: -1,
      messageShorteningInputTokenLimit: 30_000,
      createdAt: created.createdAt,
    });
    expect(changed.extraction).toEqual({
      ...created.extraction,
      memoryExtractionFrequency: 2,
      memoryExtractionInheritMessageMetadata: ['topic'],
    });
    expect((await memory.getThread(id('thread'))).extraction).toEqual(changed.extraction);
    const cleared = await memory.updateThread(id('thread'), {
      extraction: { memoryExtractionCustomInstructions: null },
    });
    expect(cleared.extraction).toEqual({ ...changed.extraction, memoryExtractionCustomInstructions: null });
  },

  'changes of different settings at the same time all last (contract §3.2)': async (stage) => {
    const { memory, id } = stage;
    await plainThread(stage);
    await Promise.all([
      memory.updateThread(id('thread'), { extraction: { memoryExtractionFrequency: 3 } }),
      memory.updateThread(id('thread'), { extraction: { memoryExtractionWindow: 5 } }),
      memory.updateThread(id('thread'), { metadata: { n: 1 } }),
      memory.updateThread(id('thread'), { contextCardTokenLimit: 7 }),
    ]);
    expect(await memory.getThread(id('thread'))).toMatchObject({
      metadata: { n: 1 },
      contextCardTokenLimit: 7,
      extraction: { extractMemories: false, memoryExtractionFrequency: 3, memoryExtractionWindow: 5 },
    });
  },

  'a handle changes its own thread and answers a handle that shows it (contract §3.2)': async (stage) => {
    const thread = await plainThread(stage);
    const changed = await thread.update({ metadata: { n: 1 }, extraction: { memoryExtractionFrequency: 2 } });
    expect(changed).toMatchObject({
      threadId: thread.threadId,
      metadata: { n: 1 },
      extraction: { memoryExtractionFrequency: 2 },
    });
    expect(thread.metadata).toEqual({});
    await changed.addMessages([{ role: 'user', content: 'hello' }]);
    expect(await thread.getMessages()).toHaveLength(1);
  },

  'settings of updateThread hold for the next messages (contract §8.1)': async (stage) => {
    const thread = await plainThread(stage);
    const message = { role: 'user', content: 'I live in Lisbon.' };
    expect((await thread.addMessages([message])).extraction.status).toBe('none');
    await thread.update({ extraction: { extractMemories: true } });
    expect((await thread.addMessages([message])).extraction).toMatchObject({
      status: 'completed',
      memoryIds: [expect.any(String)],
    });
  },

  'an update without a field changes nothing, updatedAt neither (contract §3.2)': async (stage) => {
    const { memory, id } = stage;
    const created = await plainThread(stage, { metadata: { n: 1 } });
    for (const request of [{}, { extraction: {} }]) {
      expect(await memory.updateThread(id('thread'), request)).toMatchObject({
        metadata: { n: 1 },
        extraction: created.extraction,
        updatedAt: created.updatedAt,
      });
    }
  },

  'owners of a thread never change, and wrong settings are refused by name (contract §3.2)': async (
    stage,
  ) => {
    const { memory, id } = stage;
    const thread = await plainThread(stage);
    for (const key of ['userId', 'agentId', 'threadId', 'createdAt']) {
      const request = { [key]: 'x' };
      await expectError(thread.update(request), 'invalid_request', key);
    }
    await expectError(
      thread.update({ extraction: { memoryExtractionFrequency: 0 } }),
      'invalid_request',
      'extraction.memoryExtractionFrequency',
    );
    await expectError(thread.update({ extraction: { extractionMode: 'background' } }), 'unsupported');
    expect(await memory.getThread(id('thread'))).toMatchObject({
      userId: id('user'),
      updatedAt: thread.updatedAt,
    });
  },

  'an unknown thread cannot be updated (contract §3.2, D7)': async ({ memory, id }) => {
    await expectError(memory.updateThread(id('nothing'), { metadata: {} }), 'not_found');
    await expectError(memory.updateThread(id('nothing'), {}), 'not_found');
  },
};
