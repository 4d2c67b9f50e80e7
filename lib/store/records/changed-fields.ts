import { type AgentMemoryError, invalidRequest } from '../../errors/agent-memory-error.ts';
import type { RetentionPolicy } from '../../schema/retention-policy.ts';
import type { SchemaNames } from '../../schema/schema-names.ts';
import { type Bind, type Binds, clob, flag, json, number, text } from '../../sql/bind.ts';
import type { DmlStatement } from '../../sql/statement.ts';
import type { ChangedFields } from '../request-sql/request-sql.ts';
import { timestampInput, timestampText } from '../timestamp-sql.ts';
import { LAST_INSTANT, resolveLifetime } from './lifetime.ts';
import type { Lifetime, RecordChange } from './stored-record.ts';

/** The record `r` that an update is about. */
export const ONE_RECORD = 'r.record_family = :record_family AND r.record_id = :record_id';

/** The assignments of an update; a field that is not given is not in the text. */
export function changedFields(change: RecordChange, retention: RetentionPolicy): ChangedFields {
  const content = changedContent(change.content);
  const assignments = ['r.updated_at = :now', ...content.assignments];
  const binds: Record<string, Bind> = { ...content.binds };
  if (change.metadata !== undefined) {
    assignments.push('r.metadata = JSON(:metadata)');
    binds.metadata = json(change.metadata);
  }
  if (change.timestamp !== undefined) {
    assignments.push(`r.event_at = ${timestampInput(':event_at')}`);
    binds.event_at = text(change.timestamp === null ? null : timestampText(change.timestamp));
  }
  if (change.lifetime !== undefined) {
    const expiry = newExpiry(
      change,
      change.lifetime,
      retention,
      change.timestamp === undefined ? 'r.event_at' : timestampInput(':event_at'),
    );
    assignments.push(`r.expires_at = ${expiry.sql}`);
    Object.assign(binds, expiry.binds);
  }
  const needsTimestamp = change.lifetime?.ttlAnchor === 'timestamp' && change.timestamp === undefined;
  return { assignments, binds, needsTimestamp };
}

/** New content, with the mark that tells empty text from none. */
export function changedContent(content: RecordChange['content']): Omit<ChangedFields, 'needsTimestamp'> {
  if (content === undefined) return { assignments: [], binds: {} };
  return {
    assignments: ['r.content = :content', 'r.content_empty = :content_empty'],
    binds: { content: clob(content.text), content_empty: flag(content.text === '') },
  };
}

/**
 * Days count from the record's creation, from its new timestamp, or from the stored one (contract §4.5).
 *
 * @param eventTime The timestamp that the record has after the change, an SQL expression
 * @throws AgentMemoryError `invalid_request` when days count from a timestamp that the change removes
 */
export function newExpiry(
  { timestamp }: RecordChange,
  lifetime: Lifetime,
  retention: RetentionPolicy,
  eventTime: string,
): { readonly sql: string; readonly binds: Binds } {
  const days = resolveLifetime({ ...lifetime, ttlAnchor: 'created_at' }, null, retention).ttlDays;
  if (lifetime.ttlAnchor === 'timestamp' && timestamp === null) throw missingTimestamp();
  if (days === null) return { sql: 'NULL', binds: {} };
  const binds = { ttl_days: number(days) };
  if (lifetime.ttlAnchor === 'created_at') {
    return { sql: `r.created_at + NUMTODSINTERVAL(:ttl_days, 'DAY')`, binds };
  }
  return { sql: expiryFrom(eventTime), binds };
}

/** Oracle's calendar ends with the year 9999: a later expiry is its last instant. */
function expiryFrom(anchor: string): string {
  const last = timestampInput(`'${timestampText(LAST_INSTANT)}'`);
  return `CASE WHEN ${anchor} > ${last} - NUMTODSINTERVAL(:ttl_days, 'DAY') THEN ${last}
    ELSE ${anchor} + NUMTODSINTERVAL(:ttl_days, 'DAY') END`;
}

/**
 * What an update must find when days count from the stored timestamp. The record is locked by now, so what this finds is
 * what the expiry was counted from.
 */
export function requireTimestamp(names: SchemaNames): DmlStatement {
  return {
    name: 'require_timestamp',
    sql: `UPDATE ${names.record} r\nSET r.updated_at = :now\nWHERE ${ONE_RECORD} AND r.event_at IS NOT NULL`,
    expect: { rows: 1, otherwise: 'conflict', message: 'the record has no timestamp' },
  };
}

export function missingTimestamp(): AgentMemoryError {
  return invalidRequest('ttlAnchor', '"timestamp" needs a timestamp to count from, given or stored');
}
