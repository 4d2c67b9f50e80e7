import { invalidRequest } from '../errors/agent-memory-error.ts';

/** Visible ASCII: no spaces, so that two headers joined to one are told apart from a key. */
const IDEMPOTENCY_KEY = /^[\x21-\x7e]{1,255}$/;

/**
 * The key as it is (HTTP API contract, Conventions).
 *
 * @param path Where the key stands: the name of the header or of the argument
 * @throws AgentMemoryError `invalid_request` naming `path`
 */
export function checkIdempotencyKey(key: unknown, path: string): string {
  if (typeof key === 'string' && IDEMPOTENCY_KEY.test(key)) return key;
  throw invalidRequest(path, 'must be 1 to 255 visible ASCII characters');
}
