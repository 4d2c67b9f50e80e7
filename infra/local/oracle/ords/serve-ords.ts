import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { createAdaptorServer, type HttpBindings } from '@hono/node-server';
import type { Hono } from 'hono';

/** Time that requests in progress have to end when the server is closed. */
const CLOSE_MILLISECONDS = 2_000;
/**
 * How long an idle connection is kept: longer than clients keep theirs. With Node's five seconds a busy client may write
 * to a connection at the moment it is closed here, and a write that was cut is not sent again.
 */
const KEEP_ALIVE_MILLISECONDS = 65_000;

/** ORDS on a port of this machine. */
export interface OrdsServer {
  readonly port: number;
  close(): Promise<void>;
}

/**
 * Serves an ORDS app on 127.0.0.1; port 0 takes any free one. A connection that a fault cuts is destroyed without an
 * answer. Rejects with the `EADDRINUSE` of Node when the port is taken.
 */
export async function serveOrds(app: Hono, port: number): Promise<OrdsServer> {
  const server = createAdaptorServer({
    fetch: async (request: Request, bindings: unknown) => {
      try {
        return await app.fetch(request);
      } catch {
        destroySocket(bindings);
        return new Response(null, { status: 500 });
      }
    },
    serverOptions: { keepAliveTimeout: KEEP_ALIVE_MILLISECONDS },
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: portOf(server.address()),
    async close() {
      const closed = once(server, 'close');
      server.close();
      const cutOff = setTimeout(() => cutConnections(server), CLOSE_MILLISECONDS);
      await closed;
      clearTimeout(cutOff);
    },
  };
}

function cutConnections(server: ReturnType<typeof createAdaptorServer>): void {
  if ('closeAllConnections' in server) {
    server.closeAllConnections();
  }
}

function portOf(address: AddressInfo | string | null): number {
  return typeof address === 'object' && address !== null ? address.port : 0;
}

function destroySocket(bindings: unknown): void {
  const isNode = (value: unknown): value is HttpBindings =>
    typeof value === 'object' && value !== null && 'incoming' in value;
  if (isNode(bindings)) {
    bindings.incoming.socket.destroy();
  }
}
