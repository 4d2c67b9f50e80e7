import { expect, test } from 'vitest';
import * as z from 'zod';
import type { Embedder } from '../../lib/models/embedder.ts';
import { probeDimensions, withBatches } from '../../lib/models/embedding-batches.ts';
import {
  createOpenAiCompatibleEmbedder,
  type OpenAiCompatibleEmbedderOptions,
} from '../../lib/models/openai-compatible/openai-compatible-embedder.ts';
import { createManualClock } from '../../lib/testing/index.ts';
import { type LoopbackAnswer, type ReceivedRequest, startLoopbackEndpoint } from './loopback-endpoint.ts';

const inputSchema = z.object({ input: z.array(z.string()) });

function embedderAt(apiBase: string, options: Partial<OpenAiCompatibleEmbedderOptions> = {}): Embedder {
  return createOpenAiCompatibleEmbedder({ apiBase, apiKey: 'secret-key', model: 'e1', ...options });
}

/** Vectors `[length of the text, 1]`, in reverse order but with their index. */
function answerReversed({ body }: ReceivedRequest): LoopbackAnswer {
  const data = inputSchema
    .parse(body)
    .input.map((text, index) => ({ object: 'embedding', index, embedding: [text.length, 1] }))
    .toReversed();
  return { body: { object: 'list', data, usage: { prompt_tokens: 1, total_tokens: 1 } } };
}

test('sends the texts and orders the vectors by their index', async () => {
  await using endpoint = await startLoopbackEndpoint(answerReversed);
  const embedder = embedderAt(endpoint.apiBase);
  const vectors = await embedder.embed({ texts: ['a', 'bb', 'ccc'], purpose: 'document' });
  expect(vectors).toEqual([Float32Array.of(1, 1), Float32Array.of(2, 1), Float32Array.of(3, 1)]);
  const [request] = endpoint.received;
  expect(request?.path).toBe('/v1/embeddings');
  expect(request?.headers.authorization).toBe('Bearer secret-key');
  expect(request?.body).toEqual({ model: 'e1', input: ['a', 'bb', 'ccc'], encoding_format: 'float' });
  expect(embedder.limits.maxInputsPerCall).toBe(96);
});

test('sends the width asked for and the prefix of the purpose', async () => {
  await using endpoint = await startLoopbackEndpoint(answerReversed);
  const embedder = embedderAt(endpoint.apiBase, { dimensions: 2, queryPrefix: 'q: ', documentPrefix: 'd: ' });
  await embedder.embed({ texts: ['x'], purpose: 'query' });
  await embedder.embed({ texts: ['x'], purpose: 'document' });
  expect(endpoint.received.map(({ body }) => body)).toEqual([
    expect.objectContaining({ input: ['q: x'], dimensions: 2 }),
    expect.objectContaining({ input: ['d: x'], dimensions: 2 }),
  ]);
});

test.each([1, 96, 2048])('takes any number of texts in calls of %i', async (maxInputsPerCall) => {
  await using endpoint = await startLoopbackEndpoint(answerReversed);
  const raw = embedderAt(endpoint.apiBase, { maxInputsPerCall });
  const embedder = withBatches(raw, { tokenizer: { count: (text) => text.length } });
  const texts = Array.from({ length: maxInputsPerCall + 1 }, (_, index) => 'x'.repeat(index + 1));
  const vectors = await embedder.embed({ texts, purpose: 'document' });
  expect(vectors.map(([length]) => length)).toEqual(texts.map((text) => text.length));
  expect(endpoint.received).toHaveLength(2);
});

test('refuses more texts than a call takes', async () => {
  await using endpoint = await startLoopbackEndpoint(answerReversed);
  const attempt = embedderAt(endpoint.apiBase, { maxInputsPerCall: 1 }).embed({
    texts: ['a', 'b'],
    purpose: 'query',
  });
  await expect(attempt).rejects.toMatchObject({ code: 'model_failed' });
  expect(endpoint.received).toHaveLength(0);
});

test('the width is probed when it is not told', async () => {
  await using endpoint = await startLoopbackEndpoint(answerReversed);
  expect(await probeDimensions(embedderAt(endpoint.apiBase))).toBe(2);
});

test('errors are mapped by status and batches try again', async () => {
  const clock = createManualClock();
  await using endpoint = await startLoopbackEndpoint((request, count) =>
    count === 1 ? { status: 503, body: { error: { message: 'vendor text' } } } : answerReversed(request),
  );
  const embedder = withBatches(embedderAt(endpoint.apiBase), {
    clock,
    random: () => 1,
    tokenizer: { count: (text) => text.length },
  });
  expect(await embedder.embed({ texts: ['abc'], purpose: 'query' })).toEqual([Float32Array.of(3, 1)]);
  expect(clock.sleeps).toEqual([500]);
});

test('refused credentials are permanent and name no vendor text', async () => {
  await using endpoint = await startLoopbackEndpoint(() => ({
    status: 401,
    body: { error: { message: 'vendor text' } },
  }));
  const attempt = embedderAt(endpoint.apiBase).embed({ texts: ['a'], purpose: 'query' });
  await expect(attempt).rejects.toMatchObject({
    code: 'model_failed',
    retryable: false,
    message: 'The embedding model refused the credentials (status 401).',
  });
});
