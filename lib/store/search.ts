import { AgentMemoryError } from '../errors/agent-memory-error.ts';
import type { SchemaNames } from '../schema/schema-names.ts';
import { RECORD_TYPES, type RecordType } from '../schemas/record.ts';
import { type Bind, clob, number, text } from '../sql/bind.ts';
import type { CallOptions } from '../sql/sql-transport.ts';
import type { Query } from '../sql/statement.ts';
import type { SearchHit, StoreSearch } from './memory-store.ts';
import { compileMetadataFilter } from './metadata-filter.ts';
import { decodeRecord, RECORD_SHAPE, recordColumns } from './record-row.ts';
import { present } from './row-value.ts';
import { cutSql } from './search-cut.ts';
import { type ScopeSql, scopeSql } from './search-scope-sql.ts';
import { DEFAULT_BOOST_FACTOR, type StoreContext, type StoreSettings } from './store-context.ts';
import { textQuery } from './text-query.ts';
import { threadExists } from './threads.ts';
import { notExpired } from './timestamp-sql.ts';
import { vectorText } from './vector-text.ts';

const SHAPE = { ...RECORD_SHAPE, hit_rank: 'number', distance: 'number' } as const;

/** What rows are compared with: the distance of a chunk `c`, and which chunks have one. */
interface Comparison {
  readonly name: string;
  readonly distance: string;
  readonly condition: string;
  readonly binds: Readonly<Record<string, Bind>>;
}

/**
 * Ranks records in one statement: scope, types, expiry, status and metadata filter first, then the distance of each
 * record's nearest chunk with its boosts, then the cut.
 *
 * @returns undefined for an unknown thread; nothing when the query holds nothing to compare
 */
export async function search(
  context: StoreContext,
  request: StoreSearch,
  options?: CallOptions,
): Promise<readonly SearchHit[] | undefined> {
  const comparison = compare(request.query, context.settings);
  if (comparison === undefined || request.recordTypes.length === 0) {
    const { threadId } = request;
    return threadId === undefined || (await threadExists(context, threadId, options)) ? [] : undefined;
  }
  const query = searchQuery(context, request, comparison);
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
 * `vector`: the cosine distance. `keyword`: Oracle Text scores 1 to 100, larger is better; the distance
 * (101 − score) / 101 is between 0 and 1, smaller is better, and keeps the order.
 */
function compare(query: StoreSearch['query'], { dimensions }: StoreSettings): Comparison | undefined {
  if (query.strategy === 'keyword') {
    const words = textQuery(query.text);
    if (words === undefined) return undefined;
    return {
      name: 'records.search_by_keyword',
      distance: '(101 - SCORE(1)) / 101.0',
      condition: 'CONTAINS(c.chunk_text, :text_query, 1) > 0',
      binds: { text_query: clob(words) },
    };
  }
  const vector = vectorText(query.vector, dimensions);
  if (vector === undefined) return undefined;
  return {
    name: 'records.search_by_vector',
    distance: `VECTOR_DISTANCE(c.embedding, TO_VECTOR(:query_vector, ${dimensions}, FLOAT32), COSINE)`,
    condition: 'c.embedding IS NOT NULL',
    binds: { query_vector: clob(vector) },
  };
}

function searchQuery(
  { names, settings }: StoreContext,
  request: StoreSearch,
  comparison: Comparison,
): Query<typeof SHAPE> {
  const scope = scopeSql(names, request.scope);
  const types = typeCondition(request.recordTypes);
  const filter = filterCondition(names, request);
  const cut = cutSql(request);
  const conditions = [comparison.condition, ...scope.conditions, ...types.conditions, ...filter.conditions];
  return {
    name: comparison.name,
    sql: `WITH candidate AS (
  SELECT c.record_family, c.record_id, c.record_type,
    ${boosted(comparison.distance, scope)} AS distance
  FROM ${names.chunk} c
  WHERE c.status = 'active' AND ${notExpired('c')}
    AND ${conditions.join('\n    AND ')}),
nearest AS (
  SELECT d.record_family, d.record_id, d.record_type, MIN(d.distance) AS distance
  FROM candidate d
  GROUP BY d.record_family, d.record_id, d.record_type),
${cut.tables}
SELECT p.hit_rank AS hit_rank, p.distance AS distance,
  ${recordColumns('r')}
FROM ${source(names, request.threadId)}`,
    binds: {
      ...comparison.binds,
      ...scope.binds,
      ...types.binds,
      ...filter.binds,
      ...cut.binds,
      ...(scope.boosts.length === 0
        ? {}
        : { boost_factor: number(settings.boostFactor ?? DEFAULT_BOOST_FACTOR) }),
      ...threadBind(request, scope),
    },
    shape: SHAPE,
  };
}

/** Boosts come before the cut: each matching dimension makes the distance smaller by the same factor (D6). */
function boosted(distance: string, { boosts }: ScopeSql): string {
  return [distance, ...boosts.map((match) => `CASE WHEN ${match} THEN :boost_factor ELSE 1 END`)].join(
    '\n      * ',
  );
}

/** With a thread one row at least comes back, so that an unknown thread is not an empty result. */
function source(names: SchemaNames, threadId: string | undefined): string {
  const record = `${names.record} r ON r.record_family = p.record_family AND r.record_id = p.record_id`;
  if (threadId === undefined) return `picked p\n  JOIN ${record}`;
  return `${names.thread} t
  LEFT OUTER JOIN picked p ON 1 = 1
  LEFT OUTER JOIN ${record}
WHERE t.thread_id = :search_thread`;
}

function threadBind({ threadId }: StoreSearch, scope: ScopeSql): Readonly<Record<string, Bind>> {
  if (threadId !== undefined) return { search_thread: text(threadId) };
  if ([...scope.conditions, ...scope.boosts].some((condition) => condition.includes(':search_thread'))) {
    throw new AgentMemoryError('internal', 'a search scope of a thread needs the thread');
  }
  return {};
}

interface Conditions {
  readonly conditions: readonly string[];
  readonly binds: Readonly<Record<string, Bind>>;
}

/** The text depends on the number of types alone. */
function typeCondition(recordTypes: readonly RecordType[]): Conditions {
  const types = RECORD_TYPES.filter((type) => recordTypes.includes(type));
  if (types.length === RECORD_TYPES.length) return { conditions: [], binds: {} };
  const binds = Object.fromEntries(types.map((type, index) => [`type_${index + 1}`, text(type)]));
  const placeholders = Object.keys(binds).map((name) => `:${name}`);
  return { conditions: [`c.record_type IN (${placeholders.join(', ')})`], binds };
}

function filterCondition(names: SchemaNames, { metadataFilter }: StoreSearch): Conditions {
  if (metadataFilter === null || Object.keys(metadataFilter).length === 0)
    return { conditions: [], binds: {} };
  const filter = compileMetadataFilter(metadataFilter, 'm.metadata');
  const condition = `EXISTS (SELECT 1 FROM ${names.record} m
      WHERE m.record_family = c.record_family AND m.record_id = c.record_id AND ${filter.sql})`;
  return { conditions: [condition], binds: filter.binds };
}
