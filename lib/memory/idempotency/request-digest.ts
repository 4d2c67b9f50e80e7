import { digestUuid, sha256Hex } from '../../sha-256.ts';

/** What tells one request from another, beside its idempotency key (HTTP API contract, Conventions). */
export interface RequestIdentity {
  readonly operationId: string;
  /** With the operation they are the path. */
  readonly parameters: unknown;
  /** As the contract made it: validated, with times in one form. */
  readonly body: unknown;
}

/** Digest of everything that a key is unique within: store, caller, operation, path. */
export function digestKey(
  { operationId, parameters }: RequestIdentity,
  {
    storeName,
    callerId,
    key,
  }: { readonly storeName: string; readonly callerId: string; readonly key: string },
): Promise<string> {
  return sha256Hex(canonicalJson([storeName, callerId, operationId, parameters, key]));
}

/** The same for bodies that differ only in the order of their keys. */
export function digestBody({ body }: RequestIdentity): Promise<string> {
  return sha256Hex(canonicalJson(body ?? null));
}

function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_, member: unknown) => {
    if (typeof member !== 'object' || member === null || Array.isArray(member)) return member;
    return Object.fromEntries(Object.entries(member).sort(([left], [right]) => (left < right ? -1 : 1)));
  });
}

/** The ids that a request generates, in the order in which it does: the same each time it is repeated. */
export function derivedIds(requestKey: string): () => string {
  const last = Number.parseInt(requestKey.slice(24, 32), 16);
  let ordinal = 0;
  return () => {
    const own = ((last ^ ordinal) >>> 0).toString(16).padStart(8, '0');
    ordinal += 1;
    return digestUuid(requestKey.slice(0, 24) + own);
  };
}
