import { once } from 'node:events';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { expect, it, onTestFinished } from 'vitest';
import { serveApp } from '../../infra/local/serve-app.ts';
import { createBareApp } from '../api/bare-app.ts';

it('ends although a client never sends the rest of its request', async () => {
  const server = await serveApp(createBareApp({}).app, '127.0.0.1', 0);
  const socket = connect(Number(new URL(server.url).port), '127.0.0.1');
  const closed = once(socket, 'close');
  socket.resume();
  socket.write('POST /v1/threads HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n');
  socket.write('Content-Length: 100\r\nExpect: 100-continue\r\n\r\n{');
  await once(socket, 'data');
  await server.close(0);
  await expect(closed).resolves.toBeDefined();
});

it('answers requests that had arrived when it was told to end', async () => {
  const server = await serveApp(createBareApp({}).app, '127.0.0.1', 0);
  const sockets = Array.from({ length: 20 }, () => connect(Number(new URL(server.url).port), '127.0.0.1'));
  await Promise.all(sockets.map((socket) => once(socket, 'connect')));
  for (const socket of sockets) socket.write('GET /health/live HTTP/1.1\r\nHost: x\r\n\r\n');
  const answers = Promise.all(sockets.map((socket) => text(socket)));
  await server.close();
  for (const answer of await answers) expect(answer).toMatch(/^HTTP\/1.1 200 OK/);
});

it.each([
  ['an unknown method', 'FOO /v1/threads HTTP/1.1\r\nHost: x\r\n\r\n', 400],
  ['no HTTP at all', '\u0016\u0003\u0001\u0002', 400],
  [
    'a length given twice',
    'POST /v1/threads HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\n',
    400,
  ],
  ['headers without end', `GET /v1/${'x'.repeat(20_000)} HTTP/1.1\r\nHost: x\r\n\r\n`, 431],
  ['a host that is none', 'GET /v1/threads/t HTTP/1.1\r\nHost: a b\r\nConnection: close\r\n\r\n', 400],
])('answers a problem to %s', async (_, bytes, status) => {
  const server = await serveApp(createBareApp({}).app, '127.0.0.1', 0);
  onTestFinished(() => server.close(0));
  const socket = connect(Number(new URL(server.url).port), '127.0.0.1');
  socket.write(bytes);
  const answer = await text(socket);
  expect(answer.startsWith(`HTTP/1.1 ${status} `)).toBe(true);
  expect(answer.toLowerCase()).toContain('content-type: application/problem+json');
  const json: unknown = JSON.parse(answer.slice(answer.indexOf('{'), answer.lastIndexOf('}') + 1));
  expect(json).toMatchObject({ status, code: 'invalid_request', requestId: expect.any(String) });
});
