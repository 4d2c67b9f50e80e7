import type { CatalogChange, TableDefinition } from '../engine/catalog.ts';
import type { Drop } from '../sql/ddl-syntax.ts';
import { OracleError } from '../sql/oracle-error.ts';
import type { Statement } from '../sql/syntax-tree.ts';
import { ddl, existingTable } from './ddl.ts';
import { dropFunctions } from './functions/stored-function.ts';
import { quoteName, textColumnName, writtenColumnName } from './names.ts';
import type { StatementState } from './scope.ts';
import type { Translation } from './translation.ts';

/** DROP TABLE, INDEX, SEQUENCE, VIEW or FUNCTION. */
export function translateDrop(statement: Drop, state: StatementState): Translation {
  switch (statement.object) {
    case 'TABLE':
      return dropTable(statement, state);
    case 'INDEX':
      return dropIndex(statement, state);
    case 'SEQUENCE':
      return dropSequence(statement, state);
    case 'VIEW':
      return dropView(statement, state);
    case 'FUNCTION':
      return dropFunction(statement, state);
  }
}

/** Tables with a foreign key on the given one, other than itself. */
function children(table: TableDefinition, state: StatementState): readonly TableDefinition[] {
  return state.catalog
    .tables()
    .filter(
      (other) =>
        other.name !== table.name &&
        other.constraints.some((constraint) => constraint.references === table.name),
    );
}

/** ORA-02449: foreign keys refer to the table and CASCADE CONSTRAINTS is missing. */
function dropTable(statement: Drop, state: StatementState): Translation {
  if (statement.ifExists && state.catalog.table(statement.name.name) === undefined) {
    return ddl('DROP TABLE', [], []);
  }
  const table = existingTable(statement.name, state);
  const referring = children(table, state);
  if (referring.length > 0 && !statement.cascade) {
    throw new OracleError(2449, 'unique/primary keys in table referenced by foreign keys', {
      offset: statement.name.offset,
    });
  }
  const changes: readonly CatalogChange[] = [
    ...state.catalog
      .indexes()
      .filter((index) => index.table === table.name)
      .map((index) => ({ kind: 'drop_index', name: index.name }) as const),
    ...referring.map((child) => ({
      kind: 'table' as const,
      table: {
        ...child,
        constraints: child.constraints.filter((constraint) => constraint.references !== table.name),
      },
    })),
    { kind: 'drop_table', name: table.name },
  ];
  return ddl(
    'DROP TABLE',
    [`DROP TABLE ${quoteName(table.name)}${statement.cascade ? ' CASCADE' : ''}`],
    changes,
  );
}

/** ORA-01418: no such index; ORA-02429: the index of a key. */
function dropIndex(statement: Drop, state: StatementState): Translation {
  const { name, offset } = statement.name;
  const index = state.catalog.index(name);
  if (index === undefined) {
    if (
      state.catalog.tables().some((table) => table.constraints.some((constraint) => constraint.name === name))
    ) {
      throw new OracleError(2429, 'cannot drop index used for enforcement of unique/primary key', { offset });
    }
    if (statement.ifExists) {
      return ddl('DROP INDEX', [], []);
    }
    throw new OracleError(1418, `specified index "${name}" does not exist`, { offset });
  }
  const [column = ''] = index.columns;
  const steps =
    index.kind === 'VECTOR' || index.kind === 'JSON'
      ? []
      : index.kind === 'TEXT'
        ? [
            `ALTER TABLE ${quoteName(index.table)} DROP COLUMN ${textColumnName(column)}, DROP COLUMN ${writtenColumnName(column)}`,
          ]
        : [`DROP INDEX ${quoteName(name)}`];
  return ddl('DROP INDEX', steps, [{ kind: 'drop_index', name }]);
}

/** ORA-02289. */
function dropSequence(statement: Drop, state: StatementState): Translation {
  const { name, offset } = statement.name;
  if (!state.catalog.sequence(name)) {
    if (statement.ifExists) {
      return ddl('DROP SEQUENCE', [], []);
    }
    throw new OracleError(2289, `sequence "${name}" does not exist`, { offset });
  }
  return ddl('DROP SEQUENCE', [`DROP SEQUENCE ${quoteName(name)}`], [{ kind: 'drop_sequence', name }]);
}

function dropView(statement: Drop, state: StatementState): Translation {
  if (statement.ifExists && state.catalog.table(statement.name.name) === undefined) {
    return ddl('DROP VIEW', [], []);
  }
  const { name } = existingTable(statement.name, state);
  return ddl('DROP VIEW', [`DROP VIEW ${quoteName(name)}`], [{ kind: 'drop_table', name }]);
}

/** ORA-04043. */
function dropFunction(statement: Drop, state: StatementState): Translation {
  const { name, offset } = statement.name;
  const definition = state.catalog.storedFunction(name);
  if (definition === undefined) {
    if (statement.ifExists) {
      return ddl('DROP FUNCTION', [], []);
    }
    throw new OracleError(4043, `Object ${name} does not exist.`, { offset });
  }
  return ddl('DROP FUNCTION', dropFunctions(definition), [{ kind: 'drop_function', name }]);
}

/** ORA-02266: foreign keys refer to the table and CASCADE is missing. */
export function translateTruncate(
  statement: Statement & { kind: 'truncate' },
  state: StatementState,
): Translation {
  const table = existingTable(statement.name, state);
  if (children(table, state).length > 0 && !statement.cascade) {
    throw new OracleError(2266, 'unique/primary keys in table referenced by enabled foreign keys', {
      offset: statement.name.offset,
    });
  }
  return ddl(
    'TRUNCATE TABLE',
    [`TRUNCATE ${quoteName(table.name)}${statement.cascade ? ' CASCADE' : ''}`],
    [],
  );
}
