import type { Judgement, Probe, ProbeDesk } from './probe.ts';
import { createVectors, DISTANCE, WIDTH } from './sample-vectors.ts';

/** Samples are in pairs of the same vector, the smaller id even. */
async function idsOf(
  { database, name }: ProbeDesk,
  fetch: string,
  order: string,
): Promise<readonly number[]> {
  const { rows } = await database.ask({
    sql: `SELECT v.id AS id, ${DISTANCE} AS distance FROM ${name('TIE')} v\nORDER BY ${order}\nFETCH ${fetch} 20 ROWS ONLY`,
  });
  return [...rows].map((row) => Number(row.id));
}

async function judgeTies(desk: ProbeDesk): Promise<Judgement> {
  const ids = await idsOf(desk, 'FIRST', 'distance, v.id');
  const expected = Array.from({ length: 20 }, (_, index) => index);
  return { holds: ids.join() === expected.join(), answer: `ids ${ids.join(', ')}` };
}

/** As the hybrid ranking reads the distance of a chunk without a vector. */
async function judgeNoVector({ database }: ProbeDesk): Promise<Judgement> {
  const { rows } = await database.ask({
    sql: `SELECT COALESCE(VECTOR_DISTANCE(TO_VECTOR(TO_CLOB(NULL), ${WIDTH}, FLOAT32), TO_VECTOR('[1,0,0,0]', ${WIDTH}, FLOAT32), COSINE), 9) AS distance FROM dual`,
  });
  return {
    holds: Number(rows[0]?.distance) === 9,
    answer: `COALESCE(distance, 9) is ${String(rows[0]?.distance)}`,
  };
}

/** Question 15. */
export const VECTOR_TIES: Probe = {
  number: 15,
  question: 'How are vectors without a direction and equal distances ordered?',
  prepare: (desk) => createVectors(desk, 'TIE'),
  points: [
    {
      asks: 'equal distances with a second key, exact',
      assumes: 'the second key decides',
      place: 'lib/store/search/search-cut.ts: record_id',
      judge: judgeTies,
    },
    {
      asks: 'the distance from a NULL vector',
      assumes: 'it is NULL',
      place: 'lib/store/search/vector-index-candidates.ts: vector_distance IS NOT NULL',
      judge: judgeNoVector,
    },
    {
      asks: 'equal distances with a second key, FETCH APPROX (never sent by this program)',
      tell: async (desk) => `ids ${(await idsOf(desk, 'APPROX FIRST', 'distance, v.id')).join(', ')}`,
    },
    {
      asks: 'the cosine distance from a vector of zeros (never sent by this program)',
      async tell({ database }) {
        const { rows } = await database.ask({
          sql: `SELECT TO_CHAR(VECTOR_DISTANCE(TO_VECTOR('[0,0,0,0]', ${WIDTH}, FLOAT32), TO_VECTOR('[1,0,0,0]', ${WIDTH}, FLOAT32), COSINE)) AS distance FROM dual`,
        });
        return JSON.stringify(rows[0]);
      },
    },
  ],
};
