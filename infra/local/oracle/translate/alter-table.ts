import type { CatalogChange, TableDefinition } from '../engine/catalog.ts';
import type { AlterTable, TableChange } from '../sql/ddl-syntax.ts';
import { OracleError } from '../sql/oracle-error.ts';
import type { Identifier } from '../sql/syntax-tree.ts';
import { dropColumn, modifyColumns, renameColumn, tableIndexes } from './alter-column.ts';
import { translateConstraints } from './constraint.ts';
import { checkColumnNames, columnSql, defineColumn, identitySteps } from './create-table.ts';
import { checkNewName, ddl, existingTable } from './ddl.ts';
import { quoteName } from './names.ts';
import type { StatementState } from './scope.ts';
import type { Translation } from './translation.ts';

/** A table on its way through the changes of one ALTER TABLE. */
export interface Alteration {
  readonly table: TableDefinition;
  readonly steps: readonly string[];
  readonly changes: readonly CatalogChange[];
}

/** ALTER TABLE. */
export function translateAlterTable(statement: AlterTable, state: StatementState): Translation {
  if (statement.ifExists && state.catalog.table(statement.name.name) === undefined) {
    return ddl('ALTER TABLE', [], []);
  }
  const original = existingTable(statement.name, state);
  let alteration: Alteration = { table: original, steps: [], changes: [] };
  for (const change of statement.changes) {
    const next = applyChange(change, alteration.table, state, statement.offset);
    alteration = {
      table: next.table,
      steps: [...alteration.steps, ...next.steps],
      changes: [...alteration.changes, ...next.changes],
    };
  }
  const renamed = alteration.table.name !== original.name;
  const tableChanges: readonly CatalogChange[] = [
    ...(renamed ? [{ kind: 'drop_table', name: original.name } as const] : []),
    { kind: 'table', table: alteration.table },
  ];
  return ddl('ALTER TABLE', alteration.steps, [...tableChanges, ...alteration.changes]);
}

function applyChange(
  change: TableChange,
  table: TableDefinition,
  state: StatementState,
  offset: number,
): Alteration {
  switch (change.kind) {
    case 'add_columns':
      return addColumns(change, table, state, offset);
    case 'modify':
      return modifyColumns(change, table, state);
    case 'drop_columns':
      return change.columns.reduce<Alteration>(
        (alteration, column) => append(alteration, dropColumn(column, alteration.table, state)),
        { table, steps: [], changes: [] },
      );
    case 'drop_constraint':
      return dropConstraint(change, table, state, offset);
    case 'rename_column':
      return renameColumn(change.from, change.to, table, state);
    case 'rename_table':
      return renameTable(change.to, table, state);
  }
}

/** Two alterations one after the other. */
export function append(before: Alteration, after: Alteration): Alteration {
  return {
    table: after.table,
    steps: [...before.steps, ...after.steps],
    changes: [...before.changes, ...after.changes],
  };
}

function addColumns(
  change: TableChange & { kind: 'add_columns' },
  table: TableDefinition,
  state: StatementState,
  offset: number,
): Alteration {
  const added = change.columns.map((column) => defineColumn(column, { columns: change.columns, offset }));
  const existing = added.find((column) => table.columns.some((other) => other.name === column.name));
  if (existing !== undefined) {
    throw new OracleError(1430, `column being added already exists in table: "${existing.name}"`, { offset });
  }
  checkColumnNames(added, offset);
  const wider: TableDefinition = { ...table, columns: [...table.columns, ...added] };
  const constraints = translateConstraints(
    [...change.columns.flatMap((column) => column.constraints), ...change.constraints],
    wider,
    state,
  );
  const keys = constraints
    .filter(({ definition }) => definition.kind === 'PRIMARY KEY')
    .flatMap(({ definition }) => definition.columns);
  const columns = wider.columns.map((column) =>
    keys.includes(column.name) ? { ...column, nullable: false } : column,
  );
  return {
    table: {
      ...table,
      columns,
      constraints: [...table.constraints, ...constraints.map(({ definition }) => definition)],
    },
    steps: [
      ...change.columns.flatMap((column) => {
        const { before, after } = identitySteps(column, table.name);
        const mandatory =
          column.nullable === false && column.default === undefined && column.identity === undefined
            ? [
                `SELECT ora.raise(1758, 'table must be empty to add mandatory (NOT NULL) column') FROM ${quoteName(table.name)} LIMIT 1`,
              ]
            : [];
        return [
          ...mandatory,
          ...before,
          `ALTER TABLE ${quoteName(table.name)} ADD COLUMN ${columnSql(column, wider, state)}`,
          ...after,
        ];
      }),
      ...constraints.map(({ step }) => step),
    ],
    changes: [],
  };
}

/** ORA-02443: no such constraint; ORA-02441: no primary key; ORA-02273: a foreign key needs it. */
function dropConstraint(
  change: TableChange & { kind: 'drop_constraint' },
  table: TableDefinition,
  state: StatementState,
  offset: number,
): Alteration {
  const { name } = change;
  const constraint = table.constraints.find((candidate) =>
    name === 'PRIMARY KEY' ? candidate.kind === 'PRIMARY KEY' : candidate.name === name.name,
  );
  if (constraint === undefined) {
    throw name === 'PRIMARY KEY'
      ? new OracleError(2441, 'Cannot drop nonexistent primary key', { offset })
      : new OracleError(2443, `Cannot drop constraint - nonexistent constraint "${name.name}"`, {
          offset: name.offset,
        });
  }
  const isKey = constraint.kind === 'PRIMARY KEY' || constraint.kind === 'UNIQUE';
  const referenced =
    isKey &&
    state.catalog
      .tables()
      .some((other) => other.constraints.some((candidate) => candidate.references === table.name));
  if (referenced) {
    throw new OracleError(2273, 'this unique/primary key is referenced by some foreign keys', { offset });
  }
  return {
    table: { ...table, constraints: table.constraints.filter((candidate) => candidate !== constraint) },
    steps: [
      `ALTER TABLE ${quoteName(table.name)} DROP CONSTRAINT IF EXISTS ${quoteName(constraint.name)}`,
      ...(constraint.kind === 'UNIQUE' ? [`DROP INDEX IF EXISTS ${quoteName(constraint.name)}`] : []),
    ],
    changes: [],
  };
}

function renameTable(to: Identifier, table: TableDefinition, state: StatementState): Alteration {
  checkNewName(to, state);
  return {
    table: { ...table, name: to.name },
    steps: [`ALTER TABLE ${quoteName(table.name)} RENAME TO ${quoteName(to.name)}`],
    changes: tableIndexes(table, state).map(
      (index) => ({ kind: 'index', index: { ...index, table: to.name } }) as const,
    ),
  };
}
