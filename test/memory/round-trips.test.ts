import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createRulesLlm } from '../../lib/models/rules/rules-llm.ts';
import type { AgentMemoryApi, ThreadApi } from '../../lib/schemas/agent-memory-api.ts';
import { type EmulatedMemory, openEmulatedMemory } from './emulated-memory.ts';

type Work = (memory: AgentMemoryApi, thread: ThreadApi) => Promise<unknown>;

const off = { extraction: { extractMemories: false } };

describe('database round trips of each use case (design rule: every use case states its number)', () => {
  let emulated: EmulatedMemory;
  let extracting: ThreadApi;
  let plain: ThreadApi;
  beforeAll(async () => {
    emulated = await openEmulatedMemory(createRulesLlm());
    const { memory } = emulated;
    extracting = await memory.createThread({ threadId: 'extracting', userId: 'u', agentId: 'a' });
    plain = await memory.createThread({ threadId: 'plain', userId: 'u', agentId: 'a', ...off });
    await memory.addUser('u', 'Ana');
    await memory.addAgent('a', 'An agent');
    await memory.addMemory('likes tea', { memoryId: 'm', userId: 'u' });
  });
  afterAll(() => emulated?.memory.close());

  async function tripsOf(work: Work, thread: ThreadApi): Promise<number> {
    const before = emulated.transport.roundTrips;
    await work(emulated.memory, thread);
    return emulated.transport.roundTrips - before;
  }

  const message = { role: 'user', content: 'I live in Lisbon.' };
  const plainRows: readonly (readonly [string, number, Work])[] = [
    ['createThread', 2, (memory) => memory.createThread(off)],
    ['getThread', 1, (memory) => memory.getThread('plain')],
    ['addMessages without extraction', 1, (_memory, thread) => thread.addMessages([message])],
    [
      'addMessages of 500',
      1,
      (_memory, thread) => thread.addMessages(Array.from({ length: 500 }, () => message)),
    ],
    ['getMessages', 1, (_memory, thread) => thread.getMessages({ start: 0, end: 10 })],
    ['thread.addMemory', 1, (_memory, thread) => thread.addMemory('likes tea')],
    ['addMemory', 1, (memory) => memory.addMemory('likes tea')],
    ['getMemory', 1, (memory) => memory.getMemory('m')],
    ['getUser', 1, (memory) => memory.getUser('u')],
    ['getAgent', 1, (memory) => memory.getAgent('a')],
    ['addUser', 1, (memory) => memory.addUser('u2', 'Ben')],
    ['thread.search', 1, (_memory, thread) => thread.search('tea')],
    ['search', 1, (memory) => memory.search('tea', { userId: 'u' })],
    ['getContextCard', 2, (_memory, thread) => thread.getContextCard()],
    ['getSummary', 1, (_memory, thread) => thread.getSummary()],
    ['deleteMemory', 1, (memory) => memory.deleteMemory('m')],
    ['deleteThread', 1, (memory) => memory.deleteThread('plain')],
  ];

  it.each(plainRows)('%s: %i', async (_name, trips, work) => {
    expect(await tripsOf(work, plain)).toBe(trips);
  });

  it('addMessages with extraction and running summary: 4', async () => {
    const trips = await tripsOf(async (_memory, thread) => {
      const { extraction } = await thread.addMessages([message]);
      expect(extraction.memoryIds).toHaveLength(1);
    }, extracting);
    expect(trips).toBe(4);
  });
});
