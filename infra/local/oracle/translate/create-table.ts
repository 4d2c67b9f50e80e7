import type { ColumnDefinition, TableDefinition } from '../engine/catalog.ts';
import type { ColumnSyntax, CreateTable } from '../sql/ddl-syntax.ts';
import { OracleError } from '../sql/oracle-error.ts';
import type { OracleType } from '../sql/oracle-type.ts';
import { assign } from './assignment.ts';
import { translateConstraints } from './constraint.ts';
import { checkNamed, checkNewName, ddl } from './ddl.ts';
import { translateExpression } from './expression.ts';
import { columnLabel, quoteName, quoteText } from './names.ts';
import { translateSubquery } from './query.ts';
import type { StatementState } from './scope.ts';
import { emptyEnvironment } from './target.ts';
import type { Translation } from './translation.ts';
import { postgresType } from './value.ts';

/** CREATE TABLE, with columns or AS SELECT. */
export function translateCreateTable(statement: CreateTable, state: StatementState): Translation {
  if (statement.ifNotExists && state.catalog.table(statement.name.name) !== undefined) {
    return ddl('CREATE TABLE', [], []);
  }
  checkNewName(statement.name, state);
  return statement.query === undefined
    ? createWithColumns(statement, state)
    : createAsSelect(statement, state);
}

function createWithColumns(statement: CreateTable, state: StatementState): Translation {
  const name = statement.name.name;
  const columns = statement.columns.map((column) => defineColumn(column, statement));
  checkColumnNames(columns, statement.offset);
  const table: TableDefinition = { name, columns, constraints: [] };
  const constraints = [
    ...statement.columns.flatMap((column) => column.constraints),
    ...statement.constraints,
  ];
  const keyed = applyPrimaryKey(table, statement);
  const translated = translateConstraints(constraints, keyed, state);
  const parts = statement.columns.map((column) => columnSql(column, keyed, state));
  return ddl(
    'CREATE TABLE',
    [
      ...statement.columns.flatMap((column) => identitySteps(column, name).before),
      `CREATE TABLE ${quoteName(name)} (${parts.join(', ')})`,
      ...statement.columns.flatMap((column) => identitySteps(column, name).after),
      ...translated.map(({ step }) => step),
    ],
    [{ kind: 'table', table: { ...keyed, constraints: translated.map(({ definition }) => definition) } }],
  );
}

/** ORA-00957. */
export function checkColumnNames(columns: readonly ColumnDefinition[], offset: number): void {
  const names = columns.map((column) => column.name);
  const duplicate = names.find((name, index) => names.indexOf(name) !== index);
  if (duplicate !== undefined) {
    throw new OracleError(957, `duplicate column name "${duplicate}"`, { offset });
  }
}

/** Columns of the primary key are NOT NULL. */
function applyPrimaryKey(table: TableDefinition, statement: CreateTable): TableDefinition {
  const keys = [...statement.columns.flatMap((column) => column.constraints), ...statement.constraints]
    .filter((constraint) => constraint.kind === 'PRIMARY KEY')
    .flatMap((constraint) => constraint.columns.map((column) => column.name));
  return {
    ...table,
    columns: table.columns.map((column) =>
      keys.includes(column.name) ? { ...column, nullable: false } : column,
    ),
  };
}

/** The catalog's view of a new column. ORA-02263: no type; ORA-30675 and 30673: a wrong identity column. */
export function defineColumn(
  column: ColumnSyntax,
  statement: { readonly columns: readonly ColumnSyntax[]; readonly offset: number },
): ColumnDefinition {
  const { type, identity } = column;
  if (type === undefined) {
    throw new OracleError(2263, 'need to specify the datatype for this column', {
      offset: column.name.offset,
    });
  }
  if (column.defaultOnNull) {
    throw new OracleError(3001, 'unimplemented feature: DEFAULT ON NULL', { offset: column.name.offset });
  }
  if (identity !== undefined && (type.kind !== 'NUMBER' || (type.scale ?? 0) !== 0)) {
    throw new OracleError(30675, 'identity column must be a numeric type', { offset: column.name.offset });
  }
  if (
    identity !== undefined &&
    statement.columns.filter((other) => other.identity !== undefined).length > 1
  ) {
    throw new OracleError(30669, 'table can have only one identity column', { offset: column.name.offset });
  }
  const plain = {
    name: column.name.name,
    type,
    nullable: column.nullable ?? true,
    identity: identity !== undefined,
  };
  return identity === undefined ? plain : { ...plain, identityKind: identity };
}

const identitySequence = (table: string, column: string): string => quoteName(`${table}$${column}$seq`);

/** An identity column is a `numeric` column whose default is a sequence that belongs to it. */
export function identitySteps(
  column: ColumnSyntax,
  table: string,
): { readonly before: readonly string[]; readonly after: readonly string[] } {
  if (column.identity === undefined) {
    return { before: [], after: [] };
  }
  const sequence = identitySequence(table, column.name.name);
  return {
    before: [`CREATE SEQUENCE ${sequence}`],
    after: [`ALTER SEQUENCE ${sequence} OWNED BY ${quoteName(table)}.${quoteName(column.name.name)}`],
  };
}

/** A column as PostgreSQL declares it. */
export function columnSql(column: ColumnSyntax, table: TableDefinition, state: StatementState): string {
  const definition = table.columns.find((candidate) => candidate.name === column.name.name);
  if (definition === undefined) {
    throw new OracleError(904, `"${column.name.name}": invalid identifier`, { offset: column.name.offset });
  }
  const standard = defaultSql(column, definition, table.name, state);
  return `${quoteName(definition.name)} ${postgresType(definition.type)}${standard === undefined ? '' : ` DEFAULT ${standard}`}${definition.nullable ? '' : ' NOT NULL'}`;
}

/** The default of a column; ORA-00984 for a column in it. */
export function defaultSql(
  column: ColumnSyntax,
  definition: { readonly name: string; readonly type: OracleType },
  table: string,
  state: StatementState,
): string | undefined {
  if (column.identity !== undefined) {
    return `nextval(${quoteText(identitySequence(table, definition.name))})::numeric`;
  }
  if (column.default === undefined) {
    return undefined;
  }
  const value = translateExpression(column.default, { ...emptyEnvironment(state), restricted: true });
  return `(${assign(value, definition.type, columnLabel(table, definition.name), column.default.offset)})`;
}

function createAsSelect(statement: CreateTable, state: StatementState): Translation {
  if (statement.query === undefined || statement.columns.length > 0 || statement.constraints.length > 0) {
    throw new OracleError(1773, 'may not specify column datatypes in this CREATE TABLE', {
      offset: statement.offset,
    });
  }
  checkNamed(statement.query);
  const { sql, columns } = translateSubquery(statement.query, {
    ...emptyEnvironment(state),
    inDefinition: true,
  });
  const definitions = columns.map(({ name, type }): ColumnDefinition => {
    if (type === undefined) {
      throw new OracleError(1723, 'zero-length columns are not allowed', { offset: statement.offset });
    }
    return { name, type, nullable: true, identity: false };
  });
  checkColumnNames(definitions, statement.offset);
  const names = definitions.map(({ name }) => quoteName(name)).join(', ');
  return ddl(
    'CREATE TABLE',
    [`CREATE TABLE ${quoteName(statement.name.name)} (${names}) AS ${sql}`],
    [{ kind: 'table', table: { name: statement.name.name, columns: definitions, constraints: [] } }],
  );
}
