import { type Binds, number } from '../../sql/bind.ts';
import type { MinimumSql } from '../request-sql/request-sql.ts';

/** The cut to `:max_results` as table expressions that end in `picked`, from `nearest` (one row a record). */
export interface CutSql {
  readonly tables: string;
  readonly binds: Binds;
}

/** The nearest records, ties by id. A sort that keeps only the first rows: ranking all of them costs three times as much. */
const NEAREST_FIRST = `picked AS (
  SELECT b.record_family, b.record_id, b.distance,
    ROW_NUMBER() OVER (ORDER BY b.distance, b.record_id, b.record_family) AS hit_rank
  FROM (SELECT n.record_family, n.record_id, n.distance
    FROM nearest n
    ORDER BY n.distance, n.record_id, n.record_family
    FETCH FIRST :max_results ROWS ONLY) b)`;

function minimumsFirst(order: string): string {
  return `ranked AS (
  SELECT n.record_family, n.record_id, n.record_type, n.distance,
    ROW_NUMBER() OVER (ORDER BY n.distance, n.record_id, n.record_family) AS hit_rank,
    ROW_NUMBER() OVER (PARTITION BY n.record_type ORDER BY n.distance, n.record_id) AS type_rank
  FROM nearest n),
slotted AS (
  SELECT k.record_family, k.record_id, k.distance, k.hit_rank,
    ROW_NUMBER() OVER (ORDER BY ${order}, k.hit_rank) AS slot
  FROM ranked k),
picked AS (
  SELECT s.record_family, s.record_id, s.distance, s.hit_rank
  FROM slotted s
  WHERE s.slot <= :max_results)`;
}

/** Records that fill a type's minimum take the first slots; the rest follow by distance (contract §9.1). */
export function cutSql(minimums: MinimumSql, maxResults: number): CutSql {
  const binds = { ...minimums.binds, max_results: number(maxResults) };
  if (minimums.conditions.length === 0) return { tables: NEAREST_FIRST, binds };
  const cases = minimums.conditions.map((condition) => `WHEN ${condition} THEN 0`);
  return { tables: minimumsFirst(`CASE ${cases.join('\n      ')} ELSE 1 END`), binds };
}
