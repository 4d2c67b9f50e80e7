import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AgentMemoryError } from '../../lib/errors/agent-memory-error.ts';
import { SDK_EXTRACTION_CONFIG } from '../../lib/memory/extraction-config.ts';
import { threadSchema } from '../../lib/schemas/thread.ts';
import { type ApiFixture, jsonRequest, startApi } from './api-fixture.ts';

const CANARY = 'canary-4711-secret';

describe('a failing language model', () => {
  let fixture: ApiFixture;

  beforeAll(async () => {
    fixture = await startApi({
      variables: { MEMORY_EXTRACTION: '{"enableContextSummary":false}' },
      llm: {
        modelId: 'broken',
        generate: () =>
          Promise.reject(
            new AgentMemoryError('model_failed', 'refused the credentials', { cause: new Error(CANARY) }),
          ),
      },
    });
  });
  afterAll(() => fixture.close());

  const post = (path: string, body: unknown, requestId: string): Promise<Response> => {
    const request = jsonRequest('POST', body);
    const headers = new Headers(request.headers);
    headers.set('X-Request-Id', requestId);
    return Promise.resolve(fixture.app.request(`/v1${path}`, { ...request, headers }));
  };
  const loggedFor = (requestId: string) =>
    fixture.logged.filter(({ fields }) => fields.requestId === requestId);

  it('shows a thread’s extraction settings in their documented order', async () => {
    const response = await post('/threads', { threadId: 't' }, 'request-1');
    const thread: unknown = await response.json();
    expect(Object.keys(Object(thread))).toEqual(Object.keys(threadSchema.shape));
    expect(Object.keys(threadSchema.parse(thread).extraction)).toEqual(Object.keys(SDK_EXTRACTION_CONFIG));
  });

  it.each([
    ['an extraction', '/threads/t/messages', { messages: [{ role: 'user', content: CANARY }] }, 201],
    ['a context card', '/threads/t/context-card', {}, 200],
  ])('is logged when %s survives it, without content', async (_, path, body, status) => {
    const requestId = `request${path}`;
    expect((await post(path, body, requestId)).status).toBe(status);
    expect(loggedFor(requestId)).toMatchObject([
      {
        level: 'warn',
        event: status === 201 ? 'extraction_failed' : 'context_card_overview_failed',
        fields: {
          operation: status === 201 ? 'addMessages' : 'getContextCard',
          error: { code: 'model_failed', message: 'refused the credentials' },
        },
      },
    ]);
    expect(JSON.stringify(fixture.logged)).not.toContain(CANARY);
  });
});
