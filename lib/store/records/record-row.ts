import { type MemoryRecord, RECORD_TYPES, recordStatusSchema } from '../../schemas/record.ts';
import type { ResultShape, Row } from '../../sql/statement.ts';
import type { StoredMessage } from '../messages/stored-message.ts';
import { oneOf, present } from '../row-value.ts';
import { decodeMetadata } from '../threads/thread-row.ts';
import { timestampOutput } from '../timestamp-sql.ts';

/** Columns of a record in a result. */
export const RECORD_SHAPE = {
  record_id: 'text',
  record_type: 'text',
  record_thread_id: 'text',
  record_user_id: 'text',
  record_agent_id: 'text',
  message_role: 'text',
  content: 'text',
  content_empty: 'boolean',
  record_metadata: 'json',
  record_status: 'text',
  event_at: 'timestamp',
  expires_at: 'timestamp',
  record_created_at: 'timestamp',
  record_updated_at: 'timestamp',
} as const satisfies ResultShape;

/** Characters of content and metadata, a SQL expression: what a read of many records is bounded by. */
export function recordSize(alias: string): string {
  return `(NVL(LENGTH(${alias}.content), 0) + LENGTH(JSON_SERIALIZE(${alias}.metadata RETURNING CLOB)))`;
}

/** The select list of `RECORD_SHAPE`. */
export function recordColumns(alias: string): string {
  return [
    `${alias}.record_id AS record_id`,
    `${alias}.record_type AS record_type`,
    `${alias}.thread_id AS record_thread_id`,
    `${alias}.user_id AS record_user_id`,
    `${alias}.agent_id AS record_agent_id`,
    `${alias}.message_role AS message_role`,
    `${alias}.content AS content`,
    `${alias}.content_empty AS content_empty`,
    `JSON_SERIALIZE(${alias}.metadata RETURNING CLOB) AS record_metadata`,
    `${alias}.status AS record_status`,
    `${timestampOutput(`${alias}.event_at`)} AS event_at`,
    `${timestampOutput(`${alias}.expires_at`)} AS expires_at`,
    `${timestampOutput(`${alias}.created_at`)} AS record_created_at`,
    `${timestampOutput(`${alias}.updated_at`)} AS record_updated_at`,
  ].join(',\n  ');
}

/** A record; text without characters is NULL in Oracle and comes back as what it was: empty, or no text at all. */
export function decodeRecord(statement: string, row: Row<typeof RECORD_SHAPE>): MemoryRecord {
  const createdAt = present(statement, 'created_at', row.record_created_at);
  const record: MemoryRecord = {
    id: present(statement, 'record_id', row.record_id),
    recordType: oneOf(statement, 'record_type', RECORD_TYPES, row.record_type),
    content: row.content ?? (row.content_empty === true ? '' : null),
    metadata: decodeMetadata(statement, row.record_metadata),
    timestamp: row.event_at ?? createdAt,
    createdAt,
    updatedAt: present(statement, 'updated_at', row.record_updated_at),
    expiresAt: row.expires_at,
    userId: row.record_user_id,
    agentId: row.record_agent_id,
    threadId: row.record_thread_id,
    status: oneOf(statement, 'status', recordStatusSchema.options, row.record_status),
  };
  return row.message_role === null ? record : { ...record, role: row.message_role };
}

/** Columns of a message in a result; with an outer join all of them may be NULL. */
export const MESSAGE_SHAPE = {
  message_id: 'text',
  message_seq: 'number',
  message_role: 'text',
  message_content: 'text',
  message_metadata: 'json',
  message_time: 'timestamp',
} as const satisfies ResultShape;

/** The select list of `MESSAGE_SHAPE`. */
export function messageColumns(alias: string): string {
  return [
    `${alias}.record_id AS message_id`,
    `${alias}.message_seq AS message_seq`,
    `${alias}.message_role AS message_role`,
    `${alias}.content AS message_content`,
    `JSON_SERIALIZE(${alias}.metadata RETURNING CLOB) AS message_metadata`,
    `${timestampOutput(`NVL(${alias}.event_at, ${alias}.created_at)`)} AS message_time`,
  ].join(',\n  ');
}

/** The messages of a result in order; a row without one stands for a thread without messages. */
export function decodeMessages(
  statement: string,
  rows: readonly Row<typeof MESSAGE_SHAPE>[],
): readonly StoredMessage[] {
  return rows
    .filter((row) => row.message_id !== null)
    .map((row) => decodeMessage(statement, row))
    .sort((one, other) => one.sequence - other.sequence);
}

function decodeMessage(statement: string, row: Row<typeof MESSAGE_SHAPE>): StoredMessage {
  return {
    id: present(statement, 'message_id', row.message_id),
    sequence: present(statement, 'message_seq', row.message_seq),
    role: present(statement, 'message_role', row.message_role),
    content: row.message_content ?? '',
    timestamp: present(statement, 'message_time', row.message_time),
    metadata: decodeMetadata(statement, row.message_metadata),
  };
}
