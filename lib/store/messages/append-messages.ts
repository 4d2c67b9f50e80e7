import type { SchemaNames } from '../../schema/schema-names.ts';
import { json, number, text } from '../../sql/bind.ts';
import type { CallOptions } from '../../sql/sql-transport.ts';
import type { AtomicList, DmlStatement } from '../../sql/statement.ts';
import { auditRecords, isAmong } from '../audit/audit-entries.ts';
import { authorBinds } from '../audit/write-author.ts';
import { type LimitSql, threadLimits } from '../caller-limits-sql.ts';
import { dueJobInserts, jobOutcome } from '../jobs/due-job.ts';
import { chunkInsert, chunkRows } from '../records/chunk-rows.ts';
import {
  CONTENT_COLUMNS,
  contentFields,
  MESSAGE_COLUMNS,
  TIME_COLUMNS,
  TIME_VALUES,
  timeFields,
} from '../records/record-rows.ts';
import type { StoreContext, StoreSettings } from '../store-context.ts';
import { namedConflict } from '../taken-id.ts';
import type { JobOutcome, MessageAppend, NewMessageRow } from './stored-message.ts';

/**
 * Appends messages with their retrieval rows and, when one is due, the extraction job: one atomic list.
 *
 * @throws AgentMemoryError `not_found` for an unknown thread, `conflict` for a message id that is taken
 */
export async function appendMessages(
  context: StoreContext,
  append: MessageAppend,
  options?: CallOptions,
): Promise<JobOutcome> {
  if (append.messages.length === 0) return { job: 'none' };
  const counts = await namedConflict('a message with one of these ids already exists', () =>
    context.transport.executeAtomic(appendList(context, append), options),
  );
  return jobOutcome(counts);
}

function appendList(context: StoreContext, append: MessageAppend): AtomicList {
  const { names, settings } = context;
  const limits = threadLimits(context, 't');
  const job = dueJobInserts(names, append);
  return {
    name: append.canExtract ? 'messages.append' : 'messages.append_without_model',
    binds: {
      thread_id: text(append.threadId),
      message_total: number(append.messages.length),
      messages: json(append.messages.map((message) => messageRow(message, settings))),
      chunks: json(
        append.messages.flatMap(({ id, chunks }) => chunkRows('message', id, chunks, settings.dimensions)),
      ),
      ...job.binds,
      ...limits.binds,
      ...authorBinds(context, 'addMessages'),
    },
    statements: [
      countMessages(names, limits),
      insertMessages(names),
      chunkInsert(names, settings.dimensions),
      ...job.statements,
      auditRecords(names, isAmong('message', 'messages', '$.id')),
    ],
  };
}

function messageRow(message: NewMessageRow, settings: StoreSettings) {
  return {
    id: message.id,
    role: message.role,
    ...contentFields(message.content),
    metadata: JSON.stringify(message.metadata),
    ...timeFields(message, message.timestamp, settings.retention),
  };
}

/** Locks the thread's row: appends to one thread run one after the other, and each knows its sequence numbers. */
function countMessages(names: SchemaNames, limits: LimitSql): DmlStatement {
  return {
    name: 'count_messages',
    sql: `UPDATE ${names.thread} t
SET t.message_count = t.message_count + :message_total, t.updated_at = :now
WHERE t.thread_id = :thread_id${limits.sql}`,
    expect: { rows: 1, otherwise: 'not_found', message: 'thread not found' },
  };
}

function insertMessages(names: SchemaNames): DmlStatement {
  return {
    name: 'insert_messages',
    sql: `INSERT INTO ${names.record} (${MESSAGE_COLUMNS})
SELECT 'message', j.record_id, 'message', t.thread_id, t.user_id, t.agent_id,
  t.message_count - :message_total + j.ordinal, j.message_role, j.content, j.content_empty,
  JSON(j.metadata), 'active', :now, :now,
  ${TIME_VALUES}
FROM JSON_TABLE(:messages, '$[*]' ERROR ON ERROR NULL ON EMPTY COLUMNS (
    ordinal FOR ORDINALITY,
    record_id VARCHAR2(128 CHAR) PATH '$.id',
    message_role VARCHAR2(30 CHAR) PATH '$.role',
    ${CONTENT_COLUMNS},
    metadata CLOB PATH '$.metadata',
    ${TIME_COLUMNS})) j
  CROSS JOIN ${names.thread} t
WHERE t.thread_id = :thread_id`,
  };
}
