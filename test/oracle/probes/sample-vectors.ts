import { rawJson } from '../raw/raw-database.ts';
import type { ProbeDesk } from './probe.ts';

/** Width of the vectors of the probes. */
export const WIDTH = 4;

/** Vectors at angles of 0 to 89 degrees, each twice, so that every distance has a tie. */
const SAMPLES = Array.from({ length: 180 }, (_, index) => {
  const angle = (Math.floor(index / 2) * Math.PI) / 180;
  const vector = [Math.cos(angle), Math.sin(angle), 0, 0].map((component) => component.toFixed(7));
  return { id: index, vector: `[${vector.join(',')}]` };
});

/** Creates a table of vectors, in the way in which the store writes chunks: JSON_TABLE over a CLOB, TO_VECTOR of a column. */
export async function createVectors({ database, name }: ProbeDesk, table: string): Promise<void> {
  await database.ask({
    sql: `CREATE TABLE ${name(table)} (id NUMBER(6) NOT NULL, embedding VECTOR(${WIDTH}, FLOAT32))`,
  });
  await database.ask({
    sql: `DECLARE
  l_items CLOB := :items;
BEGIN
  INSERT INTO ${name(table)} (id, embedding)
  SELECT j.id, TO_VECTOR(j.embedding, ${WIDTH}, FLOAT32)
  FROM JSON_TABLE(l_items, '$[*]' ERROR ON ERROR NULL ON EMPTY COLUMNS (
    id NUMBER PATH '$.id', embedding CLOB PATH '$.vector')) j;
END;`,
    binds: { items: rawJson(SAMPLES) },
  });
}

/** The distance of a vector `v` from the first axis. */
export const DISTANCE = `VECTOR_DISTANCE(v.embedding, TO_VECTOR('[1,0,0,0]', ${WIDTH}, FLOAT32), COSINE)`;
