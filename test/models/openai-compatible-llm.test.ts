import { expect, test } from 'vitest';
import type { GenerateCall, Llm } from '../../lib/models/llm.ts';
import {
  createOpenAiCompatibleLlm,
  type OpenAiCompatibleLlmOptions,
} from '../../lib/models/openai-compatible/openai-compatible-llm.ts';
import { withRetry } from '../../lib/models/retry.ts';
import { createManualClock } from '../../lib/testing/index.ts';
import { type LoopbackAnswer, startLoopbackEndpoint } from './loopback-endpoint.ts';

const call: GenerateCall = {
  purpose: 'memory_extraction',
  messages: [
    { role: 'system', content: 'Extract.' },
    { role: 'user', content: 'I live in Lisbon.' },
    { role: 'assistant', content: 'not JSON' },
    { role: 'user', content: 'Again.' },
  ],
  responseJsonSchema: { type: 'object', properties: { memories: { type: 'array' } } },
};

function completion(content: unknown, finishReason = 'stop', message: object = {}): LoopbackAnswer {
  return {
    body: {
      id: 'c1',
      created: 1,
      model: 'served',
      choices: [
        { index: 0, message: { role: 'assistant', content, ...message }, finish_reason: finishReason },
      ],
      usage: { prompt_tokens: 11, completion_tokens: 7, total_tokens: 18 },
    },
  };
}

function llmAt(apiBase: string, options: Partial<OpenAiCompatibleLlmOptions> = {}): Llm {
  return createOpenAiCompatibleLlm({ apiBase, apiKey: 'secret-key', model: 'm1', ...options });
}

async function failure(answer: LoopbackAnswer, options: Partial<OpenAiCompatibleLlmOptions> = {}) {
  await using endpoint = await startLoopbackEndpoint(() => answer);
  const error: unknown = await llmAt(endpoint.apiBase, options)
    .generate(call)
    .catch((reason: unknown) => reason);
  expect(endpoint.received).toHaveLength(1);
  return error;
}

test('sends the messages and the schema named after the purpose, and reads answer and usage', async () => {
  await using endpoint = await startLoopbackEndpoint(() => completion('{"memories":[]}'));
  const result = await llmAt(`${endpoint.apiBase}/`).generate(call);
  expect(result).toEqual({ text: '{"memories":[]}', promptTokens: 11, completionTokens: 7 });
  expect(endpoint.received).toHaveLength(1);
  const [request] = endpoint.received;
  expect(request?.path).toBe('/v1/chat/completions');
  expect(request?.headers.authorization).toBe('Bearer secret-key');
  expect(request?.body).toEqual({
    model: 'm1',
    messages: call.messages,
    response_format: {
      type: 'json_schema',
      json_schema: { name: 'memory_extraction', strict: false, schema: call.responseJsonSchema },
    },
  });
});

test('sends options only when they are given', async () => {
  await using endpoint = await startLoopbackEndpoint(() => completion('{}'));
  await llmAt(endpoint.apiBase, { temperature: 0, maxOutputTokens: 900, strictSchema: true }).generate(call);
  expect(endpoint.received[0]?.body).toMatchObject({
    temperature: 0,
    max_tokens: 900,
    response_format: { json_schema: { strict: true } },
  });
});

test('sends no authorization without a key', async () => {
  await using endpoint = await startLoopbackEndpoint(() => completion('{}'));
  await llmAt(endpoint.apiBase, { apiKey: undefined }).generate(call);
  expect(endpoint.received[0]?.headers.authorization).toBeUndefined();
});

test('an answer without usage has null counts, and reasoning is no part of the text', async () => {
  const body = { choices: [{ message: { content: '{}', reasoning_content: 'hm' }, finish_reason: 'stop' }] };
  await using endpoint = await startLoopbackEndpoint(() => ({ body }));
  const result = await llmAt(endpoint.apiBase).generate(call);
  expect(result).toEqual({ text: '{}', promptTokens: null, completionTokens: null });
});

const vendorError = { error: { message: 'vendor text', type: 'x', code: 'y' } };

test.each([
  [401, {}, { code: 'model_failed', retryable: false }],
  [403, {}, { code: 'model_failed', retryable: false }],
  [400, {}, { code: 'model_failed', retryable: false }],
  [404, {}, { code: 'model_failed', retryable: false }],
  [408, {}, { code: 'timeout', retryable: true }],
  [429, { 'retry-after': '12' }, { code: 'rate_limited', retryable: true, retryAfterSeconds: 12 }],
  [429, {}, { code: 'rate_limited', retryable: true, retryAfterSeconds: undefined }],
  [500, {}, { code: 'model_failed', retryable: true }],
  [503, { 'retry-after': '3' }, { code: 'model_failed', retryable: true, retryAfterSeconds: 3 }],
])(
  'maps status %i with headers %j, asks once and keeps the vendor text to itself',
  async (status, headers, expected) => {
    const error = await failure({ status, headers, body: vendorError });
    expect(error).toMatchObject({
      ...expected,
      name: 'AgentMemoryError',
      message: expect.not.stringContaining('vendor text'),
      cause: expect.objectContaining({ message: 'vendor text' }),
    });
  },
);

test.each([
  [400, 'The language model refused the request (status 400).'],
  [500, 'The language model failed (status 500).'],
])('says of status %i whose fault it was', async (status, message) => {
  expect(await failure({ status, headers: {}, body: vendorError })).toMatchObject({ message });
});

test('a Retry-After date becomes seconds', async () => {
  const error = await failure({
    status: 429,
    headers: { 'retry-after': 'Thu, 01 Jan 2026 00:00:00 GMT' },
    body: '',
  });
  expect(error).toMatchObject({ code: 'rate_limited', retryAfterSeconds: 0 });
});

test.each([
  ['a content filter', completion('', 'content_filter'), 'content filter'],
  ['a refusal', completion(null, 'stop', { refusal: 'I cannot.' }), 'content filter'],
  ['the output limit', completion('{"memo', 'length'), 'finish_reason length'],
])('an answer ended by %s is a permanent failure that says so', async (_name, answer, said) => {
  const error = await failure(answer);
  expect(error).toMatchObject({
    code: 'model_failed',
    retryable: false,
    message: expect.stringContaining(said),
  });
});

test.each([
  ['no JSON', { body: '<html>' }],
  ['no choices', { body: { choices: [] } }],
  ['another shape', { body: { ok: true } }],
])('an answer with %s is a permanent failure', async (_name, answer) => {
  expect(await failure(answer)).toMatchObject({ code: 'model_failed', retryable: false });
});

test('an empty answer is handed on, for the caller to judge', async () => {
  await using endpoint = await startLoopbackEndpoint(() => completion(null));
  expect((await llmAt(endpoint.apiBase).generate(call)).text).toBe('');
});

test('a connection that is cut or refused may be tried again', async () => {
  expect(await failure({ fault: 'cut' })).toMatchObject({ code: 'model_failed', retryable: true });
  const endpoint = await startLoopbackEndpoint(() => ({}));
  await endpoint[Symbol.asyncDispose]();
  const attempt = llmAt(endpoint.apiBase).generate(call);
  await expect(attempt).rejects.toMatchObject({ code: 'model_failed', retryable: true });
});

test('a model that does not answer in time is a timeout', async () => {
  const error = await failure({ fault: 'hang' }, { timeoutSeconds: 0.2 });
  expect(error).toMatchObject({ code: 'timeout', message: expect.stringContaining('in time') });
});

test('a cancelled call ends at once, before and after it was sent', async () => {
  const controller = new AbortController();
  await using endpoint = await startLoopbackEndpoint(() => {
    controller.abort();
    return { fault: 'hang' };
  });
  const sent = llmAt(endpoint.apiBase).generate({ ...call, signal: controller.signal });
  await expect(sent).rejects.toMatchObject({
    code: 'timeout',
    message: expect.stringContaining('cancelled'),
  });
  const unsent = llmAt(endpoint.apiBase).generate({ ...call, signal: controller.signal });
  await expect(unsent).rejects.toMatchObject({ code: 'timeout' });
  expect(endpoint.received).toHaveLength(1);
});

test('with retry it asks again after the wait the endpoint named', async () => {
  const clock = createManualClock();
  await using endpoint = await startLoopbackEndpoint((_request, count) =>
    count === 1 ? { status: 429, headers: { 'retry-after': '9' }, body: vendorError } : completion('{}'),
  );
  const llm = withRetry(llmAt(endpoint.apiBase), { clock, random: () => 0 });
  expect((await llm.generate(call)).text).toBe('{}');
  expect(clock.sleeps).toEqual([9000]);
});
