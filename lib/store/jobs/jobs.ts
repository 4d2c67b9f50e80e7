import type { Job } from '../../schemas/job.ts';
import { type Binds, number, text } from '../../sql/bind.ts';
import type { CallOptions } from '../../sql/sql-transport.ts';
import type { Query } from '../../sql/statement.ts';
import { jobLimits } from '../caller-limits-sql.ts';
import { present } from '../row-value.ts';
import type { StoreContext } from '../store-context.ts';
import { decodeJob, JOB_SHAPE, jobColumns, jobSize } from './job-row.ts';
import type { JobList, ListedJobs } from './job-store.ts';

/** Characters of ids after which an answer ends: jobs over many messages must not become one answer. */
export const JOB_CHARACTER_LIMIT = 4_000_000;
/** Above every sequence number: a page without a cursor begins at the newest job. */
const BEFORE_ALL = Number.MAX_SAFE_INTEGER;

const LIST_SHAPE = { ...JOB_SHAPE, job_position: 'number', page_total: 'number' } as const;

/** Reads one job. */
export async function getJob(
  context: StoreContext,
  jobId: string,
  options?: CallOptions,
): Promise<Job | undefined> {
  const limits = jobLimits(context, 'j');
  const query: Query<typeof JOB_SHAPE> = {
    name: 'jobs.get',
    sql: `SELECT ${jobColumns('j')}\nFROM ${context.names.job} j\nWHERE j.job_id = :job_id${limits.sql}`,
    binds: { job_id: text(jobId), ...limits.binds },
    shape: JOB_SHAPE,
  };
  const [row] = await context.transport.query(query, options);
  return row === undefined ? undefined : decodeJob(query.name, row);
}

/** Jobs from the newest on. Less than the limit comes back, the first always, when the page would grow too large. */
export async function listJobs(
  context: StoreContext,
  list: JobList,
  options?: CallOptions,
): Promise<ListedJobs> {
  const query = listQuery(context, list);
  const rows = await context.transport.query(query, options);
  return {
    jobs: rows.map((row) => ({
      job: decodeJob(query.name, row),
      position: present(query.name, 'position', row.job_position),
    })),
    more: rows.length < (rows[0]?.page_total ?? 0),
  };
}

/** A keyset page; one job more is looked for, but not read, to see whether the list goes on. */
function listQuery(context: StoreContext, list: JobList): Query<typeof LIST_SHAPE> {
  const { names } = context;
  const limits = jobLimits(context, 'j');
  const conditions = listConditions(list);
  const size = jobSize('j');
  return {
    name: 'jobs.list',
    sql: `WITH page AS (SELECT j.job_id, j.order_seq
  FROM ${names.job} j
  WHERE j.order_seq < :before${conditions.sql}${limits.sql}
  ORDER BY j.order_seq DESC
  FETCH FIRST :page_rows ROWS ONLY),
measured AS (SELECT p.job_id, ROW_NUMBER() OVER (ORDER BY p.order_seq DESC) AS newest_rank,
    SUM(${size}) OVER (ORDER BY p.order_seq DESC) - (${size}) AS size_before
  FROM page p
    JOIN ${names.job} j ON j.job_id = p.job_id)
SELECT ${jobColumns('j')},
  j.order_seq AS job_position, (SELECT COUNT(*) FROM page) AS page_total
FROM measured m
  JOIN ${names.job} j ON j.job_id = m.job_id
WHERE m.newest_rank <= :row_limit AND m.size_before < :character_limit
ORDER BY j.order_seq DESC`,
    binds: {
      before: number(list.before ?? BEFORE_ALL),
      page_rows: number(list.limit + 1),
      row_limit: number(list.limit),
      character_limit: number(JOB_CHARACTER_LIMIT),
      ...conditions.binds,
      ...limits.binds,
    },
    shape: LIST_SHAPE,
  };
}

function listConditions({ threadId, status }: JobList): { readonly sql: string; readonly binds: Binds } {
  return {
    sql:
      (threadId === undefined ? '' : ' AND j.thread_id = :thread_id') +
      (status === undefined ? '' : ' AND j.status = :job_status'),
    binds: {
      ...(threadId === undefined ? {} : { thread_id: text(threadId) }),
      ...(status === undefined ? {} : { job_status: text(status) }),
    },
  };
}
