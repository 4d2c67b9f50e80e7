import type { SchemaNames } from '../../schema/schema-names.ts';
import { flag, json, number, text } from '../../sql/bind.ts';
import type { CallOptions } from '../../sql/sql-transport.ts';
import type { DmlStatement } from '../../sql/statement.ts';
import type { StoreContext } from '../store-context.ts';
import type { JobRelease, ReleaseOutcome } from './job-lifecycle.ts';
import { addUsage, usageBinds } from './job-usage.ts';

/** Ends an attempt without an outcome: the job waits for its next one, or is dead when it has none left. */
export async function releaseJob(
  { names, transport }: StoreContext,
  release: JobRelease,
  options?: CallOptions,
): Promise<ReleaseOutcome> {
  const counts = await transport.executeAtomic(
    {
      name: 'jobs.release',
      binds: {
        job_id: text(release.jobId),
        lease_token: text(release.leaseToken),
        reason_code: text(release.reason.code),
        reason_detail: text(release.reason.detail),
        retry_seconds: json(release.retrySeconds),
        retry_total: number(release.retrySeconds.length),
        uncounted: flag(!release.countsAttempt),
        ...usageBinds(release),
      },
      statements: [endJob(names), awaitNextAttempt(names)],
    },
    options,
  );
  if (counts.end_job === 1) return 'dead';
  return counts.await_next_attempt === 1 ? 'pending' : 'lost';
}

const UNDER_LEASE = `j.job_id = :job_id AND j.status = 'running' AND j.lease_token = :lease_token`;

function endJob(names: SchemaNames): DmlStatement {
  return {
    name: 'end_job',
    sql: `UPDATE ${names.job} j
SET j.status = 'dead', j.finished_at = :now,
  ${attemptEnd()}
WHERE ${UNDER_LEASE} AND j.attempt - :uncounted >= j.max_attempts`,
  };
}

function awaitNextAttempt(names: SchemaNames): DmlStatement {
  return {
    name: 'await_next_attempt',
    sql: `UPDATE ${names.job} j
SET j.status = 'pending', j.attempt = j.attempt - :uncounted,
  j.next_attempt_at = :now + NUMTODSINTERVAL((SELECT d.seconds
    FROM JSON_TABLE(:retry_seconds, '$[*]' ERROR ON ERROR NULL ON EMPTY COLUMNS (
      ordinal FOR ORDINALITY,
      seconds NUMBER PATH '$')) d
    WHERE d.ordinal = LEAST(j.attempt, :retry_total)), 'SECOND'),
  ${attemptEnd()}
WHERE ${UNDER_LEASE}`,
  };
}

function attemptEnd(): string {
  return `j.lease_token = NULL, j.lease_until = NULL, j.reason_code = :reason_code, j.reason_detail = :reason_detail,
  ${addUsage()}`;
}
