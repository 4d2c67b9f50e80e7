import { inText, type StatementCase } from './statement-case.ts';

/** Articles that a text query finds, by id. */
const found = (title: string, query: string, ...ids: readonly number[]): StatementCase => ({
  title,
  sql: 'SELECT a.article_id FROM articles a WHERE CONTAINS(a.body, :query, 1) > 0 ORDER BY a.article_id',
  binds: [inText('QUERY', query)],
  rows: ids.map((id) => [id]),
});

export const TEXT_CASES: readonly StatementCase[] = [
  found('finds a word', '{river}', 1, 3),
  found('finds a word in any case', '{RIVER}', 1, 3),
  found('finds any of the words with ACCUM', '{salt} ACCUM {mountains}', 2, 3),
  found('finds all of the words with AND', '{river} AND {sea}', 1),
  found('finds nothing for an unknown word', '{desert}'),
  found('does not find part of a word', '{riv}'),
  found('finds nothing for characters that make no word', '{+} OR {½}'),
  found('finds the word beside characters that make none', '{+} ACCUM {river}', 1, 3),
  {
    title: 'scores a hit between 1 and 100',
    sql: 'SELECT COUNT(*) AS n FROM (SELECT SCORE(1) AS relevance FROM articles a WHERE CONTAINS(a.body, :query, 1) > 0) x WHERE x.relevance > 0 AND x.relevance <= 100',
    binds: [inText('QUERY', '{sea}')],
    rows: [[2]],
  },
  {
    title: 'ranks more occurrences higher',
    sql: 'SELECT a.article_id FROM articles a WHERE CONTAINS(a.body, :query, 7) > 0 ORDER BY SCORE(7) DESC, a.article_id FETCH FIRST 1 ROWS ONLY',
    binds: [inText('QUERY', '{sea}')],
    rows: [[2]],
  },
  {
    title: 'combines a text condition with others',
    sql: "SELECT a.title FROM articles a WHERE CONTAINS(a.body, :query, 1) > 0 AND a.title LIKE 'H%'",
    binds: [inText('QUERY', '{river}')],
    rows: [['Hills']],
  },
  {
    title: 'refuses CONTAINS on a column without a text index',
    sql: "SELECT o.order_id FROM orders o WHERE CONTAINS(o.note, '{first}', 1) > 0",
    error: 20000,
  },
  {
    title: 'refuses a text query that does not parse',
    sql: 'SELECT a.article_id FROM articles a WHERE CONTAINS(a.body, :query, 1) > 0',
    binds: [inText('QUERY', '{sea} AND')],
    error: 29902,
  },
  {
    title: 'refuses AND beside characters that make no word',
    sql: 'SELECT a.article_id FROM articles a WHERE CONTAINS(a.body, :query, 1) > 0',
    binds: [inText('QUERY', '{sea} AND {+}')],
    error: 29902,
  },
  {
    title: 'refuses empty braces',
    sql: 'SELECT a.article_id FROM articles a WHERE CONTAINS(a.body, :query, 1) > 0',
    binds: [inText('QUERY', '{} OR {sea}')],
    error: 29902,
  },
  {
    title: 'refuses SCORE of another label',
    sql: "SELECT SCORE(2) AS relevance FROM articles a WHERE CONTAINS(a.body, '{sea}', 1) > 0",
    error: 29908,
  },
  {
    title: 'counts a row without text as not containing the word',
    sql: "SELECT a.article_id FROM articles a WHERE NOT CONTAINS(a.body, '{sea}', 1) > 0 ORDER BY a.article_id",
    rows: [[3], [4]],
  },
  {
    title: 'refuses one label for two conditions',
    sql: "SELECT a.article_id FROM articles a WHERE CONTAINS(a.body, '{sea}', 1) > 0 OR CONTAINS(a.body, '{river}', 1) > 0",
    error: 29907,
  },
  {
    title: 'refuses CONTAINS without a comparison',
    sql: "SELECT a.article_id FROM articles a WHERE CONTAINS(a.body, '{sea}', 1)",
    error: 920,
  },
  {
    title: 'does not find what the open transaction inserted',
    setup: ["INSERT INTO articles VALUES (9, 'New', 'A new sea')"],
    sql: "SELECT a.article_id FROM articles a WHERE CONTAINS(a.body, '{new}', 1) > 0",
    rows: [],
  },
  {
    title: 'does not find what the open transaction changed',
    setup: ["UPDATE articles SET body = 'another sea' WHERE article_id = 1"],
    sql: "SELECT a.article_id FROM articles a WHERE CONTAINS(a.body, '{sea}', 1) > 0",
    rows: [[2]],
  },
  {
    title: 'finds again what was changed and undone',
    setup: ["UPDATE articles SET body = 'another sea' WHERE article_id = 1", 'ROLLBACK'],
    sql: "SELECT a.article_id FROM articles a WHERE CONTAINS(a.body, '{sea}', 1) > 0 ORDER BY a.article_id",
    rows: [[1], [2]],
  },
];
