import type { SchemaNames } from '../../schema/schema-names.ts';
import type { DmlStatement } from '../../sql/statement.ts';
import type { RecordFamily } from '../records/stored-record.ts';

const COLUMNS = `occurred_at, operation_id, caller_id, request_id, subject, subject_ids, subject_total,
  user_id, agent_id, thread_id`;
const authorOf = (operation: string): string => `:now, :${operation}, :author_caller, :author_request`;
const AUTHOR = authorOf('author_operation');

/** For a list that records two things. */
export interface AuditNames {
  /** Of the statement. */
  readonly name: string;
  /** Of the bind that holds the operation. */
  readonly operation: string;
}

/** What kind of thing a record is to a reader of the audit trail. */
const SUBJECT = `CASE r.record_family WHEN 'user_profile' THEN 'user' WHEN 'agent_profile' THEN 'agent'
      ELSE r.record_family END`;

/**
 * Records that something was done to the records `r` of a condition: one row for each kind and owner. It runs while they are
 * there, in the list that changes them, and binds what `authorBinds` gives.
 */
export function auditRecords(
  names: SchemaNames,
  condition: string,
  { name, operation }: AuditNames = { name: 'insert_audit', operation: 'author_operation' },
): DmlStatement {
  return {
    name,
    sql: `INSERT INTO ${names.audit} (${COLUMNS})
SELECT ${authorOf(operation)}, s.subject,
  JSON_ARRAYAGG(s.record_id ORDER BY s.order_seq RETURNING CLOB), COUNT(*), s.user_id, s.agent_id, s.thread_id
FROM (SELECT ${SUBJECT} AS subject, r.record_id, r.order_seq, r.thread_id,
    CASE r.record_family WHEN 'user_profile' THEN r.record_id ELSE r.user_id END AS user_id,
    CASE r.record_family WHEN 'agent_profile' THEN r.record_id ELSE r.agent_id END AS agent_id
  FROM ${names.record} r
  WHERE ${condition}) s
GROUP BY s.subject, s.user_id, s.agent_id, s.thread_id`,
  };
}

/**
 * True for records `r` whose family and id are those of an element of a JSON bind, `family` and `id` of each. Records of two
 * families can have one id.
 */
export function isOneOf(bind: string): string {
  return `(r.record_family, r.record_id) IN (SELECT i.record_family, i.record_id
      FROM JSON_TABLE(:${bind}, '$[*]' ERROR ON ERROR NULL ON EMPTY COLUMNS (
        record_family VARCHAR2(16 CHAR) PATH '$.family',
        record_id VARCHAR2(128 CHAR) PATH '$.id')) i)`;
}

/** True for records `r` of one family whose ids are members of a JSON bind, at this path of each of its elements. */
export function isAmong(family: RecordFamily, bind: string, path: string): string {
  return `r.record_family = '${family}' AND r.record_id IN (SELECT i.record_id
      FROM JSON_TABLE(:${bind}, '$[*]' ERROR ON ERROR NULL ON EMPTY COLUMNS (
        record_id VARCHAR2(128 CHAR) PATH '${path}')) i)`;
}

/** The same of the threads `t` of a condition. */
export function auditThreads(names: SchemaNames, condition: string): DmlStatement {
  return {
    name: 'insert_audit',
    sql: `INSERT INTO ${names.audit} (${COLUMNS})
SELECT ${AUTHOR}, 'thread', JSON_ARRAY(t.thread_id RETURNING CLOB), 1, t.user_id, t.agent_id, t.thread_id
FROM ${names.thread} t
WHERE ${condition}`,
  };
}

/** The same of the job `:job_id`, whose owners are those of its thread. */
export function auditJob(names: SchemaNames): DmlStatement {
  return {
    name: 'insert_audit',
    sql: `INSERT INTO ${names.audit} (${COLUMNS})
SELECT ${AUTHOR}, 'job', JSON_ARRAY(j.job_id RETURNING CLOB), 1, t.user_id, t.agent_id, t.thread_id
FROM ${names.job} j
  JOIN ${names.thread} t ON t.thread_id = j.thread_id
WHERE j.job_id = :job_id`,
  };
}

/** The removal of something with all that belongs to it: one row with a count. */
export interface Removal {
  readonly subject: 'thread' | 'user' | 'agent';
  /** Name of the bind that holds its id. */
  readonly bind: string;
  /** How many threads and records go, a SQL expression. */
  readonly total: string;
  /** Whose it is, SQL expressions. */
  readonly userId: string;
  readonly agentId: string;
  readonly threadId: string;
}

/** Records a removal before it happens; a removal of nothing leaves no row. */
export function auditRemoval(names: SchemaNames, removal: Removal): DmlStatement {
  const { subject, bind, total, userId, agentId, threadId } = removal;
  return {
    name: 'insert_audit',
    sql: `INSERT INTO ${names.audit} (${COLUMNS}, is_removal)
SELECT ${AUTHOR}, '${subject}', JSON_ARRAY(:${bind} RETURNING CLOB), s.subject_total,
  ${userId}, ${agentId}, ${threadId}, 1
FROM (SELECT ${total} AS subject_total FROM dual) s
WHERE s.subject_total > 0`,
  };
}
