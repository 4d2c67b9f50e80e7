import { OracleError } from '../sql/oracle-error.ts';
import type { Expression, Identifier, Select, SelectItem, SortKey, StarItem } from '../sql/syntax-tree.ts';
import { refuseIncomparable, translateConditionValue } from './condition.ts';
import { asNumeric } from './conversion.ts';
import { containsAggregate, translateExpression } from './expression.ts';
import { translateFrom } from './from.ts';
import { quoteName } from './names.ts';
import { rowCount } from './query.ts';
import {
  columnValue,
  type Environment,
  type Grouping,
  resolveColumn,
  type Scope,
  type ScopeColumn,
  type TranslatedQuery,
} from './scope.ts';
import { sortDirection } from './sort.ts';
import { postgresType, type Value } from './value.ts';

export interface SelectOptions {
  /** The query has OFFSET or FETCH. */
  readonly limited: boolean;
  /** Types for columns that are NULL literals, from the other side of a set operation. */
  readonly expected: readonly ScopeColumn[] | undefined;
}

interface Item {
  readonly name: string;
  readonly value: Value;
}

/** One query block with its ORDER BY. */
export function translateSelect(
  select: Select,
  orderBy: readonly SortKey[],
  environment: Environment,
  options: SelectOptions,
): TranslatedQuery {
  const from = translateFrom(select.from, environment);
  const scope: Scope = {
    parent: environment.scope,
    sources: from.sources,
    merged: from.merged,
    commonTables: environment.scope.commonTables,
  };
  const rows: Environment = { ...plain(environment), scope, textQueries: new Map() };
  const where = translateWhere(select.where, rows);
  const keys = select.groupBy.map((expression) => groupKey(aliased(expression, select, scope), rows));
  const grouping = groupingOf(select, orderBy, keys);
  const grouped: Environment = { ...rows, grouping };
  const drawn = environment.state.sequencesUsed;
  const items = select.items.flatMap((item) => translateItem(item, grouped, from.sql !== ''));
  const having =
    select.having === undefined
      ? ''
      : ` HAVING ${translateConditionValue(select.having, { ...grouped, lateAliases: new Map(items.map(({ name, value }) => [name, value])) })}`;
  const order = translateOrder(orderBy, items, select.distinct, grouped);
  if (environment.state.sequencesUsed > drawn && (select.distinct || orderBy.length > 0)) {
    throw new OracleError(2287, 'sequence number not allowed here', { offset: select.offset });
  }
  if (select.distinct) {
    for (const { value } of items) {
      refuseIncomparable(value, select.offset);
    }
  }
  const whole = grouping !== undefined || select.distinct || orderBy.length > 0 || options.limited;
  const source =
    whole && where.limit !== undefined
      ? limitedSource(from, where, select)
      : `${clause(' FROM ', from.sql)}${clause(' WHERE ', where.sql)}`;
  const rownum = !whole && where.limit !== undefined ? ` FETCH FIRST ${where.limit} ROWS ONLY` : '';
  const list = items
    .map(({ name, value }, index) => `${typed(value, options.expected?.[index])} AS ${quoteName(name)}`)
    .join(', ');
  const group = keys.length === 0 ? '' : ` GROUP BY ${keys.join(', ')}`;
  return {
    sql: `SELECT ${select.distinct ? 'DISTINCT ' : ''}${list}${source}${group}${having}${order}${rownum}`,
    columns: items.map(({ name, value }, index) => ({
      name,
      type: value.type ?? options.expected?.[index]?.type,
    })),
  };
}

/** The environment of a new block: nothing of the clause around it holds inside. */
function plain(environment: Environment): Environment {
  const { state, scope, translateQuery, inDefinition = false } = environment;
  return { state, scope, translateQuery, inDefinition };
}

function clause(words: string, sql: string): string {
  return sql === '' ? '' : `${words}${sql}`;
}

function typed(value: Value, expected: ScopeColumn | undefined): string {
  return value.type === undefined
    ? `NULL::${expected?.type === undefined ? 'text' : postgresType(expected.type)}`
    : value.sql;
}

export interface Where {
  readonly sql: string;
  /** Rows that ROWNUM lets through, as an SQL count. */
  readonly limit: string | undefined;
}

/** WHERE, with `ROWNUM <= n` conditions of its top-level AND taken out. */
export function translateWhere(where: Expression | undefined, environment: Environment): Where {
  if (where === undefined) {
    return { sql: '', limit: undefined };
  }
  const conjuncts = where.kind === 'logical' && where.operator === 'AND' ? where.items : [where];
  const limits = conjuncts.flatMap((item) => rownumLimit(item, environment));
  const rest = conjuncts.filter((item) => !isRownumComparison(item));
  refuseRownum(rest);
  const sql = rest.map((item) => translateConditionValue(item, environment)).join(' AND ');
  return { sql, limit: limits.length > 1 ? `LEAST(${limits.join(', ')})` : limits[0] };
}

function isRownum(expression: Expression): boolean {
  return expression.kind === 'name' && expression.path.length === 1 && expression.path[0]?.name === 'ROWNUM';
}

function isRownumComparison(expression: Expression): boolean {
  return expression.kind === 'comparison' && isRownum(expression.left);
}

function rownumLimit(expression: Expression, environment: Environment): readonly string[] {
  if (expression.kind !== 'comparison' || !isRownum(expression.left)) {
    return [];
  }
  const { right, operator } = expression;
  const bound = asNumeric(translateExpression(right, environment), right.offset);
  if (operator === '<=') {
    return [rowCount(`floor(${bound})`)];
  }
  if (operator === '<') {
    return [rowCount(`ceil(${bound}) - 1`)];
  }
  if (operator === '=' && right.kind === 'number' && Number(right.value) === 1) {
    return [rowCount('1')];
  }
  throw new OracleError(3001, 'unimplemented feature: ROWNUM may only be bounded from above', {
    offset: expression.offset,
  });
}

function refuseRownum(node: unknown): void {
  if (Array.isArray(node)) {
    node.forEach(refuseRownum);
  } else if (
    typeof node === 'object' &&
    node !== null &&
    !('kind' in node && (node.kind === 'subquery' || node.kind === 'exists'))
  ) {
    if ('name' in node && node.name === 'ROWNUM') {
      throw new OracleError(
        3001,
        'unimplemented feature: ROWNUM only as ROWNUM <= n in the top-level AND of WHERE',
      );
    }
    Object.values(node).forEach(refuseRownum);
  }
}

/** ROWNUM counts before grouping and sorting, so the rows are cut in a subquery of the same name. */
function limitedSource(
  from: { readonly sql: string; readonly sources: Scope['sources'] },
  where: Where,
  select: Select,
): string {
  const [source] = from.sources;
  if (source === undefined || from.sources.length > 1) {
    throw new OracleError(
      3001,
      'unimplemented feature: ROWNUM with a join and ORDER BY, GROUP BY or DISTINCT',
      { offset: select.offset },
    );
  }
  return ` FROM (SELECT * FROM ${from.sql}${clause(' WHERE ', where.sql)} FETCH FIRST ${where.limit} ROWS ONLY) AS ${quoteName(source.alias)}`;
}

/** A name in GROUP BY that is no column may be the alias of an item. */
function aliased(expression: Expression, select: Select, scope: Scope): Expression {
  if (
    expression.kind !== 'name' ||
    expression.path.length > 1 ||
    resolveColumn(scope, expression.path) !== undefined
  ) {
    return expression;
  }
  const item = select.items.find(
    (candidate) => !('star' in candidate) && candidate.alias?.name === expression.path[0]?.name,
  );
  return item === undefined || 'star' in item ? expression : item.expression;
}

function groupKey(expression: Expression, rows: Environment): string {
  if (expression.kind === 'call' && ['ROLLUP', 'CUBE'].includes(expression.name)) {
    throw new OracleError(3001, `unimplemented feature: ${expression.name}`, { offset: expression.offset });
  }
  const value = translateExpression(expression, rows);
  refuseIncomparable(value, expression.offset);
  return value.type === undefined ? 'NULL::text' : value.sql;
}

function groupingOf(
  select: Select,
  orderBy: readonly SortKey[],
  keys: readonly string[],
): Grouping | undefined {
  if (keys.length > 0) {
    return { keys: new Set(keys), explicit: true };
  }
  const aggregated =
    select.having !== undefined || containsAggregate(select.items) || containsAggregate(orderBy);
  return aggregated ? { keys: new Set(), explicit: false } : undefined;
}

function translateItem(
  item: SelectItem | StarItem,
  environment: Environment,
  hasFrom: boolean,
): readonly Item[] {
  if ('star' in item) {
    if (!hasFrom) {
      throw new OracleError(923, 'FROM keyword not found where expected');
    }
    return expandStar(item.table, environment);
  }
  const value = translateExpression(item.expression, environment);
  if (value.condition === true) {
    throw new OracleError(923, 'FROM keyword not found where expected: a condition is no value', {
      offset: item.expression.offset,
    });
  }
  return [{ name: itemName(item), value }];
}

/** The alias, the column's own name, or the text of the expression. */
export function itemName(item: SelectItem): string {
  const { expression } = item;
  return (
    item.alias?.name ??
    (expression.kind === 'name' ? (expression.path.at(-1)?.name ?? item.text) : item.text.slice(0, 128))
  );
}

function expandStar(table: Identifier | undefined, environment: Environment): readonly Item[] {
  const { scope, grouping } = environment;
  const sources =
    table === undefined ? scope.sources : scope.sources.filter((source) => source.alias === table.name);
  if (sources.length === 0) {
    throw new OracleError(904, `"${table?.name ?? '*'}": invalid identifier`, { offset: table?.offset });
  }
  const merged =
    table === undefined
      ? [...scope.merged].map(([name, type]) => ({ name, value: { sql: quoteName(name), type } }))
      : [];
  const columns = sources.flatMap((source) =>
    source.columns
      .filter((column) => table !== undefined || !scope.merged.has(column.name))
      .map((column) => ({ name: column.name, value: columnValue(source, column) })),
  );
  const items = [...merged, ...columns];
  const ungrouped = items.find(({ value }) => grouping !== undefined && !grouping.keys.has(value.sql));
  if (ungrouped !== undefined) {
    throw grouping?.explicit === true
      ? new OracleError(
          979,
          `"${ungrouped.name}": must appear in the GROUP BY clause or be used in an aggregate function`,
        )
      : new OracleError(937, 'not a single-group group function');
  }
  return items;
}

function translateOrder(
  keys: readonly SortKey[],
  items: readonly Item[],
  distinct: boolean,
  environment: Environment,
): string {
  if (keys.length === 0) {
    return '';
  }
  const aliases = new Map(items.map(({ name, value }) => [name, value]));
  const sorted = keys.map((key) => {
    const position = sortPosition(key.expression, items);
    const value =
      items[position - 1]?.value ?? translateExpression(key.expression, { ...environment, aliases });
    refuseIncomparable(value, key.expression.offset);
    const index = position > 0 ? position : items.findIndex((item) => item.value.sql === value.sql) + 1;
    if (index === 0 && distinct) {
      throw new OracleError(1791, 'not a SELECTed expression', { offset: key.expression.offset });
    }
    return `${index > 0 ? index : value.type === undefined ? 'NULL::text' : value.sql}${sortDirection(key)}`;
  });
  return ` ORDER BY ${sorted.join(', ')}`;
}

/** Position in the select list that a key names by number or alias; 0 for an expression. ORA-01785: out of range. */
function sortPosition(expression: Expression, items: readonly Item[]): number {
  if (expression.kind === 'number') {
    const position = Number(expression.value);
    if (!Number.isInteger(position) || position < 1 || position > items.length) {
      throw new OracleError(1785, 'ORDER BY item must be the number of a SELECT-list expression', {
        offset: expression.offset,
      });
    }
    return position;
  }
  if (expression.kind === 'name' && expression.path.length === 1) {
    return items.findIndex((item) => item.name === expression.path[0]?.name) + 1;
  }
  return 0;
}
