import type { SchemaNames } from '../../schema/schema-names.ts';
import type { MemoryRecord } from '../../schemas/record.ts';
import { text } from '../../sql/bind.ts';
import type { CallOptions } from '../../sql/sql-transport.ts';
import type { AtomicList, DmlStatement, Query } from '../../sql/statement.ts';
import { markSummaryStale } from '../extraction/stale-summary.ts';
import type { StoreContext } from '../store-context.ts';
import { namedConflict } from '../taken-id.ts';
import { threadLock } from '../threads/threads.ts';
import { notExpired } from '../timestamp-sql.ts';
import { chunkInsert } from './chunk-rows.ts';
import { decodeRecord, RECORD_SHAPE, recordColumns } from './record-row.ts';
import { recordBinds, recordInsert } from './record-rows.ts';
import type { NewRecord, RecordFamily, RecordOptions } from './stored-record.ts';

/** Adds a record with its retrieval rows. @throws AgentMemoryError `conflict`, or `not_found` for `fromThread` */
export async function addRecord(
  context: StoreContext,
  record: NewRecord,
  fromThread: string | undefined,
  options?: CallOptions,
): Promise<void> {
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
  const query = recordQuery(context.names, family, id);
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
  const list = recordDelete(context.names, family, id, options);
  const counts = await context.transport.executeAtomic(list, options);
  return counts.delete_record ?? 0;
}

function recordAddition(
  { names, settings }: StoreContext,
  record: NewRecord,
  fromThread: string | undefined,
): AtomicList {
  const insertChunks = chunkInsert(names, settings.dimensions);
  const binds = recordBinds([record], settings);
  if (fromThread === undefined) {
    return { name: 'records.add', binds, statements: [recordInsert(names, 'NULL'), insertChunks] };
  }
  return {
    name: 'records.add_from_thread',
    binds: { ...binds, from_thread: text(fromThread) },
    statements: [threadLock(names, ':from_thread'), recordInsert(names, ':from_thread'), insertChunks],
  };
}

function recordQuery(names: SchemaNames, family: RecordFamily, id: string): Query<typeof RECORD_SHAPE> {
  return {
    name: 'records.get',
    sql: `SELECT ${recordColumns('r')}
FROM ${names.record} r
WHERE r.record_family = :record_family AND r.record_id = :record_id AND ${notExpired('r')}`,
    binds: { record_family: text(family), record_id: text(id) },
    shape: RECORD_SHAPE,
  };
}

function recordDelete(
  names: SchemaNames,
  family: RecordFamily,
  id: string,
  { threadId, recordType }: RecordOptions = {},
): AtomicList {
  const inThread = threadId === undefined ? '' : ' AND thread_id = :thread_id';
  const ofType = recordType === undefined ? '' : ' AND record_type = :record_type';
  const remove = (name: string, table: string): DmlStatement => ({
    name,
    sql: `DELETE FROM ${table}\nWHERE record_family = :record_family AND record_id = :record_id${inThread}${ofType}`,
  });
  const deletes = [remove('delete_record', names.record), remove('delete_chunks', names.chunk)];
  return {
    name: `${family === 'message' ? 'messages' : 'records'}.delete${threadId === undefined ? '' : '_from_thread'}`,
    binds: {
      record_family: text(family),
      record_id: text(id),
      ...(threadId === undefined ? {} : { thread_id: text(threadId) }),
      ...(recordType === undefined ? {} : { record_type: text(recordType) }),
    },
    statements: family === 'message' ? [markSummaryStale(names, inThread), ...deletes] : deletes,
  };
}
