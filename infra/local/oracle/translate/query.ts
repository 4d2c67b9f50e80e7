import { OracleError } from '../sql/oracle-error.ts';
import type { CommonTable, Fetch, Query, QueryBody, Select } from '../sql/query-syntax.ts';
import { asNumeric } from './conversion.ts';
import { translateExpression } from './expression.ts';
import { checkForUpdate, translateForUpdate } from './for-update.ts';
import { quoteName } from './names.ts';
import type { Environment, ScopeColumn, TranslatedQuery } from './scope.ts';
import { translateSelect } from './select.ts';
import { sortByColumns, translateSet } from './set-operation.ts';

/** A query inside a statement: no INTO and no FOR UPDATE. */
export function translateSubquery(query: Query, environment: Environment): TranslatedQuery {
  if (query.forUpdate !== undefined) {
    throw new OracleError(907, 'missing right parenthesis: FOR UPDATE is not allowed in a subquery', {
      offset: query.offset,
    });
  }
  if (query.body.kind === 'select' && query.body.into.length > 0) {
    throw new OracleError(1744, 'inappropriate INTO', { offset: query.offset });
  }
  return translateWholeQuery(query, environment);
}

/** Any query with its WITH, ORDER BY, OFFSET, FETCH and FOR UPDATE clauses. */
export function translateWholeQuery(
  query: Query,
  environment: Environment,
  expected?: readonly ScopeColumn[],
): TranslatedQuery {
  const { prefix, inner } = translateCommonTables(query, environment);
  if (query.forUpdate !== undefined) {
    checkForUpdate(query);
  }
  const limit = translateLimit(query, inner);
  const lock = query.forUpdate === undefined ? '' : translateForUpdate(query.forUpdate, query, inner);
  const { body } = query;
  if (body.kind === 'select') {
    const select = translateSelect(body, query.orderBy, inner, { limited: limit !== '', expected });
    return { sql: `${prefix}${select.sql}${limit}${lock}`, columns: select.columns };
  }
  const whole = translateBody(body, inner, expected);
  const order = query.orderBy.length === 0 ? '' : ` ORDER BY ${sortByColumns(query.orderBy, whole.columns)}`;
  return { sql: `${prefix}${whole.sql}${order}${limit}`, columns: whole.columns };
}

function translateCommonTables(
  query: Query,
  environment: Environment,
): { prefix: string; inner: Environment } {
  if (query.with.length === 0) {
    return { prefix: '', inner: environment };
  }
  const tables = new Map(environment.scope.commonTables);
  let inner = environment;
  let recursive = false;
  const parts = query.with.map((table) => {
    const body = table.query.body;
    checkRecursion(table, environment);
    if (table.columns.length > 0 && body.kind === 'set' && body.operator === 'UNION ALL') {
      const first = translateBody(body.left, inner);
      tables.set(
        table.name.name,
        renameColumns(
          first.columns,
          table.columns.map((column) => column.name),
          table.name.offset,
        ),
      );
      inner = { ...inner, scope: { ...inner.scope, commonTables: new Map(tables) } };
      recursive = true;
    }
    const translated = translateSubquery(table.query, inner);
    const columns = renameColumns(
      translated.columns,
      table.columns.map((column) => column.name),
      table.name.offset,
    );
    tables.set(table.name.name, columns);
    inner = { ...inner, scope: { ...inner.scope, commonTables: new Map(tables) } };
    return `${quoteName(table.name.name)}(${columns.map((column) => quoteName(column.name)).join(', ')}) AS (${translated.sql})`;
  });
  return { prefix: `WITH ${recursive ? 'RECURSIVE ' : ''}${parts.join(', ')} `, inner };
}

/** ORA-32039 and ORA-32040: what a query that reads itself must have. */
function checkRecursion({ name, columns, query }: CommonTable, environment: Environment): void {
  const isKnown =
    environment.scope.commonTables.has(name.name) || environment.state.catalog.table(name.name) !== undefined;
  if (isKnown || !readsTable(query.body, name.name)) {
    return;
  }
  const { offset } = name;
  if (columns.length === 0) {
    throw new OracleError(32039, 'recursive WITH clause must have column alias list', { offset });
  }
  if (query.body.kind !== 'set' || query.body.operator !== 'UNION ALL') {
    throw new OracleError(32040, 'recursive WITH clause must use a UNION ALL operation', { offset });
  }
}

function readsTable(node: unknown, table: string): boolean {
  if (Array.isArray(node)) {
    return node.some((item) => readsTable(item, table));
  }
  if (typeof node !== 'object' || node === null) {
    return false;
  }
  const reads =
    'kind' in node &&
    node.kind === 'table' &&
    'name' in node &&
    typeof node.name === 'object' &&
    node.name !== null &&
    'name' in node.name &&
    node.name.name === table;
  return reads || Object.values(node).some((value) => readsTable(value, table));
}

function renameColumns(
  columns: readonly ScopeColumn[],
  names: readonly string[],
  offset: number,
): readonly ScopeColumn[] {
  if (names.length === 0) {
    return columns;
  }
  if (names.length !== columns.length) {
    throw new OracleError(
      32038,
      'number of WITH clause column names does not match number of elements in select list',
      { offset },
    );
  }
  return columns.map((column, index) => ({ ...column, name: names[index] ?? column.name }));
}

/** A query block, a set operation or a query in parentheses. `expected` types columns that are NULL literals. */
export function translateBody(
  body: QueryBody,
  environment: Environment,
  expected?: readonly ScopeColumn[],
): TranslatedQuery {
  switch (body.kind) {
    case 'select':
      return translateOperand(body, environment, expected);
    case 'query':
      return translateWholeQuery(body.query, environment, expected);
    case 'set':
      return translateSet(body, environment, expected);
  }
}

function translateOperand(
  select: Select,
  environment: Environment,
  expected?: readonly ScopeColumn[],
): TranslatedQuery {
  if (select.into.length > 0) {
    throw new OracleError(1744, 'inappropriate INTO', { offset: select.offset });
  }
  return translateSelect(select, [], environment, { limited: false, expected });
}

function translateLimit(query: Query, environment: Environment): string {
  const noRows: Environment = {
    ...environment,
    scope: { ...environment.scope, sources: [], merged: new Map() },
    grouping: undefined,
  };
  const count = (expression: Query['skip']) =>
    expression === undefined
      ? '1'
      : rowCount(asNumeric(translateExpression(expression, noRows), expression.offset));
  const skip = query.skip === undefined ? '' : ` OFFSET ${count(query.skip)} ROWS`;
  return query.fetch === undefined
    ? skip
    : `${skip}${fetchClause(query.fetch, count(query.fetch.count), query)}`;
}

/** A number of rows: fractions are cut, NULL and negative numbers are 0. */
export function rowCount(sql: string): string {
  return `(GREATEST(COALESCE(trunc(${sql}), 0), 0)::bigint)`;
}

function fetchClause(fetch: Fetch, count: string, query: Query): string {
  if (fetch.percent) {
    throw new OracleError(3001, 'unimplemented feature: FETCH … PERCENT', { offset: query.offset });
  }
  return ` FETCH FIRST ${count} ROWS ${fetch.withTies && query.orderBy.length > 0 ? 'WITH TIES' : 'ONLY'}`;
}
