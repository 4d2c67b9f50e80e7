import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { Socket } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import { getRequestListener } from '@hono/node-server';
import type { App } from '../../functions/app.ts';
import { answerUnreadableRequest, answerUnusableAddress } from './unreadable-request.ts';

/** An app that listens on a port of this machine. */
export interface AppServer {
  /** `http://127.0.0.1:8787`. */
  readonly url: string;
  /**
   * Takes no more connections and waits for the requests that are running; what has not ended after the grace period,
   * a client that never sends the rest of its request for one, is cut off.
   */
  close(graceMilliseconds?: number): Promise<void>;
}

const GRACE_MILLISECONDS = 10_000;
/**
 * Turns of the event loop in which requests that have arrived are still read; each turn accepts one connection. A
 * connection that is closed before its request was read is reset, and its client cannot tell what became of the request.
 */
const READING_TURNS = 100;

/** Serves an app. Port 0 takes a free one. Rejects with the system's error (EADDRINUSE) when it cannot listen. */
export async function serveApp(app: App, host: string, port: number): Promise<AppServer> {
  const listener = getRequestListener(app.fetch, { hostname: host, errorHandler: answerUnusableAddress });
  const server = createServer(listener);
  server.on('clientError', (error, socket) => {
    if (socket instanceof Socket) void answerUnreadableRequest(error, socket);
  });
  server.listen(port, host);
  await once(server, 'listening');
  const address = server.address();
  const actual = address === null || typeof address === 'string' ? port : address.port;
  return {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${actual}`,
    close: (graceMilliseconds = GRACE_MILLISECONDS) => closeServer(server, graceMilliseconds),
  };
}

async function closeServer(server: Server, graceMilliseconds: number): Promise<void> {
  for (let turn = 0; turn < READING_TURNS; turn += 1) await setImmediate();
  const closed = once(server, 'close');
  const cutOff = setTimeout(() => server.closeAllConnections(), graceMilliseconds);
  server.close();
  await closed;
  clearTimeout(cutOff);
}
