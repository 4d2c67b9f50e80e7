import type { SchemaNames } from '../schema/schema-names.ts';
import { type Bind, clob, number } from '../sql/bind.ts';
import type { QueryVectorSql } from './query-vector.ts';
import { vectorDistance } from './search-by-vector.ts';
import type { SearchComparison } from './search-comparison.ts';
import type { SearchConditions } from './search-conditions.ts';
import type { StoreContext } from './store-context.ts';
import type { StoreSearch } from './store-search.ts';

/**
 * What is done about very common words, which tell little and cost much. A word in more chunks of the scope than `few` and
 * more than a quarter of all, or in more than `many`, does not help the messages beside it or the rest of its
 * conversation. A word in more than `many` and more than a quarter of all is left out whole, unless it is the rarest that
 * the query has.
 */
const COMMON_WORD = { few: 25, many: 1_000 } as const;
/** How many records go on to the last ranking, at least. */
const CANDIDATES = 200;
/** Parts of the distance: the words at the record, the words of its conversation, the vector. */
const PARTS = { words: 1, conversation: 0.5, vector: 1 } as const;
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

export interface WordComparison {
  /** Oracle Text queries, one a word, at least one. */
  readonly words: readonly string[];
  /** Given: hybrid, words and vector. */
  readonly vector?: QueryVectorSql | undefined;
}

/**
 * Words, and with a vector words and meaning, in one comparison (docs/search.md). Everything is counted within the rows that
 * the search may see, at the time of the query: how rare a word is, which messages stand beside a message, what else
 * was said in its thread that day.
 *
 * The text index answers only which chunks hold a word. Its score depends on every row of the table, other users' too,
 * and so does not compare from one scope to the next.
 */
export function compareByWords(
  context: StoreContext,
  request: StoreSearch,
  conditions: SearchConditions,
  { words, vector }: WordComparison,
): SearchComparison {
  const { names } = context;
  return {
    name: vector === undefined ? 'records.search_by_keyword' : 'records.search_by_both',
    tables: [
      vector === undefined
        ? keywordTables(names, conditions, words.length)
        : hybridTables(names, conditions, words.length, vector),
      weightTables(words.length),
      spokenTable(names),
      NEAR_TABLES,
      scoredTable(names),
      candidateTable(request, vector !== undefined),
      nearestTable(names, vector !== undefined),
    ].join(',\n'),
    binds: {
      ...Object.fromEntries(words.map((word, index): [string, Bind] => [`word_${index + 1}`, clob(word)])),
      ...vector?.binds,
      candidate_total: number(Math.max(CANDIDATES, 2 * request.maxResults)),
    },
  };
}

/** Which chunks a keyword search ranks: those that hold a word. */
function keywordTables(names: SchemaNames, conditions: SearchConditions, count: number): string {
  const owners = `, c.record_type, ${conditions.factor} AS factor`;
  return `scope_size AS (
  SELECT COUNT(*) AS total
  FROM ${names.chunk} c
  WHERE ${conditions.all}),
${heldTable(names, conditions, count, owners)},
seen AS (
  SELECT h.record_family, h.record_id, h.record_type, h.factor, 1 AS vector_distance
  FROM held h)`;
}

/** Which chunks a hybrid search ranks: all that it may see. */
function hybridTables(
  names: SchemaNames,
  conditions: SearchConditions,
  count: number,
  vector: QueryVectorSql,
): string {
  return `seen AS (
  SELECT c.record_family, c.record_id, c.record_type, ${conditions.factor} AS factor,
    ${vectorDistance(vector)} AS vector_distance
  FROM ${names.chunk} c
  WHERE ${conditions.all}),
scope_size AS (
  SELECT COUNT(*) AS total
  FROM seen),
${heldTable(names, conditions, count, '')}`;
}

/** Which of the chunks that the search may see hold which word. */
function heldTable(names: SchemaNames, conditions: SearchConditions, count: number, columns: string): string {
  const branches = Array.from({ length: count }, (_, index) => {
    const word = index + 1;
    return `SELECT ${word} AS word_no, c.record_family, c.record_id, c.chunk_no${columns}
  FROM ${names.chunk} c
  WHERE CONTAINS(c.chunk_text, :word_${word}, ${word}) > 0
    AND ${conditions.all}`;
  });
  return `held AS (
  ${branches.join('\n  UNION ALL\n  ')})`;
}

/**
 * A word weighs more the fewer chunks hold it (as in BM25), one that none holds most; a record by the chunk that holds
 * most.
 */
function weightTables(count: number): string {
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
    + (${count} - (SELECT COUNT(*) FROM frequency)) * LN(1 + (t.total + 0.5) / 0.5) AS weight
  FROM scope_size t),
own AS (
  SELECT b.record_family, b.record_id, MAX(b.weight) AS weight
  FROM (SELECT h.record_family, h.record_id, h.chunk_no, SUM(w.weight) AS weight
    FROM held h
    JOIN word w ON w.word_no = h.word_no
    GROUP BY h.record_family, h.record_id, h.chunk_no) b
  GROUP BY b.record_family, b.record_id)`;
}

const spokenOn = (alias: string) =>
  `TO_CHAR(NVL(${alias}.event_at, ${alias}.created_at) AT TIME ZONE 'UTC', 'YYYY-MM-DD')`;

/** Where in the conversations the words were said. */
function spokenTable(names: SchemaNames): string {
  return `spoken AS (
  SELECT DISTINCT h.word_no, w.weight, r.record_family, r.thread_id, r.message_seq, ${spokenOn('r')} AS spoken_on
  FROM held h
  JOIN word w ON w.word_no = h.word_no
  JOIN ${names.record} r ON r.record_family = h.record_family AND r.record_id = h.record_id
  WHERE r.message_seq IS NOT NULL AND w.helps = 1)`;
}

/** What a thread says on one day, and what the messages beside each place of it say. */
const NEAR_TABLES = `conversation AS (
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
  GROUP BY n.record_family, n.thread_id, n.spoken_on, n.message_seq)`;

/**
 * Each record once: how far its nearest chunk is, the weight of the words that its best chunk holds, and with them the
 * weight of the words that only the messages beside it hold.
 */
function scoredTable(names: SchemaNames): string {
  return `scored AS (
  SELECT u.record_family, u.record_id, MAX(u.record_type) AS record_type, MAX(u.factor) AS factor,
    MIN(u.vector_distance) AS vector_distance, SUM(u.weight) AS weight, MAX(u.own_weight) AS own_weight
  FROM (SELECT c.record_family, c.record_id, c.record_type, c.factor, c.vector_distance, 0 AS weight, 0 AS own_weight
    FROM seen c
    UNION ALL
    SELECT o.record_family, o.record_id, NULL, NULL, NULL, o.weight, o.weight
    FROM own o
    UNION ALL
    SELECT r.record_family, r.record_id, NULL, NULL, NULL, n.weight, 0
    FROM near_place n
    JOIN ${names.record} r
      ON r.thread_id = n.thread_id AND r.record_family = n.record_family AND r.message_seq = n.message_seq
    WHERE ${spokenOn('r')} = n.spoken_on) u
  GROUP BY u.record_family, u.record_id
  HAVING MAX(u.record_type) IS NOT NULL)`;
}

/**
 * The best by words and vector. With minimums the best of each type, so that every minimum can be filled. A keyword search
 * finds what holds a word itself, a hybrid search also what has a vector.
 */
function candidateTable({ minimums }: StoreSearch, withVector: boolean): string {
  const found = withVector ? '(s.own_weight > 0 OR s.vector_distance IS NOT NULL)' : 's.own_weight > 0';
  const order = `${partialDistance(withVector)}, s.record_id, s.record_family`;
  const byType = Object.values(minimums).some((minimum) => minimum > 0);
  if (!byType) {
    return `candidate AS (
  SELECT s.record_family, s.record_id, s.record_type, s.factor, s.vector_distance, s.weight, s.own_weight
  FROM scored s
  WHERE ${found}
  ORDER BY ${order}
  FETCH FIRST :candidate_total ROWS ONLY)`;
  }
  return `candidate AS (
  SELECT a.record_family, a.record_id, a.record_type, a.factor, a.vector_distance, a.weight, a.own_weight
  FROM (SELECT s.record_family, s.record_id, s.record_type, s.factor, s.vector_distance, s.weight, s.own_weight,
      ROW_NUMBER() OVER (PARTITION BY s.record_type ORDER BY ${order}) AS type_place
    FROM scored s
    WHERE ${found}) a
  WHERE a.type_place <= :candidate_total)`;
}

const shareOf = (weight: string) => `${weight} / (SELECT q.weight FROM query_weight q)`;

/** What is known before the conversation is. */
function partialDistance(withVector: boolean): string {
  const words = `${PARTS.words} * (1 - ${shareOf('s.weight')})`;
  const vector = withVector ? ` + ${PARTS.vector} * COALESCE(s.vector_distance, 1)` : '';
  return `s.factor * (${words}${vector})`;
}

/** A record that holds every word is at 1/101 instead of 0, so that a boost still tells it from another one. */
function nearestTable(names: SchemaNames, withVector: boolean): string {
  const parts = [
    `${PARTS.words} * (1 - ${shareOf('k.weight')})`,
    `${PARTS.conversation} * (1 - ${shareOf('GREATEST(k.own_weight, COALESCE(d.weight, 0))')})`,
    ...(withVector ? [`${PARTS.vector} * COALESCE(k.vector_distance, 1)`] : []),
  ];
  const total = PARTS.words + PARTS.conversation + (withVector ? PARTS.vector : 0);
  return `nearest AS (
  SELECT k.record_family, k.record_id, k.record_type,
    k.factor * (1 + 100 * (${parts.join('\n      + ')}) / ${total}) / 101 AS distance
  FROM candidate k
  JOIN ${names.record} r ON r.record_family = k.record_family AND r.record_id = k.record_id
  LEFT OUTER JOIN conversation d
    ON r.message_seq IS NOT NULL AND d.thread_id = r.thread_id AND d.spoken_on = ${spokenOn('r')})`;
}
