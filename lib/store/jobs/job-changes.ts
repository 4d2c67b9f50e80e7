import { number, text } from '../../sql/bind.ts';
import type { CallOptions } from '../../sql/sql-transport.ts';
import type { AtomicList, DmlStatement } from '../../sql/statement.ts';
import { auditJob } from '../audit/audit-entries.ts';
import { authorBinds } from '../audit/write-author.ts';
import { jobLimits } from '../caller-limits-sql.ts';
import type { StoreContext } from '../store-context.ts';
import type { JobClaim } from './job-store.ts';

/** Cancels a job that has not ended. Its lease goes too, so that a pass which still runs cannot write its outcome. */
export async function cancelJob(context: StoreContext, jobId: string, options?: CallOptions): Promise<void> {
  const { names, transport } = context;
  const lock = lockJob(context);
  const cancel: DmlStatement = {
    name: 'cancel_job',
    sql: `UPDATE ${names.job} j
SET j.status = 'cancelled', j.lease_token = NULL, j.lease_until = NULL, j.next_attempt_at = NULL,
  j.finished_at = :now
WHERE j.job_id = :job_id AND j.status IN ('pending', 'running')`,
    expect: { rows: 1, otherwise: 'conflict', message: 'only a pending or running job can be cancelled' },
  };
  await transport.executeAtomic(
    {
      name: 'jobs.cancel',
      binds: { job_id: text(jobId), ...lock.binds, ...authorBinds(context, 'cancelJob') },
      statements: [...lock.statements, cancel, auditJob(names)],
    },
    options,
  );
}

/** From which states job `j` can be retried, and what becomes of it in another. */
export const MAY_BE_RETRIED = {
  condition: "j.status IN ('failed', 'dead', 'cancelled')",
  expect: {
    rows: 1,
    otherwise: 'conflict',
    message: 'only a failed, dead or cancelled job can be retried',
  },
} as const;

/** Starts the next attempt of a job that ended without success, under the caller's lease. Of two callers one gets it. */
export async function claimJob(context: StoreContext, claim: JobClaim, options?: CallOptions): Promise<void> {
  const { names, transport } = context;
  const lock = lockJob(context);
  const start: DmlStatement = {
    name: 'claim_job',
    sql: `UPDATE ${names.job} j
SET j.status = 'running', j.attempt = j.attempt + 1,
  j.max_attempts = GREATEST(j.max_attempts, j.attempt + 1),
  j.lease_token = :lease_token, j.lease_until = :now + NUMTODSINTERVAL(:lease_seconds, 'SECOND'),
  j.next_attempt_at = NULL, j.reason_code = NULL, j.reason_detail = NULL,
  j.started_at = :now, j.finished_at = NULL
WHERE j.job_id = :job_id AND ${MAY_BE_RETRIED.condition}`,
    expect: MAY_BE_RETRIED.expect,
  };
  await transport.executeAtomic(
    {
      name: 'jobs.claim',
      binds: {
        job_id: text(claim.jobId),
        lease_token: text(claim.leaseToken),
        lease_seconds: number(claim.leaseSeconds),
        ...lock.binds,
        ...authorBinds(context, 'retryJob'),
      },
      statements: [...lock.statements, start, auditJob(names)],
    },
    options,
  );
}

/** Tells a job that is not there from one in another state. */
export function lockJob(context: StoreContext): Pick<AtomicList, 'binds' | 'statements'> {
  const limits = jobLimits(context, 'j');
  const lock: DmlStatement = {
    name: 'lock_job',
    sql: `UPDATE ${context.names.job} j\nSET j.attempt = j.attempt\nWHERE j.job_id = :job_id${limits.sql}`,
    expect: { rows: 1, otherwise: 'not_found', message: 'job not found' },
  };
  return { binds: limits.binds, statements: [lock] };
}
