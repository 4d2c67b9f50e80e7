import type { OracleType } from '../../sql/oracle-type.ts';
import type { ComparisonOperator, Expression } from '../../sql/syntax-tree.ts';
import { decodeNumber } from '../result-decoding.ts';
import { fitsPlsInteger, isPlsInteger, PLS_INTEGER, plsInteger } from './pls-integer.ts';
import type { TypedValue } from './typed-value.ts';

/** Gives the variables and binds that an expression reads. */
export interface Operands {
  variable(name: string): TypedValue | undefined;
  bind(name: string): TypedValue | undefined;
}

const NULL_VALUE: TypedValue = { value: null, type: undefined };
const NUMBER: OracleType = { kind: 'NUMBER' };
const BOOLEAN: OracleType = { kind: 'BOOLEAN' };
const VARCHAR2: OracleType = { kind: 'VARCHAR2', length: 32_767, unit: 'BYTE' };

/**
 * Evaluates an expression without the database: literals, variables, `||`, whole-number arithmetic, comparisons and
 * logic. Undefined when it needs more than that; PostgreSQL then evaluates it.
 */
export function foldExpression(expression: Expression, operands: Operands): TypedValue | undefined {
  switch (expression.kind) {
    case 'text':
      return { value: expression.value === '' ? null : expression.value, type: VARCHAR2 };
    case 'number':
      return literalNumber(expression.value);
    case 'null':
      return NULL_VALUE;
    case 'boolean':
      return { value: expression.value, type: BOOLEAN };
    case 'bind':
      return operands.bind(expression.name);
    case 'name':
      return expression.path.length === 1 ? operands.variable(expression.path[0]?.name ?? '') : undefined;
    case 'sign':
      return foldSign(expression, operands);
    case 'arithmetic':
      return foldArithmetic(expression, operands);
    case 'comparison':
      return foldComparison(expression, operands);
    case 'is_null': {
      const operand = foldExpression(expression.operand, operands);
      return operand && truth((operand.value === null) !== expression.negated);
    }
    case 'not': {
      const operand = foldExpression(expression.operand, operands);
      return operand && negate(operand);
    }
    case 'logical':
      return foldLogical(expression, operands);
    default:
      return undefined;
  }
}

function literalNumber(text: string): TypedValue | undefined {
  const value = decodeNumber(text);
  if (typeof value !== 'number') {
    return undefined;
  }
  return { value, type: /^\d+$/.test(text) && fitsPlsInteger(value) ? PLS_INTEGER : NUMBER };
}

function truth(value: boolean | null): TypedValue {
  return { value, type: BOOLEAN };
}

function negate(operand: TypedValue): TypedValue | undefined {
  if (operand.value === null) {
    return truth(null);
  }
  return typeof operand.value === 'boolean' ? truth(!operand.value) : undefined;
}

function foldSign(expression: Expression & { kind: 'sign' }, operands: Operands): TypedValue | undefined {
  const operand = foldExpression(expression.operand, operands);
  if (typeof operand?.value !== 'number') {
    return undefined;
  }
  return { value: expression.operator === '-' ? -operand.value : operand.value, type: operand.type };
}

function foldArithmetic(
  expression: Expression & { kind: 'arithmetic' },
  operands: Operands,
): TypedValue | undefined {
  const left = foldExpression(expression.left, operands);
  const right = foldExpression(expression.right, operands);
  if (left === undefined || right === undefined) {
    return undefined;
  }
  if (expression.operator === '||') {
    return concatenate(left, right);
  }
  if (!Number.isSafeInteger(left.value) || !Number.isSafeInteger(right.value)) {
    return undefined;
  }
  const value = wholeNumber(expression.operator, Number(left.value), Number(right.value));
  if (value === undefined) {
    return undefined;
  }
  return isPlsInteger(left.type) && isPlsInteger(right.type)
    ? { value: plsInteger(value), type: PLS_INTEGER }
    : { value, type: NUMBER };
}

function wholeNumber(operator: string, left: number, right: number): number | undefined {
  const value =
    operator === '+' ? left + right : operator === '-' ? left - right : operator === '*' ? left * right : NaN;
  return Number.isSafeInteger(value) ? value : undefined;
}

/** NULL is nothing in a concatenation. */
function concatenate(left: TypedValue, right: TypedValue): TypedValue | undefined {
  const parts = [left, right].map((part) => {
    if (part.value === null) {
      return '';
    }
    const isText = part.type?.kind === 'VARCHAR2' || part.type?.kind === 'CLOB';
    return isText || Number.isSafeInteger(part.value) ? String(part.value) : undefined;
  });
  if (parts.includes(undefined)) {
    return undefined;
  }
  const isClob = left.type?.kind === 'CLOB' || right.type?.kind === 'CLOB';
  return { value: parts.join('') || null, type: isClob ? { kind: 'CLOB' } : VARCHAR2 };
}

function foldComparison(
  expression: Expression & { kind: 'comparison' },
  operands: Operands,
): TypedValue | undefined {
  if (expression.quantifier !== undefined) {
    return undefined;
  }
  const left = foldExpression(expression.left, operands);
  const right = foldExpression(expression.right, operands);
  if (left === undefined || right === undefined) {
    return undefined;
  }
  if (left.value === null || right.value === null) {
    return truth(null);
  }
  return compare(expression.operator, left, right);
}

function compare(operator: ComparisonOperator, left: TypedValue, right: TypedValue): TypedValue | undefined {
  if (typeof left.value === 'number' && typeof right.value === 'number') {
    return truth(ordered(operator, left.value - right.value));
  }
  const areTexts = [left, right].every((side) => side.type?.kind === 'VARCHAR2');
  if (areTexts && (operator === '=' || operator === '<>')) {
    return truth((left.value === right.value) === (operator === '='));
  }
  return undefined;
}

function ordered(operator: ComparisonOperator, difference: number): boolean {
  switch (operator) {
    case '=':
      return difference === 0;
    case '<>':
      return difference !== 0;
    case '<':
      return difference < 0;
    case '<=':
      return difference <= 0;
    case '>':
      return difference > 0;
    case '>=':
      return difference >= 0;
  }
}

/** Three-valued AND and OR; the operands after a decisive one are not evaluated, as in PL/SQL. */
function foldLogical(
  expression: Expression & { kind: 'logical' },
  operands: Operands,
): TypedValue | undefined {
  const decisive = expression.operator === 'OR';
  let isUnknown = false;
  for (const item of expression.items) {
    const operand = foldExpression(item, operands);
    if (operand === undefined || (operand.value !== null && typeof operand.value !== 'boolean')) {
      return undefined;
    }
    if (operand.value === decisive) {
      return truth(decisive);
    }
    isUnknown ||= operand.value === null;
  }
  return truth(isUnknown ? null : !decisive);
}
