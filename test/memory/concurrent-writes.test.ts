import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AgentMemory } from '../../lib/memory/agent-memory.ts';
import { type JobRun, runJob } from '../../lib/memory/extraction/run-job.ts';
import type { MemoryContext } from '../../lib/memory/memory-context.ts';
import type { WakeUp } from '../../lib/queue/job-queue.ts';
import type { Job } from '../../lib/schemas/job.ts';
import { createScriptedLlm } from '../../lib/testing/index.ts';
import { type EmulatedMemory, openEmulatedMemory } from './emulated-memory.ts';

const CLIENTS = 50;
const MESSAGES_PER_CLIENT = 100;
const MESSAGES_PER_CALL = 20;
const FREQUENCY = 50;
/** Each call adds 20 messages: every third one finds 50 or more due, and its job covers them all. */
const COVERED_BY_JOB = 60;
const TOTAL = CLIENTS * MESSAGES_PER_CLIENT;
const MINUTES = 5 * 60_000;

describe('50 clients that add 100 messages each to one thread at once (contract §8.3)', () => {
  let emulated: EmulatedMemory;
  let memory: AgentMemory;
  let context: MemoryContext;
  const sent: string[] = [];
  beforeAll(async () => {
    emulated = await openEmulatedMemory(createScriptedLlm(() => ({ memories: [] })));
    const queue = { send: async ({ jobId }: WakeUp) => void sent.push(jobId), close: async () => {} };
    context = { ...emulated.context, jobQueue: queue };
    memory = new AgentMemory(context);
    const extraction = {
      extractionMode: 'background',
      memoryExtractionFrequency: FREQUENCY,
      enableContextSummary: false,
    } as const;
    const thread = await memory.createThread({ threadId: 'thread', userId: 'u', extraction });
    const addAll = async (client: number) => {
      for (let first = 0; first < MESSAGES_PER_CLIENT; first += MESSAGES_PER_CALL) {
        const messages = Array.from({ length: MESSAGES_PER_CALL }, (_, index) => ({
          id: `c${client}-${first + index}`,
          role: 'user',
          content: `message ${first + index} of client ${client}`,
        }));
        await thread.addMessages(messages);
      }
    };
    await Promise.all(Array.from({ length: CLIENTS }, (_, client) => addAll(client)));
  }, MINUTES);
  afterAll(() => emulated?.memory.close());

  it('none is lost or doubled, and each client finds its own in their order', async () => {
    const messages = await (await memory.getThread('thread')).getMessages({ start: 0, end: null });
    const ids = messages.map(({ id }) => id);
    expect([ids.length, new Set(ids).size]).toEqual([TOTAL, TOTAL]);
    for (let client = 0; client < CLIENTS; client += 1) {
      const own = ids.filter((id) => id.startsWith(`c${client}-`));
      expect(own).toEqual(Array.from({ length: MESSAGES_PER_CLIENT }, (_, index) => `c${client}-${index}`));
    }
  });

  it('jobs cover each message once, one wake-up each, and all of them run', async () => {
    const jobs: Job[] = [];
    for await (const job of memory.iterateJobs({ threadId: 'thread' })) jobs.push(job);
    const covered = jobs.flatMap(({ messageIds }) => messageIds);
    expect(jobs).toHaveLength(Math.floor(TOTAL / COVERED_BY_JOB));
    expect(new Set(covered).size).toBe(covered.length);
    expect(covered).toHaveLength(jobs.length * COVERED_BY_JOB);
    expect(sent.toSorted()).toEqual(jobs.map(({ jobId }) => jobId).toSorted());
    const runs: JobRun[] = [];
    for (let handled = 0; handled < sent.length; ) {
      const wakeUps = sent.slice(handled);
      handled = sent.length;
      const twice = wakeUps.flatMap((jobId) => [runJob(context, jobId), runJob(context, jobId)]);
      runs.push(...(await Promise.all(twice)));
    }
    expect(runs.filter(({ outcome }) => outcome === 'succeeded')).toHaveLength(jobs.length);
    expect(runs.filter(({ outcome }) => outcome === 'nothing_due')).toHaveLength(runs.length - jobs.length);
    const { pending, running, succeeded } = await (await memory.getThread('thread')).getExtraction();
    expect({ pending, running, succeeded }).toEqual({ pending: 0, running: 0, succeeded: jobs.length });
  });
});
