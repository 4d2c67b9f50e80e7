import type { SchemaNames } from '../../schema/schema-names.ts';
import { number } from '../../sql/bind.ts';
import type { CallOptions } from '../../sql/sql-transport.ts';
import type { Query } from '../../sql/statement.ts';
import { threadLimits } from '../caller-limits-sql.ts';
import { decodeRecord, RECORD_SHAPE, recordColumns, recordSize } from '../records/record-row.ts';
import { type RequestSql, requestSql } from '../request-sql/request-sql.ts';
import { VARYING_TEXTS } from '../request-sql/varying-texts.ts';
import { present } from '../row-value.ts';
import type { StoreContext } from '../store-context.ts';
import { threadExists } from '../threads/threads.ts';
import { queryVectorSql } from './query-vector.ts';
import { type QueryWords, queryWords } from './query-words.ts';
import { compareByVector, compareByVectorIndex } from './search-by-vector.ts';
import { compareByWords } from './search-by-words.ts';
import type { SearchComparison } from './search-comparison.ts';
import { type SearchConditions, searchConditions } from './search-conditions.ts';
import { cutSql } from './search-cut.ts';
import type { SearchHit, StoreSearch } from './store-search.ts';
import { mayUseVectorIndex } from './vector-index-candidates.ts';

/** A search up to its hits. */
export type SearchTables = Omit<Query<Record<string, never>>, 'shape'>;

/** Characters of content and metadata after which the hits end: 1,000 long records must not become one answer. */
const HIT_CHARACTER_LIMIT = 4_000_000;

const NO_WORDS: QueryWords = { telling: [], all: [] };
const SHAPE = { ...RECORD_SHAPE, hit_rank: 'number', distance: 'number' } as const;

/**
 * Ranks records in one statement: scope, types, expiry, status and metadata filter first, then the distance of each
 * record with its boosts, then the cut. A search that asks the vector index is made again without it when fewer records
 * come out than were asked for: two round trips.
 *
 * @returns undefined for an unknown thread; nothing when the query holds nothing to compare
 */
export async function search(
  storeContext: StoreContext,
  request: StoreSearch,
  options?: CallOptions,
): Promise<readonly SearchHit[] | undefined> {
  const context = contextOf(storeContext, request);
  if (mayUseVectorIndex(context, request)) {
    const byIndex = searchQuery(context, request, true);
    const hits =
      byIndex !== undefined && 'index_rows' in byIndex.binds
        ? await runSearch(context, request, byIndex, options)
        : undefined;
    if (hits?.length === request.maxResults) return hits;
  }
  const query = searchQuery(context, request, false);
  if (query !== undefined) return runSearch(context, request, query, options);
  const { threadId } = request;
  return threadId === undefined || (await threadExists(context, threadId, options)) ? [] : undefined;
}

function contextOf(context: StoreContext, { isOfService = false }: StoreSearch): StoreContext {
  return isOfService ? { ...context, limits: undefined } : context;
}

async function runSearch(
  context: StoreContext,
  request: StoreSearch,
  query: Query<typeof SHAPE>,
  options: CallOptions | undefined,
): Promise<readonly SearchHit[] | undefined> {
  const rows = await context.transport.query(query, options);
  if (request.threadId !== undefined && rows.length === 0) return undefined;
  return rows
    .filter((row) => row.hit_rank !== null)
    .sort((one, other) => (one.hit_rank ?? 0) - (other.hit_rank ?? 0))
    .map((row) => ({
      record: decodeRecord(query.name, row),
      distance: Math.max(0, present(query.name, 'distance', row.distance)),
    }));
}

/**
 * What the strategy compares (docs/search.md). A hybrid query without a word that tells texts apart, or whose vector has no
 * direction, is compared by the half that it has.
 */
function compare(
  context: StoreContext,
  request: StoreSearch,
  conditions: SearchConditions,
  byIndex: boolean,
): SearchComparison | undefined {
  const { query, maxResults } = request;
  const vector = query.strategy === 'keyword' ? undefined : queryVectorSql(context, query.vector);
  const { telling, all } = query.strategy === 'vector' ? NO_WORDS : queryWords(query.text);
  const words = telling.length === 0 && vector === undefined ? all : telling;
  if (words.length > 0) {
    const branches = requestSql(context.transport).words(words);
    return compareByWords(context, request, conditions, { words: branches, vector, byIndex });
  }
  if (vector === undefined) return undefined;
  return byIndex
    ? compareByVectorIndex(context, conditions, vector, maxResults)
    : compareByVector(context, conditions, vector);
}

/**
 * The tables of a search, which end in `fitting` (record_family, record_id, distance, hit_rank): the nearest hit in any case,
 * the others as long as their texts are not too much for one read. Exact unless `byIndex`.
 *
 * @returns undefined when there is nothing to compare or nothing to look in
 */
export function searchTables(
  storeContext: StoreContext,
  request: StoreSearch,
  byIndex = false,
): SearchTables | undefined {
  const context = contextOf(storeContext, request);
  if (request.recordTypes.length === 0) return undefined;
  const texts = textsOf(context, byIndex);
  const conditions = searchConditions(context, texts, request);
  const comparison = compare(context, request, conditions, byIndex);
  if (comparison === undefined) return undefined;
  const cut = cutSql(texts.minimums(request.minimums), request.maxResults);
  return {
    name: comparison.name,
    sql: `${comparison.tables},\n${cut.tables},\n${fittingTables(context.names)}`,
    binds: {
      ...comparison.binds,
      ...conditions.binds,
      ...cut.binds,
      hit_character_limit: number(HIT_CHARACTER_LIMIT),
    },
  };
}

/** Nothing narrows a search that asks the vector index, and nothing may stand in its way: its text is short and always the same. */
function textsOf({ transport }: StoreContext, byIndex: boolean): RequestSql {
  return byIndex ? VARYING_TEXTS : requestSql(transport);
}

function fittingTables(names: SchemaNames): string {
  const size = recordSize('z');
  return `sized AS (
  SELECT p.record_family, p.record_id, p.distance, p.hit_rank,
    SUM(${size}) OVER (ORDER BY p.hit_rank) - ${size} AS size_before
  FROM picked p
    JOIN ${names.record} z ON z.record_family = p.record_family AND z.record_id = p.record_id),
fitting AS (
  SELECT i.record_family, i.record_id, i.distance, i.hit_rank
  FROM sized i
  WHERE i.size_before < :hit_character_limit)`;
}

function searchQuery(
  context: StoreContext,
  request: StoreSearch,
  byIndex: boolean,
): Query<typeof SHAPE> | undefined {
  const tables = searchTables(context, request, byIndex);
  if (tables === undefined) return undefined;
  const source = textsOf(context, byIndex).hitSource(
    context.names,
    request.threadId,
    threadLimits(context, 't'),
  );
  return {
    name: tables.name,
    sql: `WITH ${tables.sql}
SELECT f.hit_rank AS hit_rank, f.distance AS distance,
  ${recordColumns('r')}
FROM ${source.sql}`,
    binds: { ...tables.binds, ...source.binds },
    shape: SHAPE,
  };
}
