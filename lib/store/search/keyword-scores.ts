/**
 * `scored` of a keyword search: what holds a word itself, by the chunk that holds most, with the words that only the messages
 * beside it hold.
 */
export const KEYWORD_SCORES = `scored AS (
  SELECT u.record_family, u.record_id, MAX(u.record_type) AS record_type, MAX(u.factor) AS factor,
    MAX(u.own_weight) + SUM(u.beside_weight) AS weight, MAX(u.own_weight) AS own_weight
  FROM (SELECT o.record_family, o.record_id, o.record_type, o.factor, o.weight AS own_weight, 0 AS beside_weight
    FROM own o
    UNION ALL
    SELECT b.record_family, b.record_id, NULL, NULL, 0, b.weight
    FROM beside b) u
  GROUP BY u.record_family, u.record_id
  HAVING MAX(u.record_type) IS NOT NULL)`;
