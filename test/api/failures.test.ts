import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { OracleError } from '../../infra/local/oracle/sql/oracle-error.ts';
import { AgentMemoryError, ERROR_CODES } from '../../lib/errors/agent-memory-error.ts';
import { problemSchema } from '../../lib/schemas/problem.ts';
import type { SqlTransport } from '../../lib/sql/sql-transport.ts';
import { type ApiFixture, jsonRequest, startApi } from './api-fixture.ts';
import { createBareApp } from './bare-app.ts';

const CANARY = 'canary-4711-secret';

describe('an error', () => {
  const STATUSES = [400, 401, 403, 404, 409, 413, 415, 422, 429, 501, 500, 502, 503, 503, 504];

  it.each(ERROR_CODES.map((code, index) => [code, STATUSES[index]] as const))(
    '%s answers %i',
    async (code, status) => {
      const { app } = createBareApp({ failure: new AgentMemoryError(code, 'what happened') });
      const response = await app.request('/v1/threads/a');
      expect(response.status).toBe(status);
      const problem = problemSchema.strict().parse(await response.json());
      expect(problem).toMatchObject({ status, code, type: 'about:blank' });
      expect(problem.detail === 'what happened').toBe(code !== 'internal');
      expect(response.headers.has('Retry-After')).toBe(code === 'unavailable');
    },
  );

  it('keeps its own Retry-After, its issues and its details', async () => {
    const failure = new AgentMemoryError('extraction_queue_full', 'full', {
      retryAfterSeconds: 2.2,
      details: { ids: ['m1'] },
      issues: [{ path: 'messages[0]', message: 'is wrong' }],
    });
    const response = await createBareApp({ failure }).app.request('/v1/threads/a');
    expect(response.headers.get('Retry-After')).toBe('3');
    expect(await response.json()).toMatchObject({
      code: 'extraction_queue_full',
      ids: ['m1'],
      errors: [{ path: 'messages[0]', message: 'is wrong' }],
    });
  });

  it.each([
    ['an error of the program', new TypeError(`cannot read ${CANARY}`)],
    ['something that is no error', CANARY],
    ['an internal error', new AgentMemoryError('internal', 'a fault', { cause: new Error(CANARY) })],
    ['an error with a cause', new Error('outer', { cause: new Error(CANARY) })],
  ])('shows and logs nothing of %s but where it was', async (_, failure) => {
    const { app, logged } = createBareApp({ failure });
    const response = await app.request('/v1/threads/a', { headers: { 'X-Request-Id': 'request-9' } });
    const text = await response.text();
    expect(response.status).toBe(500);
    expect(text).not.toContain(CANARY);
    expect(JSON.stringify(logged)).not.toContain(CANARY);
    expect(logged).toMatchObject([
      {
        level: 'error',
        event: 'request_failed',
        requestId: 'request-9',
        operation: 'getThread',
        status: 500,
      },
    ]);
    if (failure instanceof TypeError) expect(JSON.stringify(logged)).toContain('failures.test.ts');
  });

  it('that a caller made is not logged', async () => {
    const { app, logged } = createBareApp({ failure: new AgentMemoryError('not_found', 'no thread') });
    await app.request('/v1/threads/a');
    await app.request('/v1/threads', jsonRequest('POST', { unknown: 1 }));
    expect(logged).toEqual([]);
  });
});

describe('the request budget', () => {
  it('ends work that takes longer, whatever the work makes of the abort', async () => {
    const untilAborted = (signal: AbortSignal): Promise<never> =>
      new Promise((_, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason), { once: true });
      });
    const { app } = createBareApp({
      requestBudgetSeconds: 0.02,
      openContext: (_, signal) => untilAborted(signal),
    });
    const response = await app.request('/v1/threads/a');
    expect(response.status).toBe(504);
    expect(problemSchema.parse(await response.json()).code).toBe('timeout');
  });
});

describe('a database that fails', () => {
  let api: ApiFixture;
  let isDown = true;
  const refuse = (): Promise<never> =>
    Promise.reject(new AgentMemoryError('unavailable', 'the connection failed'));
  const interruptible = (transport: SqlTransport): SqlTransport => ({
    ...transport,
    query: (query, options) => (isDown ? refuse() : transport.query(query, options)),
    executeAtomic: (list, options) => (isDown ? refuse() : transport.executeAtomic(list, options)),
  });
  beforeAll(async () => {
    api = await startApi({ wrapTransport: interruptible });
  });
  afterAll(() => api.close());

  it('answers 503 with Retry-After, and the service recovers without a restart', async () => {
    const create = () => api.app.request('/v1/threads', jsonRequest('POST', { threadId: 'a' }));
    for (const response of [await create(), await create(), await api.app.request('/health/ready')]) {
      expect([response.status, response.headers.get('Retry-After')]).toEqual([503, '2']);
      expect(problemSchema.parse(await response.json()).code).toBe('unavailable');
    }
    expect((await api.app.request('/health/live')).status).toBe(200);
    isDown = false;
    expect((await create()).status).toBe(201);
    expect((await api.app.request('/health/ready')).status).toBe(200);
    isDown = true;
    expect((await api.app.request('/v1/threads/a')).status).toBe(503);
    isDown = false;
    expect((await api.app.request('/v1/threads/a')).status).toBe(200);
  });
});

describe('a schema that does not fit', () => {
  it('makes the service unavailable and says so in the log only', async () => {
    const api = await startApi();
    const session = api.emulator.engine.openSession();
    await session.execute("UPDATE MEMORY_META SET meta_value = '99' WHERE meta_key = 'schema_version'", []);
    await session.commit();
    const response = await api.app.request('/v1/threads/a');
    const newer = problemSchema.parse(await response.json());
    await session.execute("DELETE FROM MEMORY_META WHERE meta_key = 'schema_version'", []);
    await session.commit();
    await session.close();
    const missing = problemSchema.parse(await (await api.app.request('/health/ready')).json());
    await api.close();
    expect(newer).toMatchObject({
      status: 503,
      detail: 'the memory schema does not fit the configuration of this service',
    });
    expect(JSON.stringify(api.logged)).toContain('99');
    expect(missing.detail).toContain('npm run schema -- apply');
  });
});

describe('a statement that fails', () => {
  it('leaves nothing of a batch of 500 messages', async () => {
    let failing = false;
    const api = await startApi({
      faults: {
        beforeStatement(text) {
          if (failing && /INSERT INTO memory_chunk/i.test(text)) throw new OracleError(1653, CANARY);
        },
      },
    });
    const thread = await api.client.createThread({ threadId: 'batch' });
    const messages = Array.from({ length: 500 }, (_, index) => ({
      role: 'user',
      content: `message ${index}`,
    }));
    const rows = await api.countRows();
    failing = true;
    await expect(thread.addMessages(messages)).rejects.toMatchObject({ code: 'unavailable' });
    failing = false;
    expect(await api.countRows()).toBe(rows);
    expect(JSON.stringify(api.logged)).not.toContain(CANARY);
    expect((await thread.addMessages(messages)).ids).toHaveLength(500);
    await api.close();
  });

  it('leaves nothing of a batch in which one message is bad', async () => {
    const api = await startApi();
    const thread = await api.client.createThread({ threadId: 'batch' });
    await thread.addMessages([{ id: 'taken', role: 'user', content: 'first' }]);
    const rows = await api.countRows();
    const messages = Array.from({ length: 500 }, (_, index) => ({
      role: 'user',
      content: `message ${index}`,
    }));
    const wrong = messages.with(250, { role: '', content: 'bad' });
    const response = await api.app.request(
      '/v1/threads/batch/messages',
      jsonRequest('POST', { messages: wrong }),
    );
    const problem = problemSchema.parse(await response.json());
    const taken = messages.map((message, index) => (index === 499 ? { ...message, id: 'taken' } : message));
    await expect(thread.addMessages(taken)).rejects.toMatchObject({ code: 'conflict' });
    expect(problem.errors?.map(({ path }) => path)).toEqual(['messages[250].role']);
    expect(await api.countRows()).toBe(rows);
    await api.close();
  });
});
