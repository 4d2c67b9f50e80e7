import type { SchemaNames } from '../../schema/schema-names.ts';
import { type Binds, number, text } from '../../sql/bind.ts';
import type { CallOptions } from '../../sql/sql-transport.ts';
import type { Query } from '../../sql/statement.ts';
import { type LimitSql, recordLimits, threadLimits } from '../caller-limits-sql.ts';
import { decodeMessages, MESSAGE_SHAPE, messageColumns, recordSize } from '../records/record-row.ts';
import { present } from '../row-value.ts';
import type { StoreContext } from '../store-context.ts';
import { notExpired } from '../timestamp-sql.ts';
import type { StoredMessage } from './stored-message.ts';

/**
 * Characters of content and metadata after which a window ends: a thread of 10,000 long messages must not become one answer.
 */
export const WINDOW_CHARACTER_LIMIT = 4_000_000;
/** Messages after which a window ends. */
export const WINDOW_MESSAGE_LIMIT = 1_000;

/** Indexes count visible messages; `limit` bounds a window without `end`. */
export interface MessageWindow {
  /**
   * Sequence number after which the window begins, in place of `start`: it stays what it is when an earlier message is
   * deleted or expires.
   */
  readonly after?: number | undefined;
  readonly start?: number | undefined;
  readonly end?: number | null | undefined;
  readonly limit: number;
}

export interface MessagesInWindow {
  readonly messages: readonly StoredMessage[];
  /** Index of the first message of the window. */
  readonly firstIndex: number;
  /** Visible messages of the thread. */
  readonly total: number;
}

const SHAPE = { ...MESSAGE_SHAPE, total: 'number', first_index: 'number' } as const;

/** Reads a window of the visible messages; undefined for an unknown thread. */
export async function getMessages(
  context: StoreContext,
  threadId: string,
  window: MessageWindow,
  options?: CallOptions,
): Promise<MessagesInWindow | undefined> {
  const query = windowQuery(context, threadId, window);
  const rows = await context.transport.query(query, options);
  const [first] = rows;
  if (first === undefined) return undefined;
  return {
    messages: decodeMessages(query.name, rows),
    firstIndex: present(query.name, 'first_index', first.first_index),
    total: present(query.name, 'total', first.total),
  };
}

/**
 * Positions come first, contents are read for the window alone. The running sum of their sizes ends the window;
 * its first message is always in it.
 */
function windowQuery(context: StoreContext, threadId: string, window: MessageWindow): Query<typeof SHAPE> {
  const { names, transport } = context;
  const begin = windowBegin(window);
  const thread = threadLimits(context, 't');
  const messages = recordLimits(context, 'r', 'message');
  return {
    name: begin.name,
    sql: `WITH visible_message AS (${visiblePositions(names, messages)}),
head AS (SELECT t.thread_id, v.total, ${begin.firstIndex} AS first_index
  FROM ${names.thread} t
    CROSS JOIN (SELECT COUNT(*) AS total FROM visible_message) v
  WHERE t.thread_id = :thread_id${thread.sql}),
measured AS (SELECT v.record_id, v.window_position,
    SUM(${recordSize('r')}) OVER (ORDER BY v.window_position) - ${recordSize('r')} AS size_before
  FROM visible_message v
    CROSS JOIN head h
    JOIN ${names.record} r ON r.record_family = 'message' AND r.record_id = v.record_id
  WHERE v.window_position > h.first_index AND v.window_position <= h.first_index + :wanted)
SELECT h.total AS total, h.first_index AS first_index,
  ${messageColumns('r')}
FROM head h
  LEFT OUTER JOIN measured m ON m.size_before < :character_limit
  LEFT OUTER JOIN ${names.record} r ON r.record_family = 'message' AND r.record_id = m.record_id`,
    binds: {
      thread_id: text(threadId),
      wanted: number(wantedMessages(window, transport.capabilities.maxRows)),
      character_limit: number(WINDOW_CHARACTER_LIMIT),
      ...begin.binds,
      ...thread.binds,
      ...messages.binds,
    },
    shape: SHAPE,
  };
}

interface WindowBegin {
  readonly name: string;
  /** Index of the first message, a SQL expression. */
  readonly firstIndex: string;
  readonly binds: Binds;
}

function windowBegin({ after, start, end }: MessageWindow): WindowBegin {
  if (after !== undefined) {
    return {
      name: 'messages.after',
      firstIndex: '(SELECT COUNT(*) FROM visible_message b WHERE b.message_seq <= :after_seq)',
      binds: { after_seq: number(after) },
    };
  }
  if (start === undefined && end === undefined) {
    return { name: 'messages.newest', firstIndex: 'GREATEST(v.total - :wanted, 0)', binds: {} };
  }
  return { name: 'messages.window', firstIndex: ':wanted_from', binds: { wanted_from: number(start ?? 0) } };
}

function visiblePositions(names: SchemaNames, limits: LimitSql): string {
  return `SELECT r.record_id, r.message_seq, ROW_NUMBER() OVER (ORDER BY r.message_seq) AS window_position
  FROM ${names.record} r
  WHERE r.thread_id = :thread_id AND r.record_family = 'message' AND ${notExpired('r')}${limits.sql}`;
}

function wantedMessages({ start = 0, end, limit }: MessageWindow, maxRows: number): number {
  const most = Math.min(WINDOW_MESSAGE_LIMIT, maxRows);
  if (end === null) return most;
  return Math.max(0, Math.min(most, end === undefined ? limit : end - start));
}
