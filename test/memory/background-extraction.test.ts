import { describe, expect, it } from 'vitest';
import { AgentMemory } from '../../lib/memory/agent-memory.ts';
import type { MemoryContext } from '../../lib/memory/memory-context.ts';
import { addMessages } from '../../lib/memory/messages.ts';
import { createScriptedLlm } from '../../lib/testing/index.ts';
import { BACKGROUND, createBackgroundStage, settle } from './background-stage.ts';
import { createTestContext, extracted, extractionScript } from './test-context.ts';

const TEA = { memories: [extracted('User likes tea')] };
const MESSAGE = { id: 'm', role: 'user', content: 'I like tea.' };
const FULL = { code: 'extraction_queue_full', detail: expect.any(String) };

describe('writes of a background thread (contract §8.3)', () => {
  it('take one round trip and one wake-up, and no model call', async () => {
    const { thread, store, queue, llm } = await createBackgroundStage();
    const before = store.calls.length;
    const { ids, extraction } = await thread.addMessages([MESSAGE]);
    expect(store.calls.slice(before)).toEqual(['appendMessages']);
    expect([ids, extraction]).toEqual([['m'], { status: 'queued', jobId: expect.any(String) }]);
    expect(queue.sent).toEqual([{ jobId: extraction.jobId, delaySeconds: 0 }]);
    expect(llm.calls).toEqual([]);
  });

  it('an edit too', async () => {
    const { thread, store, queue, llm, run, memory } = await createBackgroundStage({
      script: extractionScript(TEA, TEA),
    });
    const added = (await thread.addMessages([MESSAGE])).extraction;
    const before = store.calls.length;
    const { extraction } = await thread.updateMessage('m', { content: 'I like green tea.' });
    expect(store.calls.slice(before)).toEqual(['editMessage']);
    expect(queue.sent.at(-1)?.jobId).toBe(extraction.jobId);
    expect(llm.calls).toEqual([]);
    expect((await run(added.jobId ?? '')).outcome).toBe('succeeded');
    expect((await run(extraction.jobId ?? '')).outcome).toBe('succeeded');
    expect(await memory.getJob(extraction.jobId ?? '')).toMatchObject({ messageIds: ['m'] });
  });

  it('are answered as queued when the queue does not take the wake-up, and the failure is reported', async () => {
    const { thread, queue, failures, memory } = await createBackgroundStage();
    queue.setAvailable(false);
    const { extraction } = await thread.addMessages([MESSAGE]);
    expect(extraction.status).toBe('queued');
    expect(failures).toEqual([['job_wake_up', expect.objectContaining({ code: 'unavailable' })]]);
    expect(await memory.getJob(extraction.jobId ?? '')).toMatchObject({ status: 'pending' });
  });

  it('send no wake-up when no job is due', async () => {
    const { thread, queue } = await createBackgroundStage();
    await thread.update({ extraction: { memoryExtractionFrequency: 2 } });
    expect((await thread.addMessages([MESSAGE])).extraction.status).toBe('none');
    expect(queue.sent).toEqual([]);
  });

  it('need a queue: without one the mode is refused by name', async () => {
    const { memory } = createTestContext();
    const refused = { code: 'unsupported', issues: [{ path: 'extraction.extractionMode' }] };
    await expect(memory.createThread({ extraction: BACKGROUND })).rejects.toMatchObject(refused);
    const thread = await memory.createThread({});
    await expect(thread.update({ extraction: BACKGROUND })).rejects.toMatchObject(refused);
  });
});

describe('a full queue (contract §8.3)', () => {
  type Behavior = 'drop' | 'wait_then_drop' | 'wait_then_raise';

  /** A stage whose one place is taken by the job of another thread. */
  async function fullStage(behavior: Behavior, seconds = 5) {
    const stage = await createBackgroundStage({
      settings: { queueCapacity: 1 },
      script: extractionScript(TEA, TEA),
    });
    const other = await stage.memory.createThread({ threadId: 'other', extraction: BACKGROUND });
    const { extraction } = await other.addMessages([{ role: 'user', content: 'First.' }]);
    await stage.thread.update({
      extraction: {
        backgroundExtractionQueueFullBehavior: behavior,
        backgroundExtractionQueuePutTimeoutSeconds: seconds,
      },
    });
    return { ...stage, firstJobId: extraction.jobId ?? '' };
  }

  /** Lets time pass until the promise is settled, and tells how much it took. */
  async function secondsUntilSettled(
    { clock }: Awaited<ReturnType<typeof fullStage>>,
    work: Promise<unknown>,
  ): Promise<number> {
    let isSettled = false;
    const note = () => {
      isSettled = true;
    };
    work.then(note, note);
    const start = clock.now().getTime();
    await settle();
    while (!isSettled && clock.now().getTime() - start < 60_000) {
      clock.advance(50);
      await settle();
    }
    return (clock.now().getTime() - start) / 1_000;
  }

  it('drop leaves the job out at once: the messages stay, the job shows why and can be retried', async () => {
    const stage = await fullStage('drop');
    const { thread, queue, memory, run, firstJobId } = stage;
    const { ids, extraction } = await thread.addMessages([MESSAGE]);
    expect(extraction).toEqual({ status: 'dropped', jobId: expect.any(String), reason: FULL });
    expect(ids).toEqual(['m']);
    expect(await thread.getMessages()).toHaveLength(1);
    expect(queue.sent).toHaveLength(1);
    const jobId = extraction.jobId ?? '';
    expect(await memory.getJob(jobId)).toMatchObject({
      status: 'cancelled',
      messageIds: ['m'],
      reason: FULL,
    });
    await run(firstJobId);
    expect(await memory.retryJob(jobId)).toMatchObject({ status: 'pending' });
    expect((await run(jobId)).outcome).toBe('succeeded');
  });

  it('wait_then_drop waits its time, looking at growing pauses, then leaves the job out', async () => {
    const stage = await fullStage('wait_then_drop');
    const before = stage.store.calls.length;
    const adding = stage.thread.addMessages([MESSAGE]);
    expect(await secondsUntilSettled(stage, adding)).toBe(5);
    expect((await adding).extraction).toMatchObject({ status: 'dropped', reason: FULL });
    const calls = stage.store.calls.slice(before);
    expect(calls.slice(0, 2)).toEqual(['appendMessages', 'getThread']);
    expect(calls.slice(2)).toEqual(Array.from({ length: 9 }, () => 'admitJob'));
  });

  it.each(['wait_then_drop', 'wait_then_raise'] as const)(
    '%s queues that very job when there is room in time',
    async (behavior) => {
      const stage = await fullStage(behavior);
      const adding = stage.thread.addMessages([MESSAGE]);
      await settle();
      stage.clock.advance(1_000);
      await settle();
      await stage.run(stage.firstJobId);
      expect(await secondsUntilSettled(stage, adding)).toBeLessThan(1.5);
      const { extraction } = await adding;
      expect(extraction).toEqual({ status: 'queued', jobId: expect.any(String) });
      expect(stage.queue.sent.at(-1)?.jobId).toBe(extraction.jobId);
      expect((await stage.run(extraction.jobId ?? '')).outcome).toBe('succeeded');
    },
  );

  it('wait_then_raise tells the ids of the stored messages', async () => {
    const stage = await fullStage('wait_then_raise', 2);
    const adding = stage.thread.addMessages([MESSAGE, { ...MESSAGE, id: 'n' }]);
    const refused = expect(adding).rejects.toMatchObject({
      code: 'extraction_queue_full',
      retryable: false,
      details: { ids: ['m', 'n'], jobId: expect.any(String) },
    });
    expect(await secondsUntilSettled(stage, adding)).toBe(2);
    await refused;
    expect(await stage.thread.getMessages()).toHaveLength(2);
  });

  it('a time-out of 0 does not wait', async () => {
    const stage = await fullStage('wait_then_raise', 0);
    await expect(stage.thread.addMessages([MESSAGE])).rejects.toMatchObject({
      code: 'extraction_queue_full',
    });
  });

  it('a wait ends with the request: the answer is that the job was left out', async () => {
    const stage = await fullStage('wait_then_drop', 600);
    const controller = new AbortController();
    const context = { ...stage.context, signal: controller.signal };
    const adding = addMessages(context, 'thread', { messages: [MESSAGE] });
    await settle();
    controller.abort(new Error('gone'));
    expect((await adding).extraction).toMatchObject({ status: 'dropped', reason: FULL });
  });

  it('a look that fails is followed by another', async () => {
    const stage = await fullStage('wait_then_drop');
    stage.store.failNext('admitJob', 2);
    const adding = stage.thread.addMessages([MESSAGE]);
    await settle();
    await stage.memory.deleteThread('other');
    expect(await secondsUntilSettled(stage, adding)).toBeCloseTo(0.35);
    expect((await adding).extraction.status).toBe('queued');
    expect(stage.failures).toMatchObject([
      ['extraction', { code: 'unavailable' }],
      ['extraction', { code: 'unavailable' }],
    ]);
  });

  it('a job is queued also when the answer that it was admitted is lost', async () => {
    const stage = await fullStage('wait_then_drop');
    const { store } = stage;
    let isLost = false;
    const admitJob: MemoryContext['store']['admitJob'] = async (...values) => {
      const isAdmitted = await store.admitJob(...values);
      if (!isAdmitted || isLost) return isAdmitted;
      isLost = true;
      throw new Error('the connection ended');
    };
    const context = { ...stage.context, store: { ...store, admitJob } };
    const adding = addMessages(context, 'thread', { messages: [MESSAGE] });
    await settle();
    await stage.run(stage.firstJobId);
    await secondsUntilSettled(stage, adding);
    expect((await adding).extraction.status).toBe('queued');
    expect(isLost).toBe(true);
  });

  it('a thread that cannot be read drops the job, and says so', async () => {
    const stage = await fullStage('wait_then_raise');
    stage.store.failNext('getThread', 1);
    expect((await stage.thread.addMessages([MESSAGE])).extraction).toMatchObject({ status: 'dropped' });
    expect(stage.failures).toMatchObject([['extraction', { code: 'unavailable' }]]);
  });
});

describe('inline extraction that outlives its request (contract §4.3)', () => {
  /** An inline thread, and a request that ends while the model is asked. */
  async function endedRequest(changes: { readonly withQueue: boolean }) {
    const stage = await createBackgroundStage({ script: extractionScript(TEA) });
    await stage.thread.update({ extraction: { extractionMode: 'inline' } });
    const controller = new AbortController();
    const llm = createScriptedLlm(() => {
      controller.abort();
      return new Error('the call was given up');
    });
    const context = {
      ...stage.context,
      llm,
      signal: controller.signal,
      jobQueue: changes.withQueue ? stage.queue : undefined,
    };
    return { ...stage, add: () => addMessages(context, 'thread', { messages: [MESSAGE] }) };
  }

  it('goes on in the background: no attempt is lost, the calls made so far count', async () => {
    const { add, memory, queue, run } = await endedRequest({ withQueue: true });
    const { extraction } = await add();
    const jobId = extraction.jobId ?? '';
    expect(extraction).toEqual({ status: 'queued', jobId });
    expect(queue.sent).toEqual([{ jobId, delaySeconds: 0 }]);
    expect(await memory.getJob(jobId)).toMatchObject({
      status: 'pending',
      attempt: 0,
      llmCalls: 1,
      reason: { code: 'timeout' },
    });
    expect((await run(jobId)).outcome).toBe('succeeded');
    expect(await memory.getJob(jobId)).toMatchObject({ status: 'succeeded', attempt: 1, llmCalls: 2 });
    expect((await memory.listMemories({ userId: 'u' })).items).toHaveLength(1);
  });

  it('without a queue it has failed, and can be retried', async () => {
    const { add, memory } = await endedRequest({ withQueue: false });
    const { extraction } = await add();
    expect(extraction).toMatchObject({ status: 'failed', reason: { code: 'timeout' } });
    expect(await memory.getJob(extraction.jobId ?? '')).toMatchObject({ status: 'failed', attempt: 1 });
  });

  it('is queued too when the database cannot be told: its lease ends, and a worker takes it', async () => {
    const { add, store, clock, run, memory } = await endedRequest({ withQueue: true });
    store.failNext('releaseJob', 1);
    const { extraction } = await add();
    expect(extraction).toEqual({ status: 'queued', jobId: expect.any(String) });
    const jobId = extraction.jobId ?? '';
    expect((await run(jobId)).outcome).toBe('nothing_due');
    clock.advance(45_000);
    expect((await run(jobId)).outcome).toBe('succeeded');
    expect((await memory.listMemories({ userId: 'u' })).items).toHaveLength(1);
  });
});

describe('a retry with a queue', () => {
  it('waits for a worker, with all attempts before it, and takes two round trips and a wake-up', async () => {
    const { thread, memory, queue, store, run } = await createBackgroundStage({
      script: extractionScript('no', 'still no', TEA),
    });
    const { extraction } = await thread.addMessages([MESSAGE]);
    const jobId = extraction.jobId ?? '';
    expect((await run(jobId)).outcome).toBe('failed');
    const before = store.calls.length;
    expect(await memory.retryJob(jobId)).toMatchObject({
      status: 'pending',
      attempt: 0,
      maxAttempts: 5,
      llmCalls: 2,
      reason: null,
    });
    expect(store.calls.slice(before)).toEqual(['requeueJob', 'getJob']);
    expect(queue.sent.at(-1)).toEqual({ jobId, delaySeconds: 0 });
    await expect(memory.retryJob(jobId)).rejects.toMatchObject({ code: 'conflict' });
    expect((await run(jobId)).outcome).toBe('succeeded');
    expect(await memory.getJob(jobId)).toMatchObject({ status: 'succeeded', attempt: 1, llmCalls: 3 });
  });

  it('is refused without a language model, and for an unknown job', async () => {
    const { context, memory } = await createBackgroundStage();
    await expect(memory.retryJob('unknown')).rejects.toMatchObject({ code: 'not_found' });
    const modelless = new AgentMemory({ ...context, llm: undefined });
    await expect(modelless.retryJob('unknown')).rejects.toMatchObject({ code: 'not_found' });
  });
});
