import type { ColumnDefinition, TableDefinition } from '../engine/catalog.ts';
import type { Returning, TargetTable } from '../sql/dml-syntax.ts';
import { OracleError } from '../sql/oracle-error.ts';
import type { Expression, Identifier } from '../sql/syntax-tree.ts';
import { assign } from './assignment.ts';
import { translateExpression } from './expression.ts';
import { columnLabel, quoteName } from './names.ts';
import { translateSubquery } from './query.ts';
import {
  EMPTY_SCOPE,
  type Environment,
  invalidIdentifier,
  type Source,
  type StatementState,
} from './scope.ts';
import { itemName } from './select.ts';
import type { IntoTarget, TranslationColumn } from './translation.ts';
import { postgresType, type Value } from './value.ts';
import type { Where } from './where.ts';

/** The table that a DML statement changes. */
export interface Target {
  readonly definition: TableDefinition;
  readonly source: Source;
  /** `"TABLE" AS "ALIAS"`. */
  readonly sql: string;
}

/** ORA-00942: no such table. */
export function resolveTarget(target: TargetTable, state: StatementState): Target {
  const definition = state.catalog.table(target.name.name);
  if (definition === undefined) {
    throw new OracleError(942, `table or view "${target.name.name}" does not exist`, {
      offset: target.name.offset,
    });
  }
  const alias = target.alias?.name ?? definition.name;
  const source: Source = { alias, table: definition.name, columns: definition.columns };
  return { definition, source, sql: `${quoteName(definition.name)} AS ${quoteName(alias)}` };
}

/** An environment that sees no table. */
export function emptyEnvironment(state: StatementState): Environment {
  return { state, scope: EMPTY_SCOPE, translateQuery: translateSubquery };
}

/** An environment whose rows are those of the given sources. */
export function rowEnvironment(state: StatementState, sources: readonly Source[]): Environment {
  return { ...emptyEnvironment(state), scope: { ...EMPTY_SCOPE, sources }, textQueries: new Map() };
}

/** A column that is assigned to. ORA-00904: not a column of the table; ORA-01747: another qualifier. */
export function targetColumn(path: readonly Identifier[], target: Target): ColumnDefinition {
  const name = path.at(-1);
  const [qualifier] = path.length > 1 ? path : [];
  if (
    name === undefined ||
    (qualifier !== undefined &&
      qualifier.name !== target.source.alias &&
      qualifier.name !== target.definition.name)
  ) {
    throw invalidIdentifier(path);
  }
  const column = target.definition.columns.find((candidate) => candidate.name === name.name);
  if (column === undefined) {
    throw invalidIdentifier(path);
  }
  return column;
}

/** ORA-00957. */
export function checkDuplicates(columns: readonly ColumnDefinition[], offset: number): void {
  const names = columns.map((column) => column.name);
  const duplicate = names.find((name, index) => names.indexOf(name) !== index);
  if (duplicate !== undefined) {
    throw new OracleError(957, `duplicate column name "${duplicate}"`, { offset });
  }
}

/** The number of values must be that of the columns: ORA-00947 or ORA-00913. */
export function checkCount(columns: number, values: number, offset: number): void {
  if (values < columns) {
    throw new OracleError(947, 'not enough values', { offset });
  }
  if (values > columns) {
    throw new OracleError(913, 'too many values', { offset });
  }
}

/** What an INSERT stores in a column. `undefined`: the column's default. */
export function insertedValue(
  expression: Expression,
  column: ColumnDefinition,
  target: Target,
  environment: Environment,
): string {
  if (expression.kind === 'default') {
    return 'DEFAULT';
  }
  return storedValue(translateExpression(expression, environment), column, target, expression.offset);
}

/** A value as the column stores it, with the rules of identity columns. */
export function storedValue(value: Value, column: ColumnDefinition, target: Target, offset: number): string {
  if (
    column.identity &&
    column.identityKind !== 'BY DEFAULT' &&
    column.identityKind !== 'BY DEFAULT ON NULL'
  ) {
    throw new OracleError(32795, 'cannot insert into a generated always identity column', { offset });
  }
  const stored = assignTo(value, column, target, offset);
  return column.identityKind === 'BY DEFAULT ON NULL'
    ? `COALESCE(${stored}, ${identityNext(target.definition.name, column.name)})`
    : stored;
}

/** The next value of the sequence behind an identity column. */
function identityNext(table: string, column: string): string {
  const sequence = `${quoteName(table)}`.replaceAll("'", "''");
  return `nextval(pg_get_serial_sequence('${sequence}', '${column.replaceAll("'", "''")}'))::numeric`;
}

/** A value converted and checked for a column. */
export function assignTo(value: Value, column: ColumnDefinition, target: Target, offset: number): string {
  const sql = assign(value, column.type, columnLabel(target.definition.name, column.name), offset);
  return value.type === undefined ? `NULL::${postgresType(column.type)}` : sql;
}

interface TranslatedReturning {
  readonly sql: string;
  readonly columns: readonly TranslationColumn[];
  readonly into: readonly IntoTarget[];
}

/** `RETURNING … INTO …`. */
export function translateReturning(
  returning: Returning | undefined,
  environment: Environment,
  offset: number,
): TranslatedReturning {
  if (returning === undefined) {
    return { sql: '', columns: [], into: [] };
  }
  const values = returning.items.map((item) => translateExpression(item.expression, environment));
  checkCount(returning.into.length, values.length, offset);
  const list = values.map(
    (value, index) => `${value.type === undefined ? 'NULL::text' : value.sql} AS "r${index + 1}"`,
  );
  return {
    sql: ` RETURNING ${list.join(', ')}`,
    columns: returning.items.map((item, index) => ({ name: itemName(item), type: values[index]?.type })),
    into: returning.into.map(({ source, name }) => ({ target: source, name })),
  };
}

/** WHERE of an UPDATE or DELETE; with ROWNUM the rows are found first. */
export function whereClause(where: Where, target: Target): string {
  const condition = where.sql === '' ? '' : ` WHERE ${where.sql}`;
  if (where.limit === undefined) {
    return condition;
  }
  const found = `SELECT ${quoteName(target.source.alias)}.ctid FROM ${target.sql}${condition} FETCH FIRST ${where.limit} ROWS ONLY`;
  return ` WHERE ${quoteName(target.source.alias)}.ctid = ANY (ARRAY(${found}))`;
}
