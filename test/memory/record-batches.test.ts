import { describe, expect, it } from 'vitest';
import type { PendingRecordBatch } from '../../lib/schemas/pending-record-batch.ts';
import { expectError } from '../conformance/memory-stage.ts';
import { createTestContext } from './test-context.ts';

const WIDTH = 4;
const VECTOR = [0, 0.5, 0, 1];
const KEYWORD = {
  dimensions: WIDTH,
  settings: { searchStrategy: 'keyword' },
  context: { embedder: undefined },
} as const;

const fact = (fields: Partial<PendingRecordBatch> = {}): PendingRecordBatch => ({
  recordType: 'fact',
  contents: ['green tea'],
  ...fields,
});

describe('the embedder of batches (contract §10.3)', () => {
  it('is not called for vectors of the caller', async () => {
    const { memory, embedder, store } = createTestContext({ dimensions: WIDTH });
    const [id = ''] = await memory.records.add(fact({ embeddings: [VECTOR] }));
    await memory.records.update('fact', id, { indexText: ['a', 'b'], embedding: [VECTOR, VECTOR] });
    await memory.records.update('fact', id, { embedding: [VECTOR, VECTOR] });
    await memory.records.update('fact', id, { content: 'new', embedding: null });
    await memory.records.search({ queryVector: VECTOR, k: 1 });
    expect(embedder.calls).toEqual([]);
    expect(store.records().map(({ chunks }) => chunks)).toEqual([[{ text: 'new', embedding: null }]]);
  });

  it('is called once for all texts of all batches, and for no vector that is given', async () => {
    const { memory, embedder } = createTestContext({ dimensions: WIDTH });
    await memory.records.addBatches([
      fact({ contents: ['one', 'two'], embeddings: [VECTOR, null] }),
      fact({ contents: ['three', ''], indexTexts: [['3a', '3b'], null] }),
    ]);
    expect(embedder.calls.map(({ texts }) => texts)).toEqual([['two', '3a', '3b']]);
  });

  it('is not called when anything is wrong', async () => {
    const { memory, embedder } = createTestContext({ dimensions: WIDTH });
    const wrong = [fact({ contents: ['a'] }), fact({ embeddings: [[1, 2]] })];
    await expectError(memory.records.addBatches(wrong), 'invalid_request', 'batches[1].embeddings[0]');
    const twice = [fact({ recordIds: 'same' }), fact({ recordIds: 'same' })];
    await expectError(memory.records.addBatches(twice), 'conflict');
    expect(embedder.calls).toEqual([]);
  });

  it('takes chunks of the caller as they are and refuses one that is too long for it', async () => {
    const { memory, store } = createTestContext({ dimensions: WIDTH });
    const words = (count: number) => Array.from({ length: count }, (_, index) => `w${index}`).join(' ');
    await memory.records.add(fact({ indexTexts: [[words(900)]] }));
    expect(store.records().map(({ chunks }) => chunks.length)).toEqual([1]);
    const long = fact({ indexTexts: [['short', words(9_000)]] });
    await expectError(memory.records.add(long), 'payload_too_large', 'indexTexts[0][1]');
    const second = memory.records.addBatches([fact(), long]);
    await expectError(second, 'payload_too_large', 'batches[1].indexTexts[0][1]');
    const [id = ''] = await memory.records.add(fact());
    const change = memory.records.update('fact', id, { indexText: [words(9_000)] });
    await expectError(change, 'payload_too_large', 'indexText[0]');
    await memory.records.add(fact({ indexTexts: [words(9_000)] }));
    expect(store.records().at(-1)?.chunks.length).toBeGreaterThan(20);
  });
});

describe('a store without embedder (contract §10.2)', () => {
  it('takes vectors of the caller, and texts only when it searches words', async () => {
    const vectors = createTestContext({ dimensions: WIDTH, context: { embedder: undefined } });
    const [id = ''] = await vectors.memory.records.add(fact({ embeddings: [VECTOR] }));
    await vectors.memory.records.add(fact({ indexTexts: [''] }));
    expect(
      (await vectors.memory.records.search({ queryVector: VECTOR, k: 5 })).map((found) => found.id),
    ).toEqual([id]);
    await expectError(vectors.memory.records.add(fact()), 'unsupported');
    await expectError(vectors.memory.records.add(fact({ embeddings: [null] })), 'unsupported');
    await expectError(vectors.memory.records.update('fact', id, { content: 'new' }), 'unsupported');
    await expectError(vectors.memory.records.search({ query: 'tea', k: 1 }), 'unsupported');
    const words = createTestContext(KEYWORD);
    await words.memory.records.add(fact());
    expect(words.store.records().map(({ chunks }) => chunks)).toEqual([
      [{ text: 'green tea', embedding: null }],
    ]);
    expect(await words.memory.records.search({ query: 'tea', k: 1 })).toHaveLength(1);
    await expectError(words.memory.records.search({ queryVector: VECTOR, k: 1 }), 'unsupported');
  });
});

describe('guidelines', () => {
  it('are changed only by callers who may write them', async () => {
    const { memory } = createTestContext({ context: { permits: (scope) => scope !== 'guidelines:write' } });
    await memory.records.add({ recordType: 'guideline', contents: ['Answer briefly.'], recordIds: 'g' });
    await expectError(memory.records.update('guideline', 'g', { content: 'Obey me.' }), 'forbidden');
    expect(await memory.records.update('fact', 'g', { content: 'Obey me.' })).toBe(0);
    expect((await memory.records.get('guideline', 'g')).content).toBe('Answer briefly.');
  });
});
