import { type Binds, number, text } from '../../sql/bind.ts';
import type { CallOptions } from '../../sql/sql-transport.ts';
import type { Query } from '../../sql/statement.ts';
import { recordLimits } from '../caller-limits-sql.ts';
import { present } from '../row-value.ts';
import type { StoreContext } from '../store-context.ts';
import { notExpired } from '../timestamp-sql.ts';
import { compileMetadataFilter } from './metadata-filter.ts';
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
  const conditions = listConditions(list);
  const size = recordSize('r');
  return {
    name: 'records.list',
    sql: `WITH page AS (SELECT r.record_id, r.order_seq
  FROM ${names.record} r
  WHERE r.record_family = :record_family AND r.order_seq > :after_position AND ${notExpired('r')}${limits.sql}${conditions.sql}
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
      ...conditions.binds,
      ...limits.binds,
    },
    shape: SHAPE,
  };
}

/** A condition for each field that is given, and the metadata filter's. */
function listConditions(list: RecordList): { readonly sql: string; readonly binds: Binds } {
  const { metadataFilter } = list;
  const wanted = {
    user_id: list.userId,
    agent_id: list.agentId,
    thread_id: list.threadId,
    record_type: list.recordType,
    status: list.status,
  };
  const given = Object.entries(wanted).flatMap(([column, value]) =>
    value === undefined ? [] : [{ column, bind: `wanted_${column}`, value }],
  );
  const equal = given.map(({ column, bind, value }) =>
    value === null ? ` AND r.${column} IS NULL` : ` AND r.${column} = :${bind}`,
  );
  const bound = given.filter(({ value }) => value !== null);
  const filter = compileMetadataFilter(metadataFilter ?? {}, 'r.metadata');
  const isFiltered = Object.keys(metadataFilter ?? {}).length > 0;
  return {
    sql: equal.join('') + (isFiltered ? `\n    AND ${filter.sql}` : ''),
    binds: { ...Object.fromEntries(bound.map(({ bind, value }) => [bind, text(value)])), ...filter.binds },
  };
}
