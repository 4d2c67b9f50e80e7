import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import * as z from 'zod';
import type { LambdaHandler } from '../../functions/runtime/lambda.ts';
import { buildLambdaFunctions } from '../../infra/build/bundle.ts';
import { type DeployedEnvironment, startDeployedEnvironment } from './deployed-environment.ts';
import { type ClientRequest, DECODED_AWAY, EVENT_KINDS } from './lambda-events.ts';

const NAMES = ['threads-create', 'threads-get', 'messages-add', 'messages-update', 'service', 'api'];
const ROUTE = '/v1/threads/{threadId}';
const moduleSchema = z.looseObject({
  handler: z.custom<LambdaHandler>((value) => typeof value === 'function'),
});

let directory = '';
let environment: DeployedEnvironment;
const handlers = new Map<string, LambdaHandler>();

async function loadHandler(name: string, fresh = ''): Promise<LambdaHandler> {
  const url = pathToFileURL(join(directory, name, 'index.mjs')).href;
  return moduleSchema.parse(await import(/* @vite-ignore */ `${url}${fresh}`)).handler;
}

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'lambdas-'));
  await buildLambdaFunctions(directory, { names: NAMES });
  environment = await startDeployedEnvironment();
  for (const [name, value] of Object.entries(environment.variables)) vi.stubEnv(name, value);
  for (const name of NAMES) handlers.set(name, await loadHandler(name));
});
afterAll(async () => {
  vi.unstubAllEnvs();
  await environment?.close();
  await rm(directory, { recursive: true, force: true });
});

describe.each(EVENT_KINDS)('built functions behind a %s', (kind, makeEvent) => {
  async function invoke(name: string, request: ClientRequest) {
    const handler = handlers.get(name);
    if (handler === undefined) throw new Error(`${name} was not built`);
    const { statusCode, body, headers, multiValueHeaders } = await handler(makeEvent(request));
    const contentType = headers?.['content-type'] ?? multiValueHeaders?.['content-type']?.[0];
    return { statusCode, contentType, body: z.looseObject({}).parse(JSON.parse(body)) };
  }

  const post = (target: string, route: string, body: unknown, base64 = false): ClientRequest => ({
    method: 'POST',
    target,
    route,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
    base64,
  });

  it.each(['plain', 'a/b', '日本', 'x%2Fy', '100%', 'q?x=1#y', 'a b+c'])(
    'take the id %s, or say that they cannot',
    async (name) => {
      const id = `${kind} ${name}`;
      const path = `/v1/threads/${encodeURIComponent(id)}`;
      const created = await invoke(
        'threads-create',
        post('/v1/threads', '/v1/threads', { threadId: id }, true),
      );
      expect([created.statusCode, created.body.threadId]).toEqual([201, id]);
      const read = await invoke('threads-get', { method: 'GET', target: path, route: ROUTE });
      if (kind === 'HTTP API' && DECODED_AWAY.test(id)) {
        expect(read).toMatchObject({ statusCode: 400, body: { errors: [{ path: 'threadId' }] } });
        return;
      }
      expect([read.statusCode, read.body.threadId]).toEqual([200, id]);
      const body = { messages: [{ id, role: 'user', content: `日本 ${name}` }] };
      const added = await invoke('messages-add', post(`${path}/messages`, `${ROUTE}/messages`, body));
      expect([added.statusCode, added.contentType]).toEqual([201, 'application/json']);
      const updated = await invoke('messages-update', {
        ...post(`${path}/messages/${encodeURIComponent(id)}`, `${ROUTE}/messages/{messageId}`, {
          content: 'new',
        }),
        method: 'PATCH',
      });
      expect([updated.statusCode, updated.body.id]).toEqual([200, id]);
    },
  );

  it('answer problems for what is wrong', async () => {
    const get = (target: string): ClientRequest => ({ method: 'GET', target, route: ROUTE });
    expect(await invoke('threads-get', get('/v1/threads/none'))).toMatchObject({
      statusCode: 404,
      contentType: 'application/problem+json',
      body: { code: 'not_found' },
    });
    expect((await invoke('threads-get', get('/v1/threads/..'))).statusCode).toBe(400);
    expect((await invoke('threads-get', get('/v1/threads/a?x=1&x=2'))).body).toMatchObject({
      errors: [{ path: 'x', message: 'must be given only once' }],
    });
    const untyped = { ...post('/v1/threads', '/v1/threads', {}), headers: {} };
    expect((await invoke('threads-create', untyped)).statusCode).toBe(415);
  });

  it('serve health and the document from the service function', async () => {
    const get = (target: string): ClientRequest => ({ method: 'GET', target, route: target });
    expect((await invoke('service', get('/health/ready'))).body).toMatchObject({
      status: 'ok',
      transport: 'ords',
    });
    expect((await invoke('service', get('/openapi.json'))).body.openapi).toBe('3.1.0');
  });
});

describe('the built function for all operations', () => {
  const [[, restApi], , [, httpApi]] = EVENT_KINDS;
  const create = (threadId: string, route: string): ClientRequest => ({
    method: 'POST',
    target: '/v1/threads',
    route,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ threadId }),
  });

  it.each(['a/b', 'x%2Fy', '日本 ?#'])('takes the id %s behind one greedy path of a REST API', async (id) => {
    const handler = await loadHandler('api');
    expect((await handler(restApi(create(`all ${id}`, '/{proxy+}')))).statusCode).toBe(201);
    const target = `/v1/threads/${encodeURIComponent(`all ${id}`)}`;
    const read = await handler(restApi({ method: 'GET', target, route: '/{proxy+}' }));
    expect([read.statusCode, read.isBase64Encoded]).toEqual([200, false]);
    expect(JSON.parse(read.body).threadId).toBe(`all ${id}`);
  });

  it('reads ids from the routes of an HTTP API', async () => {
    const handler = await loadHandler('api');
    expect((await handler(httpApi(create('日本 a', '/v1/threads')))).statusCode).toBe(201);
    const target = `/v1/threads/${encodeURIComponent('日本 a')}`;
    expect((await handler(httpApi({ method: 'GET', target, route: ROUTE }))).statusCode).toBe(200);
    const odd = await handler(httpApi({ method: 'GET', target: '/v1/threads/a%2Fb', route: ROUTE }));
    expect([odd.statusCode, JSON.parse(odd.body).errors[0].path]).toEqual([400, 'threadId']);
  });

  it('serves health, the document and MCP, and no other path', async () => {
    const handler = await loadHandler('api');
    const get = (target: string) => handler(restApi({ method: 'GET', target, route: '/{proxy+}' }));
    expect((await get('/health/ready')).statusCode).toBe(200);
    expect(JSON.parse((await get('/openapi.json')).body).openapi).toBe('3.1.0');
    expect((await get('/v2/threads')).statusCode).toBe(404);
    const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' });
    const tools = await handler(
      restApi({ method: 'POST', target: '/mcp', route: '/{proxy+}', headers, body }),
    );
    expect([tools.statusCode, tools.isBase64Encoded]).toEqual([200, false]);
    expect(tools.body).toContain('add_memory');
  });
});

describe('a built function without its configuration', () => {
  it('fails every request, names the variable in the log and recovers with it', async () => {
    const [, functionUrl] = EVENT_KINDS[1];
    const event = () => functionUrl({ method: 'GET', target: '/v1/threads/none', route: ROUTE });
    const lines = vi.spyOn(console, 'log').mockImplementation(() => undefined);
    vi.stubEnv('ORDS_URL', '');
    const handler = await loadHandler('threads-get', '?unconfigured');
    const failed = await handler(event());
    const logged = lines.mock.calls.join();
    vi.stubEnv('ORDS_URL', environment.emulator.ordsUrl);
    const recovered = await handler(event());
    lines.mockRestore();
    expect([failed.statusCode, failed.body.includes('ORDS_URL')]).toEqual([500, false]);
    expect(logged).toContain('ORDS_URL');
    expect(recovered.statusCode).toBe(404);
  });
});

describe('a built function with ORDS_MODE=module', () => {
  it('runs installed statements as a client that may do nothing else', async () => {
    await environment.installStatements();
    for (const [name, value] of Object.entries(environment.moduleVariables)) vi.stubEnv(name, value);
    const [, functionUrl] = EVENT_KINDS[1];
    const post = (target: string, route: string, body: unknown) =>
      functionUrl({
        method: 'POST',
        target,
        route,
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
    const create = await loadHandler('threads-create', '?module');
    const add = await loadHandler('messages-add', '?module');
    const created = await create(post('/v1/threads', '/v1/threads', { threadId: 'module' }));
    const body = { messages: [{ id: 'installed', role: 'user', content: '日本 & é' }] };
    const added = await add(post('/v1/threads/module/messages', `${ROUTE}/messages`, body));
    expect([created.statusCode, added.statusCode]).toEqual([201, 201]);
  });
});
