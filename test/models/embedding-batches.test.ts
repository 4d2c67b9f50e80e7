import { describe, expect, test } from 'vitest';
import { AgentMemoryError } from '../../lib/errors/agent-memory-error.ts';
import type { EmbedCall, Embedder } from '../../lib/models/embedder.ts';
import {
  type EmbeddingBatchesOptions,
  probeDimensions,
  withBatches,
} from '../../lib/models/embedding-batches.ts';
import { createHashEmbedder, createManualClock } from '../../lib/testing/index.ts';

const tokenizer = { count: (text: string) => text.length };
const texts = Array.from({ length: 2100 }, (_, index) => `text number ${index}`);

function batched(embedder: Embedder, options: Partial<EmbeddingBatchesOptions> = {}): Embedder {
  return withBatches(embedder, { tokenizer, clock: createManualClock(), random: () => 0.5, ...options });
}

/** An embedder whose answers are computed by `answer`. */
function embedderOf(answer: (call: EmbedCall, calls: number) => readonly Float32Array[] | Promise<never>) {
  const calls: EmbedCall[] = [];
  const embedder: Embedder = {
    modelId: 'test',
    dimensions: 2,
    limits: { maxInputsPerCall: 2, maxInputTokens: 100, maxParallelCalls: 1 },
    async embed(call) {
      calls.push(call);
      return answer(call, calls.length);
    },
  };
  return { embedder, calls };
}

describe.each([1, 96, 2048])('with %i inputs per call', (maxInputsPerCall) => {
  test('splits into full calls and keeps the order', async () => {
    const raw = createHashEmbedder({ limits: { maxInputsPerCall } });
    const vectors = await batched(raw).embed({ texts, purpose: 'document' });
    expect(raw.calls.map((call) => call.texts.length)).toEqual([
      ...Array.from({ length: Math.floor(2100 / maxInputsPerCall) }, () => maxInputsPerCall),
      ...(2100 % maxInputsPerCall === 0 ? [] : [2100 % maxInputsPerCall]),
    ]);
    const direct = createHashEmbedder({ limits: { maxInputsPerCall: 5000 } });
    expect(vectors).toEqual(await direct.embed({ texts, purpose: 'document' }));
  });
});

test('no texts are no call', async () => {
  const raw = createHashEmbedder();
  expect(await batched(raw).embed({ texts: [], purpose: 'query' })).toEqual([]);
  expect(raw.calls).toEqual([]);
});

test('equal texts are embedded once and answered each', async () => {
  const raw = createHashEmbedder();
  const [a, b, again] = await batched(raw).embed({ texts: ['a', 'b', 'a'], purpose: 'query' });
  expect(raw.calls.map((call) => [call.texts, call.purpose])).toEqual([[['a', 'b'], 'query']]);
  expect(again).toEqual(a);
  expect(again).not.toEqual(b);
});

test('runs at most maxParallelCalls at once and keeps the order of slow answers', async () => {
  const waiting: (() => void)[] = [];
  let running = 0;
  let most = 0;
  const embedder: Embedder = {
    ...embedderOf(() => []).embedder,
    limits: { maxInputsPerCall: 1, maxInputTokens: 100, maxParallelCalls: 3 },
    async embed(call) {
      running += 1;
      most = Math.max(most, running);
      await new Promise<void>((resolve) => {
        waiting.push(resolve);
      });
      running -= 1;
      return call.texts.map((text) => Float32Array.of(Number(text), 1));
    },
  };
  const answer = batched(embedder).embed({ texts: ['1', '2', '3', '4', '5'], purpose: 'document' });
  while (running > 0 || waiting.length > 0) {
    waiting.pop()?.();
    await new Promise((resolve) => setImmediate(resolve));
  }
  expect((await answer).map((vector) => vector[0])).toEqual([1, 2, 3, 4, 5]);
  expect(most).toBe(3);
});

test('tries retryable failures again and waits at least as long as asked', async () => {
  const clock = createManualClock();
  const { embedder, calls } = embedderOf((_call, count) => {
    if (count === 1) throw new AgentMemoryError('unavailable', 'down');
    if (count === 2) throw new AgentMemoryError('rate_limited', 'slow down', { retryAfterSeconds: 7 });
    return [Float32Array.of(1, 2)];
  });
  await batched(embedder, { clock }).embed({ texts: ['a'], purpose: 'document' });
  expect(calls).toHaveLength(3);
  expect(clock.sleeps).toEqual([250, 7500]);
});

test('gives up after the attempts and throws the last failure', async () => {
  const { embedder, calls } = embedderOf(() => {
    throw new AgentMemoryError('unavailable', 'down');
  });
  const attempt = batched(embedder, { maxAttempts: 3 }).embed({ texts: ['a'], purpose: 'document' });
  await expect(attempt).rejects.toMatchObject({ code: 'unavailable' });
  expect(calls).toHaveLength(3);
});

test('does not wait longer than its bound, whatever is asked', async () => {
  const { embedder, calls } = embedderOf(() => {
    throw new AgentMemoryError('rate_limited', 'much later', { retryAfterSeconds: 3600 });
  });
  const attempt = batched(embedder).embed({ texts: ['a'], purpose: 'document' });
  await expect(attempt).rejects.toMatchObject({ code: 'rate_limited', retryAfterSeconds: 3600 });
  expect(calls).toHaveLength(1);
});

test('does not try permanent failures again and sends no further calls', async () => {
  const { embedder, calls } = embedderOf(() => {
    throw new TypeError('internal text');
  });
  const attempt = batched(embedder).embed({ texts: ['a', 'b', 'c', 'd', 'e'], purpose: 'document' });
  await expect(attempt).rejects.toMatchObject({
    code: 'model_failed',
    retryable: false,
    message: expect.not.stringContaining('internal'),
  });
  expect(calls).toHaveLength(1);
});

test('a failed call cancels the ones under way', async () => {
  const signals: AbortSignal[] = [];
  const embedder: Embedder = {
    ...embedderOf(() => []).embedder,
    limits: { maxInputsPerCall: 1, maxInputTokens: 100, maxParallelCalls: 2 },
    embed({ texts: [text], signal }) {
      if (signal) signals.push(signal);
      if (text === 'bad') return Promise.reject(new AgentMemoryError('model_failed', 'no'));
      return new Promise(() => {});
    },
  };
  const attempt = batched(embedder).embed({ texts: ['slow', 'bad'], purpose: 'document' });
  await expect(attempt).rejects.toMatchObject({ code: 'model_failed' });
  expect(signals.map((signal) => signal.aborted)).toEqual([true, true]);
});

test('a cancelled caller gets timeout and nothing is sent', async () => {
  const raw = createHashEmbedder();
  const attempt = batched(raw).embed({ texts: ['a'], purpose: 'query', signal: AbortSignal.abort() });
  await expect(attempt).rejects.toMatchObject({ code: 'timeout' });
  expect(raw.calls).toEqual([]);
});

test.each([
  ['too few vectors', [Float32Array.of(1, 2)]],
  ['another width than declared', [Float32Array.of(1, 2, 3), Float32Array.of(1, 2, 3)]],
  ['different widths', [Float32Array.of(1, 2), Float32Array.of(1)]],
  ['NaN', [Float32Array.of(1, 2), Float32Array.of(Number.NaN, 2)]],
  ['infinity', [Float32Array.of(1, 2), Float32Array.of(1, Number.POSITIVE_INFINITY)]],
  ['a zero vector', [Float32Array.of(1, 2), Float32Array.of(0, 0)]],
])('refuses an answer with %s', async (_name, answer) => {
  const { embedder } = embedderOf(() => answer);
  const attempt = batched(embedder).embed({ texts: ['a', 'b'], purpose: 'document' });
  await expect(attempt).rejects.toMatchObject({ code: 'model_failed' });
});

test('the width of an unmeasured embedder may not change between calls', async () => {
  const { embedder } = embedderOf((_call, count) => [new Float32Array(count + 1).fill(1)]);
  const unmeasured = batched({ ...embedder, dimensions: undefined });
  await unmeasured.embed({ texts: ['a'], purpose: 'document' });
  const second = unmeasured.embed({ texts: ['a'], purpose: 'document' });
  await expect(second).rejects.toMatchObject({ code: 'model_failed' });
});

test('refuses a text over the token limit before anything is sent', async () => {
  const raw = createHashEmbedder({ limits: { maxInputTokens: 10 } });
  const attempt = batched(raw).embed({ texts: ['short', 'longer than ten'], purpose: 'document' });
  await expect(attempt).rejects.toMatchObject({ code: 'payload_too_large' });
  expect(raw.calls).toEqual([]);
  await expect(batched(raw).embed({ texts: ['exactly 10'], purpose: 'document' })).resolves.toHaveLength(1);
});

test('probes the width only of an embedder that does not tell it', async () => {
  const raw = createHashEmbedder({ dimensions: 48 });
  expect(await probeDimensions(raw)).toBe(48);
  expect(raw.calls).toHaveLength(0);
  expect(await probeDimensions({ ...raw, dimensions: undefined })).toBe(48);
  expect(raw.calls).toHaveLength(1);
});
