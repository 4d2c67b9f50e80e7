import { AgentMemoryError } from '../../errors/agent-memory-error.ts';
import type { SchemaNames } from '../../schema/schema-names.ts';
import { RECORD_TYPES, type RecordType } from '../../schemas/record.ts';
import { type Bind, number, text } from '../../sql/bind.ts';
import { recordLimits } from '../caller-limits-sql.ts';
import { compileMetadataFilter } from '../records/metadata-filter.ts';
import { DEFAULT_BOOST_FACTOR, type StoreContext } from '../store-context.ts';
import { notExpired } from '../timestamp-sql.ts';
import { type ScopeSql, scopeSql } from './search-scope-sql.ts';
import type { StoreSearch } from './store-search.ts';

/** Which chunks `c` a search sees, whatever it compares, and what makes them nearer. */
export interface SearchConditions {
  /** Everything that must hold, joined by AND. */
  readonly all: string;
  /** Each boosted dimension that matches makes the distance smaller by the same factor (D6). */
  readonly factor: string;
  readonly binds: Readonly<Record<string, Bind>>;
}

/** Scope, types, expiry, status and metadata filter of a search (contract §5–§7), and the limits of the caller. */
export function searchConditions(context: StoreContext, request: StoreSearch): SearchConditions {
  const { names, settings } = context;
  const scope = scopeSql(names, request.scope);
  const types = typeCondition(request.recordTypes);
  const filter = filterCondition(names, request);
  const limits = recordLimits(context, 'c');
  const conditions = [
    "c.status = 'active'",
    notExpired('c'),
    ...scope.conditions,
    ...types.conditions,
    ...filter.conditions,
  ];
  const factors = scope.boosts.map((match) => `CASE WHEN ${match} THEN :boost_factor ELSE 1 END`);
  return {
    all: conditions.join('\n    AND ') + limits.sql,
    factor: factors.length === 0 ? '1' : factors.join('\n      * '),
    binds: {
      ...scope.binds,
      ...types.binds,
      ...filter.binds,
      ...limits.binds,
      ...(factors.length === 0 ? {} : { boost_factor: number(settings.boostFactor ?? DEFAULT_BOOST_FACTOR) }),
      ...threadBind(request, scope),
    },
  };
}

function threadBind({ threadId }: StoreSearch, scope: ScopeSql): Readonly<Record<string, Bind>> {
  if (threadId !== undefined) return { search_thread: text(threadId) };
  if ([...scope.conditions, ...scope.boosts].some((condition) => condition.includes(':search_thread'))) {
    throw new AgentMemoryError('internal', 'a search scope of a thread needs the thread');
  }
  return {};
}

interface Conditions {
  readonly conditions: readonly string[];
  readonly binds: Readonly<Record<string, Bind>>;
}

/** The text depends on the number of types alone. */
function typeCondition(recordTypes: readonly RecordType[]): Conditions {
  const types = RECORD_TYPES.filter((type) => recordTypes.includes(type));
  if (types.length === RECORD_TYPES.length) return { conditions: [], binds: {} };
  const binds = Object.fromEntries(types.map((type, index) => [`type_${index + 1}`, text(type)]));
  const placeholders = Object.keys(binds).map((name) => `:${name}`);
  return { conditions: [`c.record_type IN (${placeholders.join(', ')})`], binds };
}

function filterCondition(names: SchemaNames, { metadataFilter }: StoreSearch): Conditions {
  if (metadataFilter === null || Object.keys(metadataFilter).length === 0)
    return { conditions: [], binds: {} };
  const filter = compileMetadataFilter(metadataFilter, 'm.metadata');
  const condition = `EXISTS (SELECT 1 FROM ${names.record} m
      WHERE m.record_family = c.record_family AND m.record_id = c.record_id AND ${filter.sql})`;
  return { conditions: [condition], binds: filter.binds };
}
