import { number, text } from '../../sql/bind.ts';
import type { CallOptions } from '../../sql/sql-transport.ts';
import type { DmlStatement } from '../../sql/statement.ts';
import { auditJob } from '../audit/audit-entries.ts';
import { authorBinds } from '../audit/write-author.ts';
import type { StoreContext } from '../store-context.ts';
import { lockJob, MAY_BE_RETRIED } from './job-changes.ts';
import { QUEUE_FULL } from './job-lifecycle.ts';
import { hasQueueCapacity } from './queue-capacity.ts';

const MAKE_PENDING = `j.status = 'pending', j.next_attempt_at = :now, j.woken_at = NULL, j.finished_at = NULL,
  j.reason_code = NULL, j.reason_detail = NULL`;

/** Makes a job pending that was left out because the queue was full; false while it still is. */
export async function admitJob(
  { names, transport }: StoreContext,
  jobId: string,
  queueCapacity: number,
  options?: CallOptions,
): Promise<boolean> {
  const isLeftOut = `j.status = 'cancelled' AND j.reason_code = '${QUEUE_FULL}'`;
  const counts = await transport.executeAtomic(
    {
      name: 'jobs.admit',
      binds: { job_id: text(jobId), queue_capacity: number(queueCapacity) },
      statements: [
        {
          name: 'admit_job',
          sql: `UPDATE ${names.job} j\nSET ${MAKE_PENDING}\nWHERE j.job_id = :job_id AND ${isLeftOut}\n  AND ${hasQueueCapacity(names)}`,
        },
        {
          name: 'find_admitted',
          sql: `UPDATE ${names.job} j\nSET j.attempt = j.attempt\nWHERE j.job_id = :job_id AND j.status <> 'cancelled'`,
        },
      ],
    },
    options,
  );
  return counts.find_admitted === 1;
}

/** Gives a job that ended without success all its attempts again; it waits for a worker. */
export async function requeueJob(
  context: StoreContext,
  jobId: string,
  maxAttempts: number,
  options?: CallOptions,
): Promise<void> {
  const { names, transport } = context;
  const lock = lockJob(context);
  const requeue: DmlStatement = {
    name: 'requeue_job',
    sql: `UPDATE ${names.job} j
SET ${MAKE_PENDING},
  j.attempt = 0, j.max_attempts = :max_attempts, j.lost_attempts = 0, j.started_at = NULL
WHERE j.job_id = :job_id AND ${MAY_BE_RETRIED.condition}`,
    expect: MAY_BE_RETRIED.expect,
  };
  await transport.executeAtomic(
    {
      name: 'jobs.requeue',
      binds: {
        job_id: text(jobId),
        max_attempts: number(maxAttempts),
        ...lock.binds,
        ...authorBinds(context, 'retryJob'),
      },
      statements: [...lock.statements, requeue, auditJob(names)],
    },
    options,
  );
}
