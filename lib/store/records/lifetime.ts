import { invalidRequest } from '../../errors/agent-memory-error.ts';
import type { RetentionPolicy } from '../../schema/retention-policy.ts';
import type { Lifetime } from './stored-record.ts';

/** When a record expires: at a fixed time, or so many days after its write (the database's clock), or never. */
export interface ResolvedLifetime {
  readonly expiresAt: string | null;
  readonly ttlDays: number | null;
}

const MILLISECONDS_PER_DAY = 86_400_000;
/** The last instant of Oracle's calendar with milliseconds. */
export const LAST_INSTANT = '9999-12-31T23:59:59.999Z';

/**
 * Applies the retention policy: omitted days take the default, null and a default that is none take the maximum or
 * never, and more than the maximum is clamped to it (contract §11). So nothing outlives a maximum.
 *
 * @param timestamp Event time of the record, ISO-8601 in UTC
 * @throws AgentMemoryError `invalid_request` when the anchor is `timestamp` and there is none
 */
export function resolveLifetime(
  lifetime: Lifetime,
  timestamp: string | null,
  retention: RetentionPolicy,
): ResolvedLifetime {
  const { defaultTtlDays, maxTtlDays } = retention;
  const wanted = (lifetime.ttlDays === undefined ? defaultTtlDays : lifetime.ttlDays) ?? maxTtlDays;
  const days = wanted !== null && maxTtlDays !== null ? Math.min(wanted, maxTtlDays) : wanted;
  if (lifetime.ttlAnchor === 'created_at') return { expiresAt: null, ttlDays: days };
  if (timestamp === null) throw invalidRequest('ttlAnchor', '"timestamp" needs a timestamp to count from');
  if (days === null) return { expiresAt: null, ttlDays: null };
  const end = Math.min(Date.parse(timestamp) + days * MILLISECONDS_PER_DAY, Date.parse(LAST_INSTANT));
  return { expiresAt: new Date(end).toISOString(), ttlDays: null };
}
