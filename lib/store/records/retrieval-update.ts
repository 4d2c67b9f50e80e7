import type { SchemaNames } from '../../schema/schema-names.ts';
import { type Binds, json, number } from '../../sql/bind.ts';
import type { DmlStatement } from '../../sql/statement.ts';
import { vectorText } from '../search/vector-text.ts';
import type { StoreContext } from '../store-context.ts';
import { chunkInsert, chunkRows } from './chunk-rows.ts';
import type { RecordChange, RecordFamily } from './stored-record.ts';

/** What a caller learns when there are not as many retrieval rows as vectors. */
export const UNEVEN_VECTORS = 'the record does not have as many retrieval rows as vectors are given';

/** Statements on the retrieval rows of one record, and what they bind beside the record's id. */
export interface RetrievalUpdate {
  readonly binds: Binds;
  readonly statements: readonly DmlStatement[];
}

const OF_RECORD = 'c.record_family = :record_family AND c.record_id = :record_id';

/** What a change does to the retrieval rows. It runs after the record changed: new rows take scope and expiry from it. */
export function retrievalUpdate(
  { names, settings }: StoreContext,
  family: RecordFamily,
  id: string,
  { content, retrieval, lifetime }: RecordChange,
): RetrievalUpdate {
  const chunks = content?.chunks ?? (retrieval?.kind === 'rows' ? retrieval.chunks : undefined);
  if (chunks !== undefined) {
    return {
      binds: { chunks: json(chunkRows(family, id, chunks, settings.dimensions)) },
      statements: replaceChunks(names, settings.dimensions),
    };
  }
  const moves = lifetime === undefined ? [] : [moveChunkExpiry(names)];
  if (retrieval?.kind === 'vectors') {
    const vectors = retrieval.vectors.map((vector, index) => ({
      number: index + 1,
      vector: vectorText(vector, settings.dimensions),
    }));
    return {
      binds: { vectors: json(vectors), vector_total: number(vectors.length) },
      statements: [setVectors(names, settings.dimensions), ...moves],
    };
  }
  return {
    binds: {},
    statements: [...(retrieval?.kind === 'no_vectors' ? [clearVectors(names)] : []), ...moves],
  };
}

/**
 * Puts the rows of the bind `:chunks` in place of all that the record has.
 *
 * @param further Further condition on the record `r`: where it does not hold, the rows stay
 */
export function replaceChunks(names: SchemaNames, dimensions: number, further = ''): readonly DmlStatement[] {
  const onlyIf =
    further === ''
      ? ''
      : `\n  AND EXISTS (SELECT 1 FROM ${names.record} r
    WHERE r.record_family = c.record_family AND r.record_id = c.record_id${further})`;
  return [
    { name: 'delete_chunks', sql: `DELETE FROM ${names.chunk} c\nWHERE ${OF_RECORD}${onlyIf}` },
    chunkInsert(names, dimensions, further),
  ];
}

/** Rows without a vector of their own would get NULL: the count says so and the list is undone. */
function setVectors(names: SchemaNames, dimensions: number): DmlStatement {
  return {
    name: 'set_vectors',
    sql: `UPDATE ${names.chunk} c
SET c.embedding = (SELECT TO_VECTOR(j.embedding, ${dimensions}, FLOAT32)
  FROM JSON_TABLE(:vectors, '$[*]' ERROR ON ERROR NULL ON EMPTY COLUMNS (
    chunk_no NUMBER PATH '$.number',
    embedding CLOB PATH '$.vector')) j
  WHERE j.chunk_no = c.chunk_no)
WHERE ${OF_RECORD}`,
    expect: { rows: { bind: 'vector_total' }, otherwise: 'conflict', message: UNEVEN_VECTORS },
  };
}

function clearVectors(names: SchemaNames): DmlStatement {
  return {
    name: 'clear_vectors',
    sql: `UPDATE ${names.chunk} c\nSET c.embedding = NULL\nWHERE ${OF_RECORD}`,
  };
}

/** The rows of the record expire with it. */
export function moveChunkExpiry(names: SchemaNames): DmlStatement {
  return {
    name: 'move_chunk_expiry',
    sql: `UPDATE ${names.chunk} c
SET c.expires_at = (SELECT r.expires_at FROM ${names.record} r
  WHERE r.record_family = :record_family AND r.record_id = :record_id)
WHERE ${OF_RECORD}`,
  };
}
