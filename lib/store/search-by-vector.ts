import { clob } from '../sql/bind.ts';
import type { SearchComparison } from './search-comparison.ts';
import type { SearchConditions } from './search-conditions.ts';
import type { StoreContext } from './store-context.ts';

/** The cosine distance of a chunk `c` from the bind `:query_vector`. */
export function vectorDistance(dimensions: number): string {
  return `VECTOR_DISTANCE(c.embedding, TO_VECTOR(:query_vector, ${dimensions}, FLOAT32), COSINE)`;
}

/** Each record by its nearest chunk. Exact: no index that loses rows under a filter. */
export function compareByVector(
  { names, settings }: StoreContext,
  conditions: SearchConditions,
  vector: string,
): SearchComparison {
  return {
    name: 'records.search_by_vector',
    tables: `candidate AS (
  SELECT c.record_family, c.record_id, c.record_type,
    ${vectorDistance(settings.dimensions)} * ${conditions.factor} AS distance
  FROM ${names.chunk} c
  WHERE c.embedding IS NOT NULL
    AND ${conditions.all}),
nearest AS (
  SELECT d.record_family, d.record_id, d.record_type, MIN(d.distance) AS distance
  FROM candidate d
  GROUP BY d.record_family, d.record_id, d.record_type)`,
    binds: { query_vector: clob(vector) },
  };
}
