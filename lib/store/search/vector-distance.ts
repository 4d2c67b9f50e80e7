import type { QueryVectorSql } from './query-vector.ts';

/** The cosine distance of a chunk `c` from the vector of the query. */
export function vectorDistance({ sql }: QueryVectorSql): string {
  return `VECTOR_DISTANCE(c.embedding, ${sql}, COSINE)`;
}
