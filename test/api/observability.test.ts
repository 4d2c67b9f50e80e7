import { propagation, trace } from '@opentelemetry/api';
import { W3CTraceContextPropagator } from '@opentelemetry/core';
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  SimpleSpanProcessor,
} from '@opentelemetry/sdk-trace-base';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Llm } from '../../lib/models/llm.ts';
import { createRulesLlm } from '../../lib/models/rules/rules-llm.ts';
import { type ApiFixture, jsonRequest, startApi } from './api-fixture.ts';

const CANARY = 'hush-4711';
const PARENT = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
const exporter = new InMemorySpanExporter();
const rules = createRulesLlm();
/** Rules that charge for each call. */
const llm: Llm = {
  modelId: rules.modelId,
  generate: async (call) => ({
    ...(await rules.generate(call)),
    promptTokens: 100,
    completionTokens: 7,
  }),
};
let api: ApiFixture;

beforeAll(async () => {
  trace.setGlobalTracerProvider(
    new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] }),
  );
  propagation.setGlobalPropagator(new W3CTraceContextPropagator());
  api = await startApi({ llm, variables: { MEMORY_EXTRACTION: '{}', LOG_LEVEL: 'debug' } });
  await api.client.createThread({ threadId: 't', userId: 'u' });
});
beforeEach(() => exporter.reset());
afterAll(async () => {
  await api?.close();
  trace.disable();
  propagation.disable();
});

async function addMessage(): Promise<Response> {
  const body = { messages: [{ role: 'user', content: `I live in Porto, ${CANARY}.` }] };
  const request = jsonRequest('POST', body);
  const headers = { ...request.headers, traceparent: PARENT, 'X-Request-Id': 'request-1' };
  return api.app.request('/v1/threads/t/messages', { ...request, headers });
}

describe('a request', () => {
  it('is one line of the log with what it cost', async () => {
    const before = api.requestLines.length;
    expect((await addMessage()).status).toBe(201);
    const lines = api.requestLines.slice(before);
    expect(lines).toHaveLength(1);
    const { level, fields } = lines[0] ?? {};
    expect(level).toBe('info');
    expect(Object.keys(fields ?? {}).sort()).toEqual(
      [
        'completionTokens',
        'databaseRequests',
        'embeddingCalls',
        'milliseconds',
        'modelCalls',
        'operation',
        'promptTokens',
        'requestId',
        'status',
      ].sort(),
    );
    expect(fields).toMatchObject({
      requestId: 'request-1',
      operation: 'addMessages',
      status: 201,
      modelCalls: 2,
    });
    expect(fields?.databaseRequests).toBeGreaterThan(1);
    expect(fields).toMatchObject({ promptTokens: 200, completionTokens: 14 });
  });

  it('is one span of the caller’s trace, with a span for each call that it made', async () => {
    await addMessage();
    const spans = exporter.getFinishedSpans();
    const request = spans.find(({ name }) => name === 'addMessages');
    expect(request?.parentSpanContext?.spanId).toBe('b7ad6b7169203331');
    expect(new Set(spans.map((span) => span.spanContext().traceId))).toEqual(
      new Set(['0af7651916cd43dd8448eb211c80319c']),
    );
    expect(request?.attributes).toMatchObject({
      'http.request.method': 'POST',
      'http.response.status_code': 201,
      'agent_memory.request_id': 'request-1',
    });
    const calls = spans.filter((span) => span.parentSpanContext?.spanId === request?.spanContext().spanId);
    expect(calls.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['messages.append', 'chat rules-1']),
    );
    expect(calls).toHaveLength(spans.length - 1);
  });

  it('that fails says so by its code, in both', async () => {
    expect((await api.app.request('/v1/threads/unknown')).status).toBe(404);
    const request = exporter.getFinishedSpans().find(({ name }) => name === 'getThread');
    expect(request?.attributes['http.response.status_code']).toBe(404);
    expect(api.requestLines.at(-1)?.fields).toMatchObject({ operation: 'getThread', status: 404 });
  });

  it('shows nothing of what is in it', async () => {
    await addMessage();
    await api.app.request('/v1/search', jsonRequest('POST', { query: CANARY, userId: CANARY }));
    await api.app.request(`/v1/memories/${CANARY}`, { headers: { Authorization: `Bearer ${CANARY}` } });
    const spans = exporter.getFinishedSpans().map(({ name, attributes, events, status }) => ({
      name,
      attributes,
      events,
      status,
    }));
    expect(spans.length).toBeGreaterThan(5);
    expect(JSON.stringify([spans, api.logged, api.requestLines])).not.toContain(CANARY);
  });

  it('outside the operations is a detail', async () => {
    const before = api.requestLines.length;
    await api.app.request('/health/live');
    await api.app.request('/nothing');
    expect(api.requestLines.slice(before).map(({ level }) => level)).toEqual(['debug', 'debug']);
  });
});
