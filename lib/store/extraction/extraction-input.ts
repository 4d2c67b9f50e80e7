import type { SchemaNames } from '../../schema/schema-names.ts';
import { number, text } from '../../sql/bind.ts';
import type { Query, Row } from '../../sql/statement.ts';
import { EDIT_KIND } from '../jobs/due-job.ts';
import { WINDOW_CHARACTER_LIMIT } from '../messages/message-window.ts';
import type { StoredMessage } from '../messages/stored-message.ts';
import { decodeRecord, RECORD_SHAPE, recordColumns } from '../records/record-row.ts';
import { present } from '../row-value.ts';
import { type SearchTables, searchTables } from '../search/search.ts';
import type { StoreContext } from '../store-context.ts';
import { decodeThread, THREAD_SHAPE, threadColumns } from '../threads/thread-row.ts';
import { notExpired } from '../timestamp-sql.ts';
import type { ExtractionInput, ExtractionInputOptions } from './extraction-outcome.ts';
import { decodeTally, TALLY_SHAPE, tallySelect } from './memory-tally.ts';
import { newestBinds, newestSelect } from './newest-memories.ts';
import { isSummaryStale } from './stale-summary.ts';
import { sizeOfNewer } from './thread-context.ts';

const SHAPE = {
  ...THREAD_SHAPE,
  ...RECORD_SHAPE,
  ...TALLY_SHAPE,
  job_from_seq: 'number',
  job_upto_seq: 'number',
  job_window: 'number',
  message_seq: 'number',
  hit_rank: 'number',
  newest_place: 'number',
} as const;
type InputRow = Row<typeof SHAPE>;

/** Leaves out what a search near the messages has found. */
const NOT_PICKED = `
    AND NOT EXISTS (SELECT 1 FROM picked p
      WHERE p.record_family = r.record_family AND p.record_id = r.record_id)`;

/**
 * Newest messages that a pass reads at most, whatever its window and its frequency: an answer of the database has a limit
 * of rows.
 */
const MESSAGE_LIMIT = 5_000;
const NO_MEMORIES = { count: 0, characters: 0 } as const;
/** Newest messages that a due summary takes in at most. */
const SUMMARY_MESSAGE_LIMIT = 500;
/** Messages up to an edited one that put it into context, in a thread that shows only what is new. */
const EDIT_WINDOW = 10;

/**
 * The source messages of a job that runs under this lease: those it covers, with a window the newest up to them, and
 * when the running summary is due what it does not cover yet, the oldest left out when that is too much for one read; with
 * a search also what that finds. Undefined when the lease is lost or the thread is gone.
 */
export async function readExtractionInput(
  context: StoreContext,
  jobId: string,
  leaseToken: string,
  options: ExtractionInputOptions = {},
): Promise<ExtractionInput | undefined> {
  const { pastMemories, newestMemories = NO_MEMORIES } = options;
  const found = pastMemories === undefined ? undefined : searchTables(context, pastMemories);
  const query = inputQuery(context.names, found);
  const binds = {
    ...query.binds,
    ...newestBinds(newestMemories),
    job_id: text(jobId),
    lease_token: text(leaseToken),
  };
  const rows = await context.transport.query({ ...query, binds }, options);
  const ofThread = rows.find((row) => row.thread_id !== null);
  if (ofThread === undefined) return undefined;
  return {
    thread: decodeThread(query.name, ofThread),
    recentMessages: decodeMessages(query.name, rows),
    pastMemories: decodeRanked(query.name, rows, 'hit_rank'),
    newestMemories: decodeRanked(query.name, rows, 'newest_place'),
    memoryTally: decodeTally(query.name, ofThread),
    fromSequence: present(query.name, 'from_seq', ofThread.job_from_seq),
    uptoSequence: present(query.name, 'upto_seq', ofThread.job_upto_seq),
    windowMessages: present(query.name, 'window', ofThread.job_window),
  };
}

/** Rows with a sequence number are messages; oldest first. */
function decodeMessages(statement: string, rows: readonly InputRow[]): readonly StoredMessage[] {
  return rows
    .filter((row) => row.message_seq !== null)
    .map((row) => {
      const { id, role, content, timestamp, metadata } = decodeRecord(statement, row);
      return {
        id,
        sequence: present(statement, 'message_seq', row.message_seq),
        role: present(statement, 'message_role', role ?? null),
        content: content ?? '',
        timestamp,
        metadata,
      };
    })
    .sort((one, other) => one.sequence - other.sequence);
}

/** Rows with this rank, by it: what the search found, nearest first, and the newest other memories. */
function decodeRanked(statement: string, rows: readonly InputRow[], rank: 'hit_rank' | 'newest_place') {
  return rows
    .filter((row) => row[rank] !== null)
    .sort((one, other) => (one[rank] ?? 0) - (other[rank] ?? 0))
    .map((row) => decodeRecord(statement, row));
}

/** The thread's texts come once, in a row of their own, however many records there are. */
function inputQuery(names: SchemaNames, found: SearchTables | undefined): Query<typeof SHAPE> {
  const hits = 'SELECT f.record_family, f.record_id, f.hit_rank, NULL AS newest_place\n  FROM fitting f';
  return {
    name: found === undefined ? 'extraction.read_input' : 'extraction.read_input_with_memories',
    sql: `WITH head AS (SELECT t.thread_id, t.user_id, t.agent_id, j.from_seq, j.upto_seq,
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
  WHERE s.newest_rank <= ${MESSAGE_LIMIT} AND (s.message_seq >= s.from_seq OR s.newest_rank <= s.window_messages
    OR (s.message_seq > s.summarized_upto AND s.newest_rank <= ${SUMMARY_MESSAGE_LIMIT}))),
tally AS (${tallySelect(names, '(SELECT h.thread_id FROM head h)')}),
${found === undefined ? '' : `${found.sql},\n`}recent AS (${newestSelect(names)}${found === undefined ? '' : NOT_PICKED}),
listed AS (SELECT 'message' AS record_family, s.record_id, NULL AS hit_rank, NULL AS newest_place
  FROM measured s
  WHERE s.size_newer < :character_limit
  UNION ALL
  SELECT 'memory' AS record_family, e.record_id, NULL AS hit_rank, e.newest_place
  FROM recent e
  WHERE e.newest_place <= :newest_count
  UNION ALL
  SELECT NULL AS record_family, NULL AS record_id, NULL AS hit_rank, NULL AS newest_place
  FROM head${found === undefined ? '' : `\n  UNION ALL\n  ${hits}`})
SELECT h.from_seq AS job_from_seq, h.upto_seq AS job_upto_seq, h.window_messages AS job_window,
  y.memory_total AS memory_total, y.position_sum AS position_sum,
  ${threadColumns('t')},
  x.hit_rank AS hit_rank, x.newest_place AS newest_place, m.message_seq AS message_seq,
  ${recordColumns('m')}
FROM head h
  CROSS JOIN tally y
  CROSS JOIN listed x
  LEFT OUTER JOIN ${names.thread} t ON t.thread_id = h.thread_id AND x.record_id IS NULL
  LEFT OUTER JOIN ${names.record} m ON m.record_family = x.record_family AND m.record_id = x.record_id`,
    binds: { ...found?.binds, character_limit: number(WINDOW_CHARACTER_LIMIT) },
    shape: SHAPE,
  };
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
