import { type Bind, number } from '../../sql/bind.ts';
import type { WordSql } from '../request-sql/request-sql.ts';
import type { StoreContext } from '../store-context.ts';
import { firstRecords } from './first-records.ts';
import {
  HYBRID_CONDITION,
  HYBRID_SCORES,
  INDEXED_HYBRID_CONDITION,
  indexedHybridScores,
  seenTable,
} from './hybrid-scores.ts';
import { KEYWORD_SCORES } from './keyword-scores.ts';
import type { QueryVectorSql } from './query-vector.ts';
import type { SearchComparison } from './search-comparison.ts';
import type { SearchConditions } from './search-conditions.ts';
import type { StoreSearch } from './store-search.ts';
import { spokenOn, surroundingTables } from './word-surroundings.ts';
import { ownTable, shareOf, sizeTable, weightTables } from './word-weights.ts';

/** How many records go on to the last ranking, at least. */
const CANDIDATES = 200;
/** Chunks that the vector index is asked for, for each candidate: a record may have several. */
const INDEX_ROWS_BY_CANDIDATE = 4;
/** Parts of the distance: the words at the record, the words of its conversation, the vector. */
const PARTS = { words: 1, conversation: 0.5, vector: 1 } as const;

export interface WordQuery {
  /** At least one. */
  readonly words: WordSql;
  /** Given: hybrid, words and vector. */
  readonly vector: QueryVectorSql | undefined;
  /** A hybrid search compares the vectors that the vector index finds, not those of all chunks. */
  readonly byIndex: boolean;
}

/** The part of a comparison that differs between its kinds. */
interface ScoredRecords {
  readonly name: string;
  /** Everything up to `scored`: records with their factor, the weights of their words and their vector's distance. */
  readonly tables: readonly string[];
  /** Which of them, `d`, are found. */
  readonly condition?: string;
  readonly binds: Readonly<Record<string, Bind>>;
}

/**
 * Words, and with a vector words and meaning, in one comparison (docs/search.md). Everything is counted within the rows that
 * the search may see, at the time of the query: how rare a word is, which messages stand beside a message, what else
 * was said in its thread that day.
 *
 * The text index answers only which chunks hold a word. Its score depends on every row of the table, other users' too,
 * and so does not compare from one scope to the next.
 */
export function compareByWords(
  context: StoreContext,
  request: StoreSearch,
  conditions: SearchConditions,
  { words, vector, byIndex }: WordQuery,
): SearchComparison {
  const candidates = Math.max(CANDIDATES, 2 * request.maxResults);
  const byType = Object.values(request.minimums).some((minimum) => minimum > 0);
  const scored =
    vector === undefined
      ? scoredByWords(context, conditions, words)
      : byIndex
        ? scoredByIndex(context, conditions, words, vector, candidates)
        : scoredByBoth(context, conditions, words, vector);
  return {
    name: scored.name,
    tables: [
      ...scored.tables,
      candidateTable(scored, vector !== undefined, byType),
      nearestTable(context, vector !== undefined),
    ].join(',\n'),
    binds: {
      ...words.binds,
      ...scored.binds,
      candidate_total: number(candidates),
    },
  };
}

/** Ranks the chunks that hold a word. */
function scoredByWords({ names }: StoreContext, conditions: SearchConditions, words: WordSql): ScoredRecords {
  return {
    name: 'records.search_by_keyword',
    tables: [
      sizeTable(names, conditions),
      words.heldTables(names, conditions, `, c.record_type, ${conditions.factor} AS factor`),
      weightTables(words),
      ownTable(['record_type', 'factor']),
      surroundingTables(names),
      KEYWORD_SCORES,
    ],
    binds: {},
  };
}

/** Ranks all chunks that the search may see. */
function scoredByBoth(
  context: StoreContext,
  conditions: SearchConditions,
  words: WordSql,
  vector: QueryVectorSql,
): ScoredRecords {
  const { names } = context;
  return {
    name: 'records.search_by_both',
    tables: [
      seenTable(context, conditions, vector),
      'scope_size AS (\n  SELECT COUNT(*) AS total\n  FROM seen)',
      words.heldTables(names, conditions, ''),
      weightTables(words),
      ownTable([]),
      surroundingTables(names),
      HYBRID_SCORES,
    ],
    condition: HYBRID_CONDITION,
    binds: vector.binds,
  };
}

/** Ranks the chunks that the vector index finds and those that hold a word. */
function scoredByIndex(
  context: StoreContext,
  conditions: SearchConditions,
  words: WordSql,
  vector: QueryVectorSql,
  candidates: number,
): ScoredRecords {
  const { names } = context;
  return {
    name: 'records.search_by_both_index',
    tables: [
      sizeTable(names, conditions),
      words.heldTables(names, conditions, ''),
      weightTables(words),
      ownTable([]),
      surroundingTables(names),
      indexedHybridScores(context, conditions, vector),
    ],
    condition: INDEXED_HYBRID_CONDITION,
    binds: { ...vector.binds, index_rows: number(INDEX_ROWS_BY_CANDIDATE * candidates) },
  };
}

/** The best by what is known before the conversation is. Most records hold no word, so what they lack is not divided. */
function candidateTable({ condition }: ScoredRecords, withVector: boolean, byType: boolean): string {
  const words = `${PARTS.words} * (1 - CASE WHEN d.weight > 0 THEN ${shareOf('d.weight')} ELSE 0 END)`;
  const vector = withVector ? ` + ${PARTS.vector} * COALESCE(d.vector_distance, 1)` : '';
  return firstRecords({
    columns: ['factor', ...(withVector ? ['vector_distance'] : []), 'weight', 'own_weight'],
    condition,
    distance: `d.factor * (${words}${vector})`,
    byType,
  });
}

/** A record that holds every word is at 1/101 instead of 0, so that a boost still tells it from another one. */
function nearestTable({ names }: StoreContext, withVector: boolean): string {
  const parts = [
    `${PARTS.words} * (1 - ${shareOf('k.weight')})`,
    `${PARTS.conversation} * (1 - ${shareOf('GREATEST(k.own_weight, COALESCE(d.weight, 0))')})`,
    ...(withVector ? [`${PARTS.vector} * COALESCE(k.vector_distance, 1)`] : []),
  ];
  const total = PARTS.words + PARTS.conversation + (withVector ? PARTS.vector : 0);
  return `nearest AS (
  SELECT k.record_family, k.record_id, k.record_type,
    k.factor * (1 + 100 * (${parts.join('\n      + ')}) / ${total}) / 101 AS distance
  FROM candidate k
  JOIN ${names.record} r ON r.record_family = k.record_family AND r.record_id = k.record_id
  LEFT OUTER JOIN conversation d
    ON r.message_seq IS NOT NULL AND d.thread_id = r.thread_id AND d.spoken_on = ${spokenOn('r')})`;
}
