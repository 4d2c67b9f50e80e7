import type { SchemaNames } from '../../schema/schema-names.ts';
import { text } from '../../sql/bind.ts';
import type { CallOptions } from '../../sql/sql-transport.ts';
import type { AtomicList, DmlStatement, Query } from '../../sql/statement.ts';
import { present } from '../row-value.ts';
import type { StoreContext } from '../store-context.ts';
import type { ActorFamily } from './stored-record.ts';

const COUNT_SHAPE = { record_total: 'number' } as const;

/** Statements whose rows are threads and records: the rest removes what belongs to these. */
const COUNTED = ['delete_thread_records', 'delete_threads', 'delete_scoped_records', 'delete_profile'];

/** Removes a user or an agent with all that is scoped to them: threads, records, retrieval rows, jobs. */
export async function deleteActor(
  context: StoreContext,
  family: ActorFamily,
  id: string,
  options?: CallOptions,
): Promise<number> {
  const counts = await context.transport.executeAtomic(actorDelete(context.names, family, id), options);
  return COUNTED.reduce((total, name) => total + (counts[name] ?? 0), 0);
}

/** What `deleteActor` would remove now. */
export async function countActor(
  context: StoreContext,
  family: ActorFamily,
  id: string,
  options?: CallOptions,
): Promise<number> {
  const query = actorCount(context.names, family, id);
  const [row] = await context.transport.query(query, options);
  return present(query.name, 'record_total', row?.record_total ?? null);
}

function ownerColumn(family: ActorFamily): 'user_id' | 'agent_id' {
  return family === 'user_profile' ? 'user_id' : 'agent_id';
}

/** Records in the actor's threads belong to the threads, whoever else they name. */
function inOwnThreads(names: SchemaNames, alias: string, owner: string): string {
  return `${alias}.thread_id IN (SELECT t.thread_id FROM ${names.thread} t WHERE t.${owner} = :actor_id)`;
}

const PROFILE = 'record_family = :actor_family AND record_id = :actor_id';

/**
 * Locks the threads first, so that no append goes on in them. Scoped records go after the threads: what an append
 * commits before its thread is gone is then found by its owner.
 */
function actorDelete(names: SchemaNames, family: ActorFamily, id: string): AtomicList {
  const owner = ownerColumn(family);
  const remove = (name: string, table: string, condition: string): DmlStatement => ({
    name,
    sql: `DELETE FROM ${table} r\nWHERE ${condition}`,
  });
  const ofThreads = inOwnThreads(names, 'r', owner);
  const scoped = `r.${owner} = :actor_id`;
  return {
    name: family === 'user_profile' ? 'users.delete_cascade' : 'agents.delete_cascade',
    binds: { actor_id: text(id), actor_family: text(family) },
    statements: [
      {
        name: 'lock_threads',
        sql: `UPDATE ${names.thread} t\nSET t.message_count = t.message_count\nWHERE t.${owner} = :actor_id`,
      },
      remove('delete_thread_records', names.record, ofThreads),
      remove('delete_thread_chunks', names.chunk, ofThreads),
      remove('delete_jobs', names.job, ofThreads),
      remove('delete_requests', names.request, `${ofThreads} OR ${scoped}`),
      remove('delete_threads', names.thread, scoped),
      remove('delete_scoped_records', names.record, scoped),
      remove('delete_scoped_chunks', names.chunk, scoped),
      remove('delete_profile', names.record, PROFILE),
      remove('delete_profile_chunks', names.chunk, PROFILE),
    ],
  };
}

function actorCount(names: SchemaNames, family: ActorFamily, id: string): Query<typeof COUNT_SHAPE> {
  const owner = ownerColumn(family);
  return {
    name: family === 'user_profile' ? 'users.count_cascade' : 'agents.count_cascade',
    sql: `SELECT (SELECT COUNT(*) FROM ${names.thread} t WHERE t.${owner} = :actor_id)
  + (SELECT COUNT(*) FROM ${names.record} r
    WHERE r.${owner} = :actor_id OR ${inOwnThreads(names, 'r', owner)}
      OR (${PROFILE})) AS record_total
FROM dual`,
    binds: { actor_id: text(id), actor_family: text(family) },
    shape: COUNT_SHAPE,
  };
}
