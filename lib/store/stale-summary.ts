import type { SchemaNames } from '../schema/schema-names.ts';
import type { DmlStatement } from '../sql/statement.ts';

/**
 * Marks the running summary of a message's thread stale when it covers the message, or a running pass may have read it:
 * the next pass makes the summary anew (D3). One that is stale becomes so again, because its new form may be in the making.
 * It runs before the message changes.
 *
 * @param inThread Further condition on `r.thread_id`, or nothing
 */
export function markSummaryStale(names: SchemaNames, inThread: string): DmlStatement {
  const ofMessage = (column: string) => `(SELECT r.${column} FROM ${names.record} r
  WHERE r.record_family = 'message' AND r.record_id = :record_id${inThread})`;
  return {
    name: 'mark_summary_stale',
    sql: `UPDATE ${names.thread} t
SET t.summary_stale = 1, t.updated_at = :now
WHERE t.thread_id = ${ofMessage('thread_id')}
  AND (t.summary_stale = 1
    OR GREATEST(t.summarized_seq, NVL((SELECT MAX(j.upto_seq) FROM ${names.job} j
      WHERE j.thread_id = t.thread_id AND j.status = 'running'), 0)) >= ${ofMessage('message_seq')})`,
  };
}
