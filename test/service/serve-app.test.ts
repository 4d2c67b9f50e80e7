import { once } from 'node:events';
import { connect } from 'node:net';
import { expect, it } from 'vitest';
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
