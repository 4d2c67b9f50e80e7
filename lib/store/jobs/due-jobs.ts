import type { SchemaNames } from '../../schema/schema-names.ts';
import { json, number } from '../../sql/bind.ts';
import type { CallOptions } from '../../sql/sql-transport.ts';
import type { Query } from '../../sql/statement.ts';
import { present } from '../row-value.ts';
import type { StoreContext } from '../store-context.ts';
import type { DueJobs } from './job-lifecycle.ts';
import { isFirstOfThread } from './job-order.ts';

const SHAPE = { job_id: 'text' } as const;

/** Ids of jobs that wait for a worker and have none, the first of each thread, oldest first. */
export async function findDueJobs(
  { names, transport }: StoreContext,
  due: DueJobs,
  options?: CallOptions,
): Promise<readonly string[]> {
  const query = dueQuery(names, due);
  const rows = await transport.query(query, options);
  return rows.map((row) => present(query.name, 'job_id', row.job_id));
}

function dueQuery(names: SchemaNames, due: DueJobs): Query<typeof SHAPE> {
  const ago = (seconds: string) => `SYSTIMESTAMP - NUMTODSINTERVAL(${seconds}, 'SECOND')`;
  return {
    name: 'jobs.find_due',
    sql: `SELECT j.job_id AS job_id
FROM ${names.job} j
WHERE (j.status = 'pending' AND NVL(j.next_attempt_at, j.created_at) <= ${ago(':grace_seconds')}
    OR j.status = 'running' AND j.lease_until <= SYSTIMESTAMP)
  AND ${isFirstOfThread(names)}
  AND (j.woken_at IS NULL OR j.woken_at <= ${ago(':quiet_seconds')})
ORDER BY j.order_seq
FETCH FIRST :row_limit ROWS ONLY`,
    binds: {
      grace_seconds: number(due.graceSeconds),
      quiet_seconds: number(due.quietSeconds),
      row_limit: number(due.limit),
    },
    shape: SHAPE,
  };
}

/** Notes that a wake-up was sent; a job that a worker has taken meanwhile needs no note. */
export async function markWoken(
  { names, transport }: StoreContext,
  jobIds: readonly string[],
  options?: CallOptions,
): Promise<void> {
  await transport.executeAtomic(
    {
      name: 'jobs.mark_woken',
      binds: { job_ids: json(jobIds) },
      statements: [
        {
          name: 'mark_woken',
          sql: `UPDATE ${names.job} j
SET j.woken_at = :now
WHERE j.job_id IN (SELECT d.job_id
    FROM JSON_TABLE(:job_ids, '$[*]' ERROR ON ERROR NULL ON EMPTY COLUMNS (
      job_id VARCHAR2(128 CHAR) PATH '$')) d)
  AND (j.status = 'pending' OR j.status = 'running' AND j.lease_until <= :now)`,
        },
      ],
    },
    options,
  );
}
