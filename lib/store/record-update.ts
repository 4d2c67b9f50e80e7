import { AgentMemoryError, invalidRequest } from '../errors/agent-memory-error.ts';
import type { RetentionPolicy } from '../schema/retention-policy.ts';
import type { SchemaNames } from '../schema/schema-names.ts';
import { type Bind, type Binds, clob, flag, json, number, text } from '../sql/bind.ts';
import type { CallOptions } from '../sql/sql-transport.ts';
import type { AtomicList, DmlStatement } from '../sql/statement.ts';
import { LAST_INSTANT, resolveLifetime } from './lifetime.ts';
import { retrievalUpdate, UNEVEN_VECTORS } from './retrieval-update.ts';
import { lockMessageThread, markSummaryStale, moveSummaryExpiry } from './stale-summary.ts';
import type { StoreContext } from './store-context.ts';
import type { RecordChange, RecordFamily, RecordUpdateOptions } from './stored-record.ts';
import { notExpired, timestampInput, timestampText } from './timestamp-sql.ts';

const ONE_RECORD = 'r.record_family = :record_family AND r.record_id = :record_id';

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

/** Runs a list that contains an `updateList`; undefined when the record does not exist. */
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

/** The statements of an update, alone or within a longer list. */
export function updateList(
  context: StoreContext,
  family: RecordFamily,
  id: string,
  change: RecordChange,
  options: RecordUpdateOptions | undefined,
): AtomicList {
  const { names, settings } = context;
  const fields = changedFields(change, settings.retention);
  const retrieval = retrievalUpdate(context, family, id, change);
  const conditions = updateConditions(options);
  const countsFromStored = change.lifetime?.ttlAnchor === 'timestamp' && change.timestamp === undefined;
  return {
    name: 'records.update',
    binds: {
      record_family: text(family),
      record_id: text(id),
      ...fields.binds,
      ...conditions.binds,
      ...retrieval.binds,
    },
    statements: [
      {
        name: 'update_record',
        sql: `UPDATE ${names.record} r
SET ${fields.assignments.join(',\n  ')}
WHERE ${ONE_RECORD} AND ${notExpired('r')}${conditions.sql}`,
        expect: { rows: 1, otherwise: 'not_found', message: 'record not found' },
      },
      ...(countsFromStored ? [requireTimestamp(names)] : []),
      ...retrieval.statements,
    ],
  };
}

function updateConditions({ threadId, recordType, exceptType }: RecordUpdateOptions = {}) {
  const inThread = threadId === undefined ? '' : ' AND r.thread_id = :thread_id';
  const ofType = recordType === undefined ? '' : ' AND r.record_type = :record_type';
  const otherType = exceptType === undefined ? '' : ' AND r.record_type <> :except_type';
  return {
    sql: inThread + ofType + otherType,
    binds: {
      ...(threadId === undefined ? {} : { thread_id: text(threadId) }),
      ...(recordType === undefined ? {} : { record_type: text(recordType) }),
      ...(exceptType === undefined ? {} : { except_type: text(exceptType) }),
    },
  };
}

/** The assignments of an update; a field that is not given keeps its value. */
function changedFields(
  change: RecordChange,
  retention: RetentionPolicy,
): { readonly assignments: readonly string[]; readonly binds: Binds } {
  const binds: Record<string, Bind> = {};
  const assignments = ['r.updated_at = :now'];
  if (change.content !== undefined) {
    assignments.push('r.content = :content', 'r.content_empty = :content_empty');
    binds.content = clob(change.content.text);
    binds.content_empty = flag(change.content.text === '');
  }
  if (change.metadata !== undefined) {
    assignments.push('r.metadata = JSON(:metadata)');
    binds.metadata = json(change.metadata);
  }
  if (change.timestamp !== undefined) {
    assignments.push(`r.event_at = ${timestampInput(':event_at')}`);
    binds.event_at = text(change.timestamp === null ? null : timestampText(change.timestamp));
  }
  if (change.lifetime !== undefined) {
    const expiry = newExpiry(change.lifetime, change.timestamp, retention);
    assignments.push(`r.expires_at = ${expiry.sql}`);
    Object.assign(binds, expiry.binds);
  }
  return { assignments, binds };
}

/** Days count from the record's creation, from its new timestamp, or from the stored one (contract §4.5). */
function newExpiry(
  lifetime: NonNullable<RecordChange['lifetime']>,
  timestamp: string | null | undefined,
  retention: RetentionPolicy,
): { readonly sql: string; readonly binds: Binds } {
  const days = resolveLifetime({ ...lifetime, ttlAnchor: 'created_at' }, null, retention).ttlDays;
  if (lifetime.ttlAnchor === 'timestamp' && timestamp === null) throw missingTimestamp();
  if (days === null) return { sql: 'NULL', binds: {} };
  if (lifetime.ttlAnchor === 'created_at') {
    return { sql: `r.created_at + NUMTODSINTERVAL(:ttl_days, 'DAY')`, binds: { ttl_days: number(days) } };
  }
  const anchor = timestamp === undefined ? 'r.event_at' : timestampInput(':event_at');
  return { sql: expiryFrom(anchor), binds: { ttl_days: number(days) } };
}

/** Oracle's calendar ends with the year 9999: a later expiry is its last instant. */
function expiryFrom(anchor: string): string {
  const last = timestampInput(`'${timestampText(LAST_INSTANT)}'`);
  return `CASE WHEN ${anchor} > ${last} - NUMTODSINTERVAL(:ttl_days, 'DAY') THEN ${last}
    ELSE ${anchor} + NUMTODSINTERVAL(:ttl_days, 'DAY') END`;
}

/** The record is locked by now, so what this finds is what the expiry was counted from. */
function requireTimestamp(names: SchemaNames): DmlStatement {
  return {
    name: 'require_timestamp',
    sql: `UPDATE ${names.record} r\nSET r.updated_at = :now\nWHERE ${ONE_RECORD} AND r.event_at IS NOT NULL`,
    expect: { rows: 1, otherwise: 'conflict', message: 'the record has no timestamp' },
  };
}

function missingTimestamp(): AgentMemoryError {
  return invalidRequest('ttlAnchor', '"timestamp" needs a timestamp to count from, given or stored');
}
