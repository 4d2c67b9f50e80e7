import {
  AgentMemoryError,
  ERROR_CODES,
  type ErrorCode,
  type ErrorIssue,
} from '../../lib/errors/agent-memory-error.ts';
import type { Problem } from '../../lib/schemas/problem.ts';
import { problemBody } from '../http/problem.ts';
import { REQUEST_ID, THREAD_ID } from './example-values.ts';

const ISSUE: ErrorIssue = { path: 'unknownKey', message: 'is not a known field' };
/** What an answer may say; of an `internal` error it never says more than the service does. */
const DETAILS: Readonly<Record<Exclude<ErrorCode, 'internal'>, string>> = {
  invalid_request: `${ISSUE.path}: ${ISSUE.message}`,
  unauthenticated: 'send a key as Authorization: Bearer <key>',
  forbidden: 'the credential lacks the scope memories:write',
  not_found: `There is no thread with the id "${THREAD_ID}".`,
  conflict: 'the first request with this idempotency key is still running',
  payload_too_large: 'the body must have at most 1048576 bytes',
  unsupported_media_type: 'the body must be sent as Content-Type: application/json in UTF-8',
  idempotency_mismatch: 'this idempotency key was used for a request with another body',
  rate_limited: 'the credential allows 600 requests in a minute',
  unsupported: 'background extraction needs a job queue and none is configured',
  model_failed: 'The model call failed.',
  unavailable: 'the database endpoint is not available',
  extraction_queue_full: 'As many extraction jobs are pending as this store takes.',
  timeout: 'the database took too long',
};

/** One problem of every code, as the service writes it. */
export function problemExamples(): readonly Problem[] {
  return ERROR_CODES.map((code) => problemBody(errorOf(code), REQUEST_ID));
}

function errorOf(code: ErrorCode): Error {
  if (code === 'internal') return new Error('anything from inside');
  const issues = code === 'invalid_request' ? [ISSUE] : [];
  return new AgentMemoryError(code, DETAILS[code], { issues });
}
