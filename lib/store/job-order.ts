import type { SchemaNames } from '../schema/schema-names.ts';
import { text } from '../sql/bind.ts';
import type { CallOptions } from '../sql/sql-transport.ts';
import type { Query } from '../sql/statement.ts';
import type { StoreContext } from './store-context.ts';

/**
 * True for job `j` when no earlier job of its thread is pending or running. What a later message corrects must not be
 * learned after the correction, whichever wake-up comes first.
 */
export function isFirstOfThread(names: SchemaNames): string {
  return `NOT EXISTS (SELECT 1 FROM ${names.job} e
    WHERE e.thread_id = j.thread_id AND e.status IN ('pending', 'running') AND e.order_seq < j.order_seq)`;
}

const SHAPE = { job_id: 'text' } as const;

/** The job of the same thread whose turn it is now, if it is due; undefined also when it runs already. */
export async function findNextJob(
  { names, transport }: StoreContext,
  jobId: string,
  options?: CallOptions,
): Promise<string | undefined> {
  const [row] = await transport.query(nextQuery(names, jobId), options);
  return row?.job_id ?? undefined;
}

function nextQuery(names: SchemaNames, jobId: string): Query<typeof SHAPE> {
  return {
    name: 'jobs.find_next',
    sql: `SELECT f.job_id AS job_id
FROM (SELECT n.job_id, n.status, n.next_attempt_at
  FROM ${names.job} n
  WHERE n.thread_id = (SELECT j.thread_id FROM ${names.job} j WHERE j.job_id = :job_id)
    AND n.status IN ('pending', 'running')
  ORDER BY n.order_seq
  FETCH FIRST 1 ROWS ONLY) f
WHERE f.status = 'pending' AND (f.next_attempt_at IS NULL OR f.next_attempt_at <= SYSTIMESTAMP)`,
    binds: { job_id: text(jobId) },
    shape: SHAPE,
  };
}
