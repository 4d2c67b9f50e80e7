import type { MemoryForm } from '../../schemas/memory-history.ts';
import { memoryTypeSchema, recordStatusSchema } from '../../schemas/record.ts';
import type { Row } from '../../sql/statement.ts';
import { oneOf, present } from '../row-value.ts';
import { decodeMetadata } from '../threads/thread-row.ts';
import { timestampOutput } from '../timestamp-sql.ts';

/** Columns of an earlier form in a result; with an outer join all of them may be NULL. */
export const FORM_SHAPE = {
  form_type: 'text',
  form_content: 'text',
  form_content_empty: 'boolean',
  form_metadata: 'json',
  form_event_at: 'timestamp',
  form_expires_at: 'timestamp',
  form_status: 'text',
  form_at: 'timestamp',
  replaced_at: 'timestamp',
  operation_id: 'text',
  caller_id: 'text',
  request_id: 'text',
} as const;
/** The select list of `FORM_SHAPE`. */
export function formColumns(alias: string): string {
  return `${alias}.record_type AS form_type, ${alias}.content AS form_content, ${alias}.content_empty AS form_content_empty,
  JSON_SERIALIZE(${alias}.metadata RETURNING CLOB) AS form_metadata,
  ${timestampOutput(`${alias}.event_at`)} AS form_event_at,
  ${timestampOutput(`${alias}.expires_at`)} AS form_expires_at, ${alias}.status AS form_status,
  ${timestampOutput(`${alias}.form_at`)} AS form_at, ${timestampOutput(`${alias}.replaced_at`)} AS replaced_at,
  ${alias}.operation_id AS operation_id, ${alias}.caller_id AS caller_id, ${alias}.request_id AS request_id`;
}

export function decodeForm(statement: string, row: Row<typeof FORM_SHAPE>): MemoryForm {
  return {
    memoryType: oneOf(statement, 'record_type', memoryTypeSchema.options, row.form_type),
    content: row.form_content ?? (row.form_content_empty === true ? '' : null),
    metadata: decodeMetadata(statement, row.form_metadata),
    timestamp: row.form_event_at,
    expiresAt: row.form_expires_at,
    status: oneOf(statement, 'status', recordStatusSchema.options, row.form_status),
    updatedAt: present(statement, 'form_at', row.form_at),
    replacedAt: present(statement, 'replaced_at', row.replaced_at),
    operation: present(statement, 'operation_id', row.operation_id),
    callerId: present(statement, 'caller_id', row.caller_id),
    requestId: row.request_id,
  };
}
