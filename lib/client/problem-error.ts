import { AgentMemoryError, type ErrorCode } from '../errors/agent-memory-error.ts';
import { problemSchema } from '../schemas/problem.ts';

/** What the answer of a proxy or gateway means, which has a status but no problem body. */
const CODE_OF_STATUS: Readonly<Record<number, ErrorCode>> = {
  400: 'invalid_request',
  401: 'unauthenticated',
  403: 'forbidden',
  404: 'not_found',
  413: 'payload_too_large',
  415: 'unsupported_media_type',
  429: 'rate_limited',
  502: 'unavailable',
  503: 'unavailable',
  504: 'timeout',
};

/** The error of an answer that is not a success, with what the problem body says. */
export function problemError(response: Response, text: string): AgentMemoryError {
  const retryAfter = Number(response.headers.get('Retry-After') ?? Number.NaN);
  const waiting = Number.isFinite(retryAfter) ? { retryAfterSeconds: retryAfter } : {};
  const problem = problemSchema.loose().safeParse(parseLeniently(text));
  if (!problem.success) {
    const code = CODE_OF_STATUS[response.status] ?? 'internal';
    const details = { requestId: response.headers.get('X-Request-Id') };
    return new AgentMemoryError(code, `the memory service answered with status ${response.status}`, {
      ...waiting,
      details,
    });
  }
  const { type: _, title: __, status: ___, detail, code, errors = [], ...details } = problem.data;
  return new AgentMemoryError(code, detail, { ...waiting, issues: errors, details });
}

/** An answer that is a success but not what the operation answers. */
export function unreadableAnswer(cause: unknown): AgentMemoryError {
  return new AgentMemoryError('internal', 'the answer of the memory service cannot be read', { cause });
}

function parseLeniently(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
