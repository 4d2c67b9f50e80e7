import { describe, expect, it } from 'vitest';
import {
  createTokenBuckets,
  type RateUse,
  type UseRate,
  withRateLimitBindings,
} from '../../functions/middleware/rate-limit.ts';
import { rateLimitBinding } from '../../functions/runtime/rate-limit-binding.ts';
import { createAgentMemoryClient } from '../../lib/client/agent-memory-client.ts';
import { createBareApp } from './bare-app.ts';

let now = 0;

function useTimes(
  useRate: UseRate,
  times: number,
  callerId = 'caller',
  rate = 60,
): Promise<readonly RateUse[]> {
  return Promise.all(Array.from({ length: times }, () => useRate(callerId, rate)));
}

const allowedOf = (uses: readonly RateUse[]) => uses.filter(({ isAllowed }) => isAllowed).length;

describe('a bucket of requests', () => {
  it('holds a minute of them, and fills at their rate', async () => {
    now = 0;
    const useRate = createTokenBuckets(() => now);
    expect(allowedOf(await useTimes(useRate, 100))).toBe(60);
    now += 999;
    expect((await useRate('caller', 60)).isAllowed).toBe(false);
    now += 1;
    expect(await useTimes(useRate, 2)).toMatchObject([{ isAllowed: true }, { isAllowed: false }]);
    now += 30_000;
    expect(allowedOf(await useTimes(useRate, 100))).toBe(30);
    now += 3_600_000;
    expect(allowedOf(await useTimes(useRate, 100))).toBe(60);
  });

  it('tells what is left, when it is full again and when to come again', async () => {
    now = 0;
    const useRate = createTokenBuckets(() => now);
    const uses = await useTimes(useRate, 5, 'caller', 4);
    expect(uses.map(({ remaining, resetSeconds }) => [remaining, resetSeconds])).toEqual([
      [3, 15],
      [2, 30],
      [1, 45],
      [0, 60],
      [0, 60],
    ]);
    expect(uses[4]).toMatchObject({ isAllowed: false, retryAfterSeconds: 15 });
    now += 14_000;
    expect(await useRate('caller', 4)).toMatchObject({ isAllowed: false, retryAfterSeconds: 1 });
  });

  it('is one for each caller', async () => {
    const useRate = createTokenBuckets(() => 0);
    await useTimes(useRate, 60, 'one');
    expect((await useRate('one', 60)).isAllowed).toBe(false);
    expect((await useRate('other', 60)).isAllowed).toBe(true);
  });

  it('is one for each rate of a caller: a low one neither uses up a high one nor is filled by it', async () => {
    now = 0;
    const useRate = createTokenBuckets(() => now);
    await useRate('one', 600);
    expect(allowedOf(await useTimes(useRate, 5, 'one', 1))).toBe(1);
    expect(await useRate('one', 600)).toMatchObject({ isAllowed: true, remaining: 598 });
    now += 6_000;
    await useRate('one', 600);
    expect((await useRate('one', 1)).isAllowed).toBe(false);
  });

  it('is forgotten for who came longest ago, when very many come', async () => {
    const useRate = createTokenBuckets(() => 0);
    await useRate('first', 1);
    await useRate('second', 1);
    for (let index = 0; index < 9_999; index += 1) await useRate(`caller ${index}`, 1);
    expect((await useRate('second', 1)).isAllowed).toBe(false);
    expect((await useRate('first', 1)).isAllowed).toBe(true);
  });
});

describe('a rate limit binding of a Worker', () => {
  it('counts the rate that its name says; another rate is counted in the process', async () => {
    const keys: string[] = [];
    const binding = {
      limit: async ({ key }: { readonly key: string }) => ({ success: keys.push(key) < 2 }),
    };
    const environment = { RATE_LIMIT_600: binding, RATE_LIMIT_60: 'a variable' };
    const find = (rate: number) => rateLimitBinding(environment, rate);
    const useRate = withRateLimitBindings(
      find,
      createTokenBuckets(() => 0),
    );
    expect(await useRate('one', 600)).toMatchObject({ isAllowed: true, remaining: undefined });
    expect(await useRate('two', 600)).toMatchObject({
      isAllowed: false,
      remaining: 0,
      retryAfterSeconds: 60,
    });
    expect(await useRate('one', 60)).toMatchObject({ isAllowed: true, remaining: 59 });
    expect(keys).toEqual(['one', 'two']);
  });
});

describe('a caller with a rate', () => {
  const caller = { id: 'limited', scopes: ['*'], ratePerMinute: 2 } as const;
  const { app } = createBareApp({
    authenticate: async (authorization) =>
      authorization === 'Bearer free' ? { id: 'free', scopes: ['*'] } : caller,
  });
  const get = (path: string, key = 'key') =>
    app.request(path, { headers: { Authorization: `Bearer ${key}` } });

  it('is told what it is and what is left, whatever the answer, and is refused beyond', async () => {
    const answers = [await get('/v1/threads/a'), await get('/v1/threads?limit=x'), await get('/v1/threads')];
    expect(answers.map(({ status }) => status)).toEqual([503, 400, 429]);
    for (const { headers } of answers) expect(headers.get('RateLimit-Policy')).toBe('"minute";q=2;w=60');
    expect(answers.map(({ headers }) => headers.get('RateLimit'))).toEqual([
      '"minute";r=1;t=30',
      '"minute";r=0;t=60',
      '"minute";r=0;t=60',
    ]);
    expect(answers[2]?.headers.get('Retry-After')).toBe('30');
    expect(await answers[2]?.json()).toMatchObject({ code: 'rate_limited', status: 429 });
    const mcp = await app.request('/mcp', { method: 'POST', headers: { Authorization: 'Bearer key' } });
    expect(mcp.status).toBe(429);
  });

  it('shares its rate with credentials of its name that reach the same, and with no others', async () => {
    const reach: Readonly<Record<string, object>> = {
      'Bearer old': { users: ['ana', 'bob'] },
      'Bearer new': { users: ['bob', 'ana'] },
      'Bearer other': { users: ['carl'] },
    };
    const shared = createBareApp({
      authenticate: async (authorization = '') => ({ ...caller, ...reach[authorization] }),
    });
    const statusOf = async (key: string) => {
      const headers = { Authorization: `Bearer ${key}` };
      return (await shared.app.request('/v1/threads/a', { headers })).status;
    };
    expect([await statusOf('old'), await statusOf('new'), await statusOf('old')]).toEqual([503, 503, 429]);
    expect([await statusOf('other'), await statusOf('free')]).toEqual([503, 503]);
  });

  it('gets no more calls of tools by sending them together', async () => {
    const uses = createBareApp({ authenticate: async () => ({ ...caller, ratePerMinute: 5 }) });
    const send = (messages: number) =>
      uses.app.request('/mcp', {
        method: 'POST',
        headers: {
          Authorization: 'Bearer key',
          'Content-Type': 'application/json',
          Accept: 'application/json, text/event-stream',
        },
        body: JSON.stringify(
          Array.from({ length: messages }, (_, id) => ({ jsonrpc: '2.0', id, method: 'ping' })),
        ),
      });
    const answers = [await send(3), await send(1), await send(2)];
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 429]);
    expect(answers.map(({ headers }) => headers.get('RateLimit')?.split(';')[1])).toEqual([
      'r=2',
      'r=1',
      'r=0',
    ]);
  });

  it('is the only one that is told and refused', async () => {
    for (let index = 0; index < 5; index += 1) {
      const answer = await get('/v1/threads/a', 'free');
      expect([
        answer.status,
        answer.headers.get('RateLimit'),
        answer.headers.get('RateLimit-Policy'),
      ]).toEqual([503, null, null]);
    }
    expect((await app.request('/health/live')).headers.get('RateLimit-Policy')).toBeNull();
  });

  it('is waited for by the typed client, as long as it was told', async () => {
    const waits: number[] = [];
    const memory = createAgentMemoryClient({
      baseUrl: 'http://memory.test',
      apiKey: 'key',
      fetch: (url, init) => app.request(url, init),
      retries: 1,
      wait: async (milliseconds) => void waits.push(milliseconds),
    });
    await expect(memory.getThread('a')).rejects.toMatchObject({
      code: 'rate_limited',
      retryAfterSeconds: 30,
    });
    expect(waits).toEqual([10_000]);
  });
});
