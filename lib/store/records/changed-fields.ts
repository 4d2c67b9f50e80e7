import { type AgentMemoryError, invalidRequest } from '../../errors/agent-memory-error.ts';
import type { RetentionPolicy } from '../../schema/retention-policy.ts';
import type { SchemaNames } from '../../schema/schema-names.ts';
import { type Bind, type Binds, clob, flag, json, number, text } from '../../sql/bind.ts';
import type { DmlStatement } from '../../sql/statement.ts';
import { timestampInput, timestampText } from '../timestamp-sql.ts';
import { LAST_INSTANT, resolveLifetime } from './lifetime.ts';
import type { RecordChange } from './stored-record.ts';

/** The record `r` that an update is about. */
export const ONE_RECORD = 'r.record_family = :record_family AND r.record_id = :record_id';

/** The assignments of an update; a field that is not given keeps its value. */
export function changedFields(
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

/**
 * What an update must find when days count from the stored timestamp. The record is locked by now, so what this finds is
 * what the expiry was counted from.
 */
export function requireTimestamp(names: SchemaNames, change: RecordChange): readonly DmlStatement[] {
  if (change.lifetime?.ttlAnchor !== 'timestamp' || change.timestamp !== undefined) return [];
  return [
    {
      name: 'require_timestamp',
      sql: `UPDATE ${names.record} r\nSET r.updated_at = :now\nWHERE ${ONE_RECORD} AND r.event_at IS NOT NULL`,
      expect: { rows: 1, otherwise: 'conflict', message: 'the record has no timestamp' },
    },
  ];
}

export function missingTimestamp(): AgentMemoryError {
  return invalidRequest('ttlAnchor', '"timestamp" needs a timestamp to count from, given or stored');
}
