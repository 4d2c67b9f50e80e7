import { recordTypeSchema } from '../../schemas/record.ts';
import { vectorSchema } from '../../schemas/retrieval-payload.ts';
import type { LineOfType } from '../../schemas/user-data.ts';
import { flag } from '../../sql/bind.ts';
import type { CallOptions } from '../../sql/sql-transport.ts';
import type { Row } from '../../sql/statement.ts';
import { statementFault } from '../../sql/statement-fault.ts';
import { oneOf, present } from '../row-value.ts';
import type { StoreContext } from '../store-context.ts';
import { notExpired } from '../timestamp-sql.ts';
import { exportQuery, userRecords } from './export-query.ts';
import type { UserDataPage, UserDataRequest } from './user-data.ts';
import { toUserDataPage } from './user-data-page.ts';

const SHAPE = {
  chunk_record_type: 'text',
  chunk_record_id: 'text',
  chunk_no: 'number',
  chunk_text: 'text',
  has_vector: 'boolean',
  embedding: 'json',
} as const;
const TYPES = recordTypeSchema.exclude(['agent_profile']).options;

/** Retrieval texts of the records of a user, with their vectors where these are asked for or there is no text. */
export async function exportRetrievalTexts(
  context: StoreContext,
  request: UserDataRequest,
  options?: CallOptions,
): Promise<UserDataPage> {
  const { record, chunk } = context.names;
  const ofUser = userRecords(context, 'r');
  const query = exportQuery(
    {
      name: 'users.export_retrieval_texts',
      from: `${record} r
    JOIN ${chunk} x ON x.record_family = r.record_family AND x.record_id = r.record_id`,
      table: chunk,
      key: ['record_family', 'record_id', 'chunk_no'],
      position: ['r.order_seq', 'x.chunk_no'],
      condition: `${notExpired('r')} AND ${ofUser.sql}`,
      size: `(NVL(LENGTH(x.chunk_text), 0) + CASE WHEN :with_vectors = 1 THEN ${context.settings.dimensions * 12} ELSE 0 END)`,
      columns: `x.record_type AS chunk_record_type, x.record_id AS chunk_record_id, x.chunk_no AS chunk_no,
  x.chunk_text AS chunk_text, CASE WHEN x.embedding IS NULL THEN 0 ELSE 1 END AS has_vector,
  CASE WHEN :with_vectors = 1 OR x.chunk_text IS NULL THEN FROM_VECTOR(x.embedding RETURNING CLOB) END AS embedding`,
      shape: SHAPE,
      binds: { with_vectors: flag(request.vectors), ...ofUser.binds },
    },
    request,
  );
  const rows = await context.transport.query(query, options);
  return toUserDataPage(query.name, request, rows, (row) => retrievalLine(query.name, row));
}

function retrievalLine(statement: string, row: Row<typeof SHAPE>): LineOfType<'retrieval_text'> {
  return {
    type: 'retrieval_text',
    recordType: oneOf(statement, 'record_type', TYPES, row.chunk_record_type),
    recordId: present(statement, 'record_id', row.chunk_record_id),
    number: present(statement, 'chunk_no', row.chunk_no),
    text: row.chunk_text ?? '',
    ...embeddingOf(statement, row),
  };
}

function embeddingOf(statement: string, { has_vector, embedding }: Row<typeof SHAPE>) {
  if (has_vector !== true) return { embedding: null };
  if (embedding === null) return {};
  const vector = vectorSchema.safeParse(embedding);
  if (!vector.success) throw statementFault(statement, 'column embedding is no vector');
  return { embedding: vector.data };
}
