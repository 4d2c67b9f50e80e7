import { AgentMemoryError } from '../../errors/agent-memory-error.ts';
import type { SchemaNames } from '../../schema/schema-names.ts';
import { clob, json, text } from '../../sql/bind.ts';
import type { CallOptions } from '../../sql/sql-transport.ts';
import type { AtomicList, Query } from '../../sql/statement.ts';
import type { StoreContext } from '../store-context.ts';
import { namedConflict } from '../taken-id.ts';
import type { NewThread, StoredThread, ThreadChange } from './stored-thread.ts';
import { decodeThread, THREAD_SHAPE, threadColumns } from './thread-row.ts';

/**
 * Writes a thread and reads it back.
 *
 * @throws AgentMemoryError `conflict` when the id is taken, or when another request deleted the thread before it was read
 */
export async function createThread(
  context: StoreContext,
  thread: NewThread,
  options?: CallOptions,
): Promise<StoredThread> {
  await namedConflict('a thread with this id already exists', () =>
    context.transport.executeAtomic(threadInsert(context.names, thread), options),
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
  const query = threadQuery(context.names, threadId);
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
  const counts = await context.transport.executeAtomic(
    threadUpdate(context.names, threadId, change),
    options,
  );
  return counts.update_thread === 0 ? undefined : getThread(context, threadId, options);
}

/** Removes the thread and all that carries its id, whether the thread has a row or not. */
export async function deleteThread(
  context: StoreContext,
  threadId: string,
  options?: CallOptions,
): Promise<number> {
  const counts = await context.transport.executeAtomic(threadDelete(context.names, threadId), options);
  return counts.delete_thread ?? 0;
}

/** For reads that need a thread but find nothing to look for in it. */
export async function threadExists(
  context: StoreContext,
  threadId: string,
  options?: CallOptions,
): Promise<boolean> {
  const rows = await context.transport.query(
    {
      name: 'threads.exists',
      sql: `SELECT t.thread_id AS thread_id\nFROM ${context.names.thread} t\nWHERE t.thread_id = :thread_id`,
      binds: { thread_id: text(threadId) },
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
export function threadLock(names: SchemaNames, threadId: string) {
  return {
    name: 'lock_thread',
    sql: `UPDATE ${names.thread} t\nSET t.message_count = t.message_count\nWHERE t.thread_id = ${threadId}`,
    expect: { rows: 1, otherwise: 'not_found', message: 'thread not found' },
  } as const;
}

function threadInsert(names: SchemaNames, thread: NewThread): AtomicList {
  return {
    name: 'threads.create',
    binds: {
      thread_id: text(thread.threadId),
      user_id: text(thread.userId),
      agent_id: text(thread.agentId),
      metadata: json(thread.metadata),
      config: json(thread.config),
    },
    statements: [
      {
        name: 'insert_thread',
        sql: `INSERT INTO ${names.thread} (thread_id, user_id, agent_id, metadata, config, created_at, updated_at)
VALUES (:thread_id, :user_id, :agent_id, JSON(:metadata), JSON(:config), :now, :now)`,
      },
    ],
  };
}

/** A merge patch removes what it sets to null: custom instructions of null are stored as absent. */
function threadUpdate(names: SchemaNames, threadId: string, change: ThreadChange): AtomicList {
  return {
    name: 'threads.update',
    binds: {
      thread_id: text(threadId),
      metadata: change.metadata === undefined ? clob(null) : json(change.metadata),
      config_patch: json(change.config),
    },
    statements: [
      {
        name: 'update_thread',
        sql: `UPDATE ${names.thread} t
SET t.metadata = CASE WHEN :metadata IS NULL THEN t.metadata ELSE JSON(:metadata) END,
  t.config = JSON_MERGEPATCH(t.config, :config_patch), t.updated_at = :now
WHERE t.thread_id = :thread_id`,
      },
    ],
  };
}

function threadQuery(names: SchemaNames, threadId: string): Query<typeof THREAD_SHAPE> {
  return {
    name: 'threads.get',
    sql: `SELECT ${threadColumns('t')}\nFROM ${names.thread} t\nWHERE t.thread_id = :thread_id`,
    binds: { thread_id: text(threadId) },
    shape: THREAD_SHAPE,
  };
}

function threadDelete(names: SchemaNames, threadId: string): AtomicList {
  const remove = (name: string, table: string) => ({
    name,
    sql: `DELETE FROM ${table}\nWHERE thread_id = :thread_id`,
  });
  return {
    name: 'threads.delete',
    binds: { thread_id: text(threadId) },
    statements: [
      remove('delete_thread', names.thread),
      remove('delete_records', names.record),
      remove('delete_chunks', names.chunk),
      remove('delete_jobs', names.job),
      remove('delete_requests', names.request),
    ],
  };
}
