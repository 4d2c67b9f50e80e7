import type { SchemaNames } from '../../schema/schema-names.ts';
import { json, number } from '../../sql/bind.ts';
import type { CallOptions } from '../../sql/sql-transport.ts';
import type { AtomicList, Query } from '../../sql/statement.ts';
import { present } from '../row-value.ts';
import type { StoreContext } from '../store-context.ts';
import { EXTRACTION_KIND } from './due-job.ts';

const SHAPE = { job_id: 'text' } as const;

/** Removes one batch of jobs that ended so many days ago. */
export async function pruneJobs(
  { names, transport }: StoreContext,
  olderThanDays: number,
  limit: number,
  options?: CallOptions,
): Promise<number> {
  const query = oldJobsQuery(names, olderThanDays, limit);
  const rows = await transport.query(query, options);
  if (rows.length === 0) return 0;
  const jobIds = rows.map((row) => present(query.name, 'job_id', row.job_id));
  const counts = await transport.executeAtomic(pruneList(names, jobIds, olderThanDays), options);
  return counts.delete_jobs ?? 0;
}

/** Removes rows of repeatable requests that nobody may repeat any more. */
export async function pruneRequests(
  { names, transport }: StoreContext,
  olderThanHours: number,
  limit: number,
  options?: CallOptions,
): Promise<number> {
  const counts = await transport.executeAtomic(
    {
      name: 'requests.prune',
      binds: { kept_hours: number(olderThanHours), row_limit: number(limit) },
      statements: [
        {
          name: 'delete_requests',
          sql: `DELETE FROM ${names.request} q
WHERE q.created_at <= :now - NUMTODSINTERVAL(:kept_hours, 'HOUR') AND ROWNUM <= :row_limit`,
        },
      ],
    },
    options,
  );
  return counts.delete_requests ?? 0;
}

function oldJobsQuery(names: SchemaNames, keptDays: number, limit: number): Query<typeof SHAPE> {
  return {
    name: 'jobs.find_old',
    sql: `SELECT j.job_id AS job_id
FROM ${names.job} j
WHERE j.finished_at <= SYSTIMESTAMP - NUMTODSINTERVAL(:kept_days, 'DAY')
FETCH FIRST :row_limit ROWS ONLY`,
    binds: { kept_days: number(keptDays), row_limit: number(limit) },
    shape: SHAPE,
  };
}

/**
 * The watermark takes over what the jobs covered: without it the messages of a failed one would be due again. A job that
 * was retried since it was found stays.
 */
function pruneList(names: SchemaNames, jobIds: readonly string[], keptDays: number): AtomicList {
  const isOld = `j.finished_at <= :now - NUMTODSINTERVAL(:kept_days, 'DAY')
    AND j.job_id IN (SELECT d.job_id
      FROM JSON_TABLE(:job_ids, '$[*]' ERROR ON ERROR NULL ON EMPTY COLUMNS (
        job_id VARCHAR2(128 CHAR) PATH '$')) d)`;
  const ofThread = `FROM ${names.job} j WHERE j.kind = '${EXTRACTION_KIND}' AND ${isOld}`;
  return {
    name: 'jobs.prune',
    binds: { job_ids: json(jobIds), kept_days: number(keptDays) },
    statements: [
      {
        name: 'move_watermarks',
        sql: `UPDATE ${names.thread} t
SET t.extracted_seq = GREATEST(t.extracted_seq,
  NVL((SELECT MAX(j.upto_seq) ${ofThread} AND j.thread_id = t.thread_id), 0))
WHERE t.thread_id IN (SELECT j.thread_id ${ofThread})`,
      },
      { name: 'delete_jobs', sql: `DELETE FROM ${names.job} j\nWHERE ${isOld}` },
    ],
  };
}
