import type { SchemaNames } from '../../schema/schema-names.ts';
import type { DmlStatement } from '../../sql/statement.ts';

const threadOfMessage = (names: SchemaNames): string => `(SELECT m.thread_id FROM ${names.record} m
  WHERE m.record_family = 'message' AND m.record_id = :record_id)`;

/**
 * Marks the running summary of a message's thread stale when it covers the message, or a running pass may have read it:
 * the next pass makes the summary anew (D3). One that is stale becomes so again, because its new form may be in the making.
 * It runs before the message changes.
 *
 * It locks the thread's row in any case. Otherwise an append could commit between this statement and the end of the list, and
 * its pass would read the message as it was while nothing told that its summary is stale.
 *
 * @param further Further condition on the message `r`; where it does not hold, nothing is marked or locked
 */
export function markSummaryStale(names: SchemaNames, further = ''): DmlStatement {
  const ofMessage = (column: string) => `(SELECT r.${column} FROM ${names.record} r
  WHERE r.record_family = 'message' AND r.record_id = :record_id${further})`;
  const hasReadMessage = `t.summary_stale = 1
  OR GREATEST(t.summarized_seq, NVL((SELECT MAX(j.upto_seq) FROM ${names.job} j
    WHERE j.thread_id = t.thread_id AND j.status = 'running'), 0)) >= ${ofMessage('message_seq')}`;
  return {
    name: 'mark_summary_stale',
    sql: `UPDATE ${names.thread} t
SET t.updated_at = CASE WHEN ${hasReadMessage} THEN :now ELSE t.updated_at END,
  t.summary_stale = CASE WHEN ${hasReadMessage} THEN 1 ELSE 0 END
WHERE t.thread_id = ${ofMessage('thread_id')}`,
  };
}

/**
 * True for a thread whose running summary is no longer what its messages say: one that it covers was deleted or edited, or
 * has expired since it was made (contract §11).
 */
export function isSummaryStale(alias: string): string {
  return `(${alias}.summary_stale = 1 OR ${alias}.summary_expires_at <= SYSTIMESTAMP)`;
}

/**
 * When a summary of thread `t` up to `:summarized_seq` stops being true: at the first expiry of what it covers.
 *
 * @param since Messages that had expired by then are not in the summary; one that changed later may be, with another expiry
 */
export function summaryExpiry(names: SchemaNames, since: string): string {
  return `(SELECT MIN(r.expires_at) FROM ${names.record} r
    WHERE r.thread_id = t.thread_id AND r.record_family = 'message' AND r.message_seq <= :summarized_seq
      AND (r.expires_at > ${since} OR r.updated_at > ${since}))`;
}

/**
 * Locks the thread of the message `:record_id`: threads come before records, as in every list that writes both. The
 * thread counts as changed, so that a summary in the making is not kept.
 */
export function lockMessageThread(names: SchemaNames): DmlStatement {
  return {
    name: 'lock_message_thread',
    sql: `UPDATE ${names.thread} t
SET t.updated_at = :now
WHERE t.thread_id = ${threadOfMessage(names)}`,
  };
}

/** After the message `:record_id` got another expiry. A summary that is stale stays so. */
export function moveSummaryExpiry(names: SchemaNames): DmlStatement {
  return {
    name: 'move_summary_expiry',
    sql: `UPDATE ${names.thread} t
SET t.summary_expires_at = (SELECT MIN(r.expires_at) FROM ${names.record} r
  WHERE r.thread_id = t.thread_id AND r.record_family = 'message' AND r.message_seq <= t.summarized_seq
    AND (r.expires_at > :now OR r.record_id = :record_id))
WHERE t.thread_id = ${threadOfMessage(names)}
  AND (t.summary_expires_at IS NULL OR t.summary_expires_at > :now)`,
  };
}
