import { createServer, type IncomingHttpHeaders } from 'node:http';

export interface ReceivedRequest {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: unknown;
}

export interface LoopbackAnswer {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as JSON unless it is a string. */
  readonly body?: unknown;
  /** `hang` never answers; `cut` closes the connection. */
  readonly fault?: 'hang' | 'cut';
}

export interface LoopbackEndpoint extends AsyncDisposable {
  readonly apiBase: string;
  readonly received: readonly ReceivedRequest[];
}

/** An HTTP server on the loopback interface that records requests and answers each as told. */
export async function startLoopbackEndpoint(
  answer: (request: ReceivedRequest, count: number) => LoopbackAnswer,
): Promise<LoopbackEndpoint> {
  const received: ReceivedRequest[] = [];
  const server = createServer(async (request, response) => {
    let text = '';
    for await (const part of request) text += part;
    const seen: ReceivedRequest = {
      path: request.url ?? '',
      headers: request.headers,
      body: JSON.parse(text),
    };
    received.push(seen);
    const { status = 200, headers = {}, body, fault } = answer(seen, received.length);
    if (fault === 'cut') request.socket.destroy();
    if (fault !== undefined) return;
    response.writeHead(status, { 'content-type': 'application/json', ...headers });
    response.end(typeof body === 'string' ? body : JSON.stringify(body));
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The server has no port.');
  return {
    apiBase: `http://127.0.0.1:${address.port}/v1`,
    received,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => {
        server.close(resolve);
      });
    },
  };
}
