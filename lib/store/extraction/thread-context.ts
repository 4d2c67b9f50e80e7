import type { SchemaNames } from '../../schema/schema-names.ts';
import { number, text } from '../../sql/bind.ts';
import type { Query, Row } from '../../sql/statement.ts';
import { hasHiddenMessages, recordLimits, threadLimits } from '../caller-limits-sql.ts';
import { WINDOW_CHARACTER_LIMIT } from '../messages/message-window.ts';
import { decodeMessages, MESSAGE_SHAPE, messageColumns, recordSize } from '../records/record-row.ts';
import type { StoreContext } from '../store-context.ts';
import type { StoredThread } from '../threads/stored-thread.ts';
import { decodeThread, THREAD_SHAPE, threadColumns } from '../threads/thread-row.ts';
import { notExpired } from '../timestamp-sql.ts';
import type { ThreadContext, ThreadContextOptions } from './extraction-outcome.ts';
import { isSummaryStale } from './stale-summary.ts';

const CONTEXT_SHAPE = { ...THREAD_SHAPE, ...MESSAGE_SHAPE, summary_hidden: 'boolean' } as const;

/** The thread with its newest visible messages; undefined for an unknown thread. */
export async function readThreadContext(
  context: StoreContext,
  threadId: string,
  recentMessages: number,
  options?: ThreadContextOptions,
): Promise<ThreadContext | undefined> {
  const whenStale = Math.max(recentMessages, options?.messagesWhenStale ?? 0);
  const query = contextQuery(context, threadId, { recentMessages, whenStale });
  return decodeContext(query.name, await context.transport.query(query, options));
}

function decodeContext(
  statement: string,
  rows: readonly Row<typeof CONTEXT_SHAPE>[],
): ThreadContext | undefined {
  const row = rows.find((candidate) => candidate.thread_id !== null);
  if (row === undefined) return undefined;
  const thread = decodeThread(statement, row);
  return {
    thread: row.summary_hidden === true ? withoutSummary(thread) : thread,
    recentMessages: decodeMessages(statement, rows),
  };
}

/** The summary of messages that the caller may not see is not theirs to read, nor to replace. */
function withoutSummary(thread: StoredThread): StoredThread {
  return { ...thread, runningSummary: null, summaryStale: false };
}

function contextQuery(
  context: StoreContext,
  threadId: string,
  counts: { readonly recentMessages: number; readonly whenStale: number },
): Query<typeof CONTEXT_SHAPE> {
  const { names } = context;
  const limits = { thread: threadLimits(context, 't'), messages: recordLimits(context, 'r', 'message') };
  const hidden = hasHiddenMessages(context, 't');
  return {
    name: 'threads.read_context',
    sql: `WITH head AS (SELECT t.thread_id,
    CASE WHEN ${isSummaryStale('t')} THEN :when_stale ELSE :recent_messages END AS wanted
  FROM ${names.thread} t
  WHERE t.thread_id = :thread_id${limits.thread.sql}),
shown AS (SELECT r.record_id, ROW_NUMBER() OVER (ORDER BY r.message_seq DESC) AS newest_rank
  FROM ${names.record} r
  WHERE r.thread_id = :thread_id AND r.record_family = 'message' AND ${notExpired('r')}${limits.messages.sql}),
measured AS (SELECT s.record_id, s.newest_rank, ${sizeOfNewer()}
  FROM head h
    JOIN shown s ON s.newest_rank <= h.wanted
    JOIN ${names.record} r ON r.record_family = 'message' AND r.record_id = s.record_id)
SELECT ${threadColumns('t')}, ${hidden.sql} AS summary_hidden,
  ${messageColumns('m')}
FROM head h
  LEFT OUTER JOIN measured s ON s.size_newer < :character_limit
  ${joins(names)}`,
    binds: {
      thread_id: text(threadId),
      recent_messages: number(counts.recentMessages),
      when_stale: number(counts.whenStale),
      character_limit: number(WINDOW_CHARACTER_LIMIT),
      ...limits.thread.binds,
      ...limits.messages.binds,
      ...hidden.binds,
    },
    shape: CONTEXT_SHAPE,
  };
}

/** Characters of the messages after this one, content and metadata: what is read ends there, the newest is always in it. */
export function sizeOfNewer(): string {
  const own = recordSize('r');
  return `SUM(${own}) OVER (ORDER BY s.newest_rank) - ${own} AS size_newer`;
}

/** The thread's texts come once, with the newest message or alone, however many messages there are. */
function joins(names: SchemaNames): string {
  return `LEFT OUTER JOIN ${names.thread} t ON t.thread_id = h.thread_id AND NVL(s.newest_rank, 1) = 1
  LEFT OUTER JOIN ${names.record} m ON m.record_family = 'message' AND m.record_id = s.record_id`;
}
