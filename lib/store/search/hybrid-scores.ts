import type { StoreContext } from '../store-context.ts';
import type { QueryVectorSql } from './query-vector.ts';
import type { SearchConditions } from './search-conditions.ts';
import { vectorDistance } from './vector-distance.ts';
import { indexTables } from './vector-index-candidates.ts';

/** `seen`: the chunks that the search may see, each with its distance. */
export function seenTable(
  { names }: StoreContext,
  conditions: SearchConditions,
  vector: QueryVectorSql,
): string {
  return `seen AS (
  SELECT c.record_family, c.record_id, c.record_type, ${conditions.factor} AS factor,
    ${vectorDistance(vector)} AS vector_distance
  FROM ${names.chunk} c
  WHERE ${conditions.all})`;
}

/**
 * `scored` of all that the search may see: how far the nearest chunk of a record is, the words that its best chunk holds, and
 * with them those that only the messages beside it hold.
 */
export const HYBRID_SCORES = `scored AS (
  SELECT u.record_family, u.record_id, MAX(u.record_type) AS record_type, MAX(u.factor) AS factor,
    MIN(u.vector_distance) AS vector_distance, MAX(u.own_weight) + SUM(u.beside_weight) AS weight,
    MAX(u.own_weight) AS own_weight
  FROM (SELECT s.record_family, s.record_id, s.record_type, s.factor, s.vector_distance, 0 AS own_weight,
      0 AS beside_weight
    FROM seen s
    UNION ALL
    SELECT o.record_family, o.record_id, NULL, NULL, NULL, o.weight, 0
    FROM own o
    UNION ALL
    SELECT b.record_family, b.record_id, NULL, NULL, NULL, 0, b.weight
    FROM beside b) u
  GROUP BY u.record_family, u.record_id
  HAVING MAX(u.record_type) IS NOT NULL)`;

/** Which of `scored` are found: a word of a neighbour helps only what has a vector. */
export const HYBRID_CONDITION = '(d.own_weight > 0 OR d.vector_distance IS NOT NULL)';

/**
 * `scored` of the nearest that the vector index finds and of all that a word speaks for. Nothing else can be a candidate: of
 * what no word speaks for, the nearest come first.
 */
export function indexedHybridScores(
  context: StoreContext,
  conditions: SearchConditions,
  vector: QueryVectorSql,
): string {
  return `${indexTables(context, conditions, vector)},
touched AS (
  SELECT u.record_family, u.record_id, MAX(u.own_weight) + SUM(u.beside_weight) AS weight,
    MAX(u.own_weight) AS own_weight
  FROM (SELECT o.record_family, o.record_id, o.weight AS own_weight, 0 AS beside_weight
    FROM own o
    UNION ALL
    SELECT b.record_family, b.record_id, 0, b.weight
    FROM beside b) u
  GROUP BY u.record_family, u.record_id),
scored AS (
  SELECT u.record_family, u.record_id, MAX(u.record_type) AS record_type, 1 AS factor,
    MIN(u.vector_distance) AS vector_distance, MAX(u.weight) AS weight, MAX(u.own_weight) AS own_weight
  FROM (SELECT v.record_family, v.record_id, v.record_type, v.vector_distance, 0 AS weight, 0 AS own_weight
    FROM near_record v
    UNION ALL
    SELECT c.record_family, c.record_id, c.record_type, ${vectorDistance(vector)}, t.weight, t.own_weight
    FROM touched t
    JOIN ${context.names.chunk} c ON c.record_family = t.record_family AND c.record_id = t.record_id
    WHERE ${conditions.all}) u
  GROUP BY u.record_family, u.record_id)`;
}

/**
 * What is found by index, if the vector index gave enough records to choose from, or all that there are: else nothing is
 * found, and the search is made again without it.
 */
export const INDEXED_HYBRID_CONDITION = `${HYBRID_CONDITION}
    AND ((SELECT COUNT(*) FROM near_record) >= :candidate_total
      OR (SELECT MAX(e.total) FROM reached e) < :index_rows)`;
