import { AUDIT_SUBJECTS, type AuditEntry } from '../../schemas/audit.ts';
import { number, text } from '../../sql/bind.ts';
import type { CallOptions } from '../../sql/sql-transport.ts';
import type { Query, Row } from '../../sql/statement.ts';
import { statementFault } from '../../sql/statement-fault.ts';
import { threadLimits } from '../caller-limits-sql.ts';
import { requestSql } from '../request-sql/request-sql.ts';
import { oneOf, present } from '../row-value.ts';
import type { StoreContext } from '../store-context.ts';
import { timestampInput, timestampOutput, timestampText } from '../timestamp-sql.ts';

/** A page of the audit trail, newest first. */
export interface AuditList {
  readonly userId: string | undefined;
  /** ISO-8601 in UTC. */
  readonly since: string | undefined;
  /** Position of the last entry of the page before; undefined = from the newest. */
  readonly before: number | undefined;
  readonly limit: number;
}

export interface ListedAudit {
  readonly entries: readonly { readonly entry: AuditEntry; readonly position: number }[];
  /** Whether older entries follow. */
  readonly more: boolean;
}

const BEFORE_ALL = Number.MAX_SAFE_INTEGER;
const SINCE_ALL = '0001-01-01T00:00:00.000Z';
/** Characters of ids after which a page ends. */
const PAGE_CHARACTER_LIMIT = 4_000_000;

const SHAPE = {
  occurred_at: 'timestamp',
  operation_id: 'text',
  caller_id: 'text',
  request_id: 'text',
  subject: 'text',
  subject_ids: 'json',
  subject_total: 'number',
  audit_user_id: 'text',
  audit_agent_id: 'text',
  audit_thread_id: 'text',
  audit_position: 'number',
  page_total: 'number',
} as const;

/** Entries from the newest on. Less than the limit comes back, the first always, when the page would grow too large. */
export async function listAudit(
  context: StoreContext,
  list: AuditList,
  options?: CallOptions,
): Promise<ListedAudit> {
  const query = listQuery(context, list);
  const rows = await context.transport.query(query, options);
  return {
    entries: rows.map((row) => ({
      entry: decodeEntry(query.name, row),
      position: present(query.name, 'position', row.audit_position),
    })),
    more: rows.length < (rows[0]?.page_total ?? 0),
  };
}

/** A keyset page; one entry more is looked for, but not read, to see whether the list goes on. */
function listQuery(context: StoreContext, list: AuditList): Query<typeof SHAPE> {
  const { names, transport } = context;
  const limits = threadLimits(context, 'a');
  const { conditions, binds } = requestSql(transport).optional({
    column: 'a.user_id',
    operator: '=',
    bind: 'user_id',
    value: list.userId,
  });
  const size = 'LENGTH(a.subject_ids)';
  return {
    name: 'audit.list',
    sql: `WITH page AS (SELECT a.order_seq
  FROM ${names.audit} a
  WHERE ${['a.order_seq < :before', `a.occurred_at >= ${timestampInput(':since')}`, ...conditions].join('\n    AND ')}${limits.sql}
  ORDER BY a.order_seq DESC
  FETCH FIRST :page_rows ROWS ONLY),
measured AS (SELECT p.order_seq, ROW_NUMBER() OVER (ORDER BY p.order_seq DESC) AS newest_rank,
    SUM(${size}) OVER (ORDER BY p.order_seq DESC) - ${size} AS size_before
  FROM page p
    JOIN ${names.audit} a ON a.order_seq = p.order_seq)
SELECT ${timestampOutput('a.occurred_at')} AS occurred_at, a.operation_id AS operation_id, a.caller_id AS caller_id,
  a.request_id AS request_id, a.subject AS subject, a.subject_ids AS subject_ids, a.subject_total AS subject_total,
  a.user_id AS audit_user_id, a.agent_id AS audit_agent_id, a.thread_id AS audit_thread_id,
  a.order_seq AS audit_position, (SELECT COUNT(*) FROM page) AS page_total
FROM measured m
  JOIN ${names.audit} a ON a.order_seq = m.order_seq
WHERE m.newest_rank <= :row_limit AND m.size_before < :character_limit
ORDER BY a.order_seq DESC`,
    binds: {
      before: number(list.before ?? BEFORE_ALL),
      since: text(timestampText(list.since ?? SINCE_ALL)),
      page_rows: number(list.limit + 1),
      row_limit: number(list.limit),
      character_limit: number(PAGE_CHARACTER_LIMIT),
      ...binds,
      ...limits.binds,
    },
    shape: SHAPE,
  };
}

function decodeEntry(statement: string, row: Row<typeof SHAPE>): AuditEntry {
  return {
    occurredAt: present(statement, 'occurred_at', row.occurred_at),
    operation: present(statement, 'operation_id', row.operation_id),
    callerId: present(statement, 'caller_id', row.caller_id),
    requestId: row.request_id,
    subject: oneOf(statement, 'subject', AUDIT_SUBJECTS, row.subject),
    ids: decodeIds(statement, row.subject_ids),
    total: present(statement, 'subject_total', row.subject_total),
    userId: row.audit_user_id,
    agentId: row.audit_agent_id,
    threadId: row.audit_thread_id,
  };
}

function decodeIds(statement: string, value: unknown): string[] {
  const ids: readonly unknown[] = Array.isArray(value) ? value : [];
  const texts = ids.filter((id) => typeof id === 'string');
  if (texts.length === 0) throw statementFault(statement, 'column subject_ids holds no ids');
  return texts;
}
