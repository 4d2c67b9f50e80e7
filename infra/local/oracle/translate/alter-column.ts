import type { ColumnDefinition, IndexDefinition, TableDefinition } from '../engine/catalog.ts';
import type { TableChange } from '../sql/ddl-syntax.ts';
import { OracleError } from '../sql/oracle-error.ts';
import type { Identifier } from '../sql/syntax-tree.ts';
import { type Alteration, append } from './alter-table.ts';
import { translateConstraints } from './constraint.ts';
import { modifyColumn } from './modify-column.ts';
import { quoteName, textColumnName, writtenColumnName } from './names.ts';
import type { StatementState } from './scope.ts';

/** ALTER TABLE … MODIFY. */
export function modifyColumns(
  change: TableChange & { kind: 'modify' },
  table: TableDefinition,
  state: StatementState,
): Alteration {
  let alteration: Alteration = { table, steps: [], changes: [] };
  for (const column of change.columns) {
    const current = findColumn(column.name, table);
    const modified = modifyColumn(column, current, table.name, state);
    const next: TableDefinition = {
      ...alteration.table,
      columns: alteration.table.columns.map((other) =>
        other.name === current.name ? modified.column : other,
      ),
    };
    const constraints = translateConstraints(column.constraints, next, state);
    alteration = append(alteration, {
      table: {
        ...next,
        constraints: [...next.constraints, ...constraints.map(({ definition }) => definition)],
      },
      steps: [...modified.steps, ...constraints.map(({ step }) => step)],
      changes: [],
    });
  }
  return alteration;
}

function findColumn(name: Identifier, table: TableDefinition): ColumnDefinition {
  const column = table.columns.find((candidate) => candidate.name === name.name);
  if (column === undefined) {
    throw new OracleError(904, `"${name.name}": invalid identifier`, { offset: name.offset });
  }
  return column;
}

/** The indexes of a table. */
export function tableIndexes(table: TableDefinition, state: StatementState): readonly IndexDefinition[] {
  return state.catalog.indexes().filter((index) => index.table === table.name);
}

/** Constraints and indexes of the column alone go with it. ORA-12983, 12991 and 12992 for the others. */
export function dropColumn(name: Identifier, table: TableDefinition, state: StatementState): Alteration {
  const column = findColumn(name, table);
  const { offset } = name;
  if (table.columns.length === 1) {
    throw new OracleError(12983, 'cannot drop all columns in a table', { offset });
  }
  const own = table.constraints.filter((constraint) => constraint.columns.includes(column.name));
  if (own.some((constraint) => constraint.columns.length > 1)) {
    throw new OracleError(12991, 'column is referenced in a multi-column constraint', { offset });
  }
  const isKey = own.some((constraint) => constraint.kind === 'PRIMARY KEY' || constraint.kind === 'UNIQUE');
  if (
    isKey &&
    state.catalog
      .tables()
      .some((other) => other.constraints.some((constraint) => constraint.references === table.name))
  ) {
    throw new OracleError(12992, 'cannot drop parent key column', { offset });
  }
  const indexes = tableIndexes(table, state).filter((index) => index.columns.includes(column.name));
  const hidden = indexes.some((index) => index.kind === 'TEXT')
    ? [
        `ALTER TABLE ${quoteName(table.name)} DROP COLUMN ${textColumnName(column.name)}, DROP COLUMN ${writtenColumnName(column.name)}`,
      ]
    : [];
  return {
    table: {
      ...table,
      columns: table.columns.filter((other) => other !== column),
      constraints: table.constraints.filter((constraint) => !own.includes(constraint)),
    },
    steps: [...hidden, `ALTER TABLE ${quoteName(table.name)} DROP COLUMN ${quoteName(column.name)}`],
    changes: indexes.map((index) => ({ kind: 'drop_index', name: index.name }) as const),
  };
}

/** ALTER TABLE … RENAME COLUMN, also in constraints and indexes. */
export function renameColumn(
  from: Identifier,
  to: Identifier,
  table: TableDefinition,
  state: StatementState,
): Alteration {
  const column = findColumn(from, table);
  if (table.columns.some((other) => other.name === to.name)) {
    throw new OracleError(957, `duplicate column name "${to.name}"`, { offset: to.offset });
  }
  const rename = (names: readonly string[]) => names.map((name) => (name === from.name ? to.name : name));
  const indexes = tableIndexes(table, state).filter((index) => index.columns.includes(from.name));
  const hidden = indexes.some((index) => index.kind === 'TEXT')
    ? [
        `ALTER TABLE ${quoteName(table.name)} RENAME COLUMN ${textColumnName(from.name)} TO ${textColumnName(to.name)}`,
        `ALTER TABLE ${quoteName(table.name)} RENAME COLUMN ${writtenColumnName(from.name)} TO ${writtenColumnName(to.name)}`,
      ]
    : [];
  return {
    table: {
      ...table,
      columns: table.columns.map((other) => (other === column ? { ...column, name: to.name } : other)),
      constraints: table.constraints.map((constraint) => ({
        ...constraint,
        columns: rename(constraint.columns),
      })),
    },
    steps: [
      ...hidden,
      `ALTER TABLE ${quoteName(table.name)} RENAME COLUMN ${quoteName(from.name)} TO ${quoteName(to.name)}`,
    ],
    changes: indexes.map(
      (index) => ({ kind: 'index', index: { ...index, columns: rename(index.columns) } }) as const,
    ),
  };
}
