import type { Merge } from '../sql/dml-syntax.ts';
import { OracleError } from '../sql/oracle-error.ts';
import type { Identifier } from '../sql/syntax-tree.ts';
import { translateConditionValue } from './condition.ts';
import { setList, type TranslatedAssignment, translateAssignments } from './dml.ts';
import { translateReference } from './from.ts';
import { quoteName } from './names.ts';
import { namesIn } from './names-in.ts';
import type { Environment, Source, StatementState } from './scope.ts';
import {
  checkCount,
  checkDuplicates,
  emptyEnvironment,
  insertedValue,
  resolveTarget,
  rowEnvironment,
  type Target,
  targetColumn,
} from './target.ts';
import type { Translation } from './translation.ts';
import type { Value } from './value.ts';

/** MERGE. ORA-38104: a column of the ON clause is updated. */
export function translateMerge(merge: Merge, state: StatementState): Translation {
  const target = resolveTarget(merge.target, state);
  const source = translateReference(merge.source, emptyEnvironment(state), []);
  const both = rowEnvironment(state, [target.source, ...source.sources]);
  const on = translateConditionValue(merge.on, both);
  const clauses = [
    ...updateClauses(merge, target, source.sources, both),
    ...insertClause(merge, target, rowEnvironment(state, source.sources)),
  ];
  const sql = `MERGE INTO ${target.sql} USING ${source.sql} ON ${on} ${clauses.join(' ')}`;
  return {
    kind: 'dml',
    verb: 'MERGE',
    steps: [{ sql, parameters: state.parameters }],
    textsToEmbed: state.textsToEmbed,
    columns: [],
    into: [],
    changes: [],
  };
}

/** The rows that DELETE WHERE takes (judged by their new values), then those that are only updated. */
function updateClauses(
  merge: Merge,
  target: Target,
  sources: readonly Source[],
  both: Environment,
): readonly string[] {
  const { update } = merge;
  if (update === undefined) {
    return [];
  }
  const set = translateAssignments(update.assignments, target, both, merge.offset);
  checkOnColumns(merge, target, set);
  const where = update.where === undefined ? '' : ` AND ${translateConditionValue(update.where, both)}`;
  const clauses = [`WHEN MATCHED${where} THEN UPDATE SET ${setList(set, target, both.state)}`];
  if (update.deleteWhere !== undefined) {
    const updated: Source = { ...target.source, overrides: newValues(set, merge.offset) };
    const condition = translateConditionValue(
      update.deleteWhere,
      rowEnvironment(both.state, [updated, ...sources]),
    );
    clauses.unshift(`WHEN MATCHED${where} AND ${condition} THEN DELETE`);
  }
  return clauses;
}

function newValues(set: readonly TranslatedAssignment[], offset: number): ReadonlyMap<string, Value> {
  return new Map(
    set.map(({ columns, value }) => {
      const [column] = columns;
      if (column === undefined || columns.length > 1 || value === 'DEFAULT') {
        throw new OracleError(3001, 'unimplemented feature: DELETE WHERE with this SET clause', { offset });
      }
      return [column.name, { sql: value, type: column.type }];
    }),
  );
}

function checkOnColumns(merge: Merge, target: Target, set: readonly TranslatedAssignment[]): void {
  const used = new Set(namesIn(merge.on).flatMap((path) => onColumn(path, target)));
  const column = set.flatMap(({ columns }) => columns).find(({ name }) => used.has(name));
  if (column !== undefined) {
    throw new OracleError(
      38104,
      `Columns referenced in the ON Clause cannot be updated: "${target.source.alias}"."${column.name}"`,
      {
        offset: merge.offset,
      },
    );
  }
}

function onColumn(path: readonly Identifier[], target: Target): readonly string[] {
  const [first, second] = path;
  if (second !== undefined) {
    return first?.name === target.source.alias ? [second.name] : [];
  }
  return first !== undefined && target.definition.columns.some((column) => column.name === first.name)
    ? [first.name]
    : [];
}

function insertClause(merge: Merge, target: Target, sourceRows: Environment): readonly string[] {
  const { insert } = merge;
  if (insert === undefined) {
    return [];
  }
  const columns = insert.columns?.map((path) => targetColumn(path, target)) ?? target.definition.columns;
  checkDuplicates(columns, merge.offset);
  checkCount(columns.length, insert.values.length, merge.offset);
  const values = insert.values.map((value, index) => {
    const column = columns[index];
    return column === undefined ? 'DEFAULT' : insertedValue(value, column, target, sourceRows);
  });
  const where = insert.where === undefined ? '' : ` AND ${translateConditionValue(insert.where, sourceRows)}`;
  const names = columns.map((column) => quoteName(column.name)).join(', ');
  return [`WHEN NOT MATCHED${where} THEN INSERT (${names}) VALUES (${values.join(', ')})`];
}
