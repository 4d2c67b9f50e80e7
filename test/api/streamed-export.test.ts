import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createApp } from '../../functions/app.ts';
import { createLambdaHandler } from '../../functions/runtime/lambda.ts';
import { exportUserOperation } from '../../functions/users/export.ts';
import { type AppServer, serveApp } from '../../infra/local/serve-app.ts';
import { createAgentMemoryClient } from '../../lib/client/agent-memory-client.ts';
import { AgentMemoryError } from '../../lib/errors/agent-memory-error.ts';
import { takeItems } from '../../lib/schemas/page.ts';
import type { SqlTransport } from '../../lib/sql/sql-transport.ts';
import { restApiEvent } from '../runtime/lambda-events.ts';
import { type ApiFixture, startApi } from './api-fixture.ts';

const PATH = '/v1/users/lea/export';
const EVENT = restApiEvent({ method: 'GET', target: PATH, route: '/v1/users/{userId}/export' });
const CANARY = 'canary-4711';
/** Enough for a connection not to hold it all before anyone reads. */
const CONTENT = '本'.repeat(300_000);

let api: ApiFixture;
let server: AppServer;
/** Statements of exports, in the order in which they were sent. */
const sent: string[] = [];
/** What the next statement of that name meets instead of the database. */
let broken: { readonly statement: string; meet(signal: AbortSignal | undefined): Promise<never> } | undefined;

/** A transport whose exports can fail where a test says so. */
function breakable(transport: SqlTransport): SqlTransport {
  return {
    ...transport,
    async query(query, options) {
      if (query.name.startsWith('users.export')) sent.push(query.name);
      if (broken?.statement === query.name) await broken.meet(options?.signal);
      return transport.query(query, options);
    },
  };
}

const lost = () =>
  Promise.reject(new AgentMemoryError('unavailable', 'the database is away', { cause: new Error(CANARY) }));

/** A statement that only its signal ends. */
function untilAborted(signal: AbortSignal | undefined): Promise<never> {
  return new Promise((_, reject) => {
    signal?.addEventListener('abort', () => reject(new AgentMemoryError('unavailable', 'aborted')));
  });
}

beforeAll(async () => {
  api = await startApi({ wrapTransport: breakable });
  server = await serveApp(api.app, '127.0.0.1', 0);
  for (let index = 0; index < 3; index += 1) {
    await api.client.records.add({
      recordType: 'fact',
      contents: [CONTENT],
      indexTexts: 'x',
      userIds: 'lea',
    });
  }
});
afterAll(async () => {
  await server?.close(0);
  await api?.close();
});
beforeEach(() => {
  broken = undefined;
  sent.length = 0;
});

const client = () =>
  createAgentMemoryClient({ baseUrl: server.url, retries: 1, wait: () => Promise.resolve() });
const lastRequest = () => api.requestLines.at(-1)?.fields;

describe('an export that is sent as it is read', () => {
  it('reads a page when there is room for it, and is one line of the log with all that it cost', async () => {
    const before = api.requestLines.length;
    const response = await api.app.request(PATH);
    expect(sent).toEqual(['users.export_threads']);
    const reader = response.body?.getReader();
    await reader?.read();
    expect(sent).toHaveLength(1);
    await reader?.read();
    expect(sent).toEqual(['users.export_threads', 'users.export_records']);
    expect(api.requestLines).toHaveLength(before);
    while (!(await reader?.read())?.done);
    expect(sent).toHaveLength(4);
    expect(api.requestLines).toHaveLength(before + 1);
    expect(lastRequest()).toMatchObject({ operation: 'exportUser', status: 200, databaseRequests: 4 });
    expect(lastRequest()).not.toHaveProperty('brokenBy');
  });

  it('has the same bytes from a server, in this process and from a Lambda function', async () => {
    const whole = await (await api.app.request(PATH)).text();
    expect(whole.trimEnd().split('\n')).toHaveLength(8);
    expect(await (await fetch(server.url + PATH)).text()).toBe(whole);
    const handler = createLambdaHandler([exportUserOperation], async () => api.services);
    expect(await handler(EVENT)).toMatchObject({ statusCode: 200, body: whole });
    const lines = whole
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(await takeItems(client().exportUser('lea'), 100)).toEqual(lines.slice(0, -1));
  });

  it('is a problem when its first page fails', async () => {
    broken = { statement: 'users.export_threads', meet: lost };
    const response = await api.app.request(PATH);
    expect(response.status).toBe(503);
    expect(await response.json()).toMatchObject({ code: 'unavailable' });
    await expect(takeItems(client().exportUser('lea'), 100)).rejects.toMatchObject({ code: 'unavailable' });
  });

  it('breaks off where a page fails, which a client hears of as an error', async () => {
    broken = { statement: 'users.export_retrieval_texts', meet: lost };
    const response = await api.app.request(PATH);
    expect(response.status).toBe(200);
    const failure: unknown = await response.text().catch((error: unknown) => error);
    expect(failure).toMatchObject({ code: 'unavailable' });
    expect(failure).not.toHaveProperty('cause');
    expect(lastRequest()).toMatchObject({ status: 200, brokenBy: 'unavailable', databaseRequests: 3 });
    expect(api.logged.at(-1)).toMatchObject({
      level: 'warn',
      event: 'request_failed',
      fields: { operation: 'exportUser', status: 503 },
    });
    sent.length = 0;
    await expect(takeItems(client().exportUser('lea'), 100)).rejects.toMatchObject({ code: 'unavailable' });
    expect(sent).toHaveLength(6);
    const inProcess = createAgentMemoryClient({
      baseUrl: 'http://memory.test',
      retries: 0,
      fetch: (url, init) => api.app.request(url, init),
    });
    await expect(takeItems(inProcess.exportUser('lea'), 100)).rejects.toMatchObject({
      code: 'unavailable',
      message: 'the answer of the memory service broke off',
    });
  });

  it('is a problem of a Lambda function, which sends nothing before it has all', async () => {
    broken = { statement: 'users.export_records', meet: lost };
    const handler = createLambdaHandler([exportUserOperation], async () => api.services);
    const answer = await handler(EVENT);
    expect(answer.statusCode).toBe(503);
    expect(JSON.parse(answer.body)).toMatchObject({ code: 'unavailable', detail: 'the database is away' });
  });

  it('shows nothing from inside when a statement is at fault', async () => {
    broken = { statement: 'users.export_records', meet: () => Promise.reject(new Error(CANARY)) };
    const failure: unknown = await (await api.app.request(PATH)).text().catch((error: unknown) => error);
    expect(failure).toMatchObject({ code: 'internal', message: 'the answer could not be completed' });
    expect(lastRequest()).toMatchObject({ brokenBy: 'internal' });
  });

  it('ends with its caller, while a page is read and while nobody takes one', async () => {
    const gone = new AbortController();
    const asked = Promise.withResolvers<void>();
    const ended: Promise<never>[] = [];
    broken = {
      statement: 'users.export_records',
      meet(signal) {
        asked.resolve();
        const end = untilAborted(signal);
        ended.push(end);
        return end;
      },
    };
    const reading = (await api.app.request(PATH, { signal: gone.signal })).text();
    await asked.promise;
    gone.abort();
    await expect(ended[0]).rejects.toMatchObject({ message: 'aborted' });
    await expect(reading).rejects.toMatchObject({ code: 'unavailable', message: 'the caller has gone' });
    const waiting = new AbortController();
    await api.app.request(PATH, { signal: waiting.signal });
    const before = api.requestLines.length;
    waiting.abort();
    await expect.poll(() => api.requestLines.length).toBe(before + 1);
    expect(lastRequest()).toMatchObject({ brokenBy: 'unavailable', databaseRequests: 1 });
  });

  it('reads no more for a caller that cancels, and nothing for one that asks for its head', async () => {
    const response = await api.app.request(PATH);
    await response.body?.cancel();
    expect(sent).toHaveLength(1);
    await expect.poll(lastRequest).toMatchObject({ brokenBy: 'unavailable' });
    const before = api.requestLines.length;
    const head = await api.app.request(PATH, { method: 'HEAD' });
    expect([head.status, await head.text()]).toEqual([200, '']);
    expect(api.requestLines).toHaveLength(before + 1);
    expect(lastRequest()).not.toHaveProperty('brokenBy');
  });

  it('is not taken for whole without its last line', async () => {
    const cutting = createAgentMemoryClient({
      baseUrl: server.url,
      fetch: async (url, init) => {
        const text = await (await fetch(url, init)).text();
        return new Response(text.replace(/\{"nextCursor":.*\n$/, ''));
      },
    });
    await expect(takeItems(cutting.exportUser('lea'), 100)).rejects.toMatchObject({ code: 'unavailable' });
  });

  it('breaks off as a timeout when the budget of its request is over', async () => {
    const services = { ...api.services, requestBudgetSeconds: 2 };
    const app = createApp({ operations: [exportUserOperation], services });
    broken = { statement: 'users.export_records', meet: untilAborted };
    const response = await app.request(PATH);
    expect(response.status).toBe(200);
    await expect(response.text()).rejects.toMatchObject({ code: 'timeout' });
    expect(lastRequest()).toMatchObject({ brokenBy: 'timeout' });
  });
});
