import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { HttpFaults } from '../../infra/local/oracle/ords/fault-middleware.ts';
import { type Emulator, startEmulator } from '../../infra/local/oracle/start-emulator.ts';
import { basic, post, send } from './ords-fixture.ts';

const faults = new HttpFaults();
const client = { clientId: 'agent', clientSecret: 'a secret' };
let now = 0;
let emulator: Emulator;

beforeAll(async () => {
  emulator = await startEmulator({
    ordsPort: 0,
    clients: [client],
    tokenSeconds: 60,
    now: () => now,
    middleware: faults.middleware,
  });
  await send(emulator, { statementText: 'CREATE TABLE hits (id NUMBER)' });
});
afterAll(() => emulator.close());

const query = JSON.stringify({ statementText: 'SELECT 1 AS one FROM dual' });
const hit = { statementText: 'INSERT INTO hits (id) VALUES (1)' };
const countHits = async () => {
  const item = await send(emulator, { statementText: 'SELECT COUNT(*) AS n FROM hits' });
  return item.resultSet?.items[0]?.n;
};
const token = (secret: string, body = 'grant_type=client_credentials') =>
  emulator.fetch(`${emulator.ordsUrl}/oauth/token`, {
    method: 'POST',
    headers: {
      authorization: basic(client.clientId, secret),
      'content-type': 'application/x-www-form-urlencoded',
    },
    body,
  });

describe('authentication', () => {
  test('a wrong password and no password are 401', async () => {
    const wrong = await post(emulator, query, { authorization: basic('memory', 'wrong') });
    expect(wrong.status).toBe(401);
    expect(wrong.headers.get('www-authenticate')).toMatch(/^Basic /);
    expect((await post(emulator, query, { authorization: '' })).status).toBe(401);
  });

  test('a token opens the schema until it expires', async () => {
    const issued: { access_token: string; token_type: string; expires_in: number } = await (
      await token(client.clientSecret)
    ).json();
    expect(issued).toMatchObject({ token_type: 'bearer', expires_in: 60 });
    const authorization = `Bearer ${issued.access_token}`;
    expect((await post(emulator, query, { authorization })).status).toBe(200);
    now += 60_000;
    expect((await post(emulator, query, { authorization })).status).toBe(401);
  });

  test('a wrong secret and another grant type give no token', async () => {
    expect((await token('wrong')).status).toBe(401);
    expect((await token(client.clientSecret, 'grant_type=password')).status).toBe(400);
  });
});

describe('requests that reach no statement', () => {
  test('another alias is 404 with an error body', async () => {
    const response = await emulator.fetch(emulator.ordsUrl.replace('memory', 'other'), { method: 'POST' });
    expect(response.status).toBe(404);
    expect(await response.json()).toMatchObject({ code: 'NotFound', title: 'Not Found' });
  });

  test('GET is 405', async () => {
    const response = await emulator.fetch(`${emulator.ordsUrl}/_/sql`);
    expect([response.status, response.headers.get('allow')]).toEqual([405, 'POST']);
  });

  test('another media type is 415 and a broken body 400', async () => {
    expect((await post(emulator, query, { 'content-type': 'text/plain' })).status).toBe(415);
    expect((await post(emulator, '{"statementText":')).status).toBe(400);
  });

  test('a closed engine is 503', async () => {
    const closed = await startEmulator();
    await closed.engine.close();
    expect((await post(closed, query)).status).toBe(503);
  });
});

describe('over a port', () => {
  const overPort = (body: string) =>
    fetch(`${emulator.ordsUrl}/_/sql`, {
      method: 'POST',
      headers: { authorization: basic('memory', 'emulator'), 'content-type': 'application/json' },
      body,
    });

  test('answers as in the process', async () => {
    expect(await (await overPort(query)).json()).toMatchObject({
      items: [{ resultSet: { items: [{ one: 1 }] } }],
    });
  });

  test('a cut connection has no answer, and the next request has one', async () => {
    const before = await countHits();
    faults.plan({ kind: 'cut', when: 'after' });
    await expect(overPort(JSON.stringify(hit))).rejects.toThrow();
    expect(await countHits()).toBe(Number(before) + 1);
  });
});

describe('faults', () => {
  test('a cut before the request loses the work, after it only the answer', async () => {
    const before = Number(await countHits());
    faults.plan({ kind: 'cut', when: 'before' });
    await expect(send(emulator, hit)).rejects.toThrow('fetch failed');
    expect(await countHits()).toBe(before);
    faults.plan({ kind: 'cut', when: 'after' });
    await expect(send(emulator, hit)).rejects.toThrow('fetch failed');
    expect(await countHits()).toBe(before + 1);
  });

  test('any answer can stand in, such as an HTML error page', async () => {
    const headers = { 'content-type': 'text/html' };
    faults.plan({ kind: 'answer', status: 503, body: '<html>busy</html>', headers });
    const response = await post(emulator, query);
    expect([response.status, response.headers.get('content-type')]).toEqual([503, 'text/html']);
    expect((await post(emulator, query)).status).toBe(200);
  });

  test('a slow request can be given up', async () => {
    const release = Promise.withResolvers<void>();
    faults.plan({ kind: 'wait', until: release.promise });
    const controller = new AbortController();
    const pending = emulator.fetch(`${emulator.ordsUrl}/_/sql`, {
      method: 'POST',
      signal: controller.signal,
    });
    controller.abort(new Error('given up'));
    await expect(pending).rejects.toThrow('given up');
    release.resolve();
  });
});
