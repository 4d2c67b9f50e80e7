import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createAgentMemoryClient } from '../../lib/client/agent-memory-client.ts';
import type { Fetch } from '../../lib/client/http-connection.ts';
import { createRulesLlm } from '../../lib/models/rules/rules-llm.ts';
import type { ThreadApi } from '../../lib/schemas/agent-memory-api.ts';
import { waitForExtractionResponseSchema } from '../../lib/schemas/extraction-wait.ts';
import { type ApiFixture, jsonRequest, startApi } from './api-fixture.ts';

const MESSAGE = { role: 'user', content: 'I like tea.' };

describe('waiting over HTTP for a job that another process runs', () => {
  let api: ApiFixture;
  let thread: ThreadApi;
  beforeEach(async () => {
    const variables = { MEMORY_EXTRACTION: '{}', REQUEST_BUDGET_SECONDS: '1' };
    api = await startApi({ llm: createRulesLlm(), variables });
    thread = await api.client.createThread({ threadId: 'a/b' });
    await thread.addMessages([MESSAGE]);
    await setJobs('running');
  });
  afterEach(() => api.close());

  async function setJobs(status: 'running' | 'succeeded'): Promise<void> {
    const session = api.emulator.engine.openSession();
    await session.execute(`UPDATE MEMORY_JOB j SET j.status = '${status}'`, []);
    await session.execute('COMMIT', []);
    await session.close();
  }

  const ask = (body: object) =>
    api.app.request('/v1/threads/a%2Fb/wait-for-extraction', jsonRequest('POST', body));

  it('answers 202 with a watermark before the budget of the request is over', async () => {
    const response = await ask({});
    expect([response.status, response.headers.get('Retry-After')]).toEqual([202, '1']);
    const answer = waitForExtractionResponseSchema.parse(await response.json());
    expect(answer).toMatchObject({ status: 'pending', pending: 1 });
    await setJobs('succeeded');
    await thread.addMessages([MESSAGE]);
    const watermark = answer.status === 'pending' ? answer.watermark : '';
    const end = await ask({ watermark });
    expect([end.status, await end.json()]).toEqual([200, { status: 'completed', succeeded: 1, failed: 0 }]);
    expect(await thread.waitForExtraction()).toEqual({ succeeded: 2, failed: 0 });
  });

  it('answers 504 with the watermark when the time of the wait is over', async () => {
    const response = await ask({ timeoutSeconds: 0 });
    expect(response.status).toBe(504);
    expect(await response.json()).toMatchObject({
      code: 'timeout',
      pending: 1,
      watermark: expect.any(String),
    });
    await expect(thread.waitForExtraction({ timeoutSeconds: 0 })).rejects.toMatchObject({ code: 'timeout' });
  });

  it('refuses a watermark that is none', async () => {
    const response = await ask({ watermark: 'x' });
    expect([response.status, await response.json()]).toMatchObject([
      400,
      { errors: [{ path: 'watermark' }] },
    ]);
  });

  it('is asked again by the client until the job has ended', async () => {
    const waiting = thread.waitForExtraction({ timeoutSeconds: null });
    expect((await ask({})).status).toBe(202);
    await setJobs('succeeded');
    expect(await waiting).toEqual({ succeeded: 1, failed: 0 });
  });

  /** The thread over a connection whose first waits fail so, without pauses, and the number of waits that were asked for. */
  async function threadOver(
    fail: (signal: AbortSignal | null | undefined) => Promise<never>,
    failures: number,
  ) {
    let waits = 0;
    const unsteady: Fetch = (url, init) => {
      if (!url.endsWith('/wait-for-extraction')) return api.app.request(url, init);
      waits += 1;
      return waits <= failures ? fail(init.signal) : api.app.request(url, init);
    };
    const client = createAgentMemoryClient({
      baseUrl: 'http://localhost',
      fetch: unsteady,
      retries: 0,
      timeoutMilliseconds: 200,
      wait: () => Promise.resolve(),
    });
    return { thread: await client.getThread('a/b'), waits: () => waits };
  }

  const cutOff = () => Promise.reject(new TypeError('fetch failed'));
  const unanswered = (signal: AbortSignal | null | undefined) =>
    new Promise<never>((_, reject) => signal?.addEventListener('abort', () => reject(signal.reason)));

  it.each([
    ['is away', cutOff, 12],
    ['takes longer than one request may', unanswered, 2],
  ])('outlasts a service that %s', async (_, fail, failures) => {
    await setJobs('succeeded');
    const unsteady = await threadOver(fail, failures);
    expect(await unsteady.thread.waitForExtraction()).toEqual({ succeeded: 1, failed: 0 });
    expect(unsteady.waits()).toBe(failures + 1);
  });

  it('ends with the failure when the service stays away, and at once when there is no time left', async () => {
    const unsteady = await threadOver(cutOff, 100);
    await expect(unsteady.thread.waitForExtraction({ timeoutSeconds: null })).rejects.toMatchObject({
      code: 'unavailable',
    });
    expect(unsteady.waits()).toBe(13);
    await expect(unsteady.thread.waitForExtraction({ timeoutSeconds: 0 })).rejects.toMatchObject({
      code: 'unavailable',
    });
    expect(unsteady.waits()).toBe(14);
  });
});
