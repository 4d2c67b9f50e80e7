import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type HttpFault, HttpFaults } from '../../infra/local/oracle/ords/fault-middleware.ts';
import { AgentMemoryError } from '../../lib/errors/agent-memory-error.ts';
import { deriveMemoryId } from '../../lib/memory/extraction/memory-id.ts';
import { addMessages } from '../../lib/memory/messages.ts';
import { createThread } from '../../lib/memory/threads.ts';
import type { ThreadApi } from '../../lib/schemas/agent-memory-api.ts';
import type { Extraction } from '../../lib/schemas/extraction.ts';
import type { MemoryStore } from '../../lib/store/memory-store.ts';
import { createScriptedLlm, type ScriptedAnswer } from '../../lib/testing/index.ts';
import { newRecord } from '../store/store-samples.ts';
import { type EmulatedMemory, openEmulatedMemory } from './emulated-memory.ts';
import { createTestContext, extracted, extractionScript } from './test-context.ts';

const TEA = { memories: [extracted('User likes tea')] };
const CUT_AFTER = { kind: 'cut', when: 'after' } as const;
const CUT_BEFORE = { kind: 'cut', when: 'before' } as const;

describe('the last write of a pass whose connection is cut, over the emulator (contract §8.3)', () => {
  const faults = new HttpFaults();
  let planned: HttpFault[] = [];
  let answer: ScriptedAnswer = TEA;
  let emulated: EmulatedMemory;
  beforeAll(async () => {
    emulated = await openEmulatedMemory(
      createScriptedLlm(() => answer),
      {
        middleware: faults.middleware,
        wrapTransport: (transport) => ({
          ...transport,
          executeAtomic(list, options) {
            const fault = list.name.startsWith('extraction.finish') ? planned.shift() : undefined;
            if (fault !== undefined) faults.plan(fault);
            return transport.executeAtomic(list, options);
          },
        }),
      },
    );
  });
  afterAll(() => emulated?.memory.close());

  async function say(next: ScriptedAnswer, ...cuts: readonly HttpFault[]): Promise<Extraction> {
    answer = next;
    planned = [...cuts];
    const extraction = { enableContextSummary: false };
    const thread: ThreadApi = await emulated.memory.createThread({ extraction });
    return (await thread.addMessages([{ role: 'user', content: 'I like tea.' }])).extraction;
  }

  const jobOf = ({ jobId }: Extraction) => emulated.memory.getJob(jobId ?? '');

  it('after the commit: it is completed, as it is stored', async () => {
    const extraction = await say(TEA, CUT_AFTER);
    const [memoryId = ''] = extraction.memoryIds ?? [];
    expect(extraction).toEqual({ status: 'completed', jobId: expect.any(String), memoryIds: [memoryId] });
    expect(await emulated.memory.getMemory(memoryId)).toMatchObject({ content: 'User likes tea' });
    expect(await jobOf(extraction)).toMatchObject({ status: 'succeeded', memoryIds: [memoryId] });
  });

  it('before the commit: it is written again', async () => {
    const extraction = await say(TEA, CUT_BEFORE);
    expect(extraction).toMatchObject({ status: 'completed', memoryIds: [expect.any(String)] });
    expect(await jobOf(extraction)).toMatchObject({ status: 'succeeded', memoryIds: extraction.memoryIds });
  });

  it('before the commit, then after the next one: it is completed', async () => {
    const extraction = await say(TEA, CUT_BEFORE, CUT_AFTER);
    expect(extraction).toMatchObject({ status: 'completed', memoryIds: [expect.any(String)] });
    expect(await jobOf(extraction)).toMatchObject({ status: 'succeeded' });
  });

  it('each time before the commit: it has failed, and its job says so too', async () => {
    const extraction = await say(TEA, CUT_BEFORE, CUT_BEFORE);
    expect(extraction).toMatchObject({ status: 'failed', reason: { code: 'unavailable' } });
    expect(await jobOf(extraction)).toMatchObject({
      status: 'failed',
      reason: { code: 'unavailable' },
      memoryIds: [],
    });
  });

  it('after the commit of a failure: the reason is that of the failure', async () => {
    const failure = new AgentMemoryError('model_failed', 'The model is ill.');
    const extraction = await say(failure, CUT_AFTER);
    expect(extraction).toMatchObject({ status: 'failed', reason: { code: 'model_failed' } });
    expect(await jobOf(extraction)).toMatchObject({ status: 'failed', reason: extraction.reason });
  });
});

describe('the last write of a pass that fails, over the in-memory store (contract §8.3)', () => {
  /** A pass whose store has these methods in place of its own. */
  async function run(replace: (store: MemoryStore) => Partial<MemoryStore>) {
    const fakes = createTestContext({ script: extractionScript(TEA) });
    const context = { ...fakes.context, store: { ...fakes.store, ...replace(fakes.store) } };
    await createThread(context, { threadId: 't', userId: 'u', agentId: 'a' });
    const messages = [{ role: 'user', content: 'I like tea.' }];
    const { extraction } = await addMessages(context, 't', { messages });
    return { ...fakes, extraction };
  }

  const unavailable = () => new AgentMemoryError('unavailable', 'The database is not available.');

  it('after it was stored, when the first look at the job fails too', async () => {
    let looks = 0;
    let writes = 0;
    const { extraction } = await run((store) => ({
      async getJob(jobId) {
        looks += 1;
        if (looks === 1) throw unavailable();
        return store.getJob(jobId);
      },
      async finishExtraction(outcome) {
        writes += 1;
        const write = await store.finishExtraction(outcome);
        if (writes === 1) throw unavailable();
        return write;
      },
    }));
    expect([looks, writes]).toEqual([2, 2]);
    expect(extraction).toMatchObject({ status: 'completed', memoryIds: [expect.any(String)] });
  });

  it('because it would fail again: the job ends with the reason', async () => {
    const { extraction, store } = await run((store) => ({
      async readExtractionInput(jobId, ...others) {
        const input = await store.readExtractionInput(jobId, ...others);
        const id = await deriveMemoryId(jobId, 0);
        await store.addRecord(newRecord(id), undefined);
        return input;
      },
    }));
    expect(extraction).toMatchObject({ status: 'failed', reason: { code: 'conflict' } });
    expect(await store.getJob(extraction.jobId ?? '')).toMatchObject({
      status: 'failed',
      reason: { code: 'conflict' },
    });
  });

  it('because another worker was faster: what that one stored is told', async () => {
    const { extraction, store } = await run((store) => ({
      async finishExtraction(outcome) {
        await store.finishExtraction(outcome);
        return store.finishExtraction(outcome);
      },
    }));
    expect(extraction).toMatchObject({ status: 'completed' });
    expect((await store.getJob(extraction.jobId ?? ''))?.memoryIds).toEqual(extraction.memoryIds);
  });

  it('because the job was cancelled: nothing is stored', async () => {
    const { extraction, store } = await run((store) => ({
      async finishExtraction(outcome) {
        await store.cancelJob(outcome.jobId);
        return store.finishExtraction(outcome);
      },
    }));
    expect(extraction).toMatchObject({ status: 'failed', reason: { code: 'conflict' } });
    expect(store.records().filter(({ family }) => family === 'memory')).toEqual([]);
  });
});
