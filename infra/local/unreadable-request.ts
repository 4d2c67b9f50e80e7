import type { Socket } from 'node:net';
import { problemResponse } from '../../functions/http/problem.ts';
import { AgentMemoryError, invalidRequest } from '../../lib/errors/agent-memory-error.ts';

/** Statuses that Node's HTTP parser means by its error codes; everything else it cannot read is a 400. */
const STATUS_LINES: Readonly<Record<string, string>> = {
  HPE_HEADER_OVERFLOW: '431 Request Header Fields Too Large',
  ERR_HTTP_REQUEST_TIMEOUT: '408 Request Timeout',
};

/** The answer to a request whose address makes no URL: it never reaches the app. */
export function answerUnusableAddress(): Response {
  return problemResponse(
    invalidRequest('url', 'the path and the Host header make no URL'),
    crypto.randomUUID(),
  );
}

/** Answers bytes that are no HTTP request, as far as the connection still takes an answer, and ends it. */
export async function answerUnreadableRequest(error: Error, socket: Socket): Promise<void> {
  if (!socket.writable) {
    socket.destroy();
    return;
  }
  const code = 'code' in error ? String(error.code) : '';
  const statusLine = STATUS_LINES[code] ?? '400 Bad Request';
  const failure = new AgentMemoryError('invalid_request', `the request cannot be read: ${statusLine}`);
  const problem: unknown = await problemResponse(failure, crypto.randomUUID()).json();
  const body = JSON.stringify({ ...Object(problem), status: Number.parseInt(statusLine, 10) });
  const head = [
    `HTTP/1.1 ${statusLine}`,
    'Content-Type: application/problem+json',
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Connection: close',
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
}
