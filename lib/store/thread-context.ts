import type { SchemaNames } from '../schema/schema-names.ts';
import { type Binds, number, text } from '../sql/bind.ts';
import type { CallOptions } from '../sql/sql-transport.ts';
import type { Query, Row } from '../sql/statement.ts';
import { EDIT_KIND } from './due-job.ts';
import type { ExtractionInput, ThreadContext, ThreadContextOptions } from './extraction-outcome.ts';
import { WINDOW_CHARACTER_LIMIT } from './message-window.ts';
import { decodeMessages, MESSAGE_SHAPE, messageColumns } from './record-row.ts';
import { present } from './row-value.ts';
import { isSummaryStale } from './stale-summary.ts';
import type { StoreContext } from './store-context.ts';
import { decodeThread, THREAD_SHAPE, threadColumns } from './thread-row.ts';
import { notExpired } from './timestamp-sql.ts';

const CONTEXT_SHAPE = { ...THREAD_SHAPE, ...MESSAGE_SHAPE } as const;
const INPUT_SHAPE = {
  ...CONTEXT_SHAPE,
  job_from_seq: 'number',
  job_upto_seq: 'number',
  job_window: 'number',
} as const;

/** Newest messages that a due summary takes in at most. */
const SUMMARY_MESSAGE_LIMIT = 500;
/** Messages up to an edited one that put it into context, in a thread that shows only what is new. */
const EDIT_WINDOW = 10;

/** The thread with its newest visible messages; undefined for an unknown thread. */
export async function readThreadContext(
  context: StoreContext,
  threadId: string,
  recentMessages: number,
  options?: ThreadContextOptions,
): Promise<ThreadContext | undefined> {
  const whenStale = Math.max(recentMessages, options?.messagesWhenStale ?? 0);
  const query = contextQuery(context.names, threadId, { recentMessages, whenStale });
  return decodeContext(query.name, await context.transport.query(query, options));
}

/**
 * The source messages of a job that runs under this lease: those it covers, with a window the newest up to them, and
 * when the running summary is due what it does not cover yet. Undefined when the lease is lost or the thread is gone.
 */
export async function readExtractionInput(
  context: StoreContext,
  jobId: string,
  leaseToken: string,
  options?: CallOptions,
): Promise<ExtractionInput | undefined> {
  const query = inputQuery(context.names, { job_id: text(jobId), lease_token: text(leaseToken) });
  const rows = await context.transport.query(query, options);
  const [first] = rows;
  const found = decodeContext(query.name, rows);
  if (first === undefined || found === undefined) return undefined;
  return {
    ...found,
    fromSequence: present(query.name, 'from_seq', first.job_from_seq),
    uptoSequence: present(query.name, 'upto_seq', first.job_upto_seq),
    windowMessages: present(query.name, 'window', first.job_window),
  };
}

function decodeContext(
  statement: string,
  rows: readonly Row<typeof CONTEXT_SHAPE>[],
): ThreadContext | undefined {
  const row = rows.find((candidate) => candidate.thread_id !== null);
  if (row === undefined) return undefined;
  return { thread: decodeThread(statement, row), recentMessages: decodeMessages(statement, rows) };
}

function contextQuery(
  names: SchemaNames,
  threadId: string,
  counts: { readonly recentMessages: number; readonly whenStale: number },
): Query<typeof CONTEXT_SHAPE> {
  return {
    name: 'threads.read_context',
    sql: `WITH head AS (SELECT t.thread_id,
    CASE WHEN ${isSummaryStale('t')} THEN :when_stale ELSE :recent_messages END AS wanted
  FROM ${names.thread} t
  WHERE t.thread_id = :thread_id),
shown AS (SELECT r.record_id, ROW_NUMBER() OVER (ORDER BY r.message_seq DESC) AS newest_rank
  FROM ${names.record} r
  WHERE r.thread_id = :thread_id AND r.record_family = 'message' AND ${notExpired('r')}),
measured AS (SELECT s.record_id, s.newest_rank, ${sizeOfNewer()}
  FROM head h
    JOIN shown s ON s.newest_rank <= h.wanted
    JOIN ${names.record} r ON r.record_family = 'message' AND r.record_id = s.record_id)
SELECT ${threadColumns('t')},
  ${messageColumns('m')}
FROM head h
  LEFT OUTER JOIN measured s ON s.size_newer < :character_limit
  ${joins(names)}`,
    binds: {
      thread_id: text(threadId),
      recent_messages: number(counts.recentMessages),
      when_stale: number(counts.whenStale),
      character_limit: number(WINDOW_CHARACTER_LIMIT),
    },
    shape: CONTEXT_SHAPE,
  };
}

function inputQuery(names: SchemaNames, binds: Binds): Query<typeof INPUT_SHAPE> {
  return {
    name: 'extraction.read_input',
    sql: `WITH head AS (SELECT t.thread_id, j.from_seq, j.upto_seq,
    ${windowMessages()} AS window_messages,
    ${summarizedSequence()} AS summarized_upto
  FROM ${names.job} j
    JOIN ${names.thread} t ON t.thread_id = j.thread_id
  WHERE j.job_id = :job_id AND j.status = 'running' AND j.lease_token = :lease_token),
shown AS (SELECT r.record_id, r.message_seq, h.from_seq, h.window_messages, h.summarized_upto,
    ROW_NUMBER() OVER (ORDER BY r.message_seq DESC) AS newest_rank
  FROM head h
    JOIN ${names.record} r ON r.thread_id = h.thread_id AND r.record_family = 'message'
  WHERE r.message_seq <= h.upto_seq AND ${notExpired('r')}),
measured AS (SELECT s.record_id, s.newest_rank, ${sizeOfNewer()}
  FROM shown s
    JOIN ${names.record} r ON r.record_family = 'message' AND r.record_id = s.record_id
  WHERE s.message_seq >= s.from_seq OR s.newest_rank <= s.window_messages
    OR (s.message_seq > s.summarized_upto AND s.newest_rank <= ${SUMMARY_MESSAGE_LIMIT}))
SELECT h.from_seq AS job_from_seq, h.upto_seq AS job_upto_seq, h.window_messages AS job_window,
  ${threadColumns('t')},
  ${messageColumns('m')}
FROM head h
  LEFT OUTER JOIN measured s ON s.size_newer < :character_limit
  ${joins(names)}`,
    binds: { ...binds, character_limit: number(WINDOW_CHARACTER_LIMIT) },
    shape: INPUT_SHAPE,
  };
}

/** Characters of the messages after this one: what is read ends there, the newest is always in it. */
function sizeOfNewer(): string {
  const own = 'NVL(LENGTH(r.content), 0)';
  return `SUM(${own}) OVER (ORDER BY s.newest_rank) - ${own} AS size_newer`;
}

/** The thread's window (contract §8.1); an edited message comes with earlier history in any case (contract §4.5). */
function windowMessages(): string {
  const configured = `JSON_VALUE(t.config, '$.extraction.memoryExtractionWindow' RETURNING NUMBER)`;
  return `CASE WHEN j.kind = '${EDIT_KIND}' AND ${configured} = -1 THEN ${EDIT_WINDOW} ELSE ${configured} END`;
}

/**
 * Up to where the running summary needs nothing: what it covers when it is due by its own frequency (contract §8.1), the
 * beginning when it is stale and the job reaches the newest message, the end of the job when it is not due.
 */
function summarizedSequence(): string {
  return `CASE
      WHEN JSON_VALUE(t.config, '$.extraction.enableContextSummary' RETURNING VARCHAR2(5)) = 'false' THEN j.upto_seq
      WHEN ${isSummaryStale('t')} THEN CASE WHEN j.upto_seq < t.message_count THEN j.upto_seq ELSE 0 END
      WHEN j.upto_seq - t.summarized_seq
        < JSON_VALUE(t.config, '$.extraction.contextSummaryUpdateFrequency' RETURNING NUMBER) THEN j.upto_seq
      ELSE t.summarized_seq END`;
}

/** The thread's texts come once, with the newest message or alone, however many messages there are. */
function joins(names: SchemaNames): string {
  return `LEFT OUTER JOIN ${names.thread} t ON t.thread_id = h.thread_id AND NVL(s.newest_rank, 1) = 1
  LEFT OUTER JOIN ${names.record} m ON m.record_family = 'message' AND m.record_id = s.record_id`;
}
