import type { SchemaNames } from '../../schema/schema-names.ts';
import { json, number } from '../../sql/bind.ts';
import type { CallOptions } from '../../sql/sql-transport.ts';
import type { AtomicList, DmlStatement } from '../../sql/statement.ts';
import { auditRecords, isAmong, isOneOf } from '../audit/audit-entries.ts';
import { authorBinds } from '../audit/write-author.ts';
import { requireRecordInLimits } from '../caller-limits.ts';
import { type LimitSql, threadLimits } from '../caller-limits-sql.ts';
import type { StoreContext, StoreSettings } from '../store-context.ts';
import { namedConflict } from '../taken-id.ts';
import { chunkInsert, chunkRows } from './chunk-rows.ts';
import {
  CONTENT_COLUMNS,
  contentFields,
  MESSAGE_COLUMNS,
  OWNER_COLUMNS,
  OWNER_VALUES,
  recordInsert,
  recordRow,
  TIME_COLUMNS,
  TIME_VALUES,
  timeFields,
} from './record-rows.ts';
import type { NewMessageRecord, NewRecord } from './stored-record.ts';

/**
 * Adds records of any type with their retrieval rows, in their order: one atomic list.
 *
 * @throws AgentMemoryError `conflict` for an id that is taken, `not_found` for the thread of a message,
 * `forbidden` for a record outside the limits of the caller
 */
export async function addRecords(
  context: StoreContext,
  records: readonly (NewRecord | NewMessageRecord)[],
  options?: CallOptions,
): Promise<void> {
  if (records.length === 0) return;
  for (const record of records) requireRecordInLimits(context, record, record.family === 'message');
  await namedConflict('a record with one of these ids already exists', () =>
    context.transport.executeAtomic(batchList(context, records), options),
  );
}

/** The threads of messages are locked first, as in every list that locks them. */
function batchList(context: StoreContext, records: readonly (NewRecord | NewMessageRecord)[]): AtomicList {
  const { names, settings } = context;
  const limits = threadLimits(context, 't');
  const messages = records.filter((record) => record.family === 'message');
  const others = records.filter((record) => record.family !== 'message');
  const chunks = records.flatMap((each) => chunkRows(each.family, each.id, each.chunks, settings.dimensions));
  return {
    name: 'records.add_batch',
    binds: {
      ...(messages.length === 0 ? {} : { ...messageBinds(messages, settings), ...limits.binds }),
      ...(others.length === 0
        ? {}
        : { records: json(others.map((record) => recordRow(record, settings.retention))) }),
      chunks: json(chunks),
      ...authorBinds(context, 'addRecords'),
    },
    statements: [
      ...(messages.length === 0 ? [] : [countThreadMessages(names, limits), insertThreadMessages(names)]),
      ...(others.length === 0 ? [] : [recordInsert(names, undefined)]),
      chunkInsert(names, settings.dimensions),
      auditRecords(names, addedRecords(messages.length > 0, others.length > 0)),
    ],
  };
}

function addedRecords(hasMessages: boolean, hasOthers: boolean): string {
  const parts = [
    ...(hasMessages ? [isAmong('message', 'messages', '$.id')] : []),
    ...(hasOthers ? [isOneOf('records')] : []),
  ];
  return parts.map((part) => `(${part})`).join(' OR ');
}

function messageBinds(messages: readonly NewMessageRecord[], { retention }: StoreSettings) {
  const totals = new Map<string, number>();
  const placed = messages.map((message) => {
    const place = (totals.get(message.threadId) ?? 0) + 1;
    totals.set(message.threadId, place);
    return { message, place };
  });
  const rows = placed.map(({ message, place }) => ({
    ...contentFields(message.content),
    id: message.id,
    role: message.role,
    threadId: message.threadId,
    userId: message.userId ?? undefined,
    agentId: message.agentId ?? undefined,
    ownUser: message.userId === undefined ? 0 : 1,
    ownAgent: message.agentId === undefined ? 0 : 1,
    place: place - (totals.get(message.threadId) ?? 0),
    metadata: JSON.stringify(message.metadata),
    ...timeFields(message, message.timestamp, retention),
  }));
  return {
    messages: json(rows),
    threads: json([...totals].map(([threadId, messageTotal]) => ({ threadId, messageTotal }))),
    thread_total: number(totals.size),
  };
}

/** Locks the rows of the threads: each knows the sequence numbers of its new messages. */
function countThreadMessages(names: SchemaNames, limits: LimitSql): DmlStatement {
  const threads = `JSON_TABLE(:threads, '$[*]' ERROR ON ERROR NULL ON EMPTY COLUMNS (
    thread_id VARCHAR2(128 CHAR) PATH '$.threadId',
    message_total NUMBER PATH '$.messageTotal')) j`;
  return {
    name: 'count_messages',
    sql: `UPDATE ${names.thread} t
SET t.message_count = t.message_count + (SELECT j.message_total
  FROM ${threads}
  WHERE j.thread_id = t.thread_id), t.updated_at = :now
WHERE t.thread_id IN (SELECT j.thread_id
  FROM ${threads})${limits.sql}`,
    expect: { rows: { bind: 'thread_total' }, otherwise: 'not_found', message: 'thread not found' },
  };
}

/** `place` counts back from the last message of the thread, which is 0. */
function insertThreadMessages(names: SchemaNames): DmlStatement {
  return {
    name: 'insert_messages',
    sql: `INSERT INTO ${names.record} (${MESSAGE_COLUMNS})
SELECT 'message', j.record_id, 'message', t.thread_id,
  ${OWNER_VALUES},
  t.message_count + j.place, j.message_role, j.content, j.content_empty,
  JSON(j.metadata), 'active', :now, :now,
  ${TIME_VALUES}
FROM JSON_TABLE(:messages, '$[*]' ERROR ON ERROR NULL ON EMPTY COLUMNS (
    ordinal FOR ORDINALITY,
    record_id VARCHAR2(128 CHAR) PATH '$.id',
    message_role VARCHAR2(30 CHAR) PATH '$.role',
    ${OWNER_COLUMNS},
    place NUMBER PATH '$.place',
    ${CONTENT_COLUMNS},
    metadata CLOB PATH '$.metadata',
    ${TIME_COLUMNS})) j
  JOIN ${names.thread} t ON t.thread_id = j.thread_id
ORDER BY j.ordinal`,
  };
}
