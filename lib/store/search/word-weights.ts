import type { SchemaNames } from '../../schema/schema-names.ts';
import type { WordSql } from '../request-sql/request-sql.ts';
import type { SearchConditions } from './search-conditions.ts';

/**
 * What is done about very common words, which tell little and cost much. A word in more chunks of the scope than `few` and
 * more than a quarter of all, or in more than `many`, does not help the messages beside it or the rest of its
 * conversation. A word in more than `many` and more than a quarter of all is left out whole, unless it is the rarest that
 * the query has.
 */
const COMMON_WORD = { few: 25, many: 1_000 } as const;

/** `scope_size`: how many chunks the search may see. */
export function sizeTable(names: SchemaNames, conditions: SearchConditions): string {
  return `scope_size AS (
  SELECT COUNT(*) AS total
  FROM ${names.chunk} c
  WHERE ${conditions.all})`;
}

/**
 * `word`, the weights of the words that count, and `query_weight`, what a record weighs that holds them all. A word weighs
 * more the fewer chunks of the scope, `scope_size`, hold it (as in BM25), one that none holds most.
 */
export function weightTables({ total }: WordSql): string {
  return `frequency AS (
  SELECT h.word_no, COUNT(*) AS found
  FROM held h
  GROUP BY h.word_no),
word AS (
  SELECT f.word_no, LN(1 + (t.total - f.found + 0.5) / (f.found + 0.5)) AS weight,
    CASE WHEN f.found <= ${COMMON_WORD.few} OR 4 * f.found <= t.total AND f.found <= ${COMMON_WORD.many}
      THEN 1 ELSE 0 END AS helps
  FROM frequency f
  CROSS JOIN scope_size t
  WHERE f.found <= ${COMMON_WORD.many} OR 4 * f.found <= t.total OR f.found = (SELECT MIN(g.found) FROM frequency g)),
query_weight AS (
  SELECT NVL((SELECT SUM(w.weight) FROM word w), 0)
    + (${total} - (SELECT COUNT(*) FROM frequency)) * LN(1 + (t.total + 0.5) / 0.5) AS weight
  FROM scope_size t)`;
}

/**
 * `own`: what each chunk weighs that holds a word that counts.
 *
 * @param columns further columns of `held`, which do not differ between the words of a chunk
 */
export function ownTable(columns: readonly string[]): string {
  const further = columns.map((column) => `MAX(h.${column}) AS ${column}, `).join('');
  return `own AS (
  SELECT h.record_family, h.record_id, ${further}SUM(w.weight) AS weight
  FROM held h
  JOIN word w ON w.word_no = h.word_no
  GROUP BY h.record_family, h.record_id, h.chunk_no)`;
}

/** A weight as a share of what the whole query weighs. */
export function shareOf(weight: string): string {
  return `${weight} / (SELECT q.weight FROM query_weight q)`;
}
