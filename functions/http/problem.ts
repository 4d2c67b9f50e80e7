import { AgentMemoryError, type ErrorCode } from '../../lib/errors/agent-memory-error.ts';
import type { Problem } from '../../lib/schemas/problem.ts';

interface StatusLine {
  readonly status: number;
  readonly title: string;
}

/** The one table of error codes and HTTP statuses (HTTP API contract, Conventions). */
export const STATUS_OF_CODE: Readonly<Record<ErrorCode, StatusLine>> = Object.freeze({
  invalid_request: { status: 400, title: 'Invalid request' },
  unauthenticated: { status: 401, title: 'Unauthenticated' },
  forbidden: { status: 403, title: 'Forbidden' },
  not_found: { status: 404, title: 'Not found' },
  conflict: { status: 409, title: 'Conflict' },
  payload_too_large: { status: 413, title: 'Payload too large' },
  unsupported_media_type: { status: 415, title: 'Unsupported media type' },
  idempotency_mismatch: { status: 422, title: 'Idempotency key used for another request' },
  rate_limited: { status: 429, title: 'Too many requests' },
  unsupported: { status: 501, title: 'Not supported' },
  internal: { status: 500, title: 'Internal error' },
  model_failed: { status: 502, title: 'Model failed' },
  unavailable: { status: 503, title: 'Unavailable' },
  extraction_queue_full: { status: 503, title: 'Extraction queue full' },
  timeout: { status: 504, title: 'Timeout' },
});

const INTERNAL_DETAIL = 'the service failed; its log has the reason under this request id';
/** Waiting time of an `unavailable` whose cause did not name one. */
const DEFAULT_RETRY_AFTER_SECONDS = 2;
/** Unknown keys are named in errors; a name is all that is repeated of a request, and not at any length. */
const PATH_LIMIT = 200;

/**
 * The problem body of an error (RFC 9457). Whatever is not an `AgentMemoryError` is `internal`, and an `internal` error
 * shows nothing from inside.
 */
export function problemBody(error: unknown, requestId: string): Problem {
  const known = knownError(error);
  const { status, title } = STATUS_OF_CODE[known.code];
  const issues = known.issues.map(({ path, message }) => ({ path: cut(path, PATH_LIMIT), message }));
  return {
    ...known.details,
    type: 'about:blank',
    title,
    status,
    detail: known.code === 'internal' ? INTERNAL_DETAIL : cut(known.message, 1_000),
    code: known.code,
    requestId,
    ...(issues.length > 0 ? { errors: issues } : {}),
  };
}

/** An error as an answer: its problem body, and the headers that belong to it. */
export function problemResponse(error: unknown, requestId: string): Response {
  const problem = problemBody(error, requestId);
  const headers = problemHeaders(knownError(error));
  return new Response(JSON.stringify(problem), { status: problem.status, headers });
}

function knownError(error: unknown): AgentMemoryError {
  return AgentMemoryError.is(error) ? error : new AgentMemoryError('internal', INTERNAL_DETAIL);
}

function problemHeaders(error: AgentMemoryError): Headers {
  const headers = new Headers({ 'Content-Type': 'application/problem+json' });
  const seconds =
    error.retryAfterSeconds ?? (error.code === 'unavailable' ? DEFAULT_RETRY_AFTER_SECONDS : undefined);
  if (seconds !== undefined) headers.set('Retry-After', String(Math.ceil(seconds)));
  if (error.code === 'unauthenticated') headers.set('WWW-Authenticate', 'Bearer');
  return headers;
}

function cut(text: string, limit: number): string {
  return text.length <= limit ? text : `${text.slice(0, limit)}…`;
}
