import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** An address that answers a JSON Web Key Set, on this computer. */
export interface KeySetServer {
  readonly url: string;
  /** Requests so far. */
  readonly reads: number;
  /** What it answers from now on. */
  answer(status: number, body: unknown): void;
  close(): Promise<void>;
}

export async function startKeySetServer(): Promise<KeySetServer> {
  let [status, body, reads]: [number, unknown, number] = [200, { keys: [] }, 0];
  const server = createServer((_, response) => {
    reads += 1;
    response.writeHead(status, { 'Content-Type': 'application/json', Connection: 'close' });
    response.end(typeof body === 'string' ? body : JSON.stringify(body));
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port }: Pick<AddressInfo, 'port'> = Object(server.address());
  return {
    url: `http://127.0.0.1:${port}/keys`,
    get reads() {
      return reads;
    },
    answer(nextStatus, nextBody) {
      [status, body] = [nextStatus, nextBody];
    },
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}
