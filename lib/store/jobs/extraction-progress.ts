import { number, text } from '../../sql/bind.ts';
import type { CallOptions } from '../../sql/sql-transport.ts';
import type { Query } from '../../sql/statement.ts';
import { threadLimits } from '../caller-limits-sql.ts';
import type { StoreContext } from '../store-context.ts';
import type { ExtractionProgress } from './job-store.ts';

const SHAPE = {
  newest_position: 'number',
  unfinished_jobs: 'number',
  succeeded_jobs: 'number',
  failed_jobs: 'number',
} as const;

/** Counts the jobs of a thread up to a position, or all there are; undefined for an unknown thread. */
export async function readExtractionProgress(
  context: StoreContext,
  threadId: string,
  upto: number | undefined,
  options?: CallOptions,
): Promise<ExtractionProgress | undefined> {
  const [row] = await context.transport.query(progressQuery(context, threadId, upto), options);
  if (row === undefined) return undefined;
  return {
    newestPosition: row.newest_position ?? 0,
    unfinished: row.unfinished_jobs ?? 0,
    succeeded: row.succeeded_jobs ?? 0,
    failed: row.failed_jobs ?? 0,
  };
}

/** A thread without jobs is one row of NULL. */
function progressQuery(
  context: StoreContext,
  threadId: string,
  upto: number | undefined,
): Query<typeof SHAPE> {
  const { names } = context;
  const limits = threadLimits(context, 't');
  const count = (statuses: string, alias: string) =>
    `SUM(CASE WHEN j.status IN (${statuses}) THEN 1 ELSE 0 END) AS ${alias}`;
  return {
    name: 'jobs.read_extraction_progress',
    sql: `SELECT p.newest_position AS newest_position, p.unfinished_jobs AS unfinished_jobs,
  p.succeeded_jobs AS succeeded_jobs, p.failed_jobs AS failed_jobs
FROM ${names.thread} t
  LEFT OUTER JOIN (SELECT j.thread_id, MAX(j.order_seq) AS newest_position,
      ${count(`'pending', 'running'`, 'unfinished_jobs')},
      ${count(`'succeeded'`, 'succeeded_jobs')},
      ${count(`'failed', 'dead', 'cancelled'`, 'failed_jobs')}
    FROM ${names.job} j
    WHERE j.thread_id = :thread_id AND (:upto_position IS NULL OR j.order_seq <= :upto_position)
    GROUP BY j.thread_id) p ON p.thread_id = t.thread_id
WHERE t.thread_id = :thread_id${limits.sql}`,
    binds: { thread_id: text(threadId), upto_position: number(upto ?? null), ...limits.binds },
    shape: SHAPE,
  };
}
