import type { SchemaNames } from '../../schema/schema-names.ts';

/**
 * True while fewer jobs of the store are pending than `:queue_capacity` (contract §8.3). It counts no further than that.
 * Writes at the same moment do not see each other: for as many as there are of them the limit is exceeded.
 */
export function hasQueueCapacity(names: SchemaNames): string {
  return `(SELECT COUNT(*) FROM ${names.job} q
    WHERE q.status = 'pending' AND ROWNUM <= :queue_capacity) < :queue_capacity`;
}
