import { number, text } from '../../sql/bind.ts';
import type { CallOptions } from '../../sql/sql-transport.ts';
import type { Query } from '../../sql/statement.ts';
import { recordLimits } from '../caller-limits-sql.ts';
import { requestSql } from '../request-sql/request-sql.ts';
import { allOf, type SqlConditions } from '../request-sql/sql-conditions.ts';
import { present } from '../row-value.ts';
import type { ScopeDimension } from '../search/store-search.ts';
import type { StoreContext } from '../store-context.ts';
import { notExpired } from '../timestamp-sql.ts';
import { decodeRecord, RECORD_SHAPE, recordColumns, recordSize } from './record-row.ts';
import type { RecordList, RecordPage } from './stored-record.ts';

/** Characters of content and metadata after which a page ends: 1,000 long memories must not become one answer. */
const PAGE_CHARACTER_LIMIT = 4_000_000;

const SHAPE = { ...RECORD_SHAPE, record_position: 'number', found_rows: 'number' } as const;

/** A page of visible records in the order of insertion. Its first record is always in it, whatever its size. */
export async function listRecords(
  context: StoreContext,
  list: RecordList,
  options?: CallOptions,
): Promise<RecordPage> {
  const query = listQuery(context, list);
  const rows = await context.transport.query(query, options);
  const records = rows.slice(0, list.limit).map((row) => ({
    record: decodeRecord(query.name, row),
    position: present(query.name, 'position', row.record_position),
  }));
  return { records, more: records.length < (rows[0]?.found_rows ?? 0) };
}

/**
 * A keyset page: what is inserted or deleted meanwhile shifts nothing. Positions come first, one more than the page
 * holds to tell whether another follows; texts are read for the page alone.
 */
function listQuery(context: StoreContext, list: RecordList): Query<typeof SHAPE> {
  const { names, transport } = context;
  const limits = recordLimits(context, 'r', list.family);
  const { conditions, binds } = listConditions(context, list);
  const size = recordSize('r');
  return {
    name: 'records.list',
    sql: `WITH page AS (SELECT r.record_id, r.order_seq
  FROM ${names.record} r
  WHERE r.record_family = :record_family AND r.order_seq > :after_position
    AND ${[notExpired('r'), ...conditions].join('\n    AND ')}${limits.sql}
  ORDER BY r.order_seq
  FETCH FIRST :page_rows ROWS ONLY),
measured AS (SELECT p.record_id, p.order_seq, COUNT(*) OVER (PARTITION BY r.record_family) AS found_rows,
    SUM(${size}) OVER (ORDER BY p.order_seq) - ${size} AS size_before
  FROM page p
    JOIN ${names.record} r ON r.record_family = :record_family AND r.record_id = p.record_id)
SELECT ${recordColumns('r')},
  m.order_seq AS record_position, m.found_rows AS found_rows
FROM measured m
  JOIN ${names.record} r ON r.record_family = :record_family AND r.record_id = m.record_id
WHERE m.size_before < :character_limit
ORDER BY m.order_seq`,
    binds: {
      record_family: text(list.family),
      after_position: number(list.after ?? 0),
      page_rows: number(Math.min(list.limit + 1, transport.capabilities.maxRows)),
      character_limit: number(PAGE_CHARACTER_LIMIT),
      ...binds,
      ...limits.binds,
    },
    shape: SHAPE,
  };
}

/** What is asked for, and the metadata filter. */
function listConditions({ names, transport }: StoreContext, list: RecordList): SqlConditions {
  const texts = requestSql(transport);
  const scope = {
    user: exactly(list.userId),
    agent: exactly(list.agentId),
    thread: exactly(list.threadId),
  };
  const equal = (column: string, bind: string, value: string | undefined) =>
    texts.optional({ column: `r.${column}`, operator: '=', bind, value });
  return allOf(
    texts.scope(names, { scope, threadId: undefined, alias: 'r' }),
    equal('record_type', 'wanted_record_type', list.recordType),
    equal('status', 'wanted_status', list.status),
    texts.metadataFilter(names, 'r.metadata', list.metadataFilter),
  );
}

function exactly(id: string | null | undefined): ScopeDimension {
  return id === undefined ? { kind: 'unfiltered' } : { kind: 'exact', value: id };
}
