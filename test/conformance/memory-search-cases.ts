import { expect } from 'vitest';
import type { SearchResult } from '../../lib/schemas/search.ts';
import { expectError, type MemoryCase, type MemoryStage, plainThread } from './memory-stage.ts';

function idsOf(results: readonly SearchResult[]): readonly string[] {
  return results.map((result) => result.id);
}

/** The same memory for several owners, named after them. */
async function addTeaFor({ memory, id }: MemoryStage, owners: readonly string[]): Promise<void> {
  for (const owner of owners) {
    await memory.addMemory('likes green tea', {
      memoryId: id(`memory of ${owner}`),
      userId: id(owner),
      agentId: id('agent'),
    });
  }
}

export const SEARCH_CASES: Readonly<Record<string, MemoryCase>> = {
  'a user sees its own records only, also beside ids that begin alike (contract §5)': async (stage) => {
    const { memory, id } = stage;
    await addTeaFor(stage, ['user', 'user2', 'User']);
    const found = await memory.search('green tea', { userId: id('user') });
    expect(idsOf(found)).toEqual([id('memory of user')]);
    expect(await memory.search('green tea', { userId: id('use') })).toEqual([]);
  },

  'client.search needs a user, null is a user of its own, and exactUserMatch cannot be false (contract §5)':
    async (stage) => {
      const { memory, id } = stage;
      const metadata = { case: id('null user') };
      await memory.addMemory('green tea', { memoryId: id('free'), metadata });
      await memory.addMemory('green tea', { memoryId: id('owned'), metadata, userId: id('user') });
      const found = await memory.search('green tea', { userId: null, metadataFilter: metadata });
      expect(idsOf(found)).toEqual([id('free')]);
      await expectError(memory.search('tea', {}), 'invalid_request', 'userId');
      await expectError(
        memory.search('tea', { userId: id('user'), exactUserMatch: false }),
        'invalid_request',
        'exactUserMatch',
      );
    },

  'an agent or thread filters with its flag and is only ahead without (contract §5, D5, D6)': async (
    stage,
  ) => {
    const { memory, id } = stage;
    for (const agent of ['agent-1', 'agent-2']) {
      await memory.addMemory('likes green tea', {
        memoryId: id(agent),
        userId: id('user'),
        agentId: id(agent),
      });
    }
    const userId = id('user');
    const agentId = id('agent-2');
    expect(idsOf(await memory.search('green tea', { userId, agentId, exactAgentMatch: true }))).toEqual([
      id('agent-2'),
    ]);
    const boosted = await memory.search('green tea', { userId, agentId });
    expect(idsOf(boosted)).toEqual([id('agent-2'), id('agent-1')]);
    const [ahead, behind] = boosted.map((result) => result.distance);
    expect(ahead).toBeCloseTo((behind ?? Number.NaN) * 0.95, 5);
  },

  'thread.search sees other threads of its user and agent, not those of others (contract §5)': async (
    stage,
  ) => {
    const { id } = stage;
    const thread = await plainThread(stage);
    const sibling = await plainThread(stage, { threadId: id('sibling') });
    const foreign = await plainThread(stage, { threadId: id('foreign'), agentId: id('agent-2') });
    await sibling.addMemory('likes green tea', { memoryId: id('sibling-tea') });
    await foreign.addMemory('likes green tea', { memoryId: id('foreign-tea') });
    await thread.addMemory('likes green tea', { memoryId: id('own-tea') });
    expect(idsOf(await thread.search('green tea'))).toEqual([id('own-tea'), id('sibling-tea')]);
    expect(idsOf(await thread.search('green tea', { exactThreadMatch: true }))).toEqual([id('own-tea')]);
    expect(idsOf(await thread.search('green tea', { scope: { agentId: id('agent-2') } }))).toEqual([
      id('foreign-tea'),
    ]);
  },

  'a scope beside ids or flags is refused (contract §6.1)': async (stage) => {
    const thread = await plainThread(stage);
    const scope = { userId: stage.id('user') };
    await expectError(thread.search('x', { scope, exactUserMatch: true }), 'invalid_request', 'scope');
    await expectError(stage.memory.search('x', { scope, userId: null }), 'invalid_request', 'scope');
  },

  'results come nearest first, at most as many as asked, ten by default (contract §6.1)': async (stage) => {
    const thread = await plainThread(stage);
    const words = [
      'tea',
      'coffee',
      'milk',
      'water',
      'juice',
      'wine',
      'beer',
      'cider',
      'cocoa',
      'soup',
      'rum',
      'gin',
    ];
    for (const [index, word] of words.entries()) {
      await thread.addMemory(`drinks ${words.slice(0, index + 1).join(' ')} with ${word}`);
    }
    const found = await thread.search('drinks tea');
    expect(found).toHaveLength(10);
    const distances = found.map((result) => result.distance);
    expect(distances).toEqual(distances.toSorted((a, b) => a - b));
    expect(idsOf(await thread.search('drinks tea', { maxResults: 3 }))).toEqual(idsOf(found).slice(0, 3));
  },

  'record types choose what competes; all do by default (contract §6.1)': async (stage) => {
    const thread = await plainThread(stage);
    await thread.addMessages([{ id: stage.id('message'), role: 'user', content: 'green tea' }]);
    for (const memoryType of ['memory', 'fact', 'preference', 'guideline'] as const) {
      await thread.addMemory('green tea', { memoryType, memoryId: stage.id(memoryType) });
    }
    const types = async (options = {}) =>
      (await thread.search('green tea', options)).map((result) => result.recordType).toSorted();
    expect(await types()).toEqual(['fact', 'guideline', 'memory', 'message', 'preference']);
    expect(await types({ recordTypes: ['memory'] })).toEqual(['memory']);
    expect(await types({ recordTypes: ['message', 'fact'] })).toEqual(['fact', 'message']);
  },

  'a metadata filter narrows the search (contract §7)': async (stage) => {
    const thread = await plainThread(stage);
    await thread.addMemory('green tea', { memoryId: stage.id('a'), metadata: { topic: 'tea', n: 1 } });
    await thread.addMemory('green tea', { memoryId: stage.id('b'), metadata: { topic: 'coffee' } });
    const found = await thread.search('green tea', { metadataFilter: { topic: 'tea' } });
    expect(idsOf(found)).toEqual([stage.id('a')]);
  },

  'a result shows the whole record once and as an XML element (contract §6.2, D4)': async (stage) => {
    const thread = await plainThread(stage);
    const timestamp = '2024-04-04T04:04:04.000Z';
    const content = `green tea & <${'cake '.repeat(2_000)}>`;
    await thread.addMessages([{ id: stage.id('m'), role: 'user', content, timestamp, metadata: { k: 1 } }]);
    const [result, ...others] = await thread.search('green tea cake');
    expect(others).toEqual([]);
    expect(result).toMatchObject({
      id: stage.id('m'),
      recordType: 'message',
      content,
      timestamp,
      metadata: { k: 1 },
      record: {
        id: stage.id('m'),
        role: 'user',
        userId: stage.id('user'),
        agentId: stage.id('agent'),
        threadId: stage.id('thread'),
      },
    });
    const escaped = content.replace('&', '&amp;').replace('<', '&lt;').replace('>', '&gt;');
    expect(result?.formattedContent).toBe(
      `<message>\n  <timestamp>${timestamp}</timestamp>\n  <role>user</role>\n  <content>${escaped}</content>\n</message>`,
    );
  },

  'profiles are found among the records without a user (contract §5, §6.1)': async ({ memory, id }) => {
    const metadata = { case: id('profiles') };
    await memory.addUser(id('user'), 'drinks tea', metadata);
    await memory.addAgent(id('agent'), 'serves tea', metadata);
    const found = await memory.search('tea', { userId: null, metadataFilter: metadata });
    expect(found.map(({ recordType, record }) => [recordType, record.id]).toSorted()).toEqual([
      ['agent_profile', id('agent')],
      ['user_profile', id('user')],
    ]);
  },

  'invalid searches are refused by name (contract §6.1)': async (stage) => {
    const thread = await plainThread(stage);
    await expectError(thread.search('  '), 'invalid_request', 'query');
    await expectError(thread.search('x', { maxResults: 0 }), 'invalid_request', 'maxResults');
    await expectError(thread.search('x', { recordTypes: [] }), 'invalid_request', 'recordTypes');
    const options = { maxResults: 3, limit: 3 };
    await expectError(thread.search('x', options), 'invalid_request', 'limit');
  },
};
