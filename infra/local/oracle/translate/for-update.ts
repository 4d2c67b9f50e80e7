import { OracleError } from '../sql/oracle-error.ts';
import type { CommonTable, ForUpdate, Query, TableReference } from '../sql/query-syntax.ts';
import { containsAggregate } from './aggregates.ts';
import { quoteName } from './names.ts';
import { type Environment, invalidIdentifier } from './scope.ts';

/** ORA-02014: rows of such a query cannot be locked. */
export function checkForUpdate(query: Query): void {
  if (!isPlain(query)) {
    throw new OracleError(2014, 'cannot select FOR UPDATE from view with DISTINCT, GROUP BY, etc.', {
      offset: query.offset,
    });
  }
}

/** Each row of the query is one row of its tables, also through subqueries and common tables. */
function isPlain(query: Query, outer: readonly CommonTable[] = []): boolean {
  const { body } = query;
  const common = [...query.with, ...outer];
  return (
    body.kind === 'select' &&
    !body.distinct &&
    body.groupBy.length === 0 &&
    !containsAggregate(body.items) &&
    query.fetch === undefined &&
    query.skip === undefined &&
    body.from.every((reference) => isPlainReference(reference, common))
  );
}

function isPlainReference(reference: TableReference, common: readonly CommonTable[]): boolean {
  switch (reference.kind) {
    case 'derived':
      return isPlain(reference.query, common);
    case 'join':
      return isPlainReference(reference.left, common) && isPlainReference(reference.right, common);
    case 'table': {
      const table = common.find((candidate) => candidate.name.name === reference.name.name);
      return (
        table === undefined ||
        isPlain(
          table.query,
          common.filter((other) => other !== table),
        )
      );
    }
    case 'json_table':
      return true;
  }
}

/** `OF` names columns of the tables to lock. ORA-00904 for any other name. */
export function translateForUpdate(lock: ForUpdate, query: Query, environment: Environment): string {
  const { body } = query;
  const tables = body.kind === 'select' ? body.from.flatMap(tablesOf) : [];
  const aliases = lock.columns.map((path) => {
    const [first, second] = path;
    const name = second ?? first;
    const table = tables.find(
      (candidate) =>
        (second === undefined || (candidate.alias ?? candidate.name).name === first?.name) &&
        environment.state.catalog
          .table(candidate.name.name)
          ?.columns.some((column) => column.name === name?.name) === true,
    );
    if (table === undefined) {
      throw invalidIdentifier(path);
    }
    return quoteName((table.alias ?? table.name).name);
  });
  const of = aliases.length === 0 ? '' : ` OF ${[...new Set(aliases)].join(', ')}`;
  return ` FOR UPDATE${of}${lock.wait === 'WAIT' ? '' : ` ${lock.wait}`}`;
}

function tablesOf(reference: TableReference): readonly (TableReference & { kind: 'table' })[] {
  switch (reference.kind) {
    case 'table':
      return [reference];
    case 'join':
      return [...tablesOf(reference.left), ...tablesOf(reference.right)];
    default:
      return [];
  }
}
