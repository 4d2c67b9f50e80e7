import { AgentMemoryError } from '../../lib/errors/agent-memory-error.ts';
import { type CallerLimits, isLimited } from '../../lib/schemas/caller-limits.ts';
import type { AccessScope } from '../../lib/schemas/operation-contract.ts';
import { bearerToken, unauthenticated } from './bearer-token.ts';

/** Who sends a request, what they may do (`*` is everything) and whose data they may do it with. */
export interface Caller extends CallerLimits {
  readonly id: string;
  readonly scopes: readonly (AccessScope | '*')[];
  /** Requests that they may send in a minute; undefined = no limit. */
  readonly ratePerMinute?: number | undefined;
}

/** Finds the caller of an `Authorization` header. @throws AgentMemoryError `unauthenticated` */
export type Authenticate = (authorization: string | undefined) => Promise<Caller>;

/** One key of `API_KEYS`: `sha256` is the hex digest of the key, `expiresAt` milliseconds since 1970. */
export interface ApiKey extends CallerLimits {
  readonly id: string;
  readonly sha256: string;
  readonly scopes: readonly (AccessScope | '*')[];
  readonly expiresAt: number | undefined;
  readonly ratePerMinute?: number | undefined;
}

const ANYONE: Caller = Object.freeze({ id: 'anonymous', scopes: Object.freeze(['*'] as const) });

/** Authentication off: every request may do everything. Only for a database on this computer. */
export async function allowAnyone(): Promise<Caller> {
  return ANYONE;
}

/** Authenticates bearer keys by their digests. Every key is compared in full, so timing tells nothing about them. */
export function authenticateApiKeys(keys: readonly ApiKey[], now: () => number): Authenticate {
  return async (authorization) => {
    const digest = await sha256Hex(bearerToken(authorization, 'key'));
    const found = keys.filter((key) => equalInConstantTime(key.sha256, digest));
    const valid = found.find((key) => key.expiresAt === undefined || key.expiresAt > now());
    if (valid === undefined) throw unauthenticated('the API key is unknown or has expired');
    const { sha256: _, expiresAt: __, ...caller } = valid;
    return caller;
  };
}

/** Whose data a caller may see and change. */
export function limitsOf({ users, agents, threads }: Caller): CallerLimits {
  return { users, agents, threads };
}

/**
 * What tells callers apart in the keys of repeatable requests. Credentials with one id are one caller as long as they reach the
 * same: what one of them did is not told to one that reaches less.
 */
export function callerIdentity(caller: Caller): string {
  const limits = limitsOf(caller);
  if (!isLimited(limits)) return caller.id;
  const sorted = Object.entries(limits).map(([list, ids]) => [
    list,
    ids === undefined ? null : [...ids].sort(),
  ]);
  return JSON.stringify([caller.id, ...sorted]);
}

/** Whether the caller has this right. */
export function hasAccess(caller: Caller, scope: AccessScope): boolean {
  return caller.scopes.includes('*') || caller.scopes.includes(scope);
}

/** @throws AgentMemoryError `forbidden` naming the first scope that is missing */
export function requireAccess(caller: Caller, needed: readonly AccessScope[]): void {
  const missing = needed.find((scope) => !hasAccess(caller, scope));
  if (missing !== undefined) {
    throw new AgentMemoryError('forbidden', `the credential lacks the scope ${missing}`);
  }
}

async function sha256Hex(text: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text));
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('');
}

function equalInConstantTime(left: string, right: string): boolean {
  let difference = left.length ^ right.length;
  for (let index = 0; index < right.length; index += 1) {
    difference |= left.charCodeAt(index) ^ right.charCodeAt(index);
  }
  return difference === 0;
}
