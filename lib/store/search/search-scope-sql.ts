import type { SchemaNames } from '../../schema/schema-names.ts';
import { type Bind, text } from '../../sql/bind.ts';
import { statementFault } from '../../sql/statement-fault.ts';
import type { ScopeRequest, ScopeSql } from '../request-sql/request-sql.ts';
import type { ScopeDimension } from './store-search.ts';

export const SCOPE_DIMENSIONS = ['user', 'agent', 'thread'] as const;
export type Dimension = (typeof SCOPE_DIMENSIONS)[number];

/**
 * The scope table of contract §5 for one request. Values are bound; NULL is a value of its own, so it is asked for with
 * IS NULL. A thread's own ids come from its row, `:search_thread`.
 */
export function varyingScope(names: SchemaNames, { scope, threadId, alias }: ScopeRequest): ScopeSql {
  const conditions: string[] = [];
  const boosts: string[] = [];
  const binds: Record<string, Bind> = {};
  for (const dimension of SCOPE_DIMENSIONS) {
    const wanted = scope[dimension];
    const match = matchCondition(names, alias, dimension, wanted);
    if (match === undefined) continue;
    (wanted.kind.startsWith('exact') ? conditions : boosts).push(match);
    Object.assign(binds, matchBinds(dimension, wanted, threadId));
  }
  return { conditions, indexed: conditions, boosts, binds };
}

/** True for a row that has what is wanted in a dimension; undefined when that may be anything. */
export function matchCondition(
  names: SchemaNames,
  alias: string,
  dimension: Dimension,
  wanted: ScopeDimension,
): string | undefined {
  const column = `${alias}.${dimension}_id`;
  switch (wanted.kind) {
    case 'unfiltered':
      return undefined;
    case 'exact':
    case 'boost':
      return wanted.value === null ? `${column} IS NULL` : `${column} = :scope_${dimension}`;
    case 'exact_of_thread':
    case 'boost_of_thread':
      return dimension === 'thread'
        ? `${column} = :search_thread`
        : `${column} = ${ofThread(names, dimension)}`;
  }
}

/** The id of the thread in this dimension. */
export function ofThread(names: SchemaNames, dimension: Dimension): string {
  return `(SELECT o.${dimension}_id FROM ${names.thread} o WHERE o.thread_id = :search_thread)`;
}

/** What `matchCondition` binds. @throws AgentMemoryError `internal` for ids of a thread without a thread */
export function matchBinds(
  dimension: Dimension,
  wanted: ScopeDimension,
  threadId: string | undefined,
): Readonly<Record<string, Bind>> {
  if ('value' in wanted) return wanted.value === null ? {} : { [`scope_${dimension}`]: text(wanted.value) };
  return wanted.kind === 'unfiltered' ? {} : { search_thread: text(requiredThread(threadId)) };
}

function requiredThread(threadId: string | undefined): string {
  if (threadId === undefined) throw statementFault('records.search', 'a scope of a thread needs the thread');
  return threadId;
}
