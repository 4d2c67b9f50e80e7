import { AgentMemoryError } from '../../errors/agent-memory-error.ts';
import { isLimited } from '../../schemas/caller-limits.ts';
import { type Binds, clob, json, text } from '../../sql/bind.ts';
import type { CallOptions } from '../../sql/sql-transport.ts';
import type { AtomicList, DmlStatement, Query } from '../../sql/statement.ts';
import { auditRemoval, auditThreads, type Removal } from '../audit/audit-entries.ts';
import { authorBinds } from '../audit/write-author.ts';
import { requireInLimits } from '../caller-limits.ts';
import { recordLimits, threadLimits } from '../caller-limits-sql.ts';
import type { StoreContext } from '../store-context.ts';
import { namedConflict } from '../taken-id.ts';
import type { NewThread, StoredThread, ThreadChange } from './stored-thread.ts';
import { decodeThread, THREAD_SHAPE, threadColumns } from './thread-row.ts';

/**
 * Writes a thread and reads it back.
 *
 * @throws AgentMemoryError `conflict` when the id is taken, or when another request deleted the thread before it was read;
 * `forbidden` for ids outside the limits of the caller
 */
export async function createThread(
  context: StoreContext,
  thread: NewThread,
  options?: CallOptions,
): Promise<StoredThread> {
  requireInLimits(context, thread);
  await namedConflict('a thread with this id already exists', () =>
    context.transport.executeAtomic(threadInsert(context, thread), options),
  );
  const stored = await getThread(context, thread.threadId, options);
  if (stored === undefined) {
    throw new AgentMemoryError('conflict', 'the thread was deleted by another request while it was created');
  }
  return stored;
}

export async function getThread(
  context: StoreContext,
  threadId: string,
  options?: CallOptions,
): Promise<StoredThread | undefined> {
  const query = threadQuery(context, threadId);
  const [row] = await context.transport.query(query, options);
  return row === undefined ? undefined : decodeThread(query.name, row);
}

/**
 * Changes the given fields of a thread in one conditional write, so that changes of different fields at the same time
 * all last, and reads it back. Undefined for an unknown thread.
 */
export async function updateThread(
  context: StoreContext,
  threadId: string,
  change: ThreadChange,
  options?: CallOptions,
): Promise<StoredThread | undefined> {
  const counts = await context.transport.executeAtomic(threadUpdate(context, threadId, change), options);
  return counts.update_thread === 0 ? undefined : getThread(context, threadId, options);
}

/** Removes the thread and all that carries its id, whether the thread has a row or not. */
export async function deleteThread(
  context: StoreContext,
  threadId: string,
  options?: CallOptions,
): Promise<number> {
  const counts = await context.transport.executeAtomic(threadDelete(context, threadId), options);
  return counts.delete_thread ?? 0;
}

/** For reads that need a thread but find nothing to look for in it. */
export async function threadExists(
  context: StoreContext,
  threadId: string,
  options?: CallOptions,
): Promise<boolean> {
  const limits = threadLimits(context, 't');
  const rows = await context.transport.query(
    {
      name: 'threads.exists',
      sql: `SELECT t.thread_id AS thread_id
FROM ${context.names.thread} t
WHERE t.thread_id = :thread_id${limits.sql}`,
      binds: { thread_id: text(threadId), ...limits.binds },
      shape: { thread_id: 'text' },
    },
    options,
  );
  return rows.length > 0;
}

/**
 * Locks the thread's row, so that a delete of the thread comes before or after the list, not within it. Every list
 * locks in the order thread, records, jobs.
 */
export function threadLock(
  context: StoreContext,
  threadId: string,
): Pick<AtomicList, 'binds' | 'statements'> {
  const limits = threadLimits(context, 't');
  const lock: DmlStatement = {
    name: 'lock_thread',
    sql: `UPDATE ${context.names.thread} t
SET t.message_count = t.message_count
WHERE t.thread_id = ${threadId}${limits.sql}`,
    expect: { rows: 1, otherwise: 'not_found', message: 'thread not found' },
  };
  return { binds: limits.binds, statements: [lock] };
}

function threadInsert(context: StoreContext, thread: NewThread): AtomicList {
  const { names } = context;
  return {
    name: 'threads.create',
    binds: {
      thread_id: text(thread.threadId),
      user_id: text(thread.userId),
      agent_id: text(thread.agentId),
      metadata: json(thread.metadata),
      config: json(thread.config),
      ...authorBinds(context, 'createThread'),
    },
    statements: [
      {
        name: 'insert_thread',
        sql: `INSERT INTO ${names.thread} (thread_id, user_id, agent_id, metadata, config, created_at, updated_at)
VALUES (:thread_id, :user_id, :agent_id, JSON(:metadata), JSON(:config), :now, :now)`,
      },
      auditThreads(names, 't.thread_id = :thread_id'),
    ],
  };
}

/** A merge patch removes what it sets to null: custom instructions of null are stored as absent. */
function threadUpdate(context: StoreContext, threadId: string, change: ThreadChange): AtomicList {
  const limits = threadLimits(context, 't');
  return {
    name: 'threads.update',
    binds: {
      thread_id: text(threadId),
      metadata: change.metadata === undefined ? clob(null) : json(change.metadata),
      config_patch: json(change.config),
      ...limits.binds,
      ...authorBinds(context, 'updateThread'),
    },
    statements: [
      {
        name: 'update_thread',
        sql: `UPDATE ${context.names.thread} t
SET t.metadata = CASE WHEN :metadata IS NULL THEN t.metadata ELSE JSON(:metadata) END,
  t.config = JSON_MERGEPATCH(t.config, :config_patch), t.updated_at = :now
WHERE t.thread_id = :thread_id${limits.sql}`,
      },
      auditThreads(context.names, `t.thread_id = :thread_id${limits.sql}`),
    ],
  };
}

function threadQuery(context: StoreContext, threadId: string): Query<typeof THREAD_SHAPE> {
  const limits = threadLimits(context, 't');
  return {
    name: 'threads.get',
    sql: `SELECT ${threadColumns('t')}
FROM ${context.names.thread} t
WHERE t.thread_id = :thread_id${limits.sql}`,
    binds: { thread_id: text(threadId), ...limits.binds },
    shape: THREAD_SHAPE,
  };
}

/**
 * The thread goes last: what belongs to it is found by it, where the database isolates rows too. It is locked first, so
 * that a write to the thread comes before or after all of this.
 */
function threadDelete(context: StoreContext, threadId: string): AtomicList {
  const { names } = context;
  const limits = threadLimits(context, 't');
  const ofThread = `t.thread_id = :thread_id${limits.sql}`;
  const further = furtherRemoval(context);
  const remove = (name: string, table: string, further: string): DmlStatement => ({
    name,
    sql: `DELETE FROM ${table} t\nWHERE t.thread_id = :thread_id${further}`,
  });
  return {
    name: 'threads.delete',
    binds: {
      thread_id: text(threadId),
      ...limits.binds,
      ...further.binds,
      ...authorBinds(context, 'deleteThread'),
    },
    statements: [
      {
        name: 'lock_thread',
        sql: `UPDATE ${names.thread} t\nSET t.message_count = t.message_count\nWHERE ${ofThread}`,
      },
      auditRemoval(names, threadRemoval(context, ofThread, further.ofRecords)),
      remove('delete_records', names.record, further.ofRecords),
      remove('delete_chunks', names.chunk, further.ofRecords),
      remove('delete_history', names.history, further.ofRecords),
      remove('delete_jobs', names.job, further.ofThread),
      remove('delete_requests', names.request, further.ofThread),
      remove('delete_thread', names.thread, limits.sql),
    ],
  };
}

/**
 * What of a thread a caller with limits removes: what they may see. Messages are nothing without their thread and go with it, whoever
 * wrote them; other records of others stay, and their thread id then has no row. Without a row there are only records.
 */
function furtherRemoval(context: StoreContext): { ofRecords: string; ofThread: string; binds: Binds } {
  if (!isLimited(context.limits ?? {})) return { ofRecords: '', ofThread: '', binds: {} };
  const records = recordLimits(context, 't', 'memory');
  const row = `SELECT 1 FROM ${context.names.thread} o WHERE o.thread_id = :thread_id`;
  const isVisible = `EXISTS (${row}${threadLimits(context, 'o').sql})`;
  return {
    ofRecords: `
  AND (t.record_family = 'message' AND ${isVisible}
    OR (${isVisible} OR NOT EXISTS (${row}))${records.sql})`,
    ofThread: `\n  AND ${isVisible}`,
    binds: records.binds,
  };
}

/** What a delete of the thread `:thread_id` removes. */
function threadRemoval({ names }: StoreContext, ofThread: string, ofRecords: string): Removal {
  const owner = (column: string) => `(SELECT t.${column} FROM ${names.thread} t WHERE ${ofThread})`;
  return {
    subject: 'thread',
    bind: 'thread_id',
    total: `(SELECT COUNT(*) FROM ${names.thread} t WHERE ${ofThread})
  + (SELECT COUNT(*) FROM ${names.record} t WHERE t.thread_id = :thread_id${ofRecords})`,
    userId: owner('user_id'),
    agentId: owner('agent_id'),
    threadId: ':thread_id',
  };
}
