import type { RetentionPolicy } from '../schema/retention-policy.ts';
import type { Warning } from '../schemas/retention.ts';

/**
 * What a write answer says about times to live that the store's maximum cut (contract §11); no field when none was.
 *
 * @param ttlDays Days as the caller gave them, one entry a record
 */
export function ttlWarnings(
  { maxTtlDays }: RetentionPolicy,
  ttlDays: readonly (number | null | undefined)[],
): { warnings?: Warning[] } {
  if (maxTtlDays === null || !ttlDays.some((days) => (days ?? 0) > maxTtlDays)) return {};
  const message = `ttlDays is above the maximum of this store and was reduced to ${maxTtlDays}`;
  return { warnings: [{ code: 'ttl_clamped', message }] };
}
