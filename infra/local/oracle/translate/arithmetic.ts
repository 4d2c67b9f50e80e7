import { isPlsInteger, PLS_INTEGER } from '../engine/block/pls-integer.ts';
import { OracleError } from '../sql/oracle-error.ts';
import type { Expression } from '../sql/syntax-tree.ts';
import { asNumber, asNumeric, asText, asVector } from './conversion.ts';
import { translateExpression } from './expression.ts';
import { DISTANCE_OPERATORS, vectorDistance } from './functions/vector.ts';
import type { Environment } from './scope.ts';
import {
  CLOB,
  DATE,
  double,
  INTERVAL,
  inconsistent,
  isFloating,
  isTime,
  number,
  text,
  type Value,
} from './value.ts';

type Arithmetic = Expression & { readonly kind: 'arithmetic' };

/** `+ - * / ||` and the vector distance operators. */
export function translateArithmetic(expression: Arithmetic, environment: Environment): Value {
  if (expression.operator === '||') {
    return translateConcatenation(expression, environment);
  }
  const left = translateExpression(expression.left, environment);
  const right = translateExpression(expression.right, environment);
  const metric = DISTANCE_OPERATORS[expression.operator];
  if (metric !== undefined) {
    return vectorDistance(
      asVector(left, expression.offset),
      asVector(right, expression.offset),
      metric,
      expression.offset,
    );
  }
  if (
    isTime(left.type) ||
    isTime(right.type) ||
    left.type?.kind === 'INTERVAL' ||
    right.type?.kind === 'INTERVAL'
  ) {
    return translateTimeArithmetic(expression, left, right);
  }
  const { offset, operator } = expression;
  const a = asNumber(left, offset);
  const b = asNumber(right, offset);
  if (isFloating(a.type) || isFloating(b.type)) {
    const sides = [`(${a.sql})::float8`, `(${b.sql})::float8`] as const;
    return operator === '/'
      ? double(`ora.divide_double(${sides[0]}, ${sides[1]})`)
      : double(`(${sides[0]} ${operator} ${sides[1]})`);
  }
  if (operator === '/') {
    return number(`ora.divide(${a.sql}, ${b.sql})`);
  }
  const sql = `(${a.sql} ${operator} ${b.sql})`;
  const isWhole = isPlsInteger(left.type) && isPlsInteger(right.type);
  return isWhole && environment.state.context.routine !== undefined
    ? { sql: `ora.plsql_integer(${sql})`, type: PLS_INTEGER }
    : number(sql);
}

/** NULL adds nothing to a text; the result is NULL only when every part is. */
function translateConcatenation(expression: Arithmetic, environment: Environment): Value {
  const parts = flatten(expression).map((part) => ({
    value: translateExpression(part, environment),
    offset: part.offset,
  }));
  const texts = parts.map(({ value, offset }) => asText(value, offset));
  const sql = `NULLIF(${texts.map((part) => `COALESCE(${part}, '')`).join(' || ')}, '')`;
  return parts.some(({ value }) => value.type?.kind === 'CLOB') ? { sql, type: CLOB } : text(sql);
}

function flatten(expression: Expression): readonly Expression[] {
  return expression.kind === 'arithmetic' && expression.operator === '||'
    ? [...flatten(expression.left), ...flatten(expression.right)]
    : [expression];
}

function translateTimeArithmetic(expression: Arithmetic, left: Value, right: Value): Value {
  const { operator, offset } = expression;
  if (left.type?.kind === 'INTERVAL' || right.type?.kind === 'INTERVAL') {
    return translateIntervalArithmetic(expression, left, right);
  }
  if (operator === '+' && isTime(left.type) !== isTime(right.type)) {
    return isTime(left.type) ? addDays(left, right, '+', offset) : addDays(right, left, '+', offset);
  }
  if (operator === '-' && isTime(left.type)) {
    if (!isTime(right.type)) {
      return addDays(left, right, '-', offset);
    }
    if (left.type?.kind === 'DATE' && right.type?.kind === 'DATE') {
      return number(`ora.divide(EXTRACT(EPOCH FROM (${left.sql} - ${right.sql})), 86400)`);
    }
    return { sql: `(${left.sql} - ${right.sql})`, type: INTERVAL, daysOnly: true };
  }
  if (operator === '+') {
    throw new OracleError(975, 'date + date not allowed', { offset });
  }
  throw inconsistent('NUMBER', isTime(left.type) ? left.type : right.type, offset);
}

/** Days are added to a DATE; a TIMESTAMP becomes a DATE first and loses its fraction, as in Oracle. */
function addDays(time: Value, days: Value, operator: '+' | '-', offset: number): Value {
  const base = time.type?.kind === 'DATE' ? time.sql : `date_trunc('second', (${time.sql})::timestamp)`;
  return { sql: `(${base} ${operator} ora.days(${asNumeric(days, offset)}))::timestamp(0)`, type: DATE };
}

function translateIntervalArithmetic(expression: Arithmetic, left: Value, right: Value): Value {
  const { operator, offset } = expression;
  const leftInterval = left.type?.kind === 'INTERVAL';
  const rightInterval = right.type?.kind === 'INTERVAL';
  if (operator === '+' || operator === '-') {
    if (leftInterval && rightInterval) {
      return { sql: `(${left.sql} ${operator} ${right.sql})`, type: INTERVAL };
    }
    if (isTime(left.type) && rightInterval) {
      return addInterval(left, right, operator);
    }
    if (leftInterval && isTime(right.type) && operator === '+') {
      return addInterval(right, left, '+');
    }
  }
  if ((operator === '*' || operator === '/') && leftInterval && !rightInterval) {
    return { sql: `(${left.sql} ${operator} (${asNumeric(right, offset)})::float8)`, type: INTERVAL };
  }
  if (operator === '*' && rightInterval && !leftInterval) {
    return { sql: `(${right.sql} * (${asNumeric(left, offset)})::float8)`, type: INTERVAL };
  }
  throw inconsistent('INTERVAL', leftInterval ? right.type : left.type, offset);
}

/** ORA-01839 when months lead to a day that does not exist. */
function addInterval(time: Value, interval: Value, operator: '+' | '-'): Value {
  if (interval.daysOnly === true) {
    return { sql: `(${time.sql} ${operator} ${interval.sql})`, type: time.type };
  }
  const added = `ora.add_interval(${time.sql}, ${operator === '-' ? '- ' : ''}${interval.sql})`;
  return { sql: time.type?.kind === 'DATE' ? `${added}::timestamp(0)` : added, type: time.type };
}

/** `-x` and `+x`. */
export function translateSign(expression: Expression & { kind: 'sign' }, environment: Environment): Value {
  const operand = translateExpression(expression.operand, environment);
  if (operand.type?.kind === 'INTERVAL') {
    return { sql: `(${expression.operator}${operand.sql})`, type: INTERVAL };
  }
  const value = asNumber(operand, expression.offset);
  return {
    sql: expression.operator === '-' ? `(- ${value.sql})` : value.sql,
    type: isFloating(value.type) ? value.type : { kind: 'NUMBER' },
  };
}
