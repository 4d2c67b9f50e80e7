import type { SchemaNames } from '../../schema/schema-names.ts';
import { type Binds, number, text } from '../../sql/bind.ts';
import type { CallOptions } from '../../sql/sql-transport.ts';
import type { DmlStatement } from '../../sql/statement.ts';
import type { StoreContext } from '../store-context.ts';
import { type ClaimOutcome, LOST_ATTEMPT_LIMIT, WORKER_LOST } from './job-lifecycle.ts';
import { hasRoomForUser, isFirstOfThread } from './job-order.ts';
import type { DueJobClaim, JobClaim } from './job-store.ts';

/** True for job `j` when it waits for a worker. */
const IS_DUE = `(j.status = 'pending' AND (j.next_attempt_at IS NULL OR j.next_attempt_at <= :now)
    OR j.status = 'running' AND j.lease_until <= :now)`;

/**
 * Starts the next attempt of a job that is due and whose turn it is in its thread, under the caller's lease. Both statements look at the row that they
 * lock, so of two workers one gets it.
 */
export async function claimDueJob(
  { names, transport }: StoreContext,
  claim: DueJobClaim,
  options?: CallOptions,
): Promise<ClaimOutcome> {
  const counts = await transport.executeAtomic(
    {
      name: 'jobs.claim_due',
      binds: { ...leaseBinds(claim), user_limit: number(claim.userLimit) },
      statements: [endLostJob(names, 'j.job_id = :job_id AND '), startAttempt(names)],
    },
    options,
  );
  if (counts.start_attempt === 1) return 'claimed';
  return counts.end_lost_job === 1 ? 'dead' : 'nothing_due';
}

/** Begins the lease anew; false when it was lost. */
export async function renewLease(
  { names, transport }: StoreContext,
  claim: JobClaim,
  options?: CallOptions,
): Promise<boolean> {
  const renew: DmlStatement = {
    name: 'renew_lease',
    sql: `UPDATE ${names.job} j
SET j.lease_until = ${leaseEnd()}
WHERE j.job_id = :job_id AND j.status = 'running' AND j.lease_token = :lease_token`,
  };
  const counts = await transport.executeAtomic(
    { name: 'jobs.renew_lease', binds: leaseBinds(claim), statements: [renew] },
    options,
  );
  return counts.renew_lease === 1;
}

/** Makes every job dead that has neither attempts left nor a living worker. */
export async function endLostJobs(
  { names, transport }: StoreContext,
  options?: CallOptions,
): Promise<number> {
  const counts = await transport.executeAtomic(
    { name: 'jobs.end_lost', binds: {}, statements: [endLostJob(names, '')] },
    options,
  );
  return counts.end_lost_job ?? 0;
}

function leaseBinds(claim: JobClaim): Binds {
  return {
    job_id: text(claim.jobId),
    lease_token: text(claim.leaseToken),
    lease_seconds: number(claim.leaseSeconds),
  };
}

function leaseEnd(): string {
  return `:now + NUMTODSINTERVAL(:lease_seconds, 'SECOND')`;
}

function startAttempt(names: SchemaNames): DmlStatement {
  return {
    name: 'start_attempt',
    sql: `UPDATE ${names.job} j
SET j.lost_attempts = j.lost_attempts + CASE WHEN j.status = 'running' THEN 1 ELSE 0 END,
  j.status = 'running', j.attempt = j.attempt + 1, j.lease_token = :lease_token, j.lease_until = ${leaseEnd()},
  j.next_attempt_at = NULL, j.woken_at = NULL, j.reason_code = NULL, j.reason_detail = NULL, j.started_at = :now
WHERE j.job_id = :job_id AND ${IS_DUE}
  AND ${isFirstOfThread(names)}
  AND ${hasRoomForUser(names)}`,
  };
}

/** An attempt that ends without an outcome may have ended its worker: such a job is not tried for ever. */
function endLostJob(names: SchemaNames, which: string): DmlStatement {
  const isLostTooOften = `j.lost_attempts + 1 >= ${LOST_ATTEMPT_LIMIT}`;
  return {
    name: 'end_lost_job',
    sql: `UPDATE ${names.job} j
SET j.status = 'dead', j.lost_attempts = j.lost_attempts + 1, j.lease_token = NULL, j.lease_until = NULL,
  j.finished_at = :now, j.reason_code = '${WORKER_LOST}',
  j.reason_detail = CASE WHEN ${isLostTooOften}
    THEN 'The worker of ${LOST_ATTEMPT_LIMIT} attempts ended without an outcome.'
    ELSE 'The worker of the last attempt ended without an outcome.' END
WHERE ${which}j.status = 'running' AND j.lease_until <= :now
  AND (${isLostTooOften} OR j.attempt >= j.max_attempts)`,
  };
}
