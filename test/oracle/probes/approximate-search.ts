import { rawJson } from '../raw/raw-database.ts';
import type { Judgement, Probe, ProbeDesk } from './probe.ts';
import { createVectors, DISTANCE } from './sample-vectors.ts';

const isAscending = (values: readonly number[]): boolean =>
  values.every((value, index) => index === 0 || (values[index - 1] ?? 0) <= value);

/** 7 × n modulo 500 goes through every number once, in no order that a scan would give. */
async function judgeOrder({ database }: ProbeDesk): Promise<Judgement> {
  const shuffled = Array.from({ length: 500 }, (_, index) => (7 * index) % 500);
  const { rows } = await database.ask({
    sql: `SELECT j.place AS place FROM JSON_TABLE(:items, '$[*]' COLUMNS (place NUMBER PATH '$')) j ORDER BY j.place`,
    binds: { items: rawJson(shuffled) },
  });
  const places = rows.map((row) => Number(row.place));
  return {
    holds: places.length === shuffled.length && isAscending(places),
    answer: `${places.length} rows, ${isAscending(places) ? 'in order' : `not in order: ${places.slice(0, 10).join(', ')}`}`,
  };
}

/** The shape of a search with a vector index: the approximate part stands alone in a table expression. */
async function judgeNearest({ database, name }: ProbeDesk): Promise<Judgement> {
  const { rows } = await database.ask({
    sql: `WITH near AS (
  SELECT v.id, ${DISTANCE} AS distance FROM ${name('NEAR')} v
  ORDER BY ${DISTANCE}
  FETCH APPROX FIRST 10 ROWS ONLY WITH TARGET ACCURACY 95)
SELECT n.id AS id, n.distance AS distance FROM near n ORDER BY n.distance, n.id`,
  });
  const distances = rows.map((row) => Number(row.distance));
  return {
    holds: rows.length > 0 && rows.length <= 10 && isAscending(distances),
    answer: `${rows.length} rows, ids ${rows.map((row) => String(row.id)).join(', ')}`,
  };
}

async function tellOutermost({ database, name }: ProbeDesk): Promise<string> {
  const { rows } = await database.ask({
    sql: `SELECT v.id AS id, ${DISTANCE} AS distance FROM ${name('NEAR')} v
ORDER BY ${DISTANCE} FETCH APPROX FIRST 10 ROWS ONLY`,
  });
  const inOrder = isAscending(rows.map((row) => Number(row.distance)));
  return `${rows.length} rows, ${inOrder ? 'in order' : 'not in order'}`;
}

/** One block, because over ORDS a plan table is another one with the next request. */
async function tellPlan({ database, name }: ProbeDesk): Promise<string> {
  const distance = DISTANCE.replaceAll("'", "''");
  const { outs } = await database.ask({
    sql: `DECLARE
  l_plan VARCHAR2(4000);
BEGIN
  EXECUTE IMMEDIATE 'EXPLAIN PLAN SET STATEMENT_ID = ''PROBE'' FOR SELECT v.id FROM ${name('NEAR')} v ORDER BY ${distance} FETCH APPROX FIRST 10 ROWS ONLY';
  SELECT LISTAGG(p.operation || ' ' || p.options || ' ' || p.object_name, '; ') WITHIN GROUP (ORDER BY p.id)
    INTO l_plan FROM plan_table p WHERE p.statement_id = 'PROBE';
  :plan_out := l_plan;
END;`,
    outs: { plan_out: 'VARCHAR2' },
  });
  return String(outs.plan_out);
}

/** Question 6. */
export const APPROXIMATE_SEARCH: Probe = {
  number: 6,
  question: 'Does the order of rows survive the way, and does FETCH APPROX run and use an index?',
  async prepare(desk) {
    await createVectors(desk, 'NEAR');
    await desk.database.ask({
      sql: `CREATE VECTOR INDEX ${desk.name('NEAR_IX')} ON ${desk.name('NEAR')} (embedding)
  ORGANIZATION NEIGHBOR PARTITIONS DISTANCE COSINE WITH TARGET ACCURACY 90`,
    });
  },
  points: [
    {
      asks: '500 rows of a query with ORDER BY',
      assumes: 'they come in its order',
      place: 'lib/sql/result-shape.ts: decodeRows',
      judge: judgeOrder,
    },
    {
      asks: 'FETCH APPROX in a table expression',
      assumes: 'at most as many rows as asked for, in the order of the outer query',
      place: 'lib/store/search/vector-index-candidates.ts: FETCH APPROX',
      judge: judgeNearest,
    },
    { asks: 'FETCH APPROX in the outermost query', tell: tellOutermost },
    { asks: 'the plan of the outermost query, with an IVF index', tell: tellPlan },
  ],
};
