import { OracleError } from '../sql/oracle-error.ts';
import type { Select, SelectItem, StarItem } from '../sql/query-syntax.ts';
import type { Expression, Identifier, SortKey } from '../sql/syntax-tree.ts';
import { containsAggregate } from './aggregates.ts';
import { refuseIncomparable } from './comparison.ts';
import { translateConditionValue } from './condition.ts';
import { translateExpression } from './expression.ts';
import { translateFrom } from './from.ts';
import { quoteName } from './names.ts';
import { type Item, translateOrder } from './order-by.ts';
import {
  columnValue,
  type Environment,
  type Grouping,
  resolveColumn,
  type Scope,
  type ScopeColumn,
  type TranslatedQuery,
} from './scope.ts';
import { postgresType, type Value } from './value.ts';
import { translateWhere, type Where } from './where.ts';

interface SelectOptions {
  /** The query has OFFSET or FETCH. */
  readonly limited: boolean;
  /** Types for columns that are NULL literals, from the other side of a set operation. */
  readonly expected: readonly ScopeColumn[] | undefined;
}

/** One query block with its ORDER BY. */
export function translateSelect(
  select: Select,
  orderBy: readonly SortKey[],
  environment: Environment,
  options: SelectOptions,
): TranslatedQuery {
  const from = translateFrom(select.from, plain(environment));
  const scope: Scope = {
    parent: environment.scope,
    sources: from.sources,
    merged: from.merged,
    commonTables: environment.scope.commonTables,
  };
  const rows: Environment = { ...plain(environment), scope, textQueries: new Map(), clause: 'where' };
  const where = translateWhere(select.where, rows);
  const keys = select.groupBy.map((expression) => groupKey(aliased(expression, select, scope), rows));
  const grouping = groupingOf(select, orderBy, keys);
  const grouped: Environment = { ...rows, grouping, clause: 'select' };
  const drawn = environment.state.sequencesUsed;
  const items = select.items.flatMap((item) => translateItem(item, grouped, from.sql !== ''));
  const having =
    select.having === undefined
      ? ''
      : ` HAVING ${translateConditionValue(select.having, { ...grouped, clause: 'where', lateAliases: new Map(items.map(({ name, value }) => [name, value])) })}`;
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
      bounded: value.bounded === true,
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
