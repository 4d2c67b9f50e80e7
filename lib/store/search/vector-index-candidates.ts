import { isLimited } from '../../schemas/caller-limits.ts';
import { RECORD_TYPES } from '../../schemas/record.ts';
import type { StoreContext } from '../store-context.ts';
import type { QueryVectorSql } from './query-vector.ts';
import type { SearchConditions } from './search-conditions.ts';
import type { StoreSearch } from './store-search.ts';
import { vectorDistance } from './vector-distance.ts';

/** Percent of the true neighbours that Oracle is to find with the index. */
const TARGET_ACCURACY = 95;

/**
 * Whether a search may ask the vector index: the store has one, and nothing but the query decides. An index is asked before
 * a scope, a filter, a limit of the caller or a minimum by type applies and so loses rows, and it knows nothing of a boost.
 */
export function mayUseVectorIndex({ settings, limits = {} }: StoreContext, request: StoreSearch): boolean {
  const { scope, metadataFilter, minimums, threadId, recordTypes, query } = request;
  return (
    (settings.vectorIndex ?? 'none') !== 'none' &&
    !isLimited(limits) &&
    query.strategy !== 'keyword' &&
    threadId === undefined &&
    Object.values(scope).every(({ kind }) => kind === 'unfiltered') &&
    RECORD_TYPES.every((type) => recordTypes.includes(type)) &&
    Object.keys(metadataFilter ?? {}).length === 0 &&
    Object.values(minimums).every((minimum) => minimum === 0)
  );
}

/**
 * `near_record`: the records of the `:index_rows` nearest chunks, each by its nearest one. Oracle uses a vector index for a
 * bare ORDER BY of the distance over one table only (AI Vector Search User's Guide, "Perform Approximate Similarity
 * Search Using Vector Indexes"), so everything else stands outside.
 *
 * Chunks as far away as the last one are left out, unless there are no more: equals of theirs may lie beyond the cut, and
 * ties go by id.
 */
export function indexTables(
  { names }: StoreContext,
  conditions: SearchConditions,
  vector: QueryVectorSql,
): string {
  const distance = vectorDistance(vector);
  return `near_chunk AS (
  SELECT c.record_family, c.record_id, c.record_type, ${distance} AS vector_distance
  FROM ${names.chunk} c
  WHERE ${conditions.all}
  ORDER BY ${distance}
  FETCH APPROX FIRST :index_rows ROWS ONLY WITH TARGET ACCURACY ${TARGET_ACCURACY}),
reached AS (
  SELECT n.record_family, n.record_id, n.record_type, n.vector_distance,
    MAX(n.vector_distance) OVER () AS edge, COUNT(*) OVER () AS total
  FROM near_chunk n
  WHERE n.vector_distance IS NOT NULL),
near_record AS (
  SELECT e.record_family, e.record_id, e.record_type, MIN(e.vector_distance) AS vector_distance
  FROM reached e
  WHERE e.vector_distance < e.edge OR e.total < :index_rows
  GROUP BY e.record_family, e.record_id, e.record_type)`;
}
