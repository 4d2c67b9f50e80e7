import { expect } from 'vitest';
import { expectError, type MemoryCase, plainThread } from './memory-stage.ts';

export const RECORD_CASES: Readonly<Record<string, MemoryCase>> = {
  'thread.addMemory takes the ids of the thread, another id, or null (contract §4.3)': async (stage) => {
    const { memory, id } = stage;
    const thread = await plainThread(stage);
    const own = await thread.addMemory('own', { metadata: { k: 1 }, memoryType: 'fact' });
    const other = await thread.addMemory('other', { userId: id('user-2'), agentId: null });
    expect(await memory.getMemory(own)).toMatchObject({
      id: own,
      recordType: 'fact',
      content: 'own',
      metadata: { k: 1 },
      userId: id('user'),
      agentId: id('agent'),
      threadId: id('thread'),
      expiresAt: null,
      status: 'active',
    });
    expect(await memory.getMemory(other)).toMatchObject({
      recordType: 'memory',
      userId: id('user-2'),
      agentId: null,
      threadId: id('thread'),
    });
  },

  'client.addMemory has no default scope (contract §3.2)': async ({ memory, id }) => {
    const added = await memory.addMemory('free', { agentId: id('agent') });
    expect(await memory.getMemory(added)).toMatchObject({
      userId: null,
      agentId: id('agent'),
      threadId: null,
      metadata: {},
    });
  },

  'a memory keeps its event time, else it has the time of the write (contract §6.3)': async ({ memory }) => {
    const timed = await memory.addMemory('timed', { timestamp: '2021-05-05T05:05:05+05:00' });
    const untimed = await memory.addMemory('untimed', { timestamp: null });
    expect((await memory.getMemory(timed)).timestamp).toBe('2021-05-05T00:05:05.000Z');
    const record = await memory.getMemory(untimed);
    expect(record.timestamp).toBe(record.createdAt);
  },

  'a time to live sets the expiry from its anchor (contract §11)': async ({ memory }) => {
    const added = await memory.addMemory('short', {
      ttlDays: 36_500,
      ttlAnchor: 'timestamp',
      timestamp: '2026-01-01T00:00:00Z',
    });
    expect((await memory.getMemory(added)).expiresAt).toBe('2125-12-08T00:00:00.000Z');
    await expectError(memory.addMemory('x', { ttlAnchor: 'timestamp' }), 'invalid_request', 'timestamp');
    for (const ttlDays of [0, -1, 1.5, 36_501]) {
      await expectError(memory.addMemory('x', { ttlDays }), 'invalid_request', 'ttlDays');
    }
  },

  'a taken memory id is a conflict; delete is 1, then 0; get of nothing is not found (D7)': async ({
    memory,
    id,
  }) => {
    await memory.addMemory('one', { memoryId: id('m') });
    await expectError(memory.addMemory('two', { memoryId: id('m') }), 'conflict');
    expect(await memory.deleteMemory(id('m'))).toBe(1);
    expect(await memory.deleteMemory(id('m'))).toBe(0);
    await expectError(memory.getMemory(id('m')), 'not_found');
  },

  'a message and a memory may have the same id': async (stage) => {
    const thread = await plainThread(stage);
    await thread.addMessages([{ id: stage.id('same'), role: 'user', content: 'message' }]);
    await thread.addMemory('memory', { memoryId: stage.id('same') });
    expect((await stage.memory.getMemory(stage.id('same'))).content).toBe('memory');
    expect(await stage.memory.deleteMemory(stage.id('same'))).toBe(1);
    expect(await thread.getMessages()).toHaveLength(1);
  },

  'profiles are unscoped records whose id is the actor id (contract §3.2)': async ({ memory, id }) => {
    expect(await memory.addUser(id('actor'), 'Ana drinks tea', { plan: 'pro' })).toBe(id('actor'));
    expect(await memory.addAgent(id('actor'), 'A travel agent')).toBe(id('actor'));
    expect(await memory.getUser(id('actor'))).toMatchObject({
      id: id('actor'),
      recordType: 'user_profile',
      content: 'Ana drinks tea',
      metadata: { plan: 'pro' },
      userId: null,
      agentId: null,
      threadId: null,
    });
    expect(await memory.getAgent(id('actor'))).toMatchObject({
      recordType: 'agent_profile',
      content: 'A travel agent',
      metadata: {},
    });
    await expectError(memory.addUser(id('actor'), 'again'), 'conflict');
    await expectError(memory.getUser(id('nobody')), 'not_found');
    await expectError(memory.getAgent(id('nobody')), 'not_found');
  },

  'invalid memories are refused by name': async ({ memory }) => {
    await expectError(memory.addMemory(' '), 'invalid_request', 'content');
    await expectError(memory.addMemory('x', { metadata: { a: '\ud800' } }), 'invalid_request', 'metadata');
    const options = { userId: null, kind: 'fact' };
    await expectError(memory.addMemory('x', options), 'invalid_request', 'kind');
  },
};
