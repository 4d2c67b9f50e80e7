import { RECORD_TYPES } from '../../schemas/record.ts';
import { clob, flag, json, number, text } from '../../sql/bind.ts';
import { statementFault } from '../../sql/statement-fault.ts';
import { fixedChangedFields } from '../records/fixed-changed-fields.ts';
import { compileMetadataFilter } from '../records/metadata-filter.ts';
import { fixedScope } from '../search/fixed-scope-sql.ts';
import { WORD_LIMIT } from '../search/query-words.ts';
import type { HitSource, OptionalComparison, RequestSql, WordSql } from './request-sql.ts';
import { NO_CONDITIONS, type SqlConditions } from './sql-conditions.ts';
import { hasWord, minimumConditions, withMinimum } from './varying-texts.ts';

/** For how many words there are texts: a query takes the first that is enough. */
export const WORD_TIERS = [6, 12, WORD_LIMIT] as const;

/** Few texts, the same for many requests. What a request does not ask for is switched off by a bind. */
export const FIXED_TEXTS: RequestSql = {
  scope: fixedScope,
  recordTypes: typeCondition,
  metadataFilter(names, column, filter) {
    if (Object.keys(filter ?? {}).length === 0) return NO_CONDITIONS;
    // For its checks alone: what they refuse is the same in both ways.
    compileMetadataFilter(filter ?? {}, column);
    return {
      conditions: [`${names.filterFunction}(${column}, :metadata_filter) = 1`],
      binds: { metadata_filter: json(filter) },
    };
  },
  optional: comparison,
  words: wordTier,
  minimums: (minimums) => minimumConditions(withMinimum(minimums).length === 0 ? [] : RECORD_TYPES, minimums),
  hitSource(names, threadId, limits): HitSource {
    return {
      sql: `dual e
  LEFT OUTER JOIN fitting f ON 1 = 1
  LEFT OUTER JOIN ${names.record} r ON r.record_family = f.record_family AND r.record_id = f.record_id
WHERE :search_thread IS NULL
  OR EXISTS (SELECT 1 FROM ${names.thread} t WHERE t.thread_id = :search_thread${limits.sql})`,
      binds: { search_thread: text(threadId ?? null), ...limits.binds },
    };
  },
  changedFields: fixedChangedFields,
};

/** As many places as there are types; those that are left over repeat the first one. */
function typeCondition(column: string, recordTypes: readonly string[]): SqlConditions {
  const types = RECORD_TYPES.filter((type) => recordTypes.includes(type));
  const names = RECORD_TYPES.map((_type, index) => `type_${index + 1}`);
  const binds = names.map((name, index) => [name, text(types[index] ?? types[0] ?? null)] as const);
  return {
    conditions: [`${column} IN (${names.map((name) => `:${name}`).join(', ')})`],
    binds: Object.fromEntries(binds),
  };
}

/** A flag tells whether it is asked for: to Oracle an empty text is NULL too. */
function comparison({ column, operator, bind, value }: OptionalComparison): SqlConditions {
  return {
    conditions: [`(:asks_${bind} = 0 OR ${column} ${operator} :${bind})`],
    binds: { [`asks_${bind}`]: flag(value !== undefined), [bind]: text(value ?? null) },
  };
}

/**
 * Branches beyond the words of the query are not run: a condition without columns is decided first, for the whole branch.
 * They have a word all the same, because an empty Oracle Text query is an error (DRG-50901). The long conditions stand once,
 * behind the branches.
 */
function wordTier(words: readonly string[]): WordSql {
  const size = WORD_TIERS.find((tier) => tier >= words.length);
  if (size === undefined) throw statementFault('records.search', `there are ${words.length} words`);
  const places = Array.from({ length: size }, (_, index) => index + 1);
  const bound = places.map((place) => [`word_${place}`, clob(words[place - 1] ?? words[0] ?? null)] as const);
  return {
    total: ':word_total',
    binds: { ...Object.fromEntries(bound), word_total: number(words.length) },
    heldTables(names, { indexed, all }, columns) {
      const branches = places.map(
        (place) => `SELECT ${place} AS word_no, c.record_family, c.record_id, c.chunk_no
  FROM ${names.chunk} c
  WHERE :word_total >= ${place} AND ${hasWord(place)} AND ${indexed}`,
      );
      return `word_place AS (
  ${branches.join('\n  UNION ALL\n  ')}),
held AS (
  SELECT x.word_no, c.record_family, c.record_id, c.chunk_no${columns}
  FROM word_place x
    JOIN ${names.chunk} c
      ON c.record_family = x.record_family AND c.record_id = x.record_id AND c.chunk_no = x.chunk_no
  WHERE ${all})`;
    },
  };
}
