import { type Binds, number, text } from '../../sql/bind.ts';
import type { CallOptions } from '../../sql/sql-transport.ts';
import type { Query } from '../../sql/statement.ts';
import { threadLimits } from '../caller-limits-sql.ts';
import { present } from '../row-value.ts';
import type { StoreContext } from '../store-context.ts';
import type { ListedThreads, ThreadList } from './stored-thread.ts';
import { decodeThread, THREAD_SHAPE, threadColumns } from './thread-row.ts';

/** Characters of metadata and settings after which a page ends: 1,000 threads of 64 KiB must not become one answer. */
const PAGE_CHARACTER_LIMIT = 4_000_000;
/** Above every sequence number: a page without a cursor begins at the newest thread. */
const BEFORE_ALL = Number.MAX_SAFE_INTEGER;

const SHAPE = { ...THREAD_SHAPE, thread_position: 'number', page_total: 'number' } as const;

/** Threads from the newest on. Less than the limit comes back, the first always, when the page would grow too large. */
export async function listThreads(
  context: StoreContext,
  list: ThreadList,
  options?: CallOptions,
): Promise<ListedThreads> {
  const query = listQuery(context, list);
  const rows = await context.transport.query(query, options);
  const shown = rows.slice(0, list.limit);
  return {
    threads: shown.map((row) => ({
      thread: decodeThread(query.name, row),
      position: present(query.name, 'position', row.thread_position),
    })),
    more: shown.length < (rows[0]?.page_total ?? 0),
  };
}

/**
 * A keyset page, and one thread more to see whether the list goes on: what is inserted or deleted meanwhile shifts
 * nothing. Positions come first, texts are read for the page alone.
 */
function listQuery(context: StoreContext, list: ThreadList): Query<typeof SHAPE> {
  const { names } = context;
  const owners = ownerConditions(list);
  const limits = threadLimits(context, 't');
  const size = `LENGTH(JSON_SERIALIZE(t.metadata RETURNING CLOB)) + LENGTH(JSON_SERIALIZE(t.config RETURNING CLOB))`;
  return {
    name: 'threads.list',
    sql: `WITH page AS (SELECT t.thread_id, t.order_seq
  FROM ${names.thread} t
  WHERE t.order_seq < :before${owners.sql}${limits.sql}
  ORDER BY t.order_seq DESC
  FETCH FIRST :page_rows ROWS ONLY),
measured AS (SELECT p.thread_id, SUM(${size}) OVER (ORDER BY p.order_seq DESC) - (${size}) AS size_before
  FROM page p
    JOIN ${names.thread} t ON t.thread_id = p.thread_id)
SELECT ${threadColumns('t')},
  t.order_seq AS thread_position, (SELECT COUNT(*) FROM page) AS page_total
FROM measured m
  JOIN ${names.thread} t ON t.thread_id = m.thread_id
WHERE m.size_before < :character_limit
ORDER BY t.order_seq DESC`,
    binds: {
      before: number(list.before ?? BEFORE_ALL),
      page_rows: number(list.limit + 1),
      character_limit: number(PAGE_CHARACTER_LIMIT),
      ...owners.binds,
      ...limits.binds,
    },
    shape: SHAPE,
  };
}

function ownerConditions({ userId, agentId }: ThreadList): { readonly sql: string; readonly binds: Binds } {
  return {
    sql:
      (userId === undefined ? '' : ' AND t.user_id = :user_id') +
      (agentId === undefined ? '' : ' AND t.agent_id = :agent_id'),
    binds: {
      ...(userId === undefined ? {} : { user_id: text(userId) }),
      ...(agentId === undefined ? {} : { agent_id: text(agentId) }),
    },
  };
}
