import type { SchemaNames } from '../../schema/schema-names.ts';
import type { DmlStatement } from '../../sql/statement.ts';
import { keywordText } from '../search/keyword-text.ts';
import { embeddingOf } from '../search/query-vector.ts';
import { vectorText } from '../search/vector-text.ts';
import type { Chunk, RecordFamily } from './stored-record.ts';

/** One element of the JSON bind that `chunkInsert` reads. Absent = NULL. */
export interface ChunkRow {
  readonly family: RecordFamily;
  readonly id: string;
  readonly number: number;
  readonly text: string;
  readonly vector?: string | undefined;
  /** Text that the database embeds in place of a vector. */
  readonly textToEmbed?: string | undefined;
}

/** The retrieval rows of one record. A chunk whose vector has no direction is kept for keyword search only. */
export function chunkRows(
  family: RecordFamily,
  id: string,
  chunks: readonly Chunk[],
  dimensions: number,
): readonly ChunkRow[] {
  return chunks.map(({ text, embedding }, index) => ({
    family,
    id,
    number: index + 1,
    text: keywordText(text),
    vector: embedding instanceof Float32Array ? vectorText(embedding, dimensions) : undefined,
    textToEmbed: embedding === 'by_database' ? text : undefined,
  }));
}

/**
 * Inserts the retrieval rows of the bind `:chunks` beside their records, from which they take scope, type and expiry.
 *
 * @param further Further condition on the record `r` of a row
 */
export function chunkInsert(names: SchemaNames, dimensions: number, further = ''): DmlStatement {
  return {
    name: 'insert_chunks',
    sql: `INSERT INTO ${names.chunk} (record_family, record_id, chunk_no, record_type, thread_id, user_id, agent_id,
  status, expires_at, chunk_text, embedding)
SELECT r.record_family, r.record_id, j.chunk_no, r.record_type, r.thread_id, r.user_id, r.agent_id,
  r.status, r.expires_at, j.chunk_text, ${embeddingColumn(names, dimensions)}
FROM JSON_TABLE(:chunks, '$[*]' ERROR ON ERROR NULL ON EMPTY COLUMNS (
    record_family VARCHAR2(16 CHAR) PATH '$.family',
    record_id VARCHAR2(128 CHAR) PATH '$.id',
    chunk_no NUMBER PATH '$.number',
    chunk_text CLOB PATH '$.text',
    embedding CLOB PATH '$.vector'${names.embeddingModel === undefined ? '' : TEXT_COLUMN})) j
  JOIN ${names.record} r ON r.record_family = j.record_family AND r.record_id = j.record_id${further}`,
  };
}

const TEXT_COLUMN = `,
    text_to_embed VARCHAR2(4000 BYTE) PATH '$.textToEmbed'`;

/** A row brings its vector, or the text that the database embeds (contract §13). */
function embeddingColumn(names: SchemaNames, dimensions: number): string {
  const given = `TO_VECTOR(j.embedding, ${dimensions}, FLOAT32)`;
  if (names.embeddingModel === undefined) return given;
  return `CASE WHEN j.text_to_embed IS NULL THEN ${given}
    ELSE ${embeddingOf(names, 'j.text_to_embed')} END`;
}
