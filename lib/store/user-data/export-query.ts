import { isLimited } from '../../schemas/caller-limits.ts';
import { type Binds, number, text } from '../../sql/bind.ts';
import type { Query, ResultShape } from '../../sql/statement.ts';
import { recordLimits, threadLimits } from '../caller-limits-sql.ts';
import type { StoreContext } from '../store-context.ts';
import type { UserDataRequest } from './user-data.ts';

/** Rows and characters after which a page of an export ends. */
const PAGE_ROWS = 1_000;
const PAGE_CHARACTER_LIMIT = 4_000_000;

/** Columns that every page has: where its rows are, and how many were found. */
export const POSITION_SHAPE = {
  after_position: 'number',
  after_number: 'number',
  page_total: 'number',
} as const;

/** Rows of a part of an export. */
export interface ExportSource<Shape extends ResultShape> {
  readonly name: string;
  /** Tables with the rows `x`, and what joins them. */
  readonly from: string;
  /** The table of the rows `x` and the columns that tell them apart. */
  readonly table: string;
  readonly key: readonly string[];
  /** Expressions of a row's place: numbers, unique together. */
  readonly position: readonly [string, string];
  readonly condition: string;
  /** Characters of a row, an expression on `x`. */
  readonly size: string;
  /** The select list on `x`, with its aliases. */
  readonly columns: string;
  readonly shape: Shape;
  readonly binds: Binds;
}

/** A keyset page: places and sizes first, texts for the page alone; its first row always, whatever its size. */
export function exportQuery<Shape extends ResultShape>(
  source: ExportSource<Shape>,
  { userId, after, number: afterNumber }: UserDataRequest,
): Query<Shape & typeof POSITION_SHAPE> {
  const { from, table, key, size, columns } = source;
  const [place, within] = source.position;
  const isRow = (alias: string) => key.map((column) => `x.${column} = ${alias}.${column}`).join(' AND ');
  return {
    name: source.name,
    sql: `WITH page AS (SELECT ${key.map((column) => `x.${column}`).join(', ')}, ${place} AS row_place, ${within} AS row_within
  FROM ${from}
  WHERE (${place} > :after OR (${place} = :after AND ${within} > :after_number))
    AND ${source.condition}
  ORDER BY row_place, row_within
  FETCH FIRST :page_rows ROWS ONLY),
measured AS (SELECT ${key.map((column) => `p.${column}`).join(', ')}, p.row_place, p.row_within,
    SUM(${size}) OVER (ORDER BY p.row_place, p.row_within) - ${size} AS size_before
  FROM page p
    JOIN ${table} x ON ${isRow('p')})
SELECT ${columns},
  m.row_place AS after_position, m.row_within AS after_number, (SELECT COUNT(*) FROM page) AS page_total
FROM measured m
  JOIN ${table} x ON ${isRow('m')}
WHERE m.size_before < :character_limit
ORDER BY m.row_place, m.row_within`,
    binds: {
      user_id: text(userId),
      after: number(after),
      after_number: number(afterNumber),
      page_rows: number(PAGE_ROWS),
      character_limit: number(PAGE_CHARACTER_LIMIT),
      ...source.binds,
    },
    shape: { ...source.shape, ...POSITION_SHAPE },
  };
}

/** True for threads `alias` of the user `:user_id` that the caller may see. */
export function userThreads(context: StoreContext, alias: string) {
  const limits = threadLimits(context, alias);
  return { sql: `${alias}.user_id = :user_id${limits.sql}`, binds: limits.binds };
}

/**
 * True for what is the user's in a table of records: their records, those in their threads, their profile. What a cascade
 * would delete, without what has expired.
 */
export function userRecords(context: StoreContext, alias: string) {
  const threads = userThreads(context, 't');
  const limits = recordLimits(context, alias);
  const ofUser = `(${alias}.user_id = :user_id
      OR ${alias}.thread_id IN (SELECT t.thread_id FROM ${context.names.thread} t WHERE ${threads.sql})
      OR (${alias}.record_family = 'user_profile' AND ${alias}.record_id = :user_id))`;
  return {
    sql: `${alias}.record_family <> 'agent_profile' AND ${ofUser}${limits.sql}`,
    binds: isLimited(context.limits ?? {}) ? { ...threads.binds, ...limits.binds } : {},
  };
}
