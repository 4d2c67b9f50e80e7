import { AgentMemoryError } from '../../lib/errors/agent-memory-error.ts';

/** Longer than any token that fits the headers of usual servers. */
const BEARER = /^Bearer ([\x21-\x7e]{1,8192})$/i;

/**
 * The credential of an `Authorization` header.
 *
 * @param what What it has to be, as the caller reads it
 * @throws AgentMemoryError `unauthenticated`
 */
export function bearerToken(authorization: string | undefined, what: string): string {
  const token = BEARER.exec(authorization ?? '')?.[1];
  if (token === undefined) throw unauthenticated(`send a ${what} as Authorization: Bearer <${what}>`);
  return token;
}

/** What a caller learns of a credential that is not accepted: never which part of it is wrong. */
export function unauthenticated(message: string, cause?: unknown): AgentMemoryError {
  return new AgentMemoryError('unauthenticated', message, { cause });
}
