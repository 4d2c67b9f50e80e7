import type { QueryVectorSql } from './query-vector.ts';
import type { SearchComparison } from './search-comparison.ts';
import type { SearchConditions } from './search-conditions.ts';
import type { StoreContext } from './store-context.ts';

/** The cosine distance of a chunk `c` from the vector of the query. */
export function vectorDistance(vector: QueryVectorSql): string {
  return `VECTOR_DISTANCE(c.embedding, ${vector.sql}, COSINE)`;
}

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
