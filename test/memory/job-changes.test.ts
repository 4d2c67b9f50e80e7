import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { AgentMemory } from '../../lib/memory/agent-memory.ts';
import { retryJob } from '../../lib/memory/job-changes.ts';
import type { AgentMemoryApi, ThreadApi } from '../../lib/schemas/agent-memory-api.ts';
import type { CountingTransport } from '../../lib/sql/counting-transport.ts';
import { createScriptedLlm } from '../../lib/testing/index.ts';
import { openEmulatedMemory } from './emulated-memory.ts';
import { createTestContext, extracted, extractionScript } from './test-context.ts';

const TEA = { memories: [extracted('User likes tea')] };
const MESSAGE = { role: 'user', content: 'I like tea.' };

/** A model whose first answer waits until it is let go, and a promise of its call. */
function slowModel() {
  const called = Promise.withResolvers<void>();
  const answer = Promise.withResolvers<typeof TEA>();
  let calls = 0;
  const llm = createScriptedLlm(() => {
    calls += 1;
    called.resolve();
    return calls === 1 ? answer.promise : TEA;
  });
  return { llm, called: called.promise, letGo: () => answer.resolve(TEA) };
}

describe('while a slow model is asked', () => {
  let memory: AgentMemoryApi;
  let thread: ThreadApi;
  let slow: ReturnType<typeof slowModel>;
  let transport: CountingTransport;
  beforeEach(async () => {
    slow = slowModel();
    ({ memory, transport } = await openEmulatedMemory(slow.llm));
    thread = await memory.createThread({
      threadId: 'thread',
      userId: 'u',
      extraction: { enableContextSummary: false },
    });
  });
  afterEach(() => memory.close());

  async function runningJobId(): Promise<string> {
    await slow.called;
    return (await memory.listJobs({ status: 'running' })).items[0]?.jobId ?? '';
  }

  async function memoryContents(): Promise<readonly (string | null)[]> {
    return (await memory.listMemories({ userId: 'u' })).items.map(({ content }) => content);
  }

  it('a cancelled job ends at once, and what the model answers is not written', async () => {
    const adding = thread.addMessages([MESSAGE]);
    const jobId = await runningJobId();
    const before = transport.roundTrips;
    expect(await memory.cancelJob(jobId)).toMatchObject({ status: 'cancelled', memoryIds: [] });
    expect(transport.roundTrips - before).toBe(2);
    slow.letGo();
    expect((await adding).extraction).toMatchObject({ status: 'failed', reason: { code: 'conflict' } });
    expect(await memory.getJob(jobId)).toMatchObject({ status: 'cancelled', llmCalls: 0 });
    expect(await memoryContents()).toEqual([]);
  });

  it('a hung job can be cancelled and retried, and its late answer makes no second memory', async () => {
    const adding = thread.addMessages([MESSAGE]);
    const jobId = await runningJobId();
    await expect(memory.retryJob(jobId)).rejects.toMatchObject({ code: 'conflict' });
    await memory.cancelJob(jobId);
    const before = transport.roundTrips;
    const retried = await memory.retryJob(jobId);
    expect(transport.roundTrips - before).toBe(5);
    expect(retried).toMatchObject({ status: 'succeeded', attempt: 2 });
    slow.letGo();
    await adding;
    expect(await memory.getJob(jobId)).toEqual(retried);
    expect(await memoryContents()).toEqual(['User likes tea']);
  });

  it('a second retry is refused and the first one writes once', async () => {
    const { extraction } = await failedWrite(thread);
    const first = memory.retryJob(extraction.jobId ?? '');
    await slow.called;
    await expect(memory.retryJob(extraction.jobId ?? '')).rejects.toMatchObject({ code: 'conflict' });
    slow.letGo();
    expect(await first).toMatchObject({ status: 'succeeded', attempt: 2 });
    expect(await memoryContents()).toEqual(['User likes tea']);
  });

  it('a thread can be deleted: the retried job goes with it and writes nothing', async () => {
    const { extraction } = await failedWrite(thread);
    const retrying = memory.retryJob(extraction.jobId ?? '');
    const refused = expect(retrying).rejects.toMatchObject({ code: 'not_found' });
    await slow.called;
    expect(await memory.deleteThread('thread')).toBe(1);
    slow.letGo();
    await refused;
    expect(await memoryContents()).toEqual([]);
    expect((await memory.listJobs()).items).toEqual([]);
  });

  /** A job that failed before it asked the model: the metadata to inherit disagree. */
  async function failedWrite(of: ThreadApi) {
    await of.update({ extraction: { memoryExtractionInheritMessageMetadata: true } });
    const disagreeing = [
      { ...MESSAGE, metadata: { place: 'a' } },
      { ...MESSAGE, metadata: { place: 'b' } },
    ];
    const answer = await of.addMessages(disagreeing);
    expect(answer.extraction).toMatchObject({ status: 'failed', reason: { code: 'invalid_request' } });
    await of.update({ extraction: { memoryExtractionInheritMessageMetadata: false } });
    return answer;
  }
});

describe('a job that failed for want of a language model (contract D23)', () => {
  async function failedJob(controller?: AbortController) {
    const fakes = createTestContext({ script: extractionScript(TEA) });
    await fakes.memory.createThread({ threadId: 'thread', userId: 'u' });
    const modelless = new AgentMemory({ ...fakes.context, llm: undefined });
    const { extraction } = await (await modelless.getThread('thread')).addMessages([MESSAGE]);
    expect(extraction).toMatchObject({ status: 'failed', reason: { code: 'unsupported' } });
    const context = { ...fakes.context, signal: controller?.signal };
    return { ...fakes, context, modelless, jobId: extraction.jobId ?? '' };
  }

  it('is refused a retry as long as there is none, and stays as it was', async () => {
    const { modelless, jobId } = await failedJob();
    await expect(modelless.retryJob(jobId)).rejects.toMatchObject({ code: 'unsupported' });
    await expect(modelless.retryJob('unknown')).rejects.toMatchObject({ code: 'not_found' });
    expect(await modelless.getJob(jobId)).toMatchObject({ status: 'failed', attempt: 0 });
  });

  it('works once there is one', async () => {
    const { memory, jobId } = await failedJob();
    const job = await memory.retryJob(jobId);
    expect(job).toMatchObject({ status: 'succeeded', attempt: 1, reason: null });
    expect(await memory.getMemory(job.memoryIds[0] ?? '')).toMatchObject({ content: 'User likes tea' });
    await expect(memory.retryJob(jobId)).rejects.toMatchObject({ code: 'conflict' });
  });

  it('ends as failed with the reason when the request ends before the pass', async () => {
    const controller = new AbortController();
    const { context, jobId } = await failedJob(controller);
    const llm = createScriptedLlm(() => {
      controller.abort();
      return new Error('the call was given up');
    });
    expect(await retryJob({ ...context, llm }, jobId)).toMatchObject({
      status: 'failed',
      attempt: 1,
      reason: { code: 'timeout' },
    });
  });
});
