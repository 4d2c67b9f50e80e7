import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { AgentMemoryError } from '../../lib/errors/agent-memory-error.ts';
import { AgentMemory } from '../../lib/memory/agent-memory.ts';
import { deriveMemoryId } from '../../lib/memory/extraction/memory-id.ts';
import { runJob } from '../../lib/memory/extraction/run-job.ts';
import type { MemoryContext } from '../../lib/memory/memory-context.ts';
import { addMessages } from '../../lib/memory/messages.ts';
import { sweepJobs } from '../../lib/memory/sweep-jobs.ts';
import type { WakeUp } from '../../lib/queue/job-queue.ts';
import { createScriptedLlm, type ScriptedLlm } from '../../lib/testing/index.ts';
import { BACKGROUND } from './background-stage.ts';
import { createFaultPlan, FAULT_WORLDS, type Fault, type FaultWorld } from './fault-worlds.ts';
import { extracted } from './test-context.ts';

const MESSAGES = [
  { id: 'm1', role: 'user', content: 'I like tea.' },
  { id: 'm2', role: 'user', content: 'I live in Lisbon.' },
];
const MEMORIES = ['User likes tea', 'User lives in Lisbon'];
/** Seconds until a message that was not acknowledged comes again, and how often it does. */
const VISIBILITY_SECONDS = 60;
const MAX_RECEIVES = 3;
const SWEEP_SECONDS = 10;
/** Rounds of a sweep and a delivery, after which a job counts as stuck: half an hour. */
const ROUNDS = 180;

/** A wait whose time never comes. */
const untilAborted = (_milliseconds: number, signal?: AbortSignal) =>
  new Promise<void>((_resolve, reject) => {
    signal?.addEventListener('abort', () => reject(signal.reason));
  });

interface Delivery {
  readonly jobId: string;
  readonly dueAt: number;
  readonly receives: number;
}

interface Run {
  readonly name: string;
  readonly faults: readonly Fault[];
  /** Language model calls that it takes. */
  readonly modelCalls: number;
  /** How often each message is delivered at once. @default 1 */
  readonly copies?: number;
  /** Whether delays of wake-ups are ignored. */
  readonly early?: boolean;
  /** Seconds from the beginning in which the queue takes nothing. */
  readonly queueDownSeconds?: number;
}

const SLOW_DOWN = new AgentMemoryError('rate_limited', 'Slow down.');
const modelFails: Fault = { at: 'model', when: 'before', how: 'error', error: SLOW_DOWN };
const one = (at: Fault['at'], when: Fault['when'], how: Fault['how'], times = 1): Fault => ({
  at,
  when,
  how,
  times,
});

const RUNS: readonly Run[] = [
  { name: 'nothing', faults: [], modelCalls: 1 },
  { name: 'the write fails', faults: [one('appendMessages', 'before', 'error')], modelCalls: 1 },
  { name: 'the write is undone', faults: [one('appendMessages', 'within', 'error')], modelCalls: 1 },
  {
    name: 'the answer to the write is lost',
    faults: [one('appendMessages', 'after', 'error')],
    modelCalls: 1,
  },
  {
    name: 'the process ends before the write',
    faults: [one('appendMessages', 'before', 'kill')],
    modelCalls: 1,
  },
  {
    name: 'the process ends after the commit',
    faults: [one('appendMessages', 'after', 'kill')],
    modelCalls: 1,
  },
  { name: 'the process ends before the wake-up', faults: [one('send', 'before', 'kill')], modelCalls: 1 },
  { name: 'the process ends after the wake-up', faults: [one('send', 'after', 'kill')], modelCalls: 1 },
  { name: 'the queue is down for a minute', faults: [], queueDownSeconds: 60, modelCalls: 1 },
  { name: 'the claim fails', faults: [one('claimDueJob', 'before', 'error')], modelCalls: 1 },
  { name: 'the claim is undone', faults: [one('claimDueJob', 'within', 'error')], modelCalls: 1 },
  { name: 'the answer to the claim is lost', faults: [one('claimDueJob', 'after', 'error')], modelCalls: 1 },
  { name: 'the worker ends before its claim', faults: [one('claimDueJob', 'before', 'kill')], modelCalls: 1 },
  { name: 'the worker ends after its claim', faults: [one('claimDueJob', 'after', 'kill')], modelCalls: 1 },
  {
    name: 'two workers end after their claim',
    faults: [one('claimDueJob', 'after', 'kill', 2)],
    modelCalls: 1,
  },
  {
    name: 'the messages cannot be read',
    faults: [one('readExtractionInput', 'before', 'error')],
    modelCalls: 1,
  },
  { name: 'past memories cannot be read', faults: [one('search', 'before', 'error')], modelCalls: 1 },
  {
    name: 'the worker ends with the messages read',
    faults: [one('readExtractionInput', 'after', 'kill')],
    modelCalls: 1,
  },
  { name: 'the model fails', faults: [modelFails], modelCalls: 1 },
  { name: 'the model fails four times', faults: [{ ...modelFails, times: 4 }], modelCalls: 1 },
  { name: 'the worker ends before the model call', faults: [one('model', 'before', 'kill')], modelCalls: 1 },
  { name: 'the worker ends with the model answer', faults: [one('model', 'after', 'kill')], modelCalls: 2 },
  {
    name: 'two workers end with the model answer',
    faults: [one('model', 'after', 'kill', 2)],
    modelCalls: 3,
  },
  {
    name: 'the outcome cannot be written once',
    faults: [one('finishExtraction', 'before', 'error')],
    modelCalls: 1,
  },
  {
    name: 'the outcome cannot be written',
    faults: [one('finishExtraction', 'before', 'error', 2)],
    modelCalls: 2,
  },
  {
    name: 'the outcome cannot be written and the job not put back',
    faults: [one('finishExtraction', 'before', 'error', 2), one('releaseJob', 'before', 'error')],
    modelCalls: 2,
  },
  { name: 'the outcome is undone', faults: [one('finishExtraction', 'within', 'error')], modelCalls: 1 },
  {
    name: 'the worker ends before the outcome',
    faults: [one('finishExtraction', 'before', 'kill')],
    modelCalls: 2,
  },
  {
    name: 'the answer to the outcome is lost',
    faults: [one('finishExtraction', 'after', 'error')],
    modelCalls: 1,
  },
  {
    name: 'the answer to the outcome is lost, and the job cannot be read',
    faults: [one('finishExtraction', 'after', 'error'), one('getJob', 'before', 'error', 2)],
    modelCalls: 1,
  },
  {
    name: 'the worker ends between the outcome and its acknowledgement',
    faults: [one('finishExtraction', 'after', 'kill')],
    modelCalls: 1,
  },
  {
    name: 'the job cannot be put back',
    faults: [modelFails, one('releaseJob', 'before', 'error')],
    modelCalls: 1,
  },
  {
    name: 'putting the job back is undone',
    faults: [modelFails, one('releaseJob', 'within', 'error')],
    modelCalls: 1,
  },
  {
    name: 'the answer to putting the job back is lost',
    faults: [modelFails, one('releaseJob', 'after', 'error')],
    modelCalls: 1,
  },
  {
    name: 'the worker ends before its delayed wake-up',
    faults: [modelFails, one('releaseJob', 'after', 'kill')],
    modelCalls: 1,
  },
  {
    name: 'the number of the attempt cannot be read',
    faults: [modelFails, one('getJob', 'before', 'error')],
    modelCalls: 1,
  },
  { name: 'each message comes three times', faults: [], copies: 3, modelCalls: 1 },
  {
    name: 'each message comes three times, and the model fails',
    faults: [modelFails],
    copies: 3,
    modelCalls: 1,
  },
  {
    name: 'each message comes three times, and a worker ends',
    faults: [one('model', 'after', 'kill')],
    copies: 3,
    modelCalls: 2,
  },
  {
    name: 'delayed messages come too early',
    faults: [{ ...modelFails, times: 2 }],
    early: true,
    modelCalls: 1,
  },
  {
    name: 'no wake-up and a sweep that cannot end lost jobs',
    faults: [one('send', 'before', 'kill'), one('endLostJobs', 'before', 'error')],
    modelCalls: 1,
  },
  {
    name: 'no wake-up and a sweep that cannot look',
    faults: [one('send', 'before', 'kill'), one('findDueJobs', 'before', 'error')],
    modelCalls: 1,
  },
  {
    name: 'no wake-up and a sweep that cannot note what it sent',
    faults: [one('send', 'before', 'kill'), one('markWoken', 'before', 'error')],
    modelCalls: 1,
  },
  {
    name: 'no wake-up and a sweep that ends in the middle',
    faults: [one('send', 'before', 'kill'), one('markWoken', 'before', 'kill')],
    modelCalls: 1,
  },
];

describe.each(Object.entries(FAULT_WORLDS))(
  'jobs over %s survive every failure (contract §8.3)',
  (_name, open) => {
    let world: FaultWorld;
    let base: MemoryContext;
    let llm: ScriptedLlm;
    let deliveries: readonly Delivery[];
    beforeAll(async () => {
      world = await open();
    });
    afterAll(() => world?.close());

    beforeEach(async () => {
      deliveries = [];
      llm = createScriptedLlm(() => ({ memories: MEMORIES.map((content) => extracted(content)) }));
      base = { ...(await world.fresh()), llm, random: () => 0.5 };
      const queue = { send: async (wakeUp: WakeUp) => put(wakeUp, 0), close: async () => {} };
      base = { ...base, jobQueue: queue };
      await new AgentMemory(base).createThread({
        threadId: 'thread',
        userId: 'u',
        agentId: 'a',
        extraction: BACKGROUND,
      });
    });

    const now = () => world.clock.now().getTime();

    function put({ jobId, delaySeconds = 0 }: WakeUp, receives: number): void {
      deliveries = [...deliveries, { jobId, dueAt: now() + delaySeconds * 1_000, receives }];
    }

    type StartProcess = ReturnType<typeof createFaultPlan>['startProcess'];

    /** The client tries until it knows that its messages are stored. */
    async function write(startProcess: StartProcess): Promise<void> {
      for (let attempt = 1; attempt <= 5; attempt += 1) {
        const process = startProcess(base);
        const adding = addMessages(process.context, 'thread', { messages: MESSAGES }).catch(
          (error: unknown) => error,
        );
        const answer = await Promise.race([adding, process.ended]);
        const isStored = AgentMemoryError.is(answer) ? answer.code === 'conflict' : answer !== 'ended';
        if (isStored) return;
      }
      throw new Error('the messages were not stored');
    }

    /** A message that is not acknowledged comes again, a few times. */
    async function consume(startProcess: StartProcess, { jobId, receives }: Delivery): Promise<void> {
      const process = startProcess(base);
      const acknowledged = runJob(process.context, jobId).then(
        () => true,
        () => false,
      );
      if ((await Promise.race([acknowledged, process.ended])) === true) return;
      if (receives + 1 < MAX_RECEIVES) put({ jobId, delaySeconds: VISIBILITY_SECONDS }, receives + 1);
    }

    async function sweep(startProcess: StartProcess): Promise<void> {
      const process = startProcess(base);
      await Promise.race([sweepJobs(process.context).catch(() => undefined), process.ended]);
    }

    async function openJobs(): Promise<number> {
      const progress = await base.store.readExtractionProgress('thread', undefined);
      return progress?.unfinished ?? 0;
    }

    /** Consumers and sweeps until nothing is left to do. */
    async function runUntilQuiet(
      startProcess: StartProcess,
      { copies = 1, early = false }: Partial<Run>,
    ): Promise<void> {
      for (let round = 0; round < ROUNDS; round += 1) {
        const due = deliveries.filter(({ dueAt }) => early || dueAt <= now());
        deliveries = deliveries.filter((delivery) => !due.includes(delivery));
        for (const delivery of due) {
          await Promise.all(Array.from({ length: copies }, () => consume(startProcess, delivery)));
        }
        await sweep(startProcess);
        if (deliveries.length === 0 && (await openJobs()) === 0) return;
        await world.pass(SWEEP_SECONDS);
      }
      throw new Error('a job is stuck');
    }

    /** What the rows say in the end, without times and costs. */
    async function finalRows() {
      const memory = new AgentMemory(base);
      const thread = await memory.getThread('thread');
      const { jobs, ...counts } = await thread.getExtraction();
      const [job] = jobs;
      const memories = (await memory.listMemories({ userId: 'u' })).items;
      return {
        counts,
        messages: (await thread.getMessages()).map(({ id }) => id),
        job: {
          status: job?.status,
          reason: job?.reason,
          messageIds: job?.messageIds,
          nextAttemptAt: job?.nextAttemptAt,
        },
        memories: memories.map(({ content, status, threadId }) => ({ content, status, threadId })),
        idsAreDerived:
          JSON.stringify(job?.memoryIds) ===
          JSON.stringify(
            await Promise.all(MEMORIES.map((_, ordinal) => deriveMemoryId(job?.jobId ?? '', ordinal))),
          ),
        idsAreStored: JSON.stringify(job?.memoryIds) === JSON.stringify(memories.map(({ id }) => id)),
      };
    }

    const SUCCEEDED = {
      counts: { pending: 0, running: 0, succeeded: 1, failed: 0, dead: 0, cancelled: 0 },
      messages: ['m1', 'm2'],
      job: { status: 'succeeded', reason: null, messageIds: ['m1', 'm2'], nextAttemptAt: null },
      memories: MEMORIES.map((content) => ({ content, status: 'active', threadId: 'thread' })),
      idsAreDerived: true,
      idsAreStored: true,
    };

    it.each(RUNS)('when this goes wrong: $name', async (run) => {
      const plan = createFaultPlan(world, run.faults);
      const { queueDownSeconds } = run;
      if (queueDownSeconds !== undefined) {
        const upAt = now() + queueDownSeconds * 1_000;
        const send = async (wakeUp: WakeUp) => {
          if (now() < upAt) throw new AgentMemoryError('unavailable', 'The queue is down.');
          put(wakeUp, 0);
        };
        base = { ...base, jobQueue: { send, close: async () => {} } };
      }
      await write(plan.startProcess);
      await runUntilQuiet(plan.startProcess, run);
      expect(await finalRows()).toEqual(SUCCEEDED);
      expect(llm.calls).toHaveLength(run.modelCalls);
      expect(plan.isUsedUp()).toBe(true);
    });

    it('when a worker sleeps in the middle of its model call for an hour: another one takes the job over', async () => {
      const { startProcess } = createFaultPlan(world, []);
      await write(startProcess);
      const answer = Promise.withResolvers<void>();
      const asked = Promise.withResolvers<void>();
      const sleeper: MemoryContext = {
        ...base,
        clock: { ...base.clock, sleep: untilAborted },
        llm: {
          modelId: llm.modelId,
          async generate(call) {
            asked.resolve();
            const result = await llm.generate(call);
            await answer.promise;
            return result;
          },
        },
      };
      const [delivery] = deliveries;
      deliveries = [];
      const sleeping = runJob(sleeper, delivery?.jobId ?? '');
      await asked.promise;
      await world.pass(3_600);
      await runUntilQuiet(startProcess, {});
      const rows = await finalRows();
      answer.resolve();
      expect((await sleeping).outcome).toBe('succeeded');
      expect(await finalRows()).toEqual(rows);
      expect(rows).toEqual(SUCCEEDED);
      expect(llm.calls).toHaveLength(2);
    });

    it('a thread that is deleted while the model is asked leaves nothing behind (contract D20)', async () => {
      const { startProcess } = createFaultPlan(world, []);
      await write(startProcess);
      const [delivery] = deliveries;
      const memory = new AgentMemory(base);
      const deleted: number[] = [];
      const deleting = createScriptedLlm(async () => {
        deleted.push(await memory.deleteThread('thread'));
        return { memories: MEMORIES.map((content) => extracted(content)) };
      });
      const run = await runJob({ ...base, llm: deleting }, delivery?.jobId ?? '');
      expect([deleted, run.outcome, run.llmCalls]).toEqual([[1], 'lost', 1]);
      const search = await memory.search('tea', { userId: 'u' });
      const lists = [
        await memory.listMemories({ userId: 'u' }),
        await memory.listJobs(),
        await memory.listThreads(),
      ];
      expect([search, ...lists.map(({ items }) => items)]).toEqual([[], [], [], []]);
      await runUntilQuiet(startProcess, {});
      expect(deleting.calls).toHaveLength(1);
    });

    it('a job that ends its workers is dead after three of them, and asks no fourth', async () => {
      const plan = createFaultPlan(world, [one('model', 'after', 'kill', 3)]);
      await write(plan.startProcess);
      await runUntilQuiet(plan.startProcess, {});
      const rows = await finalRows();
      expect(rows.counts).toEqual({ ...SUCCEEDED.counts, succeeded: 0, dead: 1 });
      expect(rows).toMatchObject({
        job: { reason: { code: 'worker_lost' } },
        memories: [],
        messages: ['m1', 'm2'],
      });
      expect(llm.calls).toHaveLength(3);
    });

    it('a thread whose jobs fail keeps no other waiting', async () => {
      const memory = new AgentMemory(base);
      const other = await memory.createThread({
        threadId: 'other',
        userId: 'v',
        agentId: 'a',
        extraction: BACKGROUND,
      });
      const failing = createScriptedLlm(({ messages }) =>
        JSON.stringify(messages).includes('green') ? SLOW_DOWN : { memories: [extracted('User likes tea')] },
      );
      base = { ...base, llm: failing };
      for (let number = 0; number < 3; number += 1) {
        await other.addMessages([{ role: 'user', content: `green ${number}` }]);
      }
      const { startProcess } = createFaultPlan(world, []);
      await write(startProcess);
      for (const delivery of deliveries) await consume(startProcess, delivery);
      expect((await (await memory.getThread('thread')).getExtraction()).succeeded).toBe(1);
      expect((await other.getExtraction()).pending).toBe(3);
    });
  },
);
