import { AgentMemoryError, invalidRequest } from '../../errors/agent-memory-error.ts';
import type { SchemaNames } from '../../schema/schema-names.ts';
import { text } from '../../sql/bind.ts';
import type { CallOptions } from '../../sql/sql-transport.ts';
import type { AtomicList, DmlStatement } from '../../sql/statement.ts';
import { auditRecords } from '../audit/audit-entries.ts';
import { UPDATE_OPERATIONS } from '../audit/record-operations.ts';
import { authorBinds } from '../audit/write-author.ts';
import { recordLimits } from '../caller-limits-sql.ts';
import { lockMessageThread, markSummaryStale, moveSummaryExpiry } from '../extraction/stale-summary.ts';
import { keepHistory } from '../history/keep-history.ts';
import { requestSql } from '../request-sql/request-sql.ts';
import { allOf, type SqlConditions } from '../request-sql/sql-conditions.ts';
import type { StoreContext } from '../store-context.ts';
import { notExpired } from '../timestamp-sql.ts';
import { missingTimestamp, ONE_RECORD, requireTimestamp } from './changed-fields.ts';
import { retrievalUpdate, UNEVEN_VECTORS } from './retrieval-update.ts';
import type { RecordChange, RecordFamily, RecordUpdateOptions } from './stored-record.ts';

/**
 * Changes the given fields of a visible record; with new content its retrieval rows are replaced, all or nothing. A
 * running summary that covers a message becomes stale with its content (D3).
 *
 * @returns false when there is no such record: then nothing was written
 * @throws AgentMemoryError `invalid_request` when days count from a timestamp and neither the change nor the record has
 * one, or when there are not as many retrieval rows as vectors for them
 */
export async function updateRecord(
  context: StoreContext,
  family: RecordFamily,
  id: string,
  change: RecordChange,
  options?: RecordUpdateOptions,
): Promise<boolean> {
  const update = updateList(context, family, id, change, options);
  const { names } = context;
  const list = { ...update, statements: withSummary(names, family, change, update.statements) };
  return (await executeUpdate(context, list, options)) !== undefined;
}

/** What a change of a message means for the running summary that covers it. */
function withSummary(
  names: SchemaNames,
  family: RecordFamily,
  change: RecordChange,
  statements: readonly DmlStatement[],
): readonly DmlStatement[] {
  if (family !== 'message') return statements;
  const stale = change.content === undefined ? [] : [markSummaryStale(names, '')];
  if (change.lifetime === undefined) return [...stale, ...statements];
  return [lockMessageThread(names), ...stale, ...statements, moveSummaryExpiry(names)];
}

/** Runs a list that changes one record; undefined when the record does not exist. */
export async function executeUpdate(
  { transport }: StoreContext,
  list: AtomicList,
  options?: CallOptions,
): Promise<Readonly<Record<string, number>> | undefined> {
  try {
    return await transport.executeAtomic(list, options);
  } catch (error) {
    if (!AgentMemoryError.is(error)) throw error;
    if (error.code === 'not_found') return undefined;
    if (error.code === 'conflict') {
      throw error.message === UNEVEN_VECTORS
        ? invalidRequest('embedding', error.message)
        : missingTimestamp();
    }
    throw error;
  }
}

/** The statements of an update. */
function updateList(
  context: StoreContext,
  family: RecordFamily,
  id: string,
  change: RecordChange,
  options: RecordUpdateOptions | undefined,
): AtomicList {
  const { names, settings, transport } = context;
  const fields = requestSql(transport).changedFields(change, settings.retention);
  const retrieval = retrievalUpdate(context, family, id, change);
  const { conditions, binds } = updateConditions(context, options);
  const limits = recordLimits(context, 'r', family);
  const condition = [ONE_RECORD, notExpired('r'), ...conditions].join(' AND ') + limits.sql;
  return {
    name: 'records.update',
    binds: {
      record_family: text(family),
      record_id: text(id),
      ...fields.binds,
      ...binds,
      ...limits.binds,
      ...retrieval.binds,
      ...authorBinds(context, UPDATE_OPERATIONS[family]),
    },
    statements: [
      ...(family !== 'message' && changesForm(change) ? [keepHistory(names, condition)] : []),
      {
        name: 'update_record',
        sql: `UPDATE ${names.record} r
SET ${fields.assignments.join(',\n  ')}
WHERE ${condition}`,
        expect: { rows: 1, otherwise: 'not_found', message: 'record not found' },
      },
      ...(fields.needsTimestamp ? [requireTimestamp(names)] : []),
      ...retrieval.statements,
      auditRecords(names, ONE_RECORD),
    ],
  };
}

/** Retrieval rows are not a part of what a memory says. */
function changesForm({ content, metadata, timestamp, lifetime }: RecordChange): boolean {
  return [content, metadata, timestamp, lifetime].some((part) => part !== undefined);
}

function updateConditions(
  { transport }: StoreContext,
  { threadId, recordType, exceptType }: RecordUpdateOptions = {},
): SqlConditions {
  const { optional } = requestSql(transport);
  return allOf(
    optional({ column: 'r.thread_id', operator: '=', bind: 'thread_id', value: threadId }),
    optional({ column: 'r.record_type', operator: '=', bind: 'record_type', value: recordType }),
    optional({ column: 'r.record_type', operator: '<>', bind: 'except_type', value: exceptType }),
  );
}
