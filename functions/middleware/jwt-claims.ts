import * as z from 'zod';
import { ACCESS_SCOPES, type AccessScope } from '../../lib/schemas/operation-contract.ts';
import type { Caller } from './authentication.ts';
import { allowedIdsSchema, callerIdSchema, ratePerMinuteSchema } from './credential-limits.ts';

const listOrWords = z.union([z.string(), z.array(z.string())]).optional();

/** What is read of a token's claims. One that limits and cannot be read refuses the token: it must not count as no limit. */
const claimsSchema = z.object({
  sub: callerIdSchema,
  scope: listOrWords,
  scp: listOrWords,
  scopes: listOrWords,
  users: allowedIdsSchema,
  agents: allowedIdsSchema,
  threads: allowedIdsSchema,
  ratePerMinute: ratePerMinuteSchema,
});

type Scope = AccessScope | '*';
const SCOPES: readonly Scope[] = [...ACCESS_SCOPES, '*'];

/**
 * The caller that claims describe (HTTP API contract, Callers): `sub` is the id, scopes stand in `scope`, `scp` or `scopes`, as
 * words or as a list, among others that mean nothing here. Undefined for claims that cannot be read.
 */
export function readClaims(claims: unknown): Caller | undefined {
  const { success, data } = claimsSchema.safeParse(claims);
  if (!success) return undefined;
  const { sub, scope, scp, scopes, ...limits } = data;
  const given = new Set([scope, scp, scopes].flatMap(words));
  return { id: sub, scopes: SCOPES.filter((each) => given.has(each)), ...limits };
}

function words(value: string | readonly string[] | undefined): readonly string[] {
  return typeof value === 'string' ? value.split(' ') : (value ?? []);
}
