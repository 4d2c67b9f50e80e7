import type { SchemaNames } from '../../schema/schema-names.ts';
import { type Bind, text } from '../../sql/bind.ts';
import type { ScopeRequest, ScopeSql } from '../request-sql/request-sql.ts';
import {
  type Dimension,
  matchBinds,
  matchCondition,
  ofThread,
  SCOPE_DIMENSIONS,
} from './search-scope-sql.ts';
import type { ScopeDimension } from './store-search.ts';

/** Dimensions that an index serves, the one that leaves fewer rows first. */
const INDEXED: readonly Dimension[] = ['thread', 'user'];

/**
 * The scope table of contract §5 in few texts: for each dimension a bind tells what it does (`none`, `exact`, `boost`) and
 * one where its value comes from. Oracle takes no index for a condition that a bind may switch off, so one dimension that
 * must match exactly, a thread or else a user, has a condition of its own.
 */
export function fixedScope(names: SchemaNames, request: ScopeRequest): ScopeSql {
  const { threadId, alias } = request;
  const scope = { ...request.scope, thread: ofNamedThread(request.scope.thread, threadId) };
  const leading = INDEXED.find((dimension) => isNamed(scope[dimension]));
  const conditions: string[] = [];
  const indexed: string[] = [];
  const boosts: string[] = [];
  const binds: Record<string, Bind> = {};
  for (const dimension of SCOPE_DIMENSIONS) {
    const wanted = scope[dimension];
    Object.assign(binds, matchBinds(dimension, wanted, threadId));
    const plain = dimension === leading ? matchCondition(names, alias, dimension, wanted) : undefined;
    if (plain !== undefined) {
      indexed.push(plain);
      continue;
    }
    const match = switchedMatch(names, alias, dimension);
    conditions.push(`(:${dimension}_effect <> 'exact' OR ${match})`);
    boosts.push(`:${dimension}_effect = 'boost' AND ${match}`);
    binds[`scope_${dimension}`] ??= text(null);
    binds[`${dimension}_effect`] = text(effectOf(wanted));
    binds[`${dimension}_source`] = text(sourceOf(wanted));
  }
  return {
    conditions: [...indexed, ...conditions],
    indexed,
    boosts,
    binds: { search_thread: text(threadId ?? null), ...binds },
  };
}

/** The thread of the search is known by its id, so its own id needs no text of its own. */
function ofNamedThread(wanted: ScopeDimension, threadId: string | undefined): ScopeDimension {
  if (threadId === undefined || !wanted.kind.endsWith('_of_thread')) return wanted;
  return { kind: wanted.kind === 'exact_of_thread' ? 'exact' : 'boost', value: threadId };
}

function isNamed(wanted: ScopeDimension): boolean {
  return wanted.kind === 'exact_of_thread' || (wanted.kind === 'exact' && wanted.value !== null);
}

/** The id of a thread that has none in a dimension is found nowhere, as in any comparison with NULL. */
function switchedMatch(names: SchemaNames, alias: string, dimension: Dimension): string {
  const column = `${alias}.${dimension}_id`;
  const source = `:${dimension}_source`;
  const ways = [`${column} = :scope_${dimension}`, `${source} = 'nobody' AND ${column} IS NULL`];
  if (dimension !== 'thread') ways.push(`${source} = 'thread' AND ${column} = ${ofThread(names, dimension)}`);
  return `(${ways.join('\n      OR ')})`;
}

function effectOf({ kind }: ScopeDimension): 'none' | 'exact' | 'boost' {
  if (kind === 'unfiltered') return 'none';
  return kind.startsWith('exact') ? 'exact' : 'boost';
}

function sourceOf(wanted: ScopeDimension): 'given' | 'nobody' | 'thread' {
  if ('value' in wanted) return wanted.value === null ? 'nobody' : 'given';
  return wanted.kind === 'unfiltered' ? 'given' : 'thread';
}
