import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ALL_CONTRACTS } from '../../lib/schemas/operations/all-contracts.ts';
import { problemSchema } from '../../lib/schemas/problem.ts';
import { type ApiFixture, jsonRequest, startApi } from './api-fixture.ts';

let api: ApiFixture;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.close());

async function problemOf(response: Response, status: number) {
  expect(response.status).toBe(status);
  expect(response.headers.get('Content-Type')).toBe('application/problem+json');
  return problemSchema.strict().parse(await response.json());
}

describe('routes', () => {
  it.each(['/', '/v1', '/v1/', '/v2/threads', '/v1/thread', '/v1/threads/a/b/c', '/v1/threads/', '/%2Fv1'])(
    'answers 404 for %s',
    async (path) => {
      expect((await problemOf(await api.app.request(path), 404)).code).toBe('not_found');
    },
  );

  it('answers 405 with Allow for every path with a method that it does not have', async () => {
    const paths = new Map<string, string[]>();
    for (const { path, method } of ALL_CONTRACTS) {
      paths.set(path, [...(paths.get(path) ?? []), method.toUpperCase()]);
    }
    for (const [path, methods] of paths) {
      const response = await api.app.request(`/v1${path.replaceAll(/\{\w+\}/g, 'a')}`, { method: 'PUT' });
      const allowed = (response.headers.get('Allow') ?? '').split(', ');
      const expected = [...methods, 'OPTIONS', ...(methods.includes('GET') ? ['HEAD'] : [])];
      expect([...allowed].sort()).toEqual(expected.sort());
      await problemOf(response, 405);
    }
  });

  it('answers OPTIONS of a known path with Allow and of an unknown one with 404', async () => {
    const known = await api.app.request('/v1/threads/a', { method: 'OPTIONS' });
    expect([known.status, known.headers.get('Allow')]).toEqual([204, 'DELETE, GET, HEAD, OPTIONS, PATCH']);
    expect((await api.app.request('/v1/nothing', { method: 'OPTIONS' })).status).toBe(404);
  });

  it('answers HEAD as GET without a body', async () => {
    await api.client.createThread({ threadId: 'head' });
    const found = await api.app.request('/v1/threads/head', { method: 'HEAD' });
    expect([found.status, await found.text()]).toEqual([200, '']);
    const missing = await api.app.request('/v1/threads/none', { method: 'HEAD' });
    expect([missing.status, await missing.text()]).toEqual([404, '']);
    expect((await api.app.request('/v1/search', { method: 'HEAD' })).status).toBe(405);
  });
});

describe('the request id', () => {
  it.each(['abc', 'A1._:@/+=-', 'x'.repeat(128)])('is kept when it is %s', async (id) => {
    const response = await api.app.request('/health/live', { headers: { 'X-Request-Id': id } });
    expect(response.headers.get('X-Request-Id')).toBe(id);
  });

  it.each(['', 'a b', 'é', 'a"b', '<script>', 'x'.repeat(129)])('is made new when it is %s', async (id) => {
    const response = await api.app.request('/nothing', { headers: { 'X-Request-Id': id } });
    expect(response.headers.get('X-Request-Id')).toMatch(/^[0-9a-f-]{36}$/);
    const problem = problemSchema.parse(await response.json());
    expect(problem.requestId).toBe(response.headers.get('X-Request-Id'));
  });
});

describe('ids', () => {
  const ODD = [
    'a/b',
    '日本',
    'x%2Fy',
    '%',
    '%25',
    'a b',
    'q?x=1#y',
    '😀',
    '...',
    '.a',
    'a+b',
    ';:@&=$,',
    "o'brien",
    '../a',
    'é',
    'e\u0301',
  ];

  it.each(ODD)('%s goes round through the client', async (id) => {
    const created = await api.client.createThread({ threadId: id });
    expect(created.threadId).toBe(id);
    expect((await api.client.getThread(id)).threadId).toBe(id);
    expect(await api.client.deleteThread(id)).toBe(1);
    expect(await api.client.deleteThread(id)).toBe(0);
  });

  it('are decoded exactly once', async () => {
    await api.client.createThread({ threadId: 'once/x' });
    expect((await api.app.request('/v1/threads/once%2Fx')).status).toBe(200);
    expect((await api.app.request('/v1/threads/once%252Fx')).status).toBe(404);
    expect((await api.app.request('/v1/threads/once/x')).status).toBe(404);
  });

  it('that no URL can carry are refused by the client and in bodies', async () => {
    await expect(api.client.getThread('..')).rejects.toMatchObject({ code: 'invalid_request' });
    const response = await api.app.request('/v1/threads', jsonRequest('POST', { threadId: '.' }));
    expect((await problemOf(response, 400)).errors?.[0]?.path).toBe('threadId');
  });
});

describe('bodies', () => {
  it.each(['application/json', 'Application/JSON ; charset=UTF-8', 'application/vnd.memory+json'])(
    'are read as %s',
    async (type) => {
      const init = { method: 'POST', body: '{}', headers: { 'Content-Type': type } };
      expect((await api.app.request('/v1/threads', init)).status).toBe(201);
    },
  );

  it('keep metadata as it is, keys of JavaScript objects included', async () => {
    const metadata =
      '{"__proto__":{"admin":true},"constructor":1,"toString":"x","":0,"a.b":[null,{"é":1e3}],"$not":1}';
    const body = `{"threadId":"prototype","metadata":${metadata}}`;
    const created = await api.app.request('/v1/threads', jsonRequest('POST', body));
    expect(created.status).toBe(201);
    const read = await api.app.request('/v1/threads/prototype');
    const text = await read.text();
    expect(JSON.parse(text).metadata).toEqual(JSON.parse(metadata));
    expect(text).toContain('"__proto__":{"admin":true}');
    expect(Object.hasOwn(Object.prototype, 'admin')).toBe(false);
    const thread = await api.client.getThread('prototype');
    expect(JSON.stringify(thread.metadata)).toContain('"__proto__":{"admin":true}');
  });

  it('are refused when they are nested deeper than any data is', async () => {
    const nested = `${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`;
    const inMetadata = await api.app.request('/v1/threads', jsonRequest('POST', `{"metadata":${nested}}`));
    expect((await problemOf(inMetadata, 400)).errors?.[0]?.path).toBe('metadata');
    const atTop = await api.app.request('/v1/threads', jsonRequest('POST', nested));
    expect((await problemOf(atTop, 400)).errors?.[0]?.path).toBe('a');
  });

  it('tell an absent key from null', async () => {
    const init = jsonRequest('POST', { content: 'no one’s', userId: null });
    expect((await api.app.request('/v1/memories', init)).status).toBe(201);
    const absent = await api.app.request('/v1/search', jsonRequest('POST', { query: 'no one’s' }));
    expect((await problemOf(absent, 400)).errors?.[0]?.path).toBe('userId');
    const explicit = await api.app.request(
      '/v1/search',
      jsonRequest('POST', { query: 'no one’s', userId: null }),
    );
    expect(explicit.status).toBe(200);
  });
});

describe('an Idempotency-Key', () => {
  it('means nothing to a search', async () => {
    const headers = { 'Content-Type': 'application/json', 'Idempotency-Key': 'one' };
    const init = { ...jsonRequest('POST', { query: 'a', userId: null }), headers };
    expect((await api.app.request('/v1/search', init)).status).toBe(200);
  });
});

describe('cross-origin requests', () => {
  it('are allowed for the configured origins only', async () => {
    const open = await startApi({ variables: { CORS_ORIGINS: 'https://app.example.com' } });
    const preflight = (origin: string) =>
      open.app.request('/v1/threads', {
        method: 'OPTIONS',
        headers: { Origin: origin, 'Access-Control-Request-Method': 'POST' },
      });
    const allowed = await preflight('https://app.example.com');
    const refused = await preflight('https://evil.example.com');
    await open.close();
    expect(allowed.headers.get('Access-Control-Allow-Origin')).toBe('https://app.example.com');
    expect(refused.headers.get('Access-Control-Allow-Origin')).toBeNull();
    const closed = await api.app.request('/v1/threads', {
      method: 'OPTIONS',
      headers: { Origin: 'https://a.example' },
    });
    expect(closed.headers.get('Access-Control-Allow-Origin')).toBeNull();
  });
});

describe('health', () => {
  it('tells liveness and readiness', async () => {
    expect(await (await api.app.request('/health/live')).json()).toEqual({ status: 'ok' });
    expect(await (await api.app.request('/health/ready')).json()).toEqual({
      status: 'ok',
      transport: 'emulator',
      strategy: 'vector',
      schemaVersion: 3,
    });
  });

  it('tells no details with authentication on, and needs none', async () => {
    const keys = JSON.stringify([{ id: 'one', sha256: 'a'.repeat(64), scopes: ['*'] }]);
    const closed = await startApi({ variables: { AUTH_MODE: 'api-key', API_KEYS: keys } });
    const ready = await closed.app.request('/health/ready');
    await closed.close();
    expect([ready.status, await ready.json()]).toEqual([200, { status: 'ok' }]);
    expect(ready.headers.get('Server-Timing')).toBeNull();
  });
});
