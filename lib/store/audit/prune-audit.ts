import { number } from '../../sql/bind.ts';
import type { CallOptions } from '../../sql/sql-transport.ts';
import type { StoreContext } from '../store-context.ts';

/** How long rows of the audit trail are kept unless it is configured. */
export const DEFAULT_AUDIT_DAYS = 365;
/** Rows that one transaction removes. */
const BATCH_SIZE = 1_000;
/** Batches of one run. */
const MAXIMUM_BATCHES = 50;

/** Removes rows of the audit trail that were kept long enough, a round trip a batch. Returns how many. */
export async function pruneAudit(
  { names, transport }: Pick<StoreContext, 'names' | 'transport'>,
  keptDays: number,
  options?: CallOptions,
): Promise<number> {
  let total = 0;
  for (let batches = 0; batches < MAXIMUM_BATCHES; batches += 1) {
    const counts = await transport.executeAtomic(
      {
        name: 'audit.prune',
        binds: { kept_days: number(keptDays), row_limit: number(BATCH_SIZE) },
        statements: [
          {
            name: 'delete_audit',
            sql: `DELETE FROM ${names.audit} a
WHERE a.occurred_at <= :now - NUMTODSINTERVAL(:kept_days, 'DAY') AND ROWNUM <= :row_limit`,
          },
        ],
      },
      options,
    );
    const removed = counts.delete_audit ?? 0;
    total += removed;
    if (removed < BATCH_SIZE) return total;
  }
  return total;
}
