import { RECORD_TYPES, type RecordType } from '../../schemas/record.ts';
import { type Bind, clob, number, text } from '../../sql/bind.ts';
import { changedFields } from '../records/changed-fields.ts';
import { compileMetadataFilter } from '../records/metadata-filter.ts';
import { varyingScope } from '../search/search-scope-sql.ts';
import type { StoreSearch } from '../search/store-search.ts';
import type { HitSource, MinimumSql, OptionalComparison, RequestSql, WordSql } from './request-sql.ts';
import { NO_CONDITIONS, type SqlConditions } from './sql-conditions.ts';

/** Texts that say what is asked for and nothing else. */
export const VARYING_TEXTS: RequestSql = {
  scope: varyingScope,
  recordTypes: typeCondition,
  metadataFilter(_names, column, filter) {
    if (Object.keys(filter ?? {}).length === 0) return NO_CONDITIONS;
    const { sql, binds } = compileMetadataFilter(filter ?? {}, column);
    return { conditions: [sql], binds };
  },
  optional: comparison,
  words: wordBranches,
  minimums: (minimums) => minimumConditions(withMinimum(minimums), minimums),
  hitSource(names, threadId, limits): HitSource {
    const record = `${names.record} r ON r.record_family = f.record_family AND r.record_id = f.record_id`;
    if (threadId === undefined) return { sql: `fitting f\n  JOIN ${record}`, binds: {} };
    return {
      sql: `${names.thread} t
  LEFT OUTER JOIN fitting f ON 1 = 1
  LEFT OUTER JOIN ${record}
WHERE t.thread_id = :search_thread${limits.sql}`,
      binds: { search_thread: text(threadId), ...limits.binds },
    };
  },
  changedFields,
};

/** The text depends on the number of types alone. */
function typeCondition(column: string, recordTypes: readonly string[]): SqlConditions {
  const types = RECORD_TYPES.filter((type) => recordTypes.includes(type));
  if (types.length === RECORD_TYPES.length) return NO_CONDITIONS;
  const binds = Object.fromEntries(types.map((type, index) => [`type_${index + 1}`, text(type)]));
  const placeholders = Object.keys(binds).map((name) => `:${name}`);
  return { conditions: [`${column} IN (${placeholders.join(', ')})`], binds };
}

function comparison({ column, operator, bind, value }: OptionalComparison): SqlConditions {
  if (value === undefined) return NO_CONDITIONS;
  return { conditions: [`${column} ${operator} :${bind}`], binds: { [bind]: text(value) } };
}

/** Types of which there is to be a minimum. */
export function withMinimum(minimums: StoreSearch['minimums']): readonly RecordType[] {
  return RECORD_TYPES.filter((type) => (minimums[type] ?? 0) > 0);
}

/** A condition for each of the types, of those without a minimum one that nothing meets. */
export function minimumConditions(
  types: readonly RecordType[],
  minimums: StoreSearch['minimums'],
): MinimumSql {
  const binds: Record<string, Bind> = {};
  const conditions = types.map((type, index) => {
    binds[`minimum_type_${index + 1}`] = text(type);
    binds[`minimum_${index + 1}`] = number(minimums[type] ?? 0);
    return `k.record_type = :minimum_type_${index + 1} AND k.type_rank <= :minimum_${index + 1}`;
  });
  return { conditions, binds };
}

/** A branch for each word. */
function wordBranches(words: readonly string[]): WordSql {
  return {
    total: String(words.length),
    binds: Object.fromEntries(words.map((word, index) => [`word_${index + 1}`, clob(word)])),
    heldTables(names, conditions, columns) {
      const branches = words.map(
        (_word, index) => `SELECT ${index + 1} AS word_no, c.record_family, c.record_id, c.chunk_no${columns}
  FROM ${names.chunk} c
  WHERE ${hasWord(index + 1)}
    AND ${conditions.all}`,
      );
      return `held AS (\n  ${branches.join('\n  UNION ALL\n  ')})`;
    },
  };
}

/** True for a chunk `c` that has the word `:word_…` of this place, which is the label of CONTAINS. */
export function hasWord(place: number): string {
  return `CONTAINS(c.chunk_text, :word_${place}, ${place}) > 0`;
}
