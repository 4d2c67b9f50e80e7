import type { SchemaNames } from '../../schema/schema-names.ts';
import { type Binds, number, text } from '../../sql/bind.ts';
import type { CallOptions } from '../../sql/sql-transport.ts';
import type { Query } from '../../sql/statement.ts';
import { decodeRecord, RECORD_SHAPE, recordColumns } from '../records/record-row.ts';
import type { StoreContext } from '../store-context.ts';
import { notExpired } from '../timestamp-sql.ts';
import type { NewestMemories, NewestMemoryLimits } from './extraction-outcome.ts';
import { decodeTally, TALLY_SHAPE, tallySelect } from './memory-tally.ts';

const SHAPE = { ...RECORD_SHAPE, ...TALLY_SHAPE, newest_place: 'number' } as const;

/** The newest memories of the user and the agent of a job that runs under this lease; undefined when it is lost. */
export async function readNewestMemories(
  context: StoreContext,
  jobId: string,
  leaseToken: string,
  limits: NewestMemoryLimits,
  options?: CallOptions,
): Promise<NewestMemories | undefined> {
  const query = newestQuery(context.names);
  const binds = { job_id: text(jobId), lease_token: text(leaseToken), ...newestBinds(limits) };
  const rows = await context.transport.query({ ...query, binds }, options);
  const [first] = rows;
  if (first === undefined) return undefined;
  return {
    memories: rows
      .filter((row) => row.newest_place !== null)
      .sort((one, other) => (one.newest_place ?? 0) - (other.newest_place ?? 0))
      .map((row) => decodeRecord(query.name, row)),
    memoryTally: decodeTally(query.name, first),
  };
}

/**
 * `SELECT` of the places of the newest memories of the user and the agent in `head`, without those that are too long. It binds
 * what `newestBinds` does; a place up to `:newest_count` is wanted.
 */
export function newestSelect(names: SchemaNames): string {
  return `SELECT r.record_id, ROW_NUMBER() OVER (ORDER BY r.order_seq DESC) AS newest_place
  FROM head h
    JOIN ${names.record} r ON r.user_id = h.user_id AND r.agent_id = h.agent_id
  WHERE r.record_family = 'memory' AND r.status = 'active' AND ${notExpired('r')}
    AND LENGTH(r.content) <= :newest_characters`;
}

export function newestBinds({ count, characters }: NewestMemoryLimits): Binds {
  return { newest_count: number(count), newest_characters: number(characters) };
}

/** Counted and read in one statement, so that the tally is that of what was read. */
function newestQuery(names: SchemaNames): Omit<Query<typeof SHAPE>, 'binds'> {
  return {
    name: 'extraction.read_newest_memories',
    sql: `WITH head AS (SELECT t.thread_id, t.user_id, t.agent_id
  FROM ${names.job} j
    JOIN ${names.thread} t ON t.thread_id = j.thread_id
  WHERE j.job_id = :job_id AND j.status = 'running' AND j.lease_token = :lease_token),
tally AS (${tallySelect(names, '(SELECT h.thread_id FROM head h)')}),
newest AS (${newestSelect(names)})
SELECT y.memory_total AS memory_total, y.position_sum AS position_sum, n.newest_place AS newest_place,
  ${recordColumns('m')}
FROM head h
  CROSS JOIN tally y
  LEFT OUTER JOIN newest n ON n.newest_place <= :newest_count
  LEFT OUTER JOIN ${names.record} m ON m.record_family = 'memory' AND m.record_id = n.record_id`,
    shape: SHAPE,
  };
}
