import type { SchemaNames } from '../../schema/schema-names.ts';
import { isLimited } from '../../schemas/caller-limits.ts';
import { type Binds, text } from '../../sql/bind.ts';
import type { CallOptions } from '../../sql/sql-transport.ts';
import type { AtomicList, DmlStatement, Query } from '../../sql/statement.ts';
import { auditRemoval } from '../audit/audit-entries.ts';
import { DELETE_OPERATIONS } from '../audit/record-operations.ts';
import { authorBinds } from '../audit/write-author.ts';
import { type LimitSql, recordLimits, threadLimits } from '../caller-limits-sql.ts';
import { present } from '../row-value.ts';
import type { StoreContext } from '../store-context.ts';
import type { ActorFamily } from './stored-record.ts';

const COUNT_SHAPE = { record_total: 'number' } as const;

/** Statements whose rows are threads and records: the rest removes what belongs to these. */
const COUNTED = ['delete_thread_records', 'delete_threads', 'delete_scoped_records', 'delete_profile'];

/**
 * Removes a user or an agent with all that is scoped to them: threads, records, retrieval rows, jobs. For a caller with limits
 * that is what they may see of it, and with threads the messages in them that they may not, which are not counted.
 */
export async function deleteActor(
  context: StoreContext,
  family: ActorFamily,
  id: string,
  options?: CallOptions,
): Promise<number> {
  const counts = await context.transport.executeAtomic(actorDelete(context, family, id), options);
  return COUNTED.reduce((total, name) => total + (counts[name] ?? 0), 0);
}

/** What `deleteActor` would remove now. */
export async function countActor(
  context: StoreContext,
  family: ActorFamily,
  id: string,
  options?: CallOptions,
): Promise<number> {
  const query = actorCount(context, family, id);
  const [row] = await context.transport.query(query, options);
  return present(query.name, 'record_total', row?.record_total ?? null);
}

function ownerColumn(family: ActorFamily): 'user_id' | 'agent_id' {
  return family === 'user_profile' ? 'user_id' : 'agent_id';
}

/** Records in the actor's threads belong to the threads, whoever else they name. */
function inOwnThreads({ names, thread }: ActorScope, alias: string, owner: string): string {
  return `${alias}.thread_id IN (SELECT t.thread_id FROM ${names.thread} t WHERE t.${owner} = :actor_id${thread.sql})`;
}

const PROFILE = 'r.record_family = :actor_family AND r.record_id = :actor_id';

/** That a user was deleted is kept, the other entries about it are not. */
const EXCEPT_DELETION = " AND NOT (r.subject = 'user' AND r.is_removal = 1)";

/** What of an actor's things the caller may see: nothing else is removed or counted. */
interface ActorScope {
  readonly names: SchemaNames;
  readonly thread: LimitSql;
  readonly records: LimitSql;
  readonly profile: LimitSql;
}

function actorScope(context: StoreContext, family: ActorFamily): ActorScope {
  return {
    names: context.names,
    thread: threadLimits(context, 't'),
    records: recordLimits(context, 'r', 'memory'),
    profile: recordLimits(context, 'r', family),
  };
}

function actorBinds({ thread, records, profile }: ActorScope, family: ActorFamily, id: string): Binds {
  const limits = { ...thread.binds, ...records.binds, ...profile.binds };
  return { actor_id: text(id), actor_family: text(family), ...limits };
}

/**
 * Locks the threads first, so that no append goes on in them. Scoped records go after the threads: what an append
 * commits before its thread is gone is then found by its owner. The audit trail keeps nothing of a user but the deletion.
 */
function actorDelete(context: StoreContext, family: ActorFamily, id: string): AtomicList {
  const scope = actorScope(context, family);
  const { names, thread, records } = scope;
  const owner = ownerColumn(family);
  const remove = (name: string, table: string, condition: string): DmlStatement => ({
    name,
    sql: `DELETE FROM ${table} r\nWHERE ${condition}`,
  });
  const ofThreads = inOwnThreads(scope, 'r', owner);
  const scoped = `r.${owner} = :actor_id`;
  const profile = PROFILE + scope.profile.sql;
  const owned = threadLimits(context, 'r');
  const isUser = family === 'user_profile';
  const limited = isLimited(context.limits ?? {});
  const requests = limited ? ofThreads : `${ofThreads} OR ${scoped}`;
  const ofMessages = `${ofThreads} AND r.record_family = 'message'`;
  const foreignMessages = [
    remove('delete_foreign_messages', names.record, ofMessages),
    remove('delete_foreign_chunks', names.chunk, ofMessages),
  ];
  return {
    name: isUser ? 'users.delete_cascade' : 'agents.delete_cascade',
    binds: { ...actorBinds(scope, family, id), ...authorBinds(context, DELETE_OPERATIONS[family]) },
    statements: [
      {
        name: 'lock_threads',
        sql: `UPDATE ${names.thread} t\nSET t.message_count = t.message_count\nWHERE t.${owner} = :actor_id${thread.sql}`,
      },
      ...(isUser
        ? [remove('delete_audit', names.audit, `(${ofThreads} OR ${scoped})${owned.sql}${EXCEPT_DELETION}`)]
        : []),
      auditRemoval(names, {
        subject: isUser ? 'user' : 'agent',
        bind: 'actor_id',
        total: actorTotal(scope, owner),
        userId: isUser ? ':actor_id' : 'NULL',
        agentId: isUser ? 'NULL' : ':actor_id',
        threadId: 'NULL',
      }),
      remove('delete_thread_records', names.record, ofThreads + records.sql),
      remove('delete_thread_chunks', names.chunk, ofThreads + records.sql),
      remove('delete_thread_history', names.history, ofThreads + records.sql),
      ...(limited ? foreignMessages : []),
      remove('delete_jobs', names.job, ofThreads),
      remove('delete_requests', names.request, requests),
      remove('delete_threads', names.thread, scoped + owned.sql),
      remove('delete_scoped_records', names.record, scoped + records.sql),
      remove('delete_scoped_chunks', names.chunk, scoped + records.sql),
      remove('delete_scoped_history', names.history, scoped + records.sql),
      remove('delete_profile', names.record, profile),
      remove('delete_profile_chunks', names.chunk, profile),
    ],
  };
}

function actorCount(context: StoreContext, family: ActorFamily, id: string): Query<typeof COUNT_SHAPE> {
  const scope = actorScope(context, family);
  return {
    name: family === 'user_profile' ? 'users.count_cascade' : 'agents.count_cascade',
    sql: `SELECT ${actorTotal(scope, ownerColumn(family))} AS record_total
FROM dual`,
    binds: actorBinds(scope, family, id),
    shape: COUNT_SHAPE,
  };
}

/** Threads and records that are the actor's. */
function actorTotal(scope: ActorScope, owner: string): string {
  const { names, thread, records, profile } = scope;
  return `(SELECT COUNT(*) FROM ${names.thread} t WHERE t.${owner} = :actor_id${thread.sql})
  + (SELECT COUNT(*) FROM ${names.record} r
    WHERE (r.${owner} = :actor_id OR ${inOwnThreads(scope, 'r', owner)})${records.sql}
      OR (${PROFILE}${profile.sql}))`;
}
