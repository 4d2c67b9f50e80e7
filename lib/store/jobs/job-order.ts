import type { SchemaNames } from '../../schema/schema-names.ts';
import { number, text } from '../../sql/bind.ts';
import type { CallOptions } from '../../sql/sql-transport.ts';
import type { Query } from '../../sql/statement.ts';
import { present } from '../row-value.ts';
import type { StoreContext } from '../store-context.ts';

/**
 * True for job `j` when no earlier job of its thread is pending or running. What a later message corrects must not be
 * learned after the correction, whichever wake-up comes first.
 */
export function isFirstOfThread(names: SchemaNames): string {
  return `NOT EXISTS (SELECT 1 FROM ${names.job} f
    WHERE f.thread_id = j.thread_id AND f.status IN ('pending', 'running') AND f.order_seq < j.order_seq)`;
}

/**
 * How many jobs of a user, a SQL expression, workers run under a living lease. Those that their own request has run since they
 * were written keep no worker.
 */
function runningOf(names: SchemaNames, userId: string, now: string): string {
  return `(SELECT COUNT(*) FROM ${names.job} g
      JOIN ${names.thread} w ON w.thread_id = g.thread_id
    WHERE g.status = 'running' AND g.started_at > g.created_at AND g.lease_until > ${now} AND w.user_id = ${userId})`;
}

/** True for job `j` when fewer jobs of its user run than may at once: one whose model hangs must not keep every worker. */
export function hasRoomForUser(names: SchemaNames): string {
  const userId = `(SELECT t.user_id FROM ${names.thread} t WHERE t.thread_id = j.thread_id)`;
  return `${runningOf(names, userId, ':now')} < :user_limit`;
}

const SHAPE = { job_id: 'text', user_room: 'number' } as const;

/**
 * The jobs that an ended one may have held up, of its thread and of its user's others, oldest first: those that are due, as
 * many as the user may run beside what runs now. Attempts that end together each see the room that both leave, so none of
 * it stays empty while jobs wait; who is woken twice finds nothing to do.
 */
export async function findNextJobs(
  { names, transport }: StoreContext,
  jobId: string,
  userLimit: number,
  options?: CallOptions,
): Promise<readonly string[]> {
  const query = nextQuery(names, jobId, userLimit);
  const rows = await transport.query(query, options);
  const room = Math.max(0, rows[0]?.user_room ?? 0);
  return rows.slice(0, room).map((row) => present(query.name, 'job_id', row.job_id));
}

function nextQuery(names: SchemaNames, jobId: string, userLimit: number): Query<typeof SHAPE> {
  return {
    name: 'jobs.find_next',
    sql: `WITH ended AS (SELECT o.user_id
  FROM ${names.job} d
    JOIN ${names.thread} o ON o.thread_id = d.thread_id
  WHERE d.job_id = :job_id)
SELECT j.job_id AS job_id, :user_limit - ${runningOf(names, 'e.user_id', 'SYSTIMESTAMP')} AS user_room
FROM ended e
  JOIN ${names.thread} t ON t.user_id = e.user_id
  JOIN ${names.job} j ON j.thread_id = t.thread_id
WHERE j.status = 'pending' AND (j.next_attempt_at IS NULL OR j.next_attempt_at <= SYSTIMESTAMP)
  AND ${isFirstOfThread(names)}
ORDER BY j.order_seq
FETCH FIRST :row_limit ROWS ONLY`,
    binds: { job_id: text(jobId), user_limit: number(userLimit), row_limit: number(userLimit) },
    shape: SHAPE,
  };
}
