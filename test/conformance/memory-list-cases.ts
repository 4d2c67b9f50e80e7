import { expect } from 'vitest';
import type { ListMemoriesOptions } from '../../lib/schemas/memory.ts';
import type { MemoryRecord } from '../../lib/schemas/record.ts';
import { expectError, type MemoryCase, type MemoryStage, plainThread } from './memory-stage.ts';

async function contentsOf(records: AsyncIterable<MemoryRecord>): Promise<readonly (string | null)[]> {
  const contents: (string | null)[] = [];
  for await (const record of records) contents.push(record.content);
  return contents;
}

/** Memories of several owners and types; the numbers are the order of insertion. */
async function addMixed(stage: MemoryStage) {
  const { memory, id } = stage;
  const thread = await plainThread(stage);
  await thread.addMemory('1', { memoryType: 'fact' });
  await thread.addMemory('2', { agentId: null, memoryType: 'preference' });
  await memory.addMemory('3', { userId: id('user'), memoryType: 'fact' });
  await memory.addMemory('4', { userId: id('user2') });
  await thread.addMessages([{ role: 'user', content: 'no memory' }]);
}

export const LIST_CASES: Readonly<Record<string, MemoryCase>> = {
  'listMemories combines its conditions, absent means any (HTTP API: listMemories)': async (stage) => {
    const { memory, id } = stage;
    await addMixed(stage);
    const cases: readonly [ListMemoriesOptions, readonly string[]][] = [
      [{ userId: id('user') }, ['1', '2', '3']],
      [{ userId: id('user'), agentId: id('agent') }, ['1']],
      [{ threadId: id('thread') }, ['1', '2']],
      [{ agentId: id('agent') }, ['1']],
      [{ userId: id('user'), memoryType: 'fact' }, ['1', '3']],
      [{ threadId: id('thread'), memoryType: 'fact', status: 'active' }, ['1']],
      [{ userId: id('user'), status: 'superseded' }, []],
      [{ userId: id('user'), status: 'quarantined' }, []],
      [{ userId: id('use') }, []],
      [{ userId: '*' }, []],
    ];
    for (const [options, contents] of cases) {
      expect(await contentsOf(memory.iterateMemories(options)), JSON.stringify(options)).toEqual(contents);
    }
    const everyone = await contentsOf(memory.iterateMemories());
    expect(everyone.filter((content) => content === '4').length).toBeGreaterThan(0);
  },

  'a listed memory is what getMemory returns, at once (HTTP API: listMemories)': async (stage) => {
    const { memory, id } = stage;
    const added = await memory.addMemory('read your writes', { userId: id('user'), metadata: { a: [1] } });
    const page = await memory.listMemories({ userId: id('user') });
    expect(page).toEqual({ items: [await memory.getMemory(added)], nextCursor: null });
    await memory.deleteMemory(added);
    expect((await memory.listMemories({ userId: id('user') })).items).toEqual([]);
  },

  'pages are stable while others write, in the order of insertion (contract D12)': async ({ memory, id }) => {
    const userId = id('user');
    const ids: string[] = [];
    for (const content of ['1', '2', '3', '4', '5']) ids.push(await memory.addMemory(content, { userId }));
    const first = await memory.listMemories({ userId, limit: 2 });
    expect(first.items.map(({ content }) => content)).toEqual(['1', '2']);
    await memory.deleteMemory(ids[0] ?? '');
    await memory.updateMemory(ids[1] ?? '', { content: 'changed' });
    await memory.addMemory('6', { userId });
    const cursor = first.nextCursor ?? undefined;
    expect(await contentsOf(memory.iterateMemories({ userId, limit: 2, cursor }))).toEqual([
      '3',
      '4',
      '5',
      '6',
    ]);
    expect(await contentsOf(memory.iterateMemories({ userId, limit: 5 }))).toEqual([
      'changed',
      '3',
      '4',
      '5',
      '6',
    ]);
    expect((await memory.listMemories({ userId, limit: 5 })).nextCursor).toBeNull();
  },

  'limits, cursors and values of lists are checked (HTTP API, Conventions)': async ({ memory, id }) => {
    for (const limit of [0, -1, 1_001, 1.5, 1e9, Number.NaN]) {
      await expectError(memory.listMemories({ limit }), 'invalid_request', 'limit');
      await expectError(memory.listUsers({ limit }), 'invalid_request', 'limit');
      await expectError(memory.listAgents({ limit }), 'invalid_request', 'limit');
    }
    const userId = id('user');
    for (const content of ['1', '2']) await memory.addMemory(content, { userId });
    const { nextCursor } = await memory.listMemories({ userId, limit: 1 });
    for (const cursor of ['', '1', 'x'.repeat(200), 'bWVtb3JpZXM6MQ==']) {
      await expectError(memory.listMemories({ cursor }), 'invalid_request', 'cursor');
    }
    const cursor = nextCursor ?? '';
    await expectError(memory.listUsers({ cursor }), 'invalid_request', 'cursor');
    const wrong: readonly [object, string][] = [
      [{ memoryType: 'message' }, 'memoryType'],
      [{ status: 'deleted' }, 'status'],
      [{ userId: '' }, 'userId'],
      [{ user: 'ana' }, 'user'],
    ];
    for (const [options, path] of wrong) {
      await expectError(memory.listMemories(options), 'invalid_request', path);
    }
  },

  'profiles are listed by kind in the order of insertion, whatever their scope (contract §5)': async ({
    memory,
    id,
  }) => {
    for (const name of ['c', 'a', 'b']) {
      await memory.addUser(id(name), `user ${id(name)}`);
      await memory.addAgent(id(name), `agent ${id(name)}`);
    }
    const own = (contents: readonly (string | null)[]) =>
      contents.filter((content) => content?.includes(id('')));
    const users = own(await contentsOf(memory.iterateUsers({ limit: 2 })));
    const agents = own(await contentsOf(memory.iterateAgents({ limit: 1_000 })));
    expect(users).toEqual(['c', 'a', 'b'].map((name) => `user ${id(name)}`));
    expect(agents).toEqual(['c', 'a', 'b'].map((name) => `agent ${id(name)}`));
  },
};
