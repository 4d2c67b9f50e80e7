import type { MemoryForm } from '../../schemas/memory-history.ts';
import { number, text } from '../../sql/bind.ts';
import type { CallOptions } from '../../sql/sql-transport.ts';
import type { Query } from '../../sql/statement.ts';
import { recordLimits } from '../caller-limits-sql.ts';
import { recordSize } from '../records/record-row.ts';
import { present } from '../row-value.ts';
import type { StoreContext } from '../store-context.ts';
import { notExpired } from '../timestamp-sql.ts';
import { decodeForm, FORM_SHAPE, formColumns } from './memory-form-row.ts';

/** A page of the earlier forms of a memory, newest first. */
export interface HistoryList {
  readonly memoryId: string;
  /** Position of the last form of the page before; undefined = from the newest. */
  readonly before: number | undefined;
  readonly limit: number;
}

export interface ListedHistory {
  readonly forms: readonly { readonly form: MemoryForm; readonly position: number }[];
  /** Whether older forms follow. */
  readonly more: boolean;
}

const BEFORE_ALL = Number.MAX_SAFE_INTEGER;
/** Characters of content and metadata after which a page ends. */
const PAGE_CHARACTER_LIMIT = 4_000_000;

const SHAPE = { ...FORM_SHAPE, form_position: 'number', page_total: 'number' } as const;

/**
 * Earlier forms of a memory that is visible now; undefined when there is none. Less than the limit comes back, the first
 * always, when the page would grow too large.
 */
export async function listHistory(
  context: StoreContext,
  list: HistoryList,
  options?: CallOptions,
): Promise<ListedHistory | undefined> {
  const query = listQuery(context, list);
  const rows = await context.transport.query(query, options);
  const [first] = rows;
  if (first === undefined) return undefined;
  const found = rows.filter((row) => row.form_position !== null);
  return {
    forms: found.map((row) => ({
      form: decodeForm(query.name, row),
      position: present(query.name, 'position', row.form_position),
    })),
    more: found.length < present(query.name, 'page_total', first.page_total),
  };
}

/** A keyset page beside the memory: an unknown one has no row, one that never changed a row without a form. */
function listQuery(context: StoreContext, list: HistoryList): Query<typeof SHAPE> {
  const { names } = context;
  const limits = recordLimits(context, 'r', 'memory');
  const size = recordSize('h');
  return {
    name: 'history.list',
    sql: `WITH page AS (SELECT h.order_seq
  FROM ${names.history} h
  WHERE h.record_family = 'memory' AND h.record_id = :record_id AND h.order_seq < :before
  ORDER BY h.order_seq DESC
  FETCH FIRST :page_rows ROWS ONLY),
measured AS (SELECT p.order_seq, ROW_NUMBER() OVER (ORDER BY p.order_seq DESC) AS newest_rank,
    SUM(${size}) OVER (ORDER BY p.order_seq DESC) - ${size} AS size_before
  FROM page p
    JOIN ${names.history} h ON h.order_seq = p.order_seq)
SELECT ${formColumns('f')},
  f.order_seq AS form_position, (SELECT COUNT(*) FROM page) AS page_total
FROM ${names.record} r
  LEFT OUTER JOIN measured m ON m.newest_rank <= :row_limit AND m.size_before < :character_limit
  LEFT OUTER JOIN ${names.history} f ON f.order_seq = m.order_seq
WHERE r.record_family = 'memory' AND r.record_id = :record_id AND ${notExpired('r')}${limits.sql}
ORDER BY f.order_seq DESC`,
    binds: {
      record_id: text(list.memoryId),
      before: number(list.before ?? BEFORE_ALL),
      page_rows: number(list.limit + 1),
      row_limit: number(list.limit),
      character_limit: number(PAGE_CHARACTER_LIMIT),
      ...limits.binds,
    },
    shape: SHAPE,
  };
}
