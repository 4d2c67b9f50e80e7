import { expect } from 'vitest';
import { inClob, inNumber, type StatementCase } from './statement-case.ts';
import { jsonText } from './value-matchers.ts';

const probe = inClob('PROBE', '[1, 0, 0]');

/** A distance between the bound vector [1, 0, 0] and each photo. */
const distances = (title: string, expression: string, ...values: readonly unknown[]): StatementCase => ({
  title,
  sql: `SELECT p.photo_id, ${expression} AS gap FROM photos p ORDER BY p.photo_id`,
  binds: [probe],
  columns: ['PHOTO_ID', 'GAP'],
  rows: values.map((value, index) => [index + 1, value]),
});

const near = (value: number): unknown => expect.closeTo(value, 5);
const PROBE = 'TO_VECTOR(:probe, 3, FLOAT32)';

export const VECTOR_CASES: readonly StatementCase[] = [
  distances(
    'cosine distance',
    `VECTOR_DISTANCE(p.features, ${PROBE}, COSINE)`,
    near(0),
    near(1),
    near(1 - Math.SQRT1_2),
    null,
  ),
  distances(
    'cosine is the default metric',
    `VECTOR_DISTANCE(p.features, ${PROBE})`,
    near(0),
    near(1),
    near(1 - Math.SQRT1_2),
    null,
  ),
  distances(
    'Euclidean distance',
    `VECTOR_DISTANCE(p.features, ${PROBE}, EUCLIDEAN)`,
    near(0),
    near(Math.sqrt(5)),
    near(1),
    null,
  ),
  distances(
    'squared Euclidean distance',
    `VECTOR_DISTANCE(p.features, ${PROBE}, EUCLIDEAN_SQUARED)`,
    near(0),
    near(5),
    near(1),
    null,
  ),
  distances(
    'DOT is the negated inner product',
    `VECTOR_DISTANCE(p.features, ${PROBE}, DOT)`,
    near(-1),
    near(-0),
    near(-1),
    null,
  ),
  distances(
    'Manhattan distance',
    `VECTOR_DISTANCE(p.features, ${PROBE}, MANHATTAN)`,
    near(0),
    near(3),
    near(1),
    null,
  ),
  distances(
    'the function of each metric',
    `COSINE_DISTANCE(p.features, ${PROBE}) + L2_DISTANCE(p.features, ${PROBE}) + INNER_PRODUCT(p.features, ${PROBE})`,
    near(1),
    near(1 + Math.sqrt(5)),
    near(3 - Math.SQRT1_2),
    null,
  ),
  {
    title: 'orders by distance, NULL last',
    sql: `SELECT p.photo_id FROM photos p ORDER BY VECTOR_DISTANCE(p.features, ${PROBE}, COSINE), p.photo_id`,
    binds: [probe],
    rows: [[1], [3], [2], [4]],
  },
  {
    title: 'orders by the operator of a metric',
    sql: `SELECT p.photo_id FROM photos p WHERE p.features IS NOT NULL ORDER BY p.features <-> ${PROBE} FETCH EXACT FIRST 2 ROWS ONLY`,
    binds: [probe],
    rows: [[1], [3]],
  },
  {
    title: 'searches approximately',
    sql: `SELECT p.photo_id FROM photos p WHERE p.album = 'sea' ORDER BY VECTOR_DISTANCE(p.features, ${PROBE}, COSINE) FETCH APPROX FIRST :k ROWS ONLY WITH TARGET ACCURACY 90`,
    binds: [probe, inNumber('K', 1)],
    rows: [[1]],
  },
  {
    title: 'keeps the nearest of each group',
    sql: `SELECT p.album, MIN(VECTOR_DISTANCE(p.features, ${PROBE}, COSINE)) AS gap FROM photos p GROUP BY p.album ORDER BY 2, 1`,
    binds: [probe],
    rows: [
      ['sea', near(0)],
      ['hill', near(1 - Math.SQRT1_2)],
    ],
  },
  {
    title: 'weights a distance',
    sql: `WITH d AS (SELECT p.photo_id, VECTOR_DISTANCE(p.features, ${PROBE}, COSINE) * CASE WHEN p.album = 'hill' THEN 0.5 ELSE 1 END AS gap FROM photos p WHERE p.features IS NOT NULL) SELECT d.photo_id, d.gap FROM d WHERE d.gap > 0 ORDER BY d.gap FETCH FIRST 1 ROW ONLY`,
    binds: [probe],
    rows: [[3, near((1 - Math.SQRT1_2) / 2)]],
  },
  {
    title: 'counts dimensions',
    sql: 'SELECT VECTOR_DIMENSION_COUNT(p.features) AS n FROM photos p WHERE p.photo_id = 1',
    rows: [[3]],
  },
  {
    title: 'measures the length of a vector',
    sql: 'SELECT VECTOR_NORM(p.features) AS v FROM photos p WHERE p.photo_id = 2',
    rows: [[near(2)]],
  },
  {
    title: 'writes a vector as text',
    sql: 'SELECT VECTOR_SERIALIZE(p.features RETURNING CLOB) AS v FROM photos p WHERE p.photo_id = 2',
    rows: [[jsonText([0, 2, 0])]],
  },
  {
    title: 'takes text for a vector column',
    sql: "INSERT INTO photos (photo_id, features) VALUES (5, '[0.5, 0.25, 1]')",
    affected: 1,
    afterwards: {
      sql: 'SELECT FROM_VECTOR(p.features RETURNING CLOB) AS v FROM photos p WHERE p.photo_id = 5',
      rows: [[jsonText([0.5, 0.25, 1])]],
    },
  },
  {
    title: 'refuses a vector with too few dimensions',
    sql: "INSERT INTO photos (photo_id, features) VALUES (5, TO_VECTOR('[1, 0]'))",
    error: 51803,
  },
  {
    title: 'refuses text with other dimensions than declared',
    sql: 'SELECT VECTOR_DIMENSION_COUNT(TO_VECTOR(:probe, 4, FLOAT32)) AS n FROM dual',
    binds: [probe],
    error: 51803,
  },
  {
    title: 'refuses a distance between unequal dimensions',
    sql: `SELECT VECTOR_DISTANCE(TO_VECTOR('[1, 0]'), TO_VECTOR('[1, 0, 0]'), COSINE) AS v FROM dual`,
    error: 51808,
  },
  {
    title: 'refuses text that is no vector',
    sql: "SELECT VECTOR_NORM(TO_VECTOR('[1, x]')) AS v FROM dual",
    error: 51805,
  },
  {
    title: 'refuses = between vectors',
    sql: `SELECT p.photo_id FROM photos p WHERE p.features = ${PROBE}`,
    binds: [probe],
    error: 22848,
  },
  {
    title: 'refuses ORDER BY a vector',
    sql: 'SELECT p.photo_id FROM photos p ORDER BY p.features',
    error: 22848,
  },
  { title: 'refuses DISTINCT over a vector', sql: 'SELECT DISTINCT p.features FROM photos p', error: 22848 },
  {
    title: 'refuses arithmetic on vectors with numbers',
    sql: 'SELECT p.features * 2 AS v FROM photos p',
    error: [932, 1722, 51805],
  },
  {
    title: 'refuses the maximum of vectors',
    sql: 'SELECT MAX(p.features) AS v FROM photos p',
    error: [932, 22848],
  },
  {
    title: 'refuses an unknown metric',
    sql: `SELECT VECTOR_DISTANCE(p.features, TO_VECTOR('[1, 0, 0]'), NEARNESS) AS v FROM photos p`,
    error: 904,
  },
  { title: 'counts vectors', sql: 'SELECT COUNT(p.features) AS n FROM photos p', rows: [[3]] },
];
