import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AgentMemory } from '../../lib/memory/agent-memory.ts';
import { createRulesLlm } from '../../lib/models/rules/rules-llm.ts';
import type { WakeUp } from '../../lib/queue/job-queue.ts';
import type { AgentMemoryApi, ThreadApi } from '../../lib/schemas/agent-memory-api.ts';
import { type EmulatedMemory, openEmulatedMemory } from './emulated-memory.ts';

type Work = (memory: AgentMemoryApi, thread: ThreadApi) => Promise<unknown>;

const off = { extraction: { extractMemories: false } };

describe.each(['process', 'module', 'thin'] as const)(
  'database round trips of each use case (design rule: every use case states its number), %s',
  (entrance) => {
    let emulated: EmulatedMemory;
    let extracting: ThreadApi;
    let plain: ThreadApi;
    beforeAll(async () => {
      emulated = await openEmulatedMemory(createRulesLlm(), { entrance });
      const { memory } = emulated;
      extracting = await memory.createThread({ threadId: 'extracting', userId: 'u', agentId: 'a' });
      plain = await memory.createThread({ threadId: 'plain', userId: 'u', agentId: 'a', ...off });
      await plain.addMessages([{ id: 'edited', role: 'user', content: 'old' }]);
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
      ['listThreads', 1, (memory) => memory.listThreads({ userId: 'u' })],
      ['updateThread', 2, (memory) => memory.updateThread('plain', { metadata: { n: 1 } })],
      ['updateThread without a field', 1, (memory) => memory.updateThread('plain', {})],
      ['addMessages without extraction', 1, (_memory, thread) => thread.addMessages([message])],
      [
        'addMessages of 500',
        1,
        (_memory, thread) => thread.addMessages(Array.from({ length: 500 }, () => message)),
      ],
      ['getMessages', 1, (_memory, thread) => thread.getMessages({ start: 0, end: 10 })],
      ['updateMessage of metadata', 1, (_memory, thread) => thread.updateMessage('edited', { metadata: {} })],
      ['updateMessage without a field', 1, (_memory, thread) => thread.updateMessage('edited', {})],
      [
        'updateMessage of content',
        1,
        (_memory, thread) => thread.updateMessage('edited', { content: 'new' }),
      ],
      [
        'updateMessage of the same content',
        1,
        (_memory, thread) => thread.updateMessage('edited', { content: 'new' }),
      ],
      ['deleteMessage', 1, (_memory, thread) => thread.deleteMessage('edited')],
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
      ['getExtraction', 1, (_memory, thread) => thread.getExtraction()],
      ['waitForExtraction', 1, (_memory, thread) => thread.waitForExtraction()],
      ['listJobs', 1, (memory) => memory.listJobs({ threadId: 'plain' })],
      ['listMemories', 1, (memory) => memory.listMemories({ userId: 'u' })],
      ['listUsers', 1, (memory) => memory.listUsers()],
      ['updateMemory', 1, (memory) => memory.updateMemory('m', { content: 'likes coffee', ttlDays: 9 })],
      ['updateUser', 1, (memory) => memory.updateUser('u', { information: 'Ana bakes' })],
      [
        'records.add',
        1,
        (memory) => memory.records.add({ recordType: 'fact', contents: ['a'], recordIds: 'f' }),
      ],
      [
        'records.addBatches',
        1,
        (memory) =>
          memory.records.addBatches([
            { recordType: 'message', contents: ['a', 'b'], roles: 'user', threadIds: 'plain' },
            { recordType: 'fact', contents: ['a', 'b'] },
          ]),
      ],
      ['records.list', 1, (memory) => memory.records.list({ recordType: 'fact', metadataFilter: { a: 1 } })],
      ['records.listThreadMessages', 1, (memory) => memory.records.listThreadMessages('plain')],
      ['records.search', 1, (memory) => memory.records.search({ query: 'a', k: 3 })],
      ['records.get', 1, (memory) => memory.records.get('fact', 'f')],
      ['records.update', 1, (memory) => memory.records.update('fact', 'f', { content: 'b', ttlDays: 3 })],
      ['records.delete', 1, (memory) => memory.records.delete('fact', 'f')],
      ['thread.deleteMemory', 1, (_memory, thread) => thread.deleteMemory('m')],
      ['deleteUser, counted', 1, (memory) => memory.deleteUser('u2', { cascade: true, dryRun: true })],
      ['deleteUser with cascade', 1, (memory) => memory.deleteUser('u2', { cascade: true })],
      ['deleteAgent', 1, (memory) => memory.deleteAgent('a')],
      ['deleteMemory', 1, (memory) => memory.deleteMemory('m')],
      ['deleteThread', 1, (memory) => memory.deleteThread('plain')],
    ];

    it.each(plainRows)('%s: %i', async (_name, trips, work) => {
      expect(await tripsOf(work, plain)).toBe(trips);
    });

    it('addMessages and updateMessage in the background: 1, and a wake-up', async () => {
      const sent: string[] = [];
      const queue = { send: async ({ jobId }: WakeUp) => void sent.push(jobId), close: async () => {} };
      const memory = new AgentMemory({ ...emulated.context, jobQueue: queue });
      const extraction = { extractionMode: 'background' } as const;
      const background = await memory.createThread({ userId: 'u', agentId: 'a', extraction });
      const jobIds: (string | null)[] = [];
      const add: Work = async (_memory, thread) => {
        jobIds.push((await thread.addMessages([{ ...message, id: 'in the background' }])).extraction.jobId);
      };
      const update: Work = async (_memory, thread) => {
        jobIds.push(
          (await thread.updateMessage('in the background', { content: 'Edited.' })).extraction.jobId,
        );
      };
      expect([await tripsOf(add, background), await tripsOf(update, background)]).toEqual([1, 1]);
      expect(sent).toEqual(jobIds);
    });

    it('addMessages with extraction and running summary: 4', async () => {
      const trips = await tripsOf(async (_memory, thread) => {
        const { extraction } = await thread.addMessages([message]);
        expect(extraction.memoryIds).toHaveLength(1);
      }, extracting);
      expect(trips).toBe(4);
    });

    it('the same for a user with more memories than a search returns', async () => {
      const { memory } = emulated;
      const owners = { userIds: 'collector', agentIds: 'a' };
      const contents = Array.from({ length: 150 }, (_, index) => `Harbour note ${index}.`);
      await memory.records.add({ recordType: 'fact', contents, ...owners });
      const thread = await memory.createThread({ userId: 'collector', agentId: 'a' });
      const add: Work = async () => {
        const { ids, extraction } = await thread.addMessages([{ ...message, id: 'of a collector' }]);
        expect([ids, extraction.memoryIds?.length]).toEqual([['of a collector'], 1]);
      };
      const update: Work = () => thread.updateMessage('of a collector', { content: 'I live in Porto.' });
      expect(await tripsOf(add, thread)).toBeLessThanOrEqual(4);
      expect(await tripsOf(update, thread)).toBeLessThanOrEqual(3);
    });

    it('updateMessage with extraction: 3', async () => {
      const { ids } = await extracting.addMessages([{ role: 'assistant', content: 'Noted.' }]);
      const trips = await tripsOf(async (_memory, thread) => {
        const { extraction } = await thread.updateMessage(ids[0] ?? '', { content: 'Noted: Lisbon.' });
        expect(extraction.status).toBe('completed');
      }, extracting);
      expect(trips).toBe(3);
    });

    it('getContextCard that replaces a stale running summary: 3, then 2 again', async () => {
      const { ids } = await extracting.addMessages([message, { ...message, content: 'I like green tea.' }]);
      await extracting.deleteMessage(ids[0] ?? '');
      const getCard: Work = (_memory, thread) => thread.getContextCard();
      expect(await tripsOf(getCard, extracting)).toBe(3);
      expect(await tripsOf(getCard, extracting)).toBe(2);
    });
  },
);
