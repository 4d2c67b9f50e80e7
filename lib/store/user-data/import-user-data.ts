import { AgentMemoryError } from '../../errors/agent-memory-error.ts';
import type { SchemaNames } from '../../schema/schema-names.ts';
import { flag } from '../../sql/bind.ts';
import { oracleErrorOf } from '../../sql/oracle-database-error.ts';
import type { CallOptions } from '../../sql/sql-transport.ts';
import type { AtomicList, DmlStatement } from '../../sql/statement.ts';
import { auditRecords, auditThreads, isAmong, isOneOf } from '../audit/audit-entries.ts';
import { authorBinds } from '../audit/write-author.ts';
import { requireInLimits, requireRecordInLimits } from '../caller-limits.ts';
import { type LimitSql, recordLimits, threadLimits } from '../caller-limits-sql.ts';
import { chunkInsert } from '../records/chunk-rows.ts';
import { CONTENT_COLUMNS } from '../records/record-rows.ts';
import type { StoreContext } from '../store-context.ts';
import { takenId } from '../taken-id.ts';
import { timestampInput } from '../timestamp-sql.ts';
import { findTakenId, type TakenId } from './find-taken-id.ts';
import { importBinds } from './import-rows.ts';
import type { UserDataBatch } from './user-data.ts';

/** A row with this key is there already. */
const UNIQUE_CONSTRAINT = 1;
const PLACE_TAKEN = 'another message has the place of one of these in its thread';
const NO_RECORD = 'a retrieval text or an earlier form names a record that is not there';

/**
 * Writes threads, records, retrieval rows and earlier forms as they were, ids and times included: one atomic list, and one
 * round trip more to name an id that is taken.
 *
 * @throws AgentMemoryError `conflict` for what is taken, with kind and id of the first in its `details`, or a record that is
 * missing, `not_found` for the thread of a message,
 * `forbidden` for what is outside the limits of the caller
 */
export async function importUserData(
  context: StoreContext,
  batch: UserDataBatch,
  options?: CallOptions,
): Promise<void> {
  for (const thread of batch.threads) requireInLimits(context, thread);
  for (const record of batch.records) requireLineInLimits(context, record);
  try {
    await context.transport.executeAtomic(importList(context, batch), options);
  } catch (error) {
    if (!AgentMemoryError.is(error) || oracleErrorOf(error)?.number !== UNIQUE_CONSTRAINT) throw error;
    const taken = await findTakenId(context, batch, options);
    if (taken === undefined) {
      throw takenId('a thread, a record or a retrieval text of the import already exists', error);
    }
    throw new AgentMemoryError('conflict', describeTaken(taken), { details: { taken }, cause: error });
  }
}

function describeTaken({ kind, id, number }: TakenId): string {
  const owner = `${kind.replace('_', ' ')} "${id}"`;
  return number === undefined
    ? `the ${owner} of the import already exists`
    : `retrieval text ${number} of the ${owner} of the import already exists`;
}

function requireLineInLimits(context: StoreContext, record: UserDataBatch['records'][number]): void {
  const { family, recordId, userId = null, agentId = null, threadId = null } = record;
  requireRecordInLimits(context, { family, id: recordId, userId, agentId, threadId }, false);
}

/** Threads come first, as in every list that locks them; what names a record comes after it. */
function importList(context: StoreContext, batch: UserDataBatch): AtomicList {
  const { names, settings } = context;
  const threads = threadLimits(context, 't');
  const records = changeableRecords(context);
  return {
    name: 'users.import',
    binds: {
      ...importBinds(batch, settings),
      ...threads.binds,
      ...records.binds,
      guidelines_too: flag(batch.writesGuidelines),
      ...authorBinds(context, 'importRecords'),
    },
    statements: [
      insertThreads(names),
      lockThreads(names, threads),
      insertRecords(names),
      requirePlaces(names),
      {
        ...chunkInsert(names, settings.dimensions, records.sql),
        expect: { rows: { bind: 'chunk_total' }, otherwise: 'conflict', message: NO_RECORD },
      },
      insertForms(names, records),
      auditThreads(names, `t.thread_id IN (SELECT j.id FROM ${idsOf('import_threads')} j)`),
      auditRecords(names, IMPORTED, {
        name: 'audit_records',
        operation: 'author_operation',
      }),
    ],
  };
}

/** Records `r` that retrieval texts and earlier forms may be added to: a guideline is none without the right to change one. */
function changeableRecords(context: StoreContext): LimitSql {
  const limits = recordLimits(context, 'r');
  return { ...limits, sql: ` AND (:guidelines_too = 1 OR r.record_type <> 'guideline')${limits.sql}` };
}

/** Records `r` that were added, or got a retrieval text or an earlier form. */
const IMPORTED = `(${isOneOf('import_records')}
    OR ${isOneOf('chunks')}
    OR ${isAmong('memory', 'import_forms', '$.memoryId')})`;

const idsOf = (bind: string): string =>
  `JSON_TABLE(:${bind}, '$[*]' ERROR ON ERROR NULL ON EMPTY COLUMNS (id VARCHAR2(128 CHAR) PATH '$.id'))`;

const PLACES = `JSON_TABLE(:places, '$[*]' ERROR ON ERROR NULL ON EMPTY COLUMNS (
    thread_id VARCHAR2(128 CHAR) PATH '$.threadId', message_seq NUMBER PATH '$.sequence')) j`;

function insertThreads(names: SchemaNames): DmlStatement {
  return {
    name: 'insert_threads',
    sql: `INSERT INTO ${names.thread} (thread_id, user_id, agent_id, metadata, config, message_count, extracted_seq,
  summarized_seq, running_summary, summary_expires_at, created_at, updated_at)
SELECT j.id, j.user_id, j.agent_id, JSON(j.metadata), JSON(j.config), j.message_count, j.extracted_seq,
  j.summarized_seq, j.running_summary, ${timestampInput('j.summary_expires_at')},
  ${timestampInput('j.created_at')}, ${timestampInput('j.updated_at')}
FROM JSON_TABLE(:import_threads, '$[*]' ERROR ON ERROR NULL ON EMPTY COLUMNS (
    ordinal FOR ORDINALITY,
    id VARCHAR2(128 CHAR) PATH '$.id',
    user_id VARCHAR2(128 CHAR) PATH '$.userId',
    agent_id VARCHAR2(128 CHAR) PATH '$.agentId',
    metadata CLOB PATH '$.metadata',
    config CLOB PATH '$.config',
    message_count NUMBER PATH '$.messageCount',
    extracted_seq NUMBER PATH '$.extracted',
    summarized_seq NUMBER PATH '$.summarized',
    running_summary CLOB PATH '$.summary',
    summary_expires_at VARCHAR2(40 CHAR) PATH '$.summaryExpiresAt',
    created_at VARCHAR2(40 CHAR) PATH '$.createdAt',
    updated_at VARCHAR2(40 CHAR) PATH '$.updatedAt')) j
ORDER BY j.ordinal`,
  };
}

/** Of the messages. A thread counts at least as far as their places go. */
function lockThreads(names: SchemaNames, limits: LimitSql): DmlStatement {
  return {
    name: 'lock_threads',
    sql: `UPDATE ${names.thread} t
SET t.message_count = GREATEST(t.message_count,
  (SELECT MAX(j.message_seq) FROM ${PLACES} WHERE j.thread_id = t.thread_id))
WHERE t.thread_id IN (SELECT j.thread_id FROM ${PLACES})${limits.sql}`,
    expect: { rows: { bind: 'thread_total' }, otherwise: 'not_found', message: 'thread not found' },
  };
}

function insertRecords(names: SchemaNames): DmlStatement {
  return {
    name: 'insert_records',
    sql: `INSERT INTO ${names.record} (record_family, record_id, record_type, thread_id, user_id, agent_id, message_seq,
  message_role, content, content_empty, metadata, status, event_at, expires_at, created_at, updated_at)
SELECT j.record_family, j.record_id, j.record_type, j.thread_id, j.user_id, j.agent_id, j.message_seq,
  j.message_role, j.content, j.content_empty, JSON(j.metadata), j.record_status,
  ${timestampInput('j.event_at')}, ${timestampInput('j.expires_at')},
  ${timestampInput('j.created_at')}, ${timestampInput('j.updated_at')}
FROM JSON_TABLE(:import_records, '$[*]' ERROR ON ERROR NULL ON EMPTY COLUMNS (
    ordinal FOR ORDINALITY,
    record_family VARCHAR2(16 CHAR) PATH '$.family',
    record_id VARCHAR2(128 CHAR) PATH '$.id',
    record_type VARCHAR2(16 CHAR) PATH '$.type',
    thread_id VARCHAR2(128 CHAR) PATH '$.threadId',
    user_id VARCHAR2(128 CHAR) PATH '$.userId',
    agent_id VARCHAR2(128 CHAR) PATH '$.agentId',
    message_seq NUMBER PATH '$.sequence',
    message_role VARCHAR2(30 CHAR) PATH '$.role',
    ${CONTENT_COLUMNS},
    metadata CLOB PATH '$.metadata',
    record_status VARCHAR2(16 CHAR) PATH '$.status',
    event_at VARCHAR2(40 CHAR) PATH '$.eventAt',
    expires_at VARCHAR2(40 CHAR) PATH '$.expiresAt',
    created_at VARCHAR2(40 CHAR) PATH '$.createdAt',
    updated_at VARCHAR2(40 CHAR) PATH '$.updatedAt')) j
ORDER BY j.ordinal`,
  };
}

/** No two messages of a thread have one place. */
function requirePlaces(names: SchemaNames): DmlStatement {
  return {
    name: 'require_places',
    sql: `UPDATE ${names.thread} t
SET t.message_count = t.message_count
WHERE t.thread_id IN (SELECT j.thread_id FROM ${PLACES})
  AND NOT EXISTS (SELECT 1 FROM ${names.record} r
    WHERE r.record_family = 'message' AND r.thread_id = t.thread_id
    GROUP BY r.message_seq
    HAVING COUNT(*) > 1)`,
    expect: { rows: { bind: 'thread_total' }, otherwise: 'conflict', message: PLACE_TAKEN },
  };
}

/** Type and owners are those of the memory. */
function insertForms(names: SchemaNames, limits: LimitSql): DmlStatement {
  return {
    name: 'insert_forms',
    sql: `INSERT INTO ${names.history} (record_family, record_id, record_type, thread_id, user_id, agent_id, content,
  content_empty, metadata, status, event_at, expires_at, form_at, replaced_at, operation_id, caller_id, request_id)
SELECT r.record_family, r.record_id, r.record_type, r.thread_id, r.user_id, r.agent_id, j.content,
  j.content_empty, JSON(j.metadata), j.record_status, ${timestampInput('j.event_at')},
  ${timestampInput('j.expires_at')}, ${timestampInput('j.form_at')}, ${timestampInput('j.replaced_at')},
  j.operation_id, j.caller_id, j.request_id
FROM JSON_TABLE(:import_forms, '$[*]' ERROR ON ERROR NULL ON EMPTY COLUMNS (
    ordinal FOR ORDINALITY,
    memory_id VARCHAR2(128 CHAR) PATH '$.memoryId',
    ${CONTENT_COLUMNS},
    metadata CLOB PATH '$.metadata',
    record_status VARCHAR2(16 CHAR) PATH '$.status',
    event_at VARCHAR2(40 CHAR) PATH '$.eventAt',
    expires_at VARCHAR2(40 CHAR) PATH '$.expiresAt',
    form_at VARCHAR2(40 CHAR) PATH '$.formAt',
    replaced_at VARCHAR2(40 CHAR) PATH '$.replacedAt',
    operation_id VARCHAR2(64 CHAR) PATH '$.operation',
    caller_id VARCHAR2(512 CHAR) PATH '$.callerId',
    request_id VARCHAR2(128 CHAR) PATH '$.requestId')) j
  JOIN ${names.record} r ON r.record_family = 'memory' AND r.record_id = j.memory_id${limits.sql}
ORDER BY j.ordinal`,
    expect: { rows: { bind: 'form_total' }, otherwise: 'conflict', message: NO_RECORD },
  };
}
