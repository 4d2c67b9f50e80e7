import { invalidRequest } from '../errors/agent-memory-error.ts';

/** Time to live of messages and memories, kept in the store (contract §11). Null: none. */
export interface RetentionPolicy {
  /** Days that a record lives when its writer does not say. */
  readonly defaultTtlDays: number | null;
  /** The longest that a record may live. */
  readonly maxTtlDays: number | null;
}

const LONGEST_TTL_DAYS = 36_500;

/** @throws AgentMemoryError `invalid_request` naming the field (contract D10) */
export function checkRetentionPolicy(policy: RetentionPolicy): void {
  for (const field of ['defaultTtlDays', 'maxTtlDays'] as const) {
    const days = policy[field];
    if (days !== null && !(Number.isInteger(days) && days >= 1 && days <= LONGEST_TTL_DAYS)) {
      throw invalidRequest(field, `must be a whole number of days from 1 to ${LONGEST_TTL_DAYS}`);
    }
  }
  const { defaultTtlDays, maxTtlDays } = policy;
  if (defaultTtlDays !== null && maxTtlDays !== null && defaultTtlDays > maxTtlDays) {
    throw invalidRequest('defaultTtlDays', 'must not be above maxTtlDays');
  }
}
