import type { ColumnDefinition } from '../engine/catalog.ts';
import type { Assignment, Delete, Insert, Update } from '../sql/dml-syntax.ts';
import { OracleError } from '../sql/oracle-error.ts';
import type { Query } from '../sql/query-syntax.ts';
import type { Expression } from '../sql/syntax-tree.ts';
import { translateExpression } from './expression.ts';
import { quoteName, writtenColumnName } from './names.ts';
import { translateWholeQuery } from './query.ts';
import type { Environment, StatementState } from './scope.ts';
import {
  assignTo,
  checkCount,
  checkDuplicates,
  emptyEnvironment,
  insertedValue,
  resolveTarget,
  rowEnvironment,
  storedValue,
  type Target,
  targetColumn,
  translateReturning,
  whereClause,
} from './target.ts';
import type { Translation } from './translation.ts';
import { translateWhere } from './where.ts';

/** A DML translation with one step. */
function dml(verb: string, sql: string, state: StatementState, rest?: Partial<Translation>): Translation {
  return {
    kind: 'dml',
    verb,
    steps: [{ sql, parameters: state.parameters }],
    textsToEmbed: state.textsToEmbed,
    columns: [],
    into: [],
    changes: [],
    ...rest,
  };
}

/** INSERT. */
export function translateInsert(insert: Insert, state: StatementState): Translation {
  const target = resolveTarget(insert.target, state);
  const columns = insertColumns(insert, target);
  const values =
    insert.query === undefined
      ? valuesClause(insert, columns, target, state)
      : queryClause(insert.query, columns, target, state);
  const returning = translateReturning(
    insert.returning,
    rowEnvironment(state, [target.source]),
    insert.offset,
  );
  if (insert.returning !== undefined && (insert.query !== undefined || insert.rows.length > 1)) {
    throw new OracleError(933, 'SQL command not properly ended: RETURNING after INSERT of several rows', {
      offset: insert.offset,
    });
  }
  const names = columns.map((column) => quoteName(column.name)).join(', ');
  return dml('INSERT', `INSERT INTO ${target.sql} (${names}) ${values}${returning.sql}`, state, {
    columns: returning.columns,
    into: returning.into,
  });
}

function insertColumns(insert: Insert, target: Target): readonly ColumnDefinition[] {
  if (insert.columns === undefined) {
    return target.definition.columns;
  }
  const columns = insert.columns.map((path) => targetColumn(path, target));
  checkDuplicates(columns, insert.offset);
  return columns;
}

function valuesClause(
  insert: Insert,
  columns: readonly ColumnDefinition[],
  target: Target,
  state: StatementState,
): string {
  const environment = emptyEnvironment(state);
  const rows = insert.rows.map((row) => {
    checkCount(columns.length, row.length, insert.offset);
    return `(${columns.map((column, index) => insertedValue(row[index] ?? missing(), column, target, environment)).join(', ')})`;
  });
  return `VALUES ${rows.join(', ')}`;
}

function missing(): never {
  throw new OracleError(947, 'not enough values');
}

function queryClause(
  query: Query,
  columns: readonly ColumnDefinition[],
  target: Target,
  state: StatementState,
): string {
  if (query.forUpdate !== undefined || (query.body.kind === 'select' && query.body.into.length > 0)) {
    throw new OracleError(933, 'SQL command not properly ended', { offset: query.offset });
  }
  const translated = translateWholeQuery(query, emptyEnvironment(state));
  checkCount(columns.length, translated.columns.length, query.offset);
  const list = columns.map((column, index) => {
    const type = translated.columns[index]?.type;
    return storedValue({ sql: `q.c${index + 1}`, type }, column, target, query.offset);
  });
  const names = columns.map((_column, index) => `c${index + 1}`).join(', ');
  return `SELECT ${list.join(', ')} FROM (${translated.sql}) AS q(${names})`;
}

/** UPDATE. */
export function translateUpdate(update: Update, state: StatementState): Translation {
  const target = resolveTarget(update.target, state);
  const environment = rowEnvironment(state, [target.source]);
  const set = translateAssignments(update.assignments, target, environment, update.offset);
  const where = whereClause(translateWhere(update.where, environment), target);
  const returning = translateReturning(update.returning, environment, update.offset);
  return dml(
    'UPDATE',
    `UPDATE ${target.sql} SET ${setList(set, target, state)}${where}${returning.sql}`,
    state,
    {
      columns: returning.columns,
      into: returning.into,
    },
  );
}

/** One entry of a SET list. */
export interface TranslatedAssignment {
  readonly columns: readonly ColumnDefinition[];
  /** The new value of a single column. */
  readonly value: string;
  readonly sql: string;
}

/** The SET list as text. Naming a column with a text index makes its entry pending, whatever the new value is. */
export function setList(set: readonly TranslatedAssignment[], target: Target, state: StatementState): string {
  const named = set.flatMap(({ columns }) => columns.map(({ name }) => name));
  const touched = named
    .filter((name) => state.catalog.textIndex(target.definition.name, name) !== undefined)
    .map((name) => `${writtenColumnName(name)} = pg_current_xact_id()`);
  return [...set.map(({ sql }) => sql), ...touched].join(', ');
}

/** The SET list. ORA-00957: a column twice; ORA-32796: an identity column that is always generated. */
export function translateAssignments(
  assignments: readonly Assignment[],
  target: Target,
  environment: Environment,
  offset: number,
): readonly TranslatedAssignment[] {
  const translated = assignments.map((assignment) =>
    translateAssignment(assignment, target, environment, offset),
  );
  checkDuplicates(
    translated.flatMap(({ columns }) => columns),
    offset,
  );
  return translated;
}

function translateAssignment(
  assignment: Assignment,
  target: Target,
  environment: Environment,
  offset: number,
): TranslatedAssignment {
  const columns = assignment.columns.map((path) => targetColumn(path, target));
  const [first] = columns;
  if (first === undefined) {
    throw new OracleError(904, 'invalid identifier', { offset });
  }
  if (columns.some((column) => column.identity && (column.identityKind ?? 'ALWAYS') === 'ALWAYS')) {
    throw new OracleError(32796, 'cannot update a generated always identity column', { offset });
  }
  const name = quoteName(first.name);
  if (assignment.value.kind === 'default' && columns.length === 1) {
    return { columns, value: 'DEFAULT', sql: `${name} = DEFAULT` };
  }
  if (columns.length === 1) {
    const value = assignTo(
      translateExpression(assignment.value, environment),
      first,
      target,
      assignment.value.offset,
    );
    return { columns, value, sql: `${name} = ${value}` };
  }
  const value = rowSubquery(assignment.value, columns, target, environment);
  return {
    columns,
    value,
    sql: `(${columns.map((column) => quoteName(column.name)).join(', ')}) = ${value}`,
  };
}

/** `(a, b) = (SELECT …)`. */
function rowSubquery(
  expression: Expression,
  columns: readonly ColumnDefinition[],
  target: Target,
  environment: Environment,
): string {
  if (expression.kind !== 'subquery') {
    throw new OracleError(1767, 'UPDATE ... SET expression must be a subquery', {
      offset: expression.offset,
    });
  }
  const { sql, columns: selected } = environment.translateQuery(expression.query, environment);
  checkCount(columns.length, selected.length, expression.offset);
  const list = columns.map((column, index) =>
    assignTo({ sql: `q.c${index + 1}`, type: selected[index]?.type }, column, target, expression.offset),
  );
  return `(SELECT ${list.join(', ')} FROM (${sql}) AS q(${columns.map((_column, index) => `c${index + 1}`).join(', ')}))`;
}

/** DELETE. */
export function translateDelete(statement: Delete, state: StatementState): Translation {
  const target = resolveTarget(statement.target, state);
  const environment = rowEnvironment(state, [target.source]);
  const where = whereClause(translateWhere(statement.where, environment), target);
  const returning = translateReturning(statement.returning, environment, statement.offset);
  return dml('DELETE', `DELETE FROM ${target.sql}${where}${returning.sql}`, state, {
    columns: returning.columns,
    into: returning.into,
  });
}
