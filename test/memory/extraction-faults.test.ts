import { describe, expect, it } from 'vitest';
import { AgentMemoryError } from '../../lib/errors/agent-memory-error.ts';
import { addMemory } from '../../lib/memory/memories.ts';
import { updateMemory } from '../../lib/memory/memory-updates.ts';
import { updateMessage } from '../../lib/memory/message-changes.ts';
import { addMessages, getMessages } from '../../lib/memory/messages.ts';
import { searchThread } from '../../lib/memory/search.ts';
import { createThread } from '../../lib/memory/threads.ts';
import type { EmbedCall, Embedder } from '../../lib/models/embedder.ts';
import { withBatches } from '../../lib/models/embedding-batches.ts';
import { createTestContext, extracted, extractionScript } from './test-context.ts';
import { wordTokenizer } from './word-tokenizer.ts';

const DIMENSIONS = 8;

type Fault = (vectors: readonly Float32Array[]) => readonly Float32Array[];

const EMBEDDER_FAULTS: readonly (readonly [string, Fault])[] = [
  ['too few vectors', (vectors) => vectors.slice(1)],
  ['too many vectors', (vectors) => [...vectors, new Float32Array(DIMENSIONS).fill(1)]],
  ['no vectors', () => []],
  ['a value that is not a number', (vectors) => vectors.map((vector) => vector.map(() => Number.NaN))],
  ['an infinite value', (vectors) => vectors.map((vector) => vector.map(() => Number.POSITIVE_INFINITY))],
  ['a zero vector', (vectors) => vectors.map((vector) => vector.map(() => 0))],
  ['vectors of another width', (vectors) => vectors.map(() => new Float32Array(DIMENSIONS + 1).fill(1))],
];

/** An embedder whose answer has the fault in those calls that `isFaulty` picks. */
function faultyEmbedder(fault: Fault, isFaulty: (call: EmbedCall) => boolean): Embedder {
  const embedder: Embedder = {
    modelId: 'faulty',
    dimensions: DIMENSIONS,
    limits: { maxInputsPerCall: 100, maxInputTokens: 1_000, maxParallelCalls: 1 },
    async embed(call) {
      const vectors = call.texts.map(() => new Float32Array(DIMENSIONS).fill(1));
      return isFaulty(call) ? fault(vectors) : vectors;
    },
  };
  return withBatches(embedder, { tokenizer: wordTokenizer });
}

async function setUp(embedder: Embedder) {
  const fakes = createTestContext({
    script: extractionScript({ memories: [extracted('Ana likes tea')] }),
    context: { embedder },
  });
  await createThread(fakes.context, { threadId: 't' });
  const add = () =>
    addMessages(fakes.context, 't', { messages: [{ id: 'm1', role: 'user', content: 'I like tea' }] });
  return { ...fakes, add };
}

describe('an embedder that fails while messages are added (contract §4.3, D2)', () => {
  it.each(EMBEDDER_FAULTS)('%s: the request is refused and nothing is written', async (_name, fault) => {
    const { add, store, llm } = await setUp(faultyEmbedder(fault, () => true));
    await expect(add()).rejects.toMatchObject({ code: 'model_failed' });
    expect([store.records(), store.jobs.size, llm.calls]).toEqual([[], 0, []]);
  });
});

describe('an embedder that fails while something else is written (contract §4.3, §4.5)', () => {
  it.each(EMBEDDER_FAULTS)('%s: nothing is added, changed or answered', async (_name, fault) => {
    let isFaulty = false;
    const { context, store } = createTestContext({
      context: { embedder: faultyEmbedder(fault, () => isFaulty) },
    });
    await createThread(context, { threadId: 't', extraction: { extractMemories: false } });
    await addMessages(context, 't', { messages: [{ id: 'm1', role: 'user', content: 'tea' }] });
    await addMemory(context, { memoryId: 'one', content: 'tea' });
    const before = store.records();
    isFaulty = true;
    for (const work of [
      () => addMemory(context, { memoryId: 'two', content: 'coffee' }),
      () => updateMemory(context, 'one', { content: 'coffee', metadata: { changed: true } }),
      () => updateMessage(context, 't', 'm1', { content: 'coffee', metadata: { changed: true } }),
      () => searchThread(context, 't', { query: 'tea' }),
    ]) {
      await expect(work()).rejects.toMatchObject({ code: 'model_failed' });
    }
    expect(store.records()).toEqual(before);
  });
});

describe('an embedder that fails during extraction (contract §8.3, D2)', () => {
  const calls: readonly (readonly [string, (call: EmbedCall) => boolean])[] = [
    ['of the search for past memories', ({ purpose }) => purpose === 'query'],
    ['of the new memories', ({ texts }) => texts.includes('Ana likes tea')],
  ];
  const cases = calls.flatMap(([place, isFaulty]) =>
    EMBEDDER_FAULTS.map(([name, fault]) => [`${name} ${place}`, fault, isFaulty] as const),
  );

  it.each(cases)('%s: the job fails with its reason, the messages stay', async (_name, fault, isFaulty) => {
    const { add, context, store } = await setUp(faultyEmbedder(fault, isFaulty));
    const answer = await add();
    expect(answer).toMatchObject({
      ids: ['m1'],
      extraction: { status: 'failed', reason: { code: 'model_failed' } },
    });
    expect((await getMessages(context, 't', {})).messages).toHaveLength(1);
    expect(store.records().filter(({ family }) => family === 'memory')).toEqual([]);
    expect(store.jobs.get(answer.extraction.jobId ?? '')?.outcome).toMatchObject({
      status: 'failed',
      memories: [],
      supersededIds: [],
      summary: null,
    });
  });
});

describe('a language model that fails between summary and extraction (contract §8.4)', () => {
  it('leaves neither memories nor a new summary behind', async () => {
    const { context, store } = createTestContext({
      script: {
        context_summary: [{ summary: 'New summary.' }],
        memory_extraction: [new AgentMemoryError('rate_limited', 'Slow down.')],
      },
      settings: { extraction: {} },
    });
    await createThread(context, { threadId: 't' });
    const { extraction } = await addMessages(context, 't', {
      messages: [{ role: 'user', content: 'I like tea' }],
    });
    expect(extraction).toMatchObject({ status: 'failed', reason: { code: 'rate_limited' } });
    expect(store.thread('t')).toMatchObject({ runningSummary: null, summarizedSequence: 0 });
    expect([...store.jobs.values()][0]?.outcome).toMatchObject({ llmCalls: 2, summary: null });
  });
});
