import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AgentMemory } from '../../lib/memory/agent-memory.ts';
import { createRulesLlm } from '../../lib/models/rules/rules-llm.ts';
import type { WakeUp } from '../../lib/queue/job-queue.ts';
import type { ThreadApi } from '../../lib/schemas/agent-memory-api.ts';
import { type EmulatedMemory, openEmulatedMemory } from './emulated-memory.ts';
import { JOB_ROUND_TRIPS, message, off, ROUND_TRIPS, type Work } from './round-trip-rows.ts';

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

    it.each(ROUND_TRIPS)('%s: %i', async (_name, trips, work) => {
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

    it('getJob, cancelJob and retryJob with a queue', async () => {
      const memory = new AgentMemory({
        ...emulated.context,
        jobQueue: { send: async () => {}, close: async () => {} },
      });
      const extraction = { extractionMode: 'background' } as const;
      const thread = await memory.createThread({ userId: 'u', agentId: 'a', extraction });
      const added = await thread.addMessages([message]);
      const jobId = added.extraction.jobId ?? '';
      const trips = {
        getJob: await tripsOf(() => memory.getJob(jobId), thread),
        cancelJob: await tripsOf(() => memory.cancelJob(jobId), thread),
        retryJob: await tripsOf(() => memory.retryJob(jobId), thread),
      };
      expect(trips).toEqual(JOB_ROUND_TRIPS);
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
