import type { CatalogChange, TableDefinition } from '../engine/catalog.ts';
import { OracleError } from '../sql/oracle-error.ts';
import type { Query } from '../sql/query-syntax.ts';
import type { Identifier } from '../sql/syntax-tree.ts';
import type { StatementState } from './scope.ts';
import type { Translation } from './translation.ts';

/** A DDL translation. */
export function ddl(verb: string, steps: readonly string[], changes: readonly CatalogChange[]): Translation {
  return {
    kind: 'ddl',
    verb,
    steps: steps.map((sql) => ({ sql, parameters: [] })),
    columns: [],
    into: [],
    changes,
  };
}

/** ORA-00955: the name of a new table, view or sequence is taken. */
export function checkNewName(name: Identifier, state: StatementState): void {
  const { catalog } = state;
  const isTaken =
    catalog.table(name.name) !== undefined ||
    catalog.sequence(name.name) ||
    catalog.storedFunction(name.name) !== undefined;
  if (isTaken) {
    throw new OracleError(955, `name "${name.name}" is already used by an existing object`, {
      offset: name.offset,
    });
  }
}

/** ORA-00998: a column of a stored query is an expression without an alias. */
export function checkNamed(query: Query): void {
  const { body } = query;
  if (body.kind === 'query') {
    checkNamed(body.query);
  }
  if (body.kind !== 'select') {
    return;
  }
  for (const item of body.items) {
    if (!('star' in item) && item.alias === undefined && item.expression.kind !== 'name') {
      throw new OracleError(998, 'must name this expression with a column alias', {
        offset: item.expression.offset,
      });
    }
  }
}

/** ORA-00942. */
export function existingTable(name: Identifier, state: StatementState): TableDefinition {
  const table = state.catalog.table(name.name);
  if (table === undefined) {
    throw new OracleError(942, `table or view "${name.name}" does not exist`, { offset: name.offset });
  }
  return table;
}
