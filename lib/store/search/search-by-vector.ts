import { number } from '../../sql/bind.ts';
import type { StoreContext } from '../store-context.ts';
import type { QueryVectorSql } from './query-vector.ts';
import type { SearchComparison } from './search-comparison.ts';
import type { SearchConditions } from './search-conditions.ts';
import { vectorDistance } from './vector-distance.ts';
import { indexTables } from './vector-index-candidates.ts';

/** Chunks that the vector index is asked for: at least these, and so many for each result. */
const INDEX_ROWS = { least: 200, byResult: 4 } as const;

/** Each record by its nearest chunk. Exact: no index that loses rows under a filter. */
export function compareByVector(
  { names }: StoreContext,
  conditions: SearchConditions,
  vector: QueryVectorSql,
): SearchComparison {
  return {
    name: 'records.search_by_vector',
    tables: `candidate AS (
  SELECT c.record_family, c.record_id, c.record_type,
    ${vectorDistance(vector)} * ${conditions.factor} AS distance
  FROM ${names.chunk} c
  WHERE c.embedding IS NOT NULL
    AND ${conditions.all}),
nearest AS (
  SELECT d.record_family, d.record_id, d.record_type, MIN(d.distance) AS distance
  FROM candidate d
  GROUP BY d.record_family, d.record_id, d.record_type)`,
    binds: vector.binds,
  };
}

/** The same over the vector index, of the records that it finds: fewer than asked for when it falls short. */
export function compareByVectorIndex(
  context: StoreContext,
  conditions: SearchConditions,
  vector: QueryVectorSql,
  maxResults: number,
): SearchComparison {
  return {
    name: 'records.search_by_vector_index',
    tables: `${indexTables(context, conditions, vector)},
nearest AS (
  SELECT v.record_family, v.record_id, v.record_type, v.vector_distance AS distance
  FROM near_record v)`,
    binds: {
      ...vector.binds,
      index_rows: number(Math.max(INDEX_ROWS.least, INDEX_ROWS.byResult * maxResults)),
    },
  };
}
