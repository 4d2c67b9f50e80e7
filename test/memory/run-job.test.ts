import { describe, expect, it } from 'vitest';
import { AgentMemoryError } from '../../lib/errors/agent-memory-error.ts';
import { sweepJobs } from '../../lib/memory/sweep-jobs.ts';
import { createScriptedLlm } from '../../lib/testing/index.ts';
import { BACKGROUND, createBackgroundStage, settle } from './background-stage.ts';
import { extracted, extractionScript } from './test-context.ts';

const TEA = { memories: [extracted('User likes tea')] };
const MESSAGE = { role: 'user', content: 'I like tea.' };
const SLOW_DOWN = new AgentMemoryError('rate_limited', 'Slow down.');

/** A stage with one pending job, and a function that adds one. */
async function pendingJob(options: Parameters<typeof createBackgroundStage>[0] = {}) {
  const stage = await createBackgroundStage({ script: extractionScript(TEA, TEA), ...options });
  const { extraction } = await stage.thread.addMessages([MESSAGE]);
  return { ...stage, jobId: extraction.jobId ?? '' };
}

/** A model whose answer waits until it is let go. */
function slowModel() {
  const answer = Promise.withResolvers<typeof TEA>();
  const llm = createScriptedLlm(() => answer.promise);
  return { llm, letGo: () => answer.resolve(TEA) };
}

describe('a job in the background (contract §8.3)', () => {
  it('runs for the first of its wake-ups; the others find nothing to do', async () => {
    const { run, jobId, memory, llm } = await pendingJob();
    const runs = await Promise.all([run(jobId), run(jobId), run('unknown')]);
    expect(runs).toEqual([
      { jobId, outcome: 'succeeded', reasonCode: null, llmCalls: 1 },
      { jobId, outcome: 'nothing_due', reasonCode: null, llmCalls: 0 },
      { jobId: 'unknown', outcome: 'nothing_due', reasonCode: null, llmCalls: 0 },
    ]);
    expect((await run(jobId)).outcome).toBe('nothing_due');
    expect(llm.calls).toHaveLength(1);
    expect(await memory.getJob(jobId)).toMatchObject({ status: 'succeeded', attempt: 1 });
    expect((await memory.listMemories({ userId: 'u' })).items).toMatchObject([{ content: 'User likes tea' }]);
  });

  it('takes five round trips', async () => {
    const { run, jobId, store } = await pendingJob();
    const before = store.calls.length;
    await run(jobId);
    expect(store.calls.slice(before)).toEqual([
      'claimDueJob',
      'readExtractionInput',
      'search',
      'finishExtraction',
      'findNextJobs',
    ]);
  });

  it('waits for the earlier jobs of its thread, and its end wakes the next', async () => {
    const { run, jobId, thread, queue, memory } = await pendingJob();
    const later = (await thread.addMessages([{ role: 'user', content: 'I moved to Porto.' }])).extraction;
    const laterId = later.jobId ?? '';
    expect((await run(laterId)).outcome).toBe('nothing_due');
    expect((await run(jobId)).outcome).toBe('succeeded');
    expect(queue.sent.slice(2)).toEqual([{ jobId: laterId, delaySeconds: 0 }]);
    expect((await run(laterId)).outcome).toBe('succeeded');
    expect(queue.sent).toHaveLength(3);
    expect(await memory.getJob(laterId)).toMatchObject({ status: 'succeeded', attempt: 1 });
  });

  it('waits for an earlier job that waits for its next attempt, and for nothing of other threads', async () => {
    const { run, jobId, thread, memory, clock } = await pendingJob({
      script: extractionScript(SLOW_DOWN, TEA, TEA, TEA),
    });
    const laterId = (await thread.addMessages([MESSAGE])).extraction.jobId ?? '';
    const other = await memory.createThread({ threadId: 'other', extraction: BACKGROUND });
    const otherId = (await other.addMessages([MESSAGE])).extraction.jobId ?? '';
    expect((await run(jobId)).outcome).toBe('released');
    expect((await run(laterId)).outcome).toBe('nothing_due');
    expect((await run(otherId)).outcome).toBe('succeeded');
    clock.advance(2_000);
    expect((await run(jobId)).outcome).toBe('succeeded');
    expect((await run(laterId)).outcome).toBe('succeeded');
  });

  it('leaves workers to other users when many of one user run, and goes on with the oldest', async () => {
    const slow = slowModel();
    const { run, jobId, memory, queue } = await pendingJob({
      settings: { jobUserLimit: 1 },
      context: { llm: slow.llm },
    });
    const add = async (userId: string) => {
      const thread = await memory.createThread({ userId, extraction: BACKGROUND });
      return (await thread.addMessages([MESSAGE])).extraction.jobId ?? '';
    };
    const [ofSame, ofOther] = [await add('u'), await add('other')];
    const running = run(jobId);
    await settle();
    expect((await run(ofSame)).outcome).toBe('nothing_due');
    expect((await run(ofOther, { llm: createScriptedLlm(() => TEA) })).outcome).toBe('succeeded');
    slow.letGo();
    expect((await running).outcome).toBe('succeeded');
    expect(queue.sent.at(-1)).toEqual({ jobId: ofSame, delaySeconds: 0 });
    expect((await run(ofSame)).outcome).toBe('succeeded');
  });

  it('leaves no room of a user empty when attempts end together', async () => {
    const slow = slowModel();
    const { run, jobId, memory, queue } = await pendingJob({
      settings: { jobUserLimit: 2 },
      context: { llm: slow.llm },
    });
    const others: string[] = [];
    for (let count = 0; count < 3; count += 1) {
      const thread = await memory.createThread({ userId: 'u', extraction: BACKGROUND });
      others.push((await thread.addMessages([MESSAGE])).extraction.jobId ?? '');
    }
    const [second = '', ...waiting] = others;
    const running = [run(jobId), run(second)];
    await settle();
    for (const id of waiting) expect((await run(id)).outcome).toBe('nothing_due');
    const sent = queue.sent.length;
    slow.letGo();
    await Promise.all(running);
    expect(new Set(queue.sent.slice(sent).map((wakeUp) => wakeUp.jobId))).toEqual(new Set(waiting));
  });

  it.each(['failed', 'dead', 'cancelled'] as const)(
    'goes on after an earlier job that is %s',
    async (end) => {
      const settings = { jobMaxAttempts: 1 };
      const failure = end === 'failed' ? new AgentMemoryError('model_failed', 'No.') : SLOW_DOWN;
      const { run, jobId, thread, memory, queue } = await pendingJob({
        settings,
        script: end === 'cancelled' ? extractionScript(TEA) : extractionScript(failure, TEA),
      });
      const laterId = (await thread.addMessages([MESSAGE])).extraction.jobId ?? '';
      if (end === 'cancelled') await memory.cancelJob(jobId);
      else expect((await run(jobId)).outcome).toBe(end);
      expect(queue.sent.at(-1)).toEqual({ jobId: laterId, delaySeconds: 0 });
      expect((await run(laterId)).outcome).toBe('succeeded');
    },
  );

  it('is woken by a sweep when the wake-up of the next could not be sent', async () => {
    const { run, jobId, thread, queue, failures, context, clock } = await pendingJob();
    const laterId = (await thread.addMessages([MESSAGE])).extraction.jobId ?? '';
    queue.setAvailable(false);
    expect((await run(jobId)).outcome).toBe('succeeded');
    expect(failures.map(([work]) => work)).toEqual(['job_wake_up']);
    queue.setAvailable(true);
    clock.advance(10_000);
    expect(await sweepJobs(context)).toMatchObject({ woken: 1 });
    expect(queue.sent.at(-1)?.jobId).toBe(laterId);
  });
});

describe('a failure that may pass', () => {
  const TRANSIENT: readonly (readonly [string, Error])[] = [
    ['a rate limit', SLOW_DOWN],
    ['a time-out', new AgentMemoryError('timeout', 'Too slow.')],
    ['a model that failed with 5xx', new AgentMemoryError('model_failed', 'Down.', { retryable: true })],
    ['a fault of this program', new TypeError('x is not a function')],
  ];

  it.each(TRANSIENT)('after %s the job waits for its next attempt', async (_name, error) => {
    const { run, jobId, memory, queue, clock } = await pendingJob({ script: extractionScript(error, TEA) });
    expect(await run(jobId)).toMatchObject({ outcome: 'released', llmCalls: 1 });
    expect(await memory.getJob(jobId)).toMatchObject({
      status: 'pending',
      attempt: 1,
      llmCalls: 1,
      nextAttemptAt: new Date(clock.now().getTime() + 2_000).toISOString(),
      reason: { code: AgentMemoryError.is(error) ? error.code : 'internal' },
    });
    expect(queue.sent.slice(1)).toEqual([{ jobId, delaySeconds: 2 }]);
    expect((await run(jobId)).outcome).toBe('nothing_due');
    clock.advance(2_000);
    expect((await run(jobId)).outcome).toBe('succeeded');
    expect(await memory.getJob(jobId)).toMatchObject({
      status: 'succeeded',
      attempt: 2,
      llmCalls: 2,
      reason: null,
    });
  });

  it('waits longer each time, and is dead after the last attempt, with its reason', async () => {
    const errors = Array.from({ length: 5 }, () => SLOW_DOWN);
    const { run, jobId, memory, queue, clock, llm } = await pendingJob({
      script: extractionScript(...errors),
    });
    const outcomes: string[] = [];
    for (let attempt = 1; attempt <= 6; attempt += 1) {
      outcomes.push((await run(jobId)).outcome);
      clock.advance(120_000);
    }
    expect(outcomes).toEqual(['released', 'released', 'released', 'released', 'dead', 'nothing_due']);
    expect(queue.sent.slice(1).map(({ delaySeconds }) => delaySeconds)).toEqual([2, 8, 30, 120]);
    expect(await memory.getJob(jobId)).toMatchObject({
      status: 'dead',
      attempt: 5,
      llmCalls: 5,
      reason: { code: 'rate_limited', detail: 'Slow down.' },
    });
    expect(llm.calls).toHaveLength(5);
  });

  const WAITS: readonly (readonly [string, number, number | undefined, number])[] = [
    ['a fifth less with the smallest chance', 0, undefined, 1.6],
    ['a fifth more with the largest', 1, undefined, 2.4],
    ['what the model asks for when that is longer', 0.5, 30, 30],
    ['not what the model asks for when that is shorter', 0.5, 1, 2],
    ['no longer than a queue can delay', 0.5, 5_000, 900],
  ];
  it.each(WAITS)('waits %s', async (_name, chance, retryAfterSeconds, seconds) => {
    const error = new AgentMemoryError('rate_limited', 'Slow down.', {
      ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
    });
    const { run, jobId, memory, queue, clock } = await pendingJob({ script: extractionScript(error) });
    await run(jobId, { random: () => chance });
    const due = Date.parse((await memory.getJob(jobId)).nextAttemptAt ?? '') - clock.now().getTime();
    expect(due).toBeCloseTo(seconds * 1_000);
    expect(queue.sent.at(-1)).toEqual({ jobId, delaySeconds: Math.ceil(seconds) });
  });

  it('is reported once', async () => {
    const { run, jobId, failures } = await pendingJob({ script: extractionScript(SLOW_DOWN) });
    await run(jobId);
    expect(failures).toEqual([['extraction', SLOW_DOWN]]);
  });

  it('a worker whose own time is over puts the job back', async () => {
    const { run, jobId, memory } = await pendingJob();
    const controller = new AbortController();
    const llm = createScriptedLlm(() => {
      controller.abort();
      return new Error('the call was given up');
    });
    expect(await run(jobId, { llm, signal: controller.signal })).toMatchObject({
      outcome: 'released',
      reasonCode: 'timeout',
    });
    expect(await memory.getJob(jobId)).toMatchObject({ status: 'pending', attempt: 1 });
  });
});

describe('a failure that will not pass', () => {
  const PERMANENT: readonly (readonly [string, readonly (Error | string)[], string, number])[] = [
    ['a refusal', [new AgentMemoryError('model_failed', 'Refused.')], 'model_failed', 1],
    ['an answer without structure, also when asked again', ['no', 'still no'], 'model_failed', 2],
  ];
  it.each(PERMANENT)('after %s the job has failed', async (_name, answers, code, calls) => {
    const { run, jobId, memory, queue, llm } = await pendingJob({ script: extractionScript(...answers) });
    expect(await run(jobId)).toEqual({ jobId, outcome: 'failed', reasonCode: code, llmCalls: calls });
    expect(await memory.getJob(jobId)).toMatchObject({ status: 'failed', attempt: 1, llmCalls: calls });
    expect(llm.calls).toHaveLength(calls);
    expect(queue.sent).toHaveLength(1);
    expect((await run(jobId)).outcome).toBe('nothing_due');
  });

  it('metadata that disagrees ends the job, and names the keys (contract D19)', async () => {
    const stage = await createBackgroundStage();
    const { extraction } = await stage.thread.addMessages([
      { ...MESSAGE, metadata: { place: 'a' } },
      { ...MESSAGE, metadata: { place: 'b' } },
    ]);
    expect(await stage.run(extraction.jobId ?? '')).toMatchObject({
      outcome: 'failed',
      reasonCode: 'invalid_request',
    });
    expect((await stage.memory.getJob(extraction.jobId ?? '')).reason?.detail).toContain('place');
    expect(stage.llm.calls).toEqual([]);
  });

  it('a worker without a language model ends the job; it can be retried (contract D23)', async () => {
    const { run, jobId, memory } = await pendingJob();
    expect(await run(jobId, { llm: undefined })).toMatchObject({
      outcome: 'failed',
      reasonCode: 'unsupported',
    });
    expect(await memory.retryJob(jobId)).toMatchObject({ status: 'pending', attempt: 0 });
    expect((await run(jobId)).outcome).toBe('succeeded');
  });
});

describe('while a slow model is asked', () => {
  /** A job that waits for its model. */
  async function askedJob() {
    const slow = slowModel();
    const stage = await pendingJob({ context: { llm: slow.llm } });
    const running = stage.run(stage.jobId);
    await settle();
    expect(slow.llm.calls).toHaveLength(1);
    const memories = async () => (await stage.memory.listMemories({ userId: 'u' })).items;
    return { ...stage, ...slow, running, memories };
  }

  it('the lease is renewed every third of it, so nobody takes the job over', async () => {
    const { clock, store, running, letGo, run, jobId } = await askedJob();
    const before = store.calls.length;
    for (let third = 0; third < 20; third += 1) {
      clock.advance(15_000);
      await settle();
    }
    expect(store.calls.slice(before)).toEqual(Array.from({ length: 20 }, () => 'renewLease'));
    expect((await run(jobId)).outcome).toBe('nothing_due');
    letGo();
    expect(await running).toMatchObject({ outcome: 'succeeded', llmCalls: 1 });
    const after = store.calls.length;
    clock.advance(60_000);
    await settle();
    expect(store.calls).toHaveLength(after);
  });

  it('a renewal that fails is tried again while the lease lasts', async () => {
    const { clock, store, running, letGo, failures } = await askedJob();
    store.failNext('renewLease', 2);
    for (const _third of [1, 2]) {
      clock.advance(15_000);
      await settle();
    }
    expect(failures.map(([work]) => work)).toEqual(['lease_renewal', 'lease_renewal']);
    clock.advance(15_000);
    await settle();
    letGo();
    expect((await running).outcome).toBe('succeeded');
  });

  it('a lease that is over by the clock is given up: the model is not waited for', async () => {
    const { clock, store, running, llm } = await askedJob();
    store.failNext('renewLease', 3);
    for (const _third of [1, 2, 3]) {
      clock.advance(15_000);
      await settle();
    }
    expect((await running).outcome).toBe('lost');
    expect(llm.calls[0]?.signal?.aborted).toBe(true);
  });

  it('a worker that lost its lease aborts the call and writes nothing', async () => {
    const { clock, store, running, llm, run, jobId, letGo, memories } = await askedJob();
    const held = store.jobs.get(jobId);
    if (held !== undefined) held.leaseUntil = 0;
    const other = run(jobId);
    await settle();
    clock.advance(15_000);
    await settle();
    const before = store.calls.filter((name) => name === 'finishExtraction').length;
    expect((await running).outcome).toBe('lost');
    expect(llm.calls[0]?.signal?.aborted).toBe(true);
    expect(store.calls.filter((name) => name === 'finishExtraction')).toHaveLength(before);
    letGo();
    expect((await other).outcome).toBe('succeeded');
    expect(await memories()).toHaveLength(1);
  });

  it('the thread can be deleted: nothing is written, and no row is left (contract D20)', async () => {
    const { running, letGo, memory, store, memories, run, jobId } = await askedJob();
    expect(await memory.deleteThread('thread')).toBe(1);
    letGo();
    expect((await running).outcome).toBe('lost');
    expect([store.records(), store.jobs.size, await memories()]).toEqual([[], 0, []]);
    expect((await run(jobId)).outcome).toBe('nothing_due');
  });

  it('the job can be cancelled: the call is aborted at the next renewal', async () => {
    const { running, memory, clock, llm, jobId, memories } = await askedJob();
    await memory.cancelJob(jobId);
    clock.advance(15_000);
    expect((await running).outcome).toBe('lost');
    expect(llm.calls[0]?.signal?.aborted).toBe(true);
    expect(await memory.getJob(jobId)).toMatchObject({ status: 'cancelled' });
    expect(await memories()).toEqual([]);
  });
});

describe('a database that fails', () => {
  it.each(['claimDueJob', 'finishExtraction'] as const)(
    'while %s is asked, the wake-up has to come again, and nothing is lost',
    async (method) => {
      const { run, jobId, store, clock, memory } = await pendingJob();
      store.failNext(method, 100);
      store.failNext('releaseJob', 1);
      await expect(run(jobId)).rejects.toMatchObject({ code: 'unavailable' });
      store.failNext(method, 0);
      clock.advance(45_000);
      expect((await run(jobId)).outcome).toBe('succeeded');
      expect((await memory.listMemories({ userId: 'u' })).items).toHaveLength(1);
    },
  );

  it('while the messages are read, costs an attempt and no model call', async () => {
    const { run, jobId, store, llm } = await pendingJob();
    store.failNext('readExtractionInput', 1);
    expect(await run(jobId)).toMatchObject({ outcome: 'released', reasonCode: 'unavailable', llmCalls: 0 });
    expect(llm.calls).toEqual([]);
  });
});
