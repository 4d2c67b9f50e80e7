import type { MemoryRecord } from '../../schemas/record.ts';
import { text } from '../../sql/bind.ts';
import type { CallOptions } from '../../sql/sql-transport.ts';
import type { AtomicList, DmlStatement, Query } from '../../sql/statement.ts';
import { auditRecords, isOneOf } from '../audit/audit-entries.ts';
import { ADD_OPERATIONS, DELETE_OPERATIONS } from '../audit/record-operations.ts';
import { authorBinds } from '../audit/write-author.ts';
import { requireRecordInLimits } from '../caller-limits.ts';
import { recordLimits } from '../caller-limits-sql.ts';
import { markSummaryStale } from '../extraction/stale-summary.ts';
import type { StoreContext } from '../store-context.ts';
import { namedConflict } from '../taken-id.ts';
import { threadLock } from '../threads/threads.ts';
import { notExpired } from '../timestamp-sql.ts';
import { ONE_RECORD } from './changed-fields.ts';
import { chunkInsert } from './chunk-rows.ts';
import { decodeRecord, RECORD_SHAPE, recordColumns } from './record-row.ts';
import { recordBinds, recordInsert } from './record-rows.ts';
import type { NewRecord, RecordFamily, RecordOptions } from './stored-record.ts';

/** Adds a record with its retrieval rows. @throws AgentMemoryError `conflict`; `not_found` for `fromThread`; `forbidden` */
export async function addRecord(
  context: StoreContext,
  record: NewRecord,
  fromThread: string | undefined,
  options?: CallOptions,
): Promise<void> {
  requireRecordInLimits(context, record, fromThread !== undefined);
  await namedConflict('a record with this id already exists', () =>
    context.transport.executeAtomic(recordAddition(context, record, fromThread), options),
  );
}

export async function getRecord(
  context: StoreContext,
  family: RecordFamily,
  id: string,
  options?: CallOptions,
): Promise<MemoryRecord | undefined> {
  const query = recordQuery(context, family, id);
  const [row] = await context.transport.query(query, options);
  return row === undefined ? undefined : decodeRecord(query.name, row);
}

/** Removes a record with its retrieval rows, with `threadId` only from that thread. Without a message its thread's summary is stale (D3). */
export async function deleteRecord(
  context: StoreContext,
  family: RecordFamily,
  id: string,
  options?: RecordOptions,
): Promise<number> {
  const list = recordDelete(context, family, id, options);
  const counts = await context.transport.executeAtomic(list, options);
  return counts.delete_record ?? 0;
}

function recordAddition(
  context: StoreContext,
  record: NewRecord,
  fromThread: string | undefined,
): AtomicList {
  const { names, settings } = context;
  const insertChunks = chunkInsert(names, settings.dimensions);
  const binds = {
    ...recordBinds([record], settings),
    ...authorBinds(context, ADD_OPERATIONS[record.family]),
  };
  const audit = auditRecords(names, isOneOf('records'));
  if (fromThread === undefined) {
    return { name: 'records.add', binds, statements: [recordInsert(names, undefined), insertChunks, audit] };
  }
  const lock = threadLock(context, ':from_thread');
  return {
    name: 'records.add_from_thread',
    binds: { ...binds, from_thread: text(fromThread), ...lock.binds },
    statements: [...lock.statements, recordInsert(names, ':from_thread'), insertChunks, audit],
  };
}

function recordQuery(context: StoreContext, family: RecordFamily, id: string): Query<typeof RECORD_SHAPE> {
  const limits = recordLimits(context, 'r', family);
  return {
    name: 'records.get',
    sql: `SELECT ${recordColumns('r')}
FROM ${context.names.record} r
WHERE r.record_family = :record_family AND r.record_id = :record_id AND ${notExpired('r')}${limits.sql}`,
    binds: { record_family: text(family), record_id: text(id), ...limits.binds },
    shape: RECORD_SHAPE,
  };
}

function recordDelete(
  context: StoreContext,
  family: RecordFamily,
  id: string,
  { threadId, recordType }: RecordOptions = {},
): AtomicList {
  const { names } = context;
  const limits = recordLimits(context, 'r', family);
  const inThread = threadId === undefined ? '' : ' AND r.thread_id = :thread_id';
  const ofType = recordType === undefined ? '' : ' AND r.record_type = :record_type';
  const condition = `${ONE_RECORD}${inThread}${ofType}${limits.sql}`;
  const remove = (name: string, table: string): DmlStatement => ({
    name,
    sql: `DELETE FROM ${table} r\nWHERE ${condition}`,
  });
  const deletes = [
    auditRecords(names, condition),
    remove('delete_record', names.record),
    remove('delete_chunks', names.chunk),
    ...(family === 'memory' ? [remove('delete_history', names.history)] : []),
  ];
  return {
    name: `${family === 'message' ? 'messages' : 'records'}.delete${threadId === undefined ? '' : '_from_thread'}`,
    binds: {
      record_family: text(family),
      record_id: text(id),
      ...authorBinds(context, DELETE_OPERATIONS[family]),
      ...(threadId === undefined ? {} : { thread_id: text(threadId) }),
      ...(recordType === undefined ? {} : { record_type: text(recordType) }),
      ...limits.binds,
    },
    statements: family === 'message' ? [markSummaryStale(names, inThread + limits.sql), ...deletes] : deletes,
  };
}
