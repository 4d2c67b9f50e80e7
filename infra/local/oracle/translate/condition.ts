import { OracleError } from '../sql/oracle-error.ts';
import type { ComparisonOperator, Condition, Expression } from '../sql/syntax-tree.ts';
import { comparable, compareValues, refuseIncomparable } from './comparison.ts';
import { asText } from './conversion.ts';
import { translateExpression } from './expression.ts';
import type { Environment } from './scope.ts';
import { condition, inconsistent, isText, type Value } from './value.ts';

/** A condition as PostgreSQL text. ORA-00920 when the expression is a value that is not BOOLEAN. */
export function translateConditionValue(expression: Expression, environment: Environment): string {
  const value = translateExpression(expression, { ...environment, inCondition: true });
  if (value.type?.kind !== 'BOOLEAN') {
    throw new OracleError(920, 'invalid relational operator', { offset: expression.offset });
  }
  return value.sql;
}

/** Logical operators and predicates. */
export function translateCondition(node: Condition, environment: Environment): Value {
  switch (node.kind) {
    case 'logical':
      return condition(
        `(${node.items.map((item) => translateConditionValue(item, environment)).join(` ${node.operator} `)})`,
      );
    case 'not':
      return condition(`(NOT ${translateConditionValue(node.operand, environment)})`);
    case 'comparison':
      return condition(translateComparison(node, environment));
    case 'between':
      return condition(translateBetween(node, environment));
    case 'like':
      return condition(translateLike(node, environment));
    case 'in':
      return condition(translateIn(node, environment));
    case 'exists':
      return condition(`EXISTS (${subquery(node.query, environment, node.offset).sql})`);
    case 'is_null':
      return condition(
        `(${translateExpression(node.operand, environment).sql} IS ${node.negated ? 'NOT ' : ''}NULL)`,
      );
    case 'is_boolean':
      return condition(
        `(${translateConditionValue(node.operand, environment)} IS ${node.negated ? 'NOT ' : ''}${node.value ? 'TRUE' : 'FALSE'})`,
      );
    case 'is_json':
      return condition(translateIsJson(node, environment));
  }
}

function subquery(
  query: Parameters<Environment['translateQuery']>[0],
  environment: Environment,
  offset: number,
) {
  if (environment.restricted === true) {
    throw new OracleError(2251, 'subquery not allowed here', { offset });
  }
  return environment.translateQuery(query, { ...environment, inCondition: false });
}

function translateComparison(node: Condition & { kind: 'comparison' }, environment: Environment): string {
  const { left, right, operator, quantifier, offset } = node;
  if (left.kind === 'row') {
    return translateRowComparison(left.items, operator, right, environment);
  }
  if (quantifier !== undefined && right.kind === 'subquery') {
    const operand = translateExpression(left, environment);
    const { sql, columns } = subquery(right.query, environment, offset);
    const [converted, selected] = convertToSubquery(operand, sql, columns, offset);
    return `(${converted} ${operator} ${quantifier} (${selected}))`;
  }
  const text = matchTextSearch(node);
  if (text !== undefined) {
    return translateExpression(text, { ...environment, inCondition: true, comparesText: true }).sql;
  }
  return compareValues(
    translateExpression(left, environment),
    operator,
    translateExpression(right, environment),
    offset,
  );
}

/** `CONTAINS(…) > 0` is the only use of CONTAINS. */
function matchTextSearch(node: Condition & { kind: 'comparison' }): Expression | undefined {
  const { left, right } = node;
  if (left.kind !== 'call' || left.name !== 'CONTAINS') {
    return undefined;
  }
  if (node.operator !== '>' || right.kind !== 'number' || Number(right.value) !== 0) {
    throw new OracleError(3001, 'unimplemented feature: CONTAINS may only be compared as CONTAINS(…) > 0', {
      offset: node.offset,
    });
  }
  return left;
}

function translateRowComparison(
  items: readonly Expression[],
  operator: ComparisonOperator,
  right: Expression,
  environment: Environment,
): string {
  const values = items.map((item) => translateExpression(item, environment));
  const offset = right.offset;
  if (right.kind === 'subquery') {
    const { sql, columns } = subquery(right.query, environment, offset);
    const [row, selected] = convertRowToSubquery(values, sql, columns, offset);
    return `(${row} ${operator} (${selected}))`;
  }
  if (right.kind !== 'row') {
    throw new OracleError(920, 'invalid relational operator', { offset });
  }
  checkRowWidth(values.length, right.items.length, offset);
  const pairs = right.items.map((item, index) => {
    const left = values[index];
    return left === undefined
      ? ''
      : compareValues(left, '=', translateExpression(item, environment), item.offset);
  });
  return operator === '=' ? `(${pairs.join(' AND ')})` : `(NOT (${pairs.join(' AND ')}))`;
}

function checkRowWidth(expected: number, actual: number, offset: number): void {
  if (actual < expected) {
    throw new OracleError(947, 'not enough values', { offset });
  }
  if (actual > expected) {
    throw new OracleError(913, 'too many values', { offset });
  }
}

function translateBetween(node: Condition & { kind: 'between' }, environment: Environment): string {
  const operand = translateExpression(node.operand, environment);
  const low = compareValues(operand, '>=', translateExpression(node.low, environment), node.offset);
  const high = compareValues(operand, '<=', translateExpression(node.high, environment), node.offset);
  return node.negated ? `(NOT (${low} AND ${high}))` : `(${low} AND ${high})`;
}

/** Oracle's LIKE has no escape character unless ESCAPE names one. */
function translateLike(node: Condition & { kind: 'like' }, environment: Environment): string {
  const operand = asText(translateExpression(node.operand, environment), node.offset);
  const pattern = asText(translateExpression(node.pattern, environment), node.pattern.offset);
  const negation = node.negated ? 'NOT ' : '';
  if (node.escape === undefined) {
    return `(${operand} ${negation}LIKE ${pattern} ESCAPE '')`;
  }
  const escapeText = asText(translateExpression(node.escape, environment), node.escape.offset);
  return `(${operand} ${negation}LIKE ora.like_pattern(${pattern}, ${escapeText}) ESCAPE ${escapeText})`;
}

function translateIn(node: Condition & { kind: 'in' }, environment: Environment): string {
  const [only] = node.items;
  const negation = node.negated ? 'NOT ' : '';
  if (only?.kind === 'subquery' && node.items.length === 1) {
    return translateInSubquery(node, only, negation, environment);
  }
  if (node.operand.kind === 'row') {
    const rows = node.operand;
    const pairs = node.items.map((item) => translateRowComparison(rows.items, '=', item, environment));
    return `(${negation}(${pairs.join(' OR ')}))`;
  }
  const operand = translateExpression(node.operand, environment);
  const values = node.items.map((item) => translateExpression(item, environment));
  const simple = values.every((value) => value.type?.kind === operand.type?.kind);
  if (simple && operand.type !== undefined) {
    refuseIncomparable(operand, node.offset);
    return `(${operand.sql} ${negation}IN (${values.map((value) => value.sql).join(', ')}))`;
  }
  const tests = values.map((value) => compareValues(operand, '=', value, node.offset));
  return `(${negation}(${tests.join(' OR ')}))`;
}

function translateInSubquery(
  node: Condition & { kind: 'in' },
  item: Expression & { kind: 'subquery' },
  negation: string,
  environment: Environment,
): string {
  const { sql, columns } = subquery(item.query, environment, item.offset);
  if (node.operand.kind === 'row') {
    const values = node.operand.items.map((part) => translateExpression(part, environment));
    const [row, selected] = convertRowToSubquery(values, sql, columns, item.offset);
    return `(${row} ${negation}IN (${selected}))`;
  }
  const operand = translateExpression(node.operand, environment);
  const [converted, selected] = convertToSubquery(operand, sql, columns, item.offset);
  return `(${converted} ${negation}IN (${selected}))`;
}

/** A row and the subquery with common types, column by column. */
function convertRowToSubquery(
  values: readonly Value[],
  sql: string,
  columns: readonly { readonly type: Value['type'] }[],
  offset: number,
): readonly [string, string] {
  checkRowWidth(values.length, columns.length, offset);
  const pairs = values.map((value, index) =>
    comparable(value, { sql: `q.c${index + 1}`, type: columns[index]?.type }, offset),
  );
  const names = values.map((_value, index) => `c${index + 1}`).join(', ');
  return [
    `(${pairs.map(([left]) => left).join(', ')})`,
    `SELECT ${pairs.map(([, right]) => right).join(', ')} FROM (${sql}) AS q(${names})`,
  ];
}

/** The operand and the subquery with one common type on both sides. */
function convertToSubquery(
  operand: Value,
  sql: string,
  columns: readonly { readonly type: Value['type'] }[],
  offset: number,
): readonly [string, string] {
  const [column] = columns;
  if (column === undefined || columns.length > 1) {
    throw new OracleError(913, 'too many values', { offset });
  }
  const selected: Value = { sql: 'q.c', type: column.type };
  const [a, b] = comparable(operand, selected, offset);
  return [a, b === 'q.c' ? sql : `SELECT ${b} FROM (${sql}) AS q(c)`];
}

function translateIsJson(node: Condition & { kind: 'is_json' }, environment: Environment): string {
  const operand = translateExpression(node.operand, environment);
  if (operand.type?.kind === 'JSON') {
    return `(${operand.sql} IS ${node.negated ? '' : 'NOT '}NULL)`;
  }
  if (!isText(operand.type)) {
    throw inconsistent('CHAR', operand.type, node.offset);
  }
  return `(ora.json_nesting(${operand.sql}) IS ${node.negated ? 'NOT ' : ''}JSON)`;
}
