import { vectorText } from '../../../lib/store/search/vector-text.ts';
import { rawClob } from '../raw/raw-database.ts';
import type { Judgement, Probe, ProbeDesk } from './probe.ts';

const WIDTH = 1536;
const COMPONENTS = Float32Array.from({ length: WIDTH }, (_, index) => Math.sin(index + 1) / 3);

/** As the store sends the vector of a query: a CLOB of about 18,000 characters. Here it is compared with itself. */
async function judgeText({ database }: ProbeDesk): Promise<Judgement> {
  const text = vectorText(COMPONENTS, WIDTH) ?? '';
  const vector = `TO_VECTOR(:query_vector, ${WIDTH}, FLOAT32)`;
  const { rows } = await database.ask({
    sql: `SELECT VECTOR_DISTANCE(${vector}, ${vector}, COSINE) AS distance FROM dual`,
    binds: { query_vector: rawClob(text) },
  });
  const distance = Number(rows[0]?.distance);
  return {
    holds: Math.abs(distance) < 1e-6,
    answer: `distance ${distance} of a vector of ${WIDTH} components (${text.length} characters) from itself`,
  };
}

async function tellNative({ database }: ProbeDesk): Promise<string> {
  const { outs } = await database.ask({
    sql: `DECLARE
  l_vector VECTOR := :native;
BEGIN
  :width_out := VECTOR_DIMENSION_COUNT(l_vector);
END;`,
    binds: {
      native: {
        dataType: 'VECTOR',
        value: database.transport === 'thin' ? COMPONENTS : `[${COMPONENTS.join(',')}]`,
      },
    },
    outs: { width_out: 'NUMBER' },
  });
  return `a vector of ${String(outs.width_out)} components arrived`;
}

/** Question 11. */
export const VECTOR_BINDS: Probe = {
  number: 11,
  question: 'How can a vector be bound?',
  points: [
    {
      asks: 'TO_VECTOR of a CLOB bind that stands in two places of a query',
      assumes: 'it is the vector, to the digits of FLOAT32',
      place: 'lib/store/search/query-vector.ts: queryVectorSql',
      judge: judgeText,
    },
    {
      asks: 'a VECTOR bind into a local VECTOR variable of a block (never sent by this program)',
      tell: tellNative,
    },
  ],
};
