import type { RetentionPolicy } from '../../schema/retention-policy.ts';
import type { SchemaNames } from '../../schema/schema-names.ts';
import { type Bind, json } from '../../sql/bind.ts';
import type { DmlStatement } from '../../sql/statement.ts';
import type { StoreSettings } from '../store-context.ts';
import { timestampInput, timestampText } from '../timestamp-sql.ts';
import { chunkRows } from './chunk-rows.ts';
import { resolveLifetime } from './lifetime.ts';
import type { Lifetime, NewRecord } from './stored-record.ts';

/** Fields of a JSON row that say when a record happened and until when it lives. Absent = NULL. */
export interface TimeFields {
  readonly eventAt?: string | undefined;
  readonly expiresAt?: string | undefined;
  readonly ttlDays?: number | undefined;
}

export function timeFields(
  lifetime: Lifetime,
  timestamp: string | null,
  retention: RetentionPolicy,
): TimeFields {
  const { expiresAt, ttlDays } = resolveLifetime(lifetime, timestamp, retention);
  return {
    eventAt: timestamp === null ? undefined : timestampText(timestamp),
    expiresAt: expiresAt === null ? undefined : timestampText(expiresAt),
    ttlDays: ttlDays ?? undefined,
  };
}

/** JSON_TABLE columns of `TimeFields`. */
export const TIME_COLUMNS = `event_at VARCHAR2(40 CHAR) PATH '$.eventAt',
    expires_at VARCHAR2(40 CHAR) PATH '$.expiresAt',
    ttl_days NUMBER PATH '$.ttlDays'`;

/** `event_at` and `expires_at` of a JSON row `j`. Days count from the write, by the clock of the database. */
export const TIME_VALUES = `${timestampInput('j.event_at')},
  CASE WHEN j.ttl_days IS NULL THEN ${timestampInput('j.expires_at')}
    ELSE :now + NUMTODSINTERVAL(j.ttl_days, 'DAY') END`;

/** Text as a JSON row has it, with the mark that tells empty text from none: both are NULL in Oracle. */
export function contentFields(content: string | null) {
  return { content: content ?? undefined, contentEmpty: content === '' ? 1 : 0 };
}

/** JSON_TABLE columns of `contentFields`. */
export const CONTENT_COLUMNS = `content CLOB PATH '$.content',
    content_empty NUMBER PATH '$.contentEmpty'`;

/** JSON_TABLE columns of whose a record is, with the flags of ids that are the record's own and not its thread's. */
export const OWNER_COLUMNS = `thread_id VARCHAR2(128 CHAR) PATH '$.threadId',
    user_id VARCHAR2(128 CHAR) PATH '$.userId',
    agent_id VARCHAR2(128 CHAR) PATH '$.agentId',
    own_user NUMBER PATH '$.ownUser',
    own_agent NUMBER PATH '$.ownAgent'`;

/** `user_id` and `agent_id` of a JSON row `j`, else those of its thread `t`. */
export const OWNER_VALUES = `CASE WHEN j.own_user = 1 THEN j.user_id ELSE t.user_id END,
  CASE WHEN j.own_agent = 1 THEN j.agent_id ELSE t.agent_id END`;

/** Columns of a message that is inserted. */
export const MESSAGE_COLUMNS = `record_family, record_id, record_type, thread_id, user_id, agent_id,
  message_seq, message_role, content, content_empty, metadata, status, created_at, updated_at, event_at, expires_at`;

/** The binds `records` and `chunks` of records that are inserted together. */
export function recordBinds(
  records: readonly NewRecord[],
  settings: StoreSettings,
): Readonly<Record<'records' | 'chunks', Bind>> {
  return {
    records: json(records.map((record) => recordRow(record, settings.retention))),
    chunks: json(
      records.flatMap(({ family, id, chunks }) => chunkRows(family, id, chunks, settings.dimensions)),
    ),
  };
}

/** Profiles never expire: retention is about messages and memories (contract §11). */
const NO_RETENTION: RetentionPolicy = { defaultTtlDays: null, maxTtlDays: null };

/** An id that is undefined is taken from the thread by its flag, null is NULL. */
export function recordRow(record: NewRecord, retention: RetentionPolicy) {
  return {
    family: record.family,
    id: record.id,
    type: record.recordType,
    threadId: record.threadId ?? undefined,
    userId: record.userId ?? undefined,
    agentId: record.agentId ?? undefined,
    ownThread: record.threadId === undefined ? 0 : 1,
    ownUser: record.userId === undefined ? 0 : 1,
    ownAgent: record.agentId === undefined ? 0 : 1,
    ...contentFields(record.content),
    metadata: JSON.stringify(record.metadata),
    ...timeFields(record, record.timestamp, record.family === 'memory' ? retention : NO_RETENTION),
  };
}

/**
 * Inserts the records of the bind `:records` in their order. Ids that a record leaves open are those of the thread, or NULL without one.
 *
 * @param threadId SQL expression for the thread's id; undefined for records that belong to no thread
 */
export function recordInsert(names: SchemaNames, threadId: string | undefined): DmlStatement {
  return {
    name: 'insert_records',
    sql: `INSERT INTO ${names.record} (record_family, record_id, record_type, thread_id, user_id, agent_id,
  content, content_empty, metadata, status, created_at, updated_at, event_at, expires_at)
SELECT j.record_family, j.record_id, j.record_type,
  CASE WHEN j.own_thread = 1 THEN j.thread_id ELSE t.thread_id END,
  ${OWNER_VALUES},
  j.content, j.content_empty, JSON(j.metadata), 'active', :now, :now,
  ${TIME_VALUES}
FROM JSON_TABLE(:records, '$[*]' ERROR ON ERROR NULL ON EMPTY COLUMNS (
    ordinal FOR ORDINALITY,
    record_family VARCHAR2(16 CHAR) PATH '$.family',
    record_id VARCHAR2(128 CHAR) PATH '$.id',
    record_type VARCHAR2(16 CHAR) PATH '$.type',
    ${OWNER_COLUMNS},
    own_thread NUMBER PATH '$.ownThread',
    ${CONTENT_COLUMNS},
    metadata CLOB PATH '$.metadata',
    ${TIME_COLUMNS})) j
  LEFT OUTER JOIN ${names.thread} t ON ${threadId === undefined ? '1 = 0' : `t.thread_id = ${threadId}`}
ORDER BY j.ordinal`,
  };
}
