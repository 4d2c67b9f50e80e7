import type { SchemaNames } from '../../schema/schema-names.ts';
import { type Binds, number } from '../../sql/bind.ts';
import { recordLimits } from '../caller-limits-sql.ts';
import type { RequestSql } from '../request-sql/request-sql.ts';
import { allOf, type SqlConditions } from '../request-sql/sql-conditions.ts';
import { DEFAULT_BOOST_FACTOR, type StoreContext } from '../store-context.ts';
import { notExpired } from '../timestamp-sql.ts';
import type { StoreSearch } from './store-search.ts';

/** Which chunks `c` a search sees, whatever it compares, and what makes them nearer. */
export interface SearchConditions {
  /** Everything that must hold, joined by AND. */
  readonly all: string;
  /** Those of them that an index serves, and the status: what is left out early. */
  readonly indexed: string;
  /** Each boosted dimension that matches makes the distance smaller by the same factor (D6). */
  readonly factor: string;
  readonly binds: Binds;
}

const ACTIVE = "c.status = 'active'";

/** Scope, types, expiry, status and metadata filter of a search (contract §5–§7). */
export function searchConditions(
  context: StoreContext,
  texts: RequestSql,
  { scope: wanted, threadId, recordTypes, metadataFilter }: StoreSearch,
): SearchConditions {
  const { names, settings } = context;
  const limits = recordLimits(context, 'c');
  const scope = texts.scope(names, { scope: wanted, threadId, alias: 'c' });
  const { conditions, binds } = allOf(
    { conditions: [ACTIVE, notExpired('c')], binds: {} },
    scope,
    texts.recordTypes('c.record_type', recordTypes),
    ofRecord(names, texts.metadataFilter(names, 'm.metadata', metadataFilter)),
  );
  const factors = scope.boosts.map((match) => `CASE WHEN ${match} THEN :boost_factor ELSE 1 END`);
  return {
    indexed: [ACTIVE, ...scope.indexed].join(' AND '),
    all: conditions.join('\n    AND ') + limits.sql,
    factor: factors.length === 0 ? '1' : factors.join('\n      * '),
    binds: {
      ...binds,
      ...limits.binds,
      ...(factors.length === 0 ? {} : { boost_factor: number(settings.boostFactor ?? DEFAULT_BOOST_FACTOR) }),
    },
  };
}

/** Conditions on the record `m` of the chunk, which has the metadata. */
function ofRecord(names: SchemaNames, { conditions, binds }: SqlConditions): SqlConditions {
  if (conditions.length === 0) return { conditions, binds };
  const condition = `EXISTS (SELECT 1 FROM ${names.record} m
      WHERE m.record_family = c.record_family AND m.record_id = c.record_id AND ${conditions.join(' AND ')})`;
  return { conditions: [condition], binds };
}
