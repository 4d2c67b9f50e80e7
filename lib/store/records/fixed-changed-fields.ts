import type { RetentionPolicy } from '../../schema/retention-policy.ts';
import { type Bind, clob, flag, json, text } from '../../sql/bind.ts';
import type { ChangedFields } from '../request-sql/request-sql.ts';
import { timestampInput, timestampText } from '../timestamp-sql.ts';
import { changedContent, newExpiry } from './changed-fields.ts';
import type { RecordChange } from './stored-record.ts';

/** The timestamp of the record after the change: the given one, which may be none, or the stored one. */
const EVENT_TIME = `CASE WHEN :sets_event_at = 1 THEN ${timestampInput(':event_at')} ELSE r.event_at END`;

/**
 * The assignments of an update in few texts: metadata and timestamp are always assigned, what they were when they are not
 * given. Content is not, because a large object would be written anew, and an expiry has few forms.
 */
export function fixedChangedFields(change: RecordChange, retention: RetentionPolicy): ChangedFields {
  const { metadata, timestamp, lifetime } = change;
  const content = changedContent(change.content);
  const assignments = [
    'r.updated_at = :now',
    ...content.assignments,
    'r.metadata = CASE WHEN :metadata IS NULL THEN r.metadata ELSE JSON(:metadata) END',
    `r.event_at = ${EVENT_TIME}`,
  ];
  const binds: Record<string, Bind> = {
    ...content.binds,
    metadata: metadata === undefined ? clob(null) : json(metadata),
    sets_event_at: flag(timestamp !== undefined),
    event_at: text(timestamp ? timestampText(timestamp) : null),
  };
  if (lifetime !== undefined) {
    const expiry = newExpiry(change, lifetime, retention, EVENT_TIME);
    assignments.push(`r.expires_at = ${expiry.sql}`);
    Object.assign(binds, expiry.binds);
  }
  return { assignments, binds, needsTimestamp: lifetime?.ttlAnchor === 'timestamp' };
}
