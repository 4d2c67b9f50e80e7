import { OracleError } from '../sql/oracle-error.ts';
import type { OracleType } from '../sql/oracle-type.ts';
import type {
  Fetch,
  ForUpdate,
  Query,
  QueryBody,
  Select,
  SetOperation,
  SortKey,
  TableReference,
} from '../sql/syntax-tree.ts';
import { refuseIncomparable } from './condition.ts';
import { asNumeric } from './conversion.ts';
import { containsAggregate, translateExpression } from './expression.ts';
import { quoteName } from './names.ts';
import { type Environment, invalidIdentifier, type ScopeColumn, type TranslatedQuery } from './scope.ts';
import { translateSelect } from './select.ts';
import { sortDirection } from './sort.ts';
import { isFloating, isNumeric, isText, isTime, typeName } from './value.ts';

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

function translateBody(
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

/** UNION, INTERSECT and MINUS. ORA-01789: other number of columns; ORA-01790: other family of types. */
function translateSet(
  body: SetOperation,
  environment: Environment,
  expected?: readonly ScopeColumn[],
): TranslatedQuery {
  const left = translateBody(body.left, environment);
  const right = translateBody(body.right, environment);
  if (left.columns.length !== right.columns.length) {
    throw new OracleError(1789, 'query block has incorrect number of result columns', {
      offset: body.offset,
    });
  }
  const columns = left.columns.map((column, index) => {
    const type = commonSetType(column.type, right.columns[index]?.type, body);
    return { name: column.name, type: type ?? expected?.[index]?.type };
  });
  const sides = [
    hasUntyped(left) ? translateBody(body.left, environment, columns) : left,
    hasUntyped(right) ? translateBody(body.right, environment, columns) : right,
  ];
  const operator = body.operator.replace('MINUS', 'EXCEPT');
  return { sql: `(${sides[0]?.sql}) ${operator} (${sides[1]?.sql})`, columns };
}

function hasUntyped(query: TranslatedQuery): boolean {
  return query.columns.some((column) => column.type === undefined);
}

function commonSetType(
  left: OracleType | undefined,
  right: OracleType | undefined,
  body: SetOperation,
): OracleType | undefined {
  if (body.operator !== 'UNION ALL') {
    refuseIncomparable({ sql: '', type: left }, body.offset);
    refuseIncomparable({ sql: '', type: right }, body.offset);
  }
  if (left === undefined || right === undefined) {
    return left ?? right;
  }
  const family =
    left.kind === right.kind || [isText, isNumeric, isTime].some((test) => test(left) && test(right));
  if (!family) {
    throw new OracleError(
      1790,
      `expression must have same datatype as corresponding expression (${typeName(left)}, ${typeName(right)})`,
      {
        offset: body.offset,
      },
    );
  }
  if (left.kind === 'VARCHAR2' && right.kind === 'VARCHAR2') {
    return left.length >= right.length ? left : right;
  }
  if (left.kind === 'NUMBER' && right.kind === 'NUMBER') {
    return { kind: 'NUMBER' };
  }
  return right.kind === 'CLOB' || isFloating(right) || right.kind === 'TIMESTAMP' ? right : left;
}

function sortByColumns(keys: readonly SortKey[], columns: readonly ScopeColumn[]): string {
  return keys
    .map((key) => {
      const { expression } = key;
      const position =
        expression.kind === 'number'
          ? Number(expression.value)
          : expression.kind === 'name' && expression.path.length === 1
            ? columns.findIndex((column) => column.name === expression.path[0]?.name) + 1
            : 0;
      const column = columns[position - 1];
      if (column === undefined) {
        throw new OracleError(1785, 'ORDER BY item must be the number of a SELECT-list expression', {
          offset: expression.offset,
        });
      }
      refuseIncomparable({ sql: '', type: column.type }, expression.offset);
      return `${position}${sortDirection(key)}`;
    })
    .join(', ');
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

/** ORA-02014: rows of such a query cannot be locked. */
function checkForUpdate(query: Query): void {
  if (!isPlain(query)) {
    throw new OracleError(2014, 'cannot select FOR UPDATE from view with DISTINCT, GROUP BY, etc.', {
      offset: query.offset,
    });
  }
}

/** Each row of the query is one row of its tables. */
function isPlain(query: Query): boolean {
  const { body } = query;
  return (
    body.kind === 'select' &&
    !body.distinct &&
    body.groupBy.length === 0 &&
    !containsAggregate(body.items) &&
    query.fetch === undefined &&
    query.skip === undefined &&
    body.from.every(isPlainReference)
  );
}

function isPlainReference(reference: TableReference): boolean {
  switch (reference.kind) {
    case 'derived':
      return isPlain(reference.query);
    case 'join':
      return isPlainReference(reference.left) && isPlainReference(reference.right);
    default:
      return true;
  }
}

/** `OF` names columns of the tables to lock. ORA-00904 for any other name. */
function translateForUpdate(lock: ForUpdate, query: Query, environment: Environment): string {
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
