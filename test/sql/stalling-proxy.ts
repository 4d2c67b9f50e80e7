import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';

/** A way to a port of this machine that can fall silent, as a socket is whose other end went away while a process was frozen. */
export interface StallingProxy {
  readonly port: number;
  /** Connections that were opened so far. */
  readonly opened: number;
  /** Connections that are there now carry nothing any more, and are not told; later ones do. */
  stall(): void;
  close(): Promise<void>;
}

export async function startStallingProxy(target: number): Promise<StallingProxy> {
  const carrying = new Set<Socket>();
  const all = new Set<Socket>();
  let opened = 0;
  const server = createServer((client) => {
    opened += 1;
    const upstream = connect(target, '127.0.0.1');
    for (const [from, to] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      all.add(from);
      carrying.add(from);
      from.on('data', (chunk) => carrying.has(from) && to.write(chunk));
      from.on('error', () => from.destroy());
      from.on('close', () => carrying.has(from) && to.destroy());
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  return {
    port: typeof address === 'object' && address !== null ? address.port : 0,
    get opened() {
      return opened;
    },
    stall: () => carrying.clear(),
    async close() {
      for (const socket of all) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}
