import type { ColumnDefinition, ConstraintDefinition, TableDefinition } from '../engine/catalog.ts';
import type { ConstraintSyntax } from '../sql/ddl-syntax.ts';
import { OracleError } from '../sql/oracle-error.ts';
import type { Identifier } from '../sql/syntax-tree.ts';
import { translateConditionValue } from './condition.ts';
import { quoteName } from './names.ts';
import { namesIn } from './names-in.ts';
import type { StatementState } from './scope.ts';
import { rowEnvironment } from './target.ts';

interface TranslatedConstraint {
  readonly definition: ConstraintDefinition;
  /** Statement that adds it. */
  readonly step: string;
}

/** Adds constraints to a table that exists in PostgreSQL with the given columns. */
export function translateConstraints(
  constraints: readonly ConstraintSyntax[],
  table: TableDefinition,
  state: StatementState,
): readonly TranslatedConstraint[] {
  const taken = new Set(
    state.catalog.tables().flatMap((other) => other.constraints.map((constraint) => constraint.name)),
  );
  const translated: TranslatedConstraint[] = [];
  let known: readonly ConstraintDefinition[] = table.constraints;
  for (const constraint of constraints) {
    const name = constraint.name?.name ?? systemName(taken);
    if (taken.has(name)) {
      throw new OracleError(2264, 'name already used by an existing constraint', {
        offset: constraint.name?.offset,
      });
    }
    taken.add(name);
    const next = translateConstraint(constraint, name, { ...table, constraints: known }, state);
    known = [...known, next.definition];
    translated.push(next);
  }
  return translated;
}

/** The next free `SYS_C…` name. */
function systemName(taken: ReadonlySet<string>): string {
  const numbers = [...taken].flatMap((name) => (/^SYS_C\d{7}$/.test(name) ? [Number(name.slice(5))] : []));
  return `SYS_C${String(Math.max(8000, ...numbers) + 1).padStart(7, '0')}`;
}

function translateConstraint(
  constraint: ConstraintSyntax,
  name: string,
  table: TableDefinition,
  state: StatementState,
): TranslatedConstraint {
  const columns = constraint.columns.map((column) => findColumn(column, table));
  const add = `ALTER TABLE ${quoteName(table.name)} ADD CONSTRAINT ${quoteName(name)}`;
  const deferred =
    constraint.deferred === undefined
      ? ''
      : ` ${constraint.deferred === 'DEFERRABLE' ? 'DEFERRABLE' : 'DEFERRABLE INITIALLY DEFERRED'}`;
  const definition: ConstraintDefinition = {
    name,
    kind: constraint.kind,
    columns: columns.map((column) => column.name),
  };
  const list = columns.map((column) => quoteName(column.name)).join(', ');
  switch (constraint.kind) {
    case 'PRIMARY KEY':
      checkKey(columns, constraint, table);
      if (table.constraints.some((other) => other.kind === 'PRIMARY KEY')) {
        throw new OracleError(2260, 'table can have only one primary key', {
          offset: constraint.name?.offset,
        });
      }
      return { definition, step: `${add} PRIMARY KEY (${list})${deferred}` };
    case 'UNIQUE':
      checkKey(columns, constraint, table);
      return { definition, step: uniqueStep(name, table, columns) ?? `${add} UNIQUE (${list})${deferred}` };
    case 'CHECK':
      return {
        definition: { ...definition, columns: checkedColumns(constraint, table) },
        step: `${add} CHECK (${translateCheck(constraint, table, state)})`,
      };
    case 'FOREIGN KEY':
      return translateForeignKey(
        constraint,
        definition,
        columns,
        `${add} FOREIGN KEY (${list})`,
        deferred,
        table,
        state,
      );
  }
}

function findColumn(column: Identifier, table: TableDefinition): ColumnDefinition {
  const found = table.columns.find((candidate) => candidate.name === column.name);
  if (found === undefined) {
    throw new OracleError(904, `"${column.name}": invalid identifier`, { offset: column.offset });
  }
  return found;
}

const NO_KEY: ReadonlySet<string> = new Set(['CLOB', 'BLOB', 'JSON', 'VECTOR']);

/** ORA-02329: the type of a column cannot be a key; ORA-02261: the same key again. */
function checkKey(
  columns: readonly ColumnDefinition[],
  constraint: ConstraintSyntax,
  table: TableDefinition,
): void {
  const wrong = columns.find(
    ({ type }) => NO_KEY.has(type.kind) || (type.kind === 'TIMESTAMP' && type.timeZone),
  );
  if (wrong !== undefined) {
    throw new OracleError(2329, `column of datatype ${wrong.type.kind} cannot be unique or a primary key`, {
      offset: constraint.columns[0]?.offset,
    });
  }
  const names = columns.map((column) => column.name);
  if (new Set(names).size !== names.length) {
    throw new OracleError(957, 'duplicate column name', { offset: constraint.columns[0]?.offset });
  }
  const same = table.constraints.some(
    (other) =>
      (other.kind === 'PRIMARY KEY' || other.kind === 'UNIQUE') &&
      other.columns.join('\n') === names.join('\n'),
  );
  if (same) {
    throw new OracleError(2261, 'such unique or primary key already exists in the table', {
      offset: constraint.columns[0]?.offset,
    });
  }
}

/**
 * Rows that agree in the non-NULL columns of a composite key are duplicates in Oracle unless all are NULL. A unique
 * index says so when a column may be NULL; undefined when a plain constraint does.
 */
export function uniqueStep(
  name: string,
  table: TableDefinition,
  columns: readonly ColumnDefinition[],
): string | undefined {
  if (columns.length < 2 || columns.every((column) => !column.nullable)) {
    return undefined;
  }
  const names = columns.map((column) => quoteName(column.name));
  const allNull = names.map((column) => `${column} IS NULL`).join(' AND ');
  return `CREATE UNIQUE INDEX ${quoteName(name)} ON ${quoteName(table.name)} (${names.join(', ')}) NULLS NOT DISTINCT WHERE NOT (${allNull})`;
}

function checkedColumns(constraint: ConstraintSyntax, table: TableDefinition): readonly string[] {
  const names = new Set(namesIn(constraint.condition).map((path) => path.at(-1)?.name));
  return table.columns.map((column) => column.name).filter((name) => names.has(name));
}

function translateCheck(constraint: ConstraintSyntax, table: TableDefinition, state: StatementState): string {
  if (constraint.condition === undefined) {
    throw new OracleError(906, 'missing left parenthesis');
  }
  const columns =
    constraint.columns.length > 0
      ? table.columns.filter((column) => constraint.columns.some((own) => own.name === column.name))
      : table.columns;
  const source = { alias: table.name, table: table.name, columns: columns };
  return translateConditionValue(constraint.condition, {
    ...rowEnvironment(state, [source]),
    restricted: true,
    inCheck: true,
  });
}

function translateForeignKey(
  constraint: ConstraintSyntax,
  definition: ConstraintDefinition,
  columns: readonly ColumnDefinition[],
  start: string,
  deferred: string,
  table: TableDefinition,
  state: StatementState,
): TranslatedConstraint {
  const { references } = constraint;
  if (references === undefined) {
    throw new OracleError(905, 'missing keyword');
  }
  const { offset } = references.table;
  const parent = references.table.name === table.name ? table : state.catalog.table(references.table.name);
  if (parent === undefined) {
    throw new OracleError(942, `table or view "${references.table.name}" does not exist`, { offset });
  }
  const key = referencedKey(
    references.columns.map((column) => findColumn(column, parent).name),
    parent,
    offset,
  );
  if (key.length !== columns.length) {
    throw new OracleError(2256, 'number of referencing columns must match referenced columns', { offset });
  }
  const mismatch = key.some(
    (name, index) =>
      parent.columns.find((column) => column.name === name)?.type.kind !== columns[index]?.type.kind,
  );
  if (mismatch) {
    throw new OracleError(2267, 'column type incompatible with referenced column type', { offset });
  }
  const action = references.onDelete === undefined ? '' : ` ON DELETE ${references.onDelete}`;
  const list = key.map(quoteName).join(', ');
  return {
    definition: { ...definition, references: parent.name },
    step: `${start} REFERENCES ${quoteName(parent.name)} (${list})${action}${deferred}`,
  };
}

/** The columns that a foreign key refers to. ORA-02268: no primary key; ORA-02270: no key on these columns. */
function referencedKey(named: readonly string[], parent: TableDefinition, offset: number): readonly string[] {
  if (named.length === 0) {
    const primary = parent.constraints.find((constraint) => constraint.kind === 'PRIMARY KEY');
    if (primary === undefined) {
      throw new OracleError(2268, 'referenced table does not have a primary key', { offset });
    }
    return primary.columns;
  }
  const wanted = [...named].sort().join('\n');
  const found = parent.constraints.some(
    (constraint) =>
      (constraint.kind === 'PRIMARY KEY' || constraint.kind === 'UNIQUE') &&
      [...constraint.columns].sort().join('\n') === wanted,
  );
  if (!found) {
    throw new OracleError(2270, 'no matching unique or primary key for this column-list', { offset });
  }
  return named;
}
