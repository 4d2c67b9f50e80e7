import type { SchemaNames } from '../../schema/schema-names.ts';
import { type Bind, text } from '../../sql/bind.ts';
import type { ScopeDimension, StoreSearch } from './store-search.ts';

/** A search scope as SQL on the chunk row `c`. */
export interface ScopeSql {
  /** Conditions that a row must meet. */
  readonly conditions: readonly string[];
  /** Conditions that make a row nearer. */
  readonly boosts: readonly string[];
  readonly binds: Readonly<Record<string, Bind>>;
}

const DIMENSIONS = ['user', 'agent', 'thread'] as const;
type Dimension = (typeof DIMENSIONS)[number];

/**
 * The scope table of contract §5. Values are bound; NULL is a value of its own, so it is asked for with IS NULL.
 * A thread's own ids come from its row, `:search_thread`.
 */
export function scopeSql(names: SchemaNames, scope: StoreSearch['scope']): ScopeSql {
  const conditions: string[] = [];
  const boosts: string[] = [];
  const binds: Record<string, Bind> = {};
  for (const dimension of DIMENSIONS) {
    const wanted = scope[dimension];
    const match = matchCondition(names, dimension, wanted);
    if (match === undefined) continue;
    (wanted.kind.startsWith('exact') ? conditions : boosts).push(match);
    if ('value' in wanted && wanted.value !== null) binds[`scope_${dimension}`] = text(wanted.value);
  }
  return { conditions, boosts, binds };
}

function matchCondition(
  names: SchemaNames,
  dimension: Dimension,
  wanted: ScopeDimension,
): string | undefined {
  const column = `c.${dimension}_id`;
  switch (wanted.kind) {
    case 'unfiltered':
      return undefined;
    case 'exact':
    case 'boost':
      return wanted.value === null ? `${column} IS NULL` : `${column} = :scope_${dimension}`;
    case 'exact_of_thread':
    case 'boost_of_thread':
      if (dimension === 'thread') return `${column} = :search_thread`;
      return `${column} = (SELECT o.${dimension}_id FROM ${names.thread} o WHERE o.thread_id = :search_thread)`;
  }
}
