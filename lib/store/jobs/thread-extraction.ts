import { JOB_STATUSES, type ThreadExtraction } from '../../schemas/job.ts';
import { number, text } from '../../sql/bind.ts';
import type { CallOptions } from '../../sql/sql-transport.ts';
import type { Query } from '../../sql/statement.ts';
import { threadLimits } from '../caller-limits-sql.ts';
import type { StoreContext } from '../store-context.ts';
import { decodeJob, JOB_SHAPE, jobColumns, jobSize } from './job-row.ts';
import { JOB_CHARACTER_LIMIT } from './jobs.ts';

/** Jobs that are shown beside the counts (HTTP API contract, getExtraction). */
const LATEST_JOBS = 20;

const SHAPE = {
  ...JOB_SHAPE,
  pending_jobs: 'number',
  running_jobs: 'number',
  succeeded_jobs: 'number',
  failed_jobs: 'number',
  dead_jobs: 'number',
  cancelled_jobs: 'number',
} as const;

/** Counts the jobs of a thread by state and reads the latest, newest first; undefined for an unknown thread. */
export async function readThreadExtraction(
  context: StoreContext,
  threadId: string,
  options?: CallOptions,
): Promise<ThreadExtraction | undefined> {
  const query = extractionQuery(context, threadId);
  const rows = await context.transport.query(query, options);
  const [first] = rows;
  if (first === undefined) return undefined;
  return {
    pending: first.pending_jobs ?? 0,
    running: first.running_jobs ?? 0,
    succeeded: first.succeeded_jobs ?? 0,
    failed: first.failed_jobs ?? 0,
    dead: first.dead_jobs ?? 0,
    cancelled: first.cancelled_jobs ?? 0,
    jobs: rows.filter((row) => row.job_id !== null).map((row) => decodeJob(query.name, row)),
  };
}

/** A thread without jobs is one row with neither counts nor a job. */
function extractionQuery(context: StoreContext, threadId: string): Query<typeof SHAPE> {
  const { names } = context;
  const limits = threadLimits(context, 't');
  const counts = JOB_STATUSES.map(
    (status) => `SUM(CASE WHEN j.status = '${status}' THEN 1 ELSE 0 END) AS ${status}_jobs`,
  );
  const size = jobSize('j');
  return {
    name: 'jobs.read_thread_extraction',
    sql: `WITH totals AS (SELECT j.thread_id, ${counts.join(',\n    ')}
  FROM ${names.job} j
  WHERE j.thread_id = :thread_id
  GROUP BY j.thread_id),
ranked AS (SELECT j.job_id, ROW_NUMBER() OVER (ORDER BY j.order_seq DESC) AS newest_rank
  FROM ${names.job} j
  WHERE j.thread_id = :thread_id),
measured AS (SELECT k.job_id, k.newest_rank,
    SUM(${size}) OVER (ORDER BY k.newest_rank) - (${size}) AS size_before
  FROM ranked k
    JOIN ${names.job} j ON j.job_id = k.job_id
  WHERE k.newest_rank <= :latest_jobs)
SELECT ${JOB_STATUSES.map((status) => `s.${status}_jobs AS ${status}_jobs`).join(', ')},
  ${jobColumns('j')}
FROM ${names.thread} t
  LEFT OUTER JOIN totals s ON s.thread_id = t.thread_id
  LEFT OUTER JOIN measured m ON m.size_before < :character_limit
  LEFT OUTER JOIN ${names.job} j ON j.job_id = m.job_id
WHERE t.thread_id = :thread_id${limits.sql}
ORDER BY m.newest_rank`,
    binds: {
      thread_id: text(threadId),
      latest_jobs: number(LATEST_JOBS),
      character_limit: number(JOB_CHARACTER_LIMIT),
      ...limits.binds,
    },
    shape: SHAPE,
  };
}
