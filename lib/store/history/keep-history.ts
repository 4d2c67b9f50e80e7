import type { SchemaNames } from '../../schema/schema-names.ts';
import type { DmlStatement } from '../../sql/statement.ts';

/** What a form of a memory is, in the table of memories and in that of their earlier forms. */
const FORM = [
  'record_family',
  'record_id',
  'record_type',
  'thread_id',
  'user_id',
  'agent_id',
  'content',
].concat(['content_empty', 'metadata', 'status', 'event_at', 'expires_at']);

/**
 * Keeps the present form of the memories `r` of a condition, with who replaces it: the statement before their change, in the
 * same list. It binds what `authorBinds` gives.
 *
 * @param operation Name of the bind that holds the operation
 */
export function keepHistory(
  names: SchemaNames,
  condition: string,
  operation = 'author_operation',
): DmlStatement {
  return {
    name: 'keep_history',
    sql: `INSERT INTO ${names.history} (${FORM.join(', ')},
  form_at, replaced_at, operation_id, caller_id, request_id)
SELECT ${FORM.map((column) => `r.${column}`).join(', ')},
  r.updated_at, :now, :${operation}, :author_caller, :author_request
FROM ${names.record} r
WHERE r.record_family = 'memory' AND ${condition}`,
  };
}
