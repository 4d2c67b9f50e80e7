import type { SchemaNames } from '../../schema/schema-names.ts';

/** Share of a word that the messages one and two places away hold; a word of the message itself is marked by 9. */
const PLACES = [
  [0, 9],
  [-1, 0.5],
  [1, 0.5],
  [-2, 0.25],
  [2, 0.25],
] as const;
const PLACES_SQL = PLACES.map(([step, part]) => `SELECT ${step} AS step, ${part} AS part FROM dual`).join(
  '\n  UNION ALL\n  ',
);

/** The day on which the record of this alias was said. */
export function spokenOn(alias: string): string {
  return `TO_CHAR(NVL(${alias}.event_at, ${alias}.created_at) AT TIME ZONE 'UTC', 'YYYY-MM-DD')`;
}

/**
 * What is said around a message, from `held` and `word`: `conversation`, the weight of the words that a thread holds on one
 * day, and `beside`, the records whose neighbours hold words that they do not hold themselves.
 */
export function surroundingTables(names: SchemaNames): string {
  return `spoken AS (
  SELECT DISTINCT h.word_no, w.weight, r.record_family, r.thread_id, r.message_seq, ${spokenOn('r')} AS spoken_on
  FROM held h
  JOIN word w ON w.word_no = h.word_no
  JOIN ${names.record} r ON r.record_family = h.record_family AND r.record_id = h.record_id
  WHERE r.message_seq IS NOT NULL AND w.helps = 1),
conversation AS (
  SELECT d.thread_id, d.spoken_on, SUM(d.weight) AS weight
  FROM (SELECT DISTINCT s.word_no, s.weight, s.thread_id, s.spoken_on FROM spoken s) d
  GROUP BY d.thread_id, d.spoken_on),
place AS (
  ${PLACES_SQL}),
near AS (
  SELECT s.word_no, s.record_family, s.thread_id, s.spoken_on, s.message_seq + p.step AS message_seq,
    MAX(s.weight) * LEAST(1, SUM(p.part)) AS weight
  FROM spoken s
  CROSS JOIN place p
  GROUP BY s.word_no, s.record_family, s.thread_id, s.spoken_on, s.message_seq + p.step
  HAVING SUM(p.part) < 9),
near_place AS (
  SELECT n.record_family, n.thread_id, n.spoken_on, n.message_seq, SUM(n.weight) AS weight
  FROM near n
  GROUP BY n.record_family, n.thread_id, n.spoken_on, n.message_seq),
beside AS (
  SELECT r.record_family, r.record_id, n.weight
  FROM near_place n
  JOIN ${names.record} r
    ON r.thread_id = n.thread_id AND r.record_family = n.record_family AND r.message_seq = n.message_seq
  WHERE ${spokenOn('r')} = n.spoken_on)`;
}
