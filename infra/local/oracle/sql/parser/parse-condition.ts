import { OracleError } from '../oracle-error.ts';
import type { ComparisonOperator, Expression } from '../syntax-tree.ts';
import { parseExpression } from './parse-expression.ts';
import { parseQuery } from './parse-query.ts';
import type { TokenReader } from './token-reader.ts';

const MAXIMUM_LIST = 1000;
const COMPARISONS: Readonly<Record<string, ComparisonOperator>> = {
  '=': '=',
  '<>': '<>',
  '!=': '<>',
  '^=': '<>',
  '~=': '<>',
  '<': '<',
  '<=': '<=',
  '>': '>',
  '>=': '>=',
};

/** A condition: OR over AND over NOT over predicates. A lone value is returned as it is; its type is checked later. */
export function parseCondition(reader: TokenReader): Expression {
  return parseLogical(reader, 'OR', () => parseLogical(reader, 'AND', () => parseNegation(reader)));
}

function parseLogical(reader: TokenReader, operator: 'AND' | 'OR', read: () => Expression): Expression {
  const first = read();
  if (!reader.at(operator)) {
    return first;
  }
  const items = [first];
  while (reader.accept(operator)) {
    items.push(read());
  }
  return { kind: 'logical', operator, items, offset: first.offset };
}

function parseNegation(reader: TokenReader): Expression {
  const { offset } = reader.peek();
  if (!reader.accept('NOT')) {
    return parsePredicate(reader);
  }
  if (reader.at('NOT')) {
    reader.fail(936);
  }
  return { kind: 'not', operand: parsePredicate(reader), offset };
}

function parsePredicate(reader: TokenReader): Expression {
  const { offset } = reader.peek();
  if (reader.accept('EXISTS')) {
    reader.expectOperator('(');
    const query = parseQuery(reader);
    reader.expectOperator(')');
    return { kind: 'exists', query, offset };
  }
  const operand = parseExpression(reader);
  return parsePredicateTail(reader, operand);
}

function parsePredicateTail(reader: TokenReader, operand: Expression): Expression {
  const { offset } = operand;
  const token = reader.peek();
  const operator = token.kind === 'operator' ? COMPARISONS[token.value] : undefined;
  if (operator !== undefined) {
    reader.next();
    return parseComparison(reader, operand, operator);
  }
  if (reader.accept('IS')) {
    return parseIs(reader, operand);
  }
  const negated = reader.accept('NOT');
  if (reader.accept('BETWEEN')) {
    const low = parseExpression(reader);
    reader.expect('AND');
    return { kind: 'between', negated, operand, low, high: parseExpression(reader), offset };
  }
  if (reader.accept('LIKE')) {
    const pattern = parseExpression(reader);
    const escapeWith = reader.accept('ESCAPE') ? parseExpression(reader) : undefined;
    return { kind: 'like', negated, operand, pattern, escape: escapeWith, offset };
  }
  if (reader.accept('IN')) {
    return { kind: 'in', negated, operand, items: parseInList(reader), offset };
  }
  return negated ? reader.fail(920) : operand;
}

function parseComparison(reader: TokenReader, left: Expression, operator: ComparisonOperator): Expression {
  const quantifier =
    reader.accept('ANY') || reader.accept('SOME') ? 'ANY' : reader.accept('ALL') ? 'ALL' : undefined;
  const right = parseExpression(reader);
  if (quantifier !== undefined && right.kind !== 'subquery') {
    reader.unsupported(`${quantifier} over a list`);
  }
  if (left.kind === 'row' && operator !== '=' && operator !== '<>') {
    throw new OracleError(1796, 'this operator cannot be used with lists', { offset: left.offset });
  }
  return { kind: 'comparison', operator, quantifier, left, right, offset: left.offset };
}

function parseIs(reader: TokenReader, operand: Expression): Expression {
  const { offset } = operand;
  const negated = reader.accept('NOT');
  if (reader.accept('NULL')) {
    return { kind: 'is_null', negated, operand, offset };
  }
  if (reader.accept('TRUE')) {
    return { kind: 'is_boolean', negated, value: true, operand, offset };
  }
  if (reader.accept('FALSE')) {
    return { kind: 'is_boolean', negated, value: false, operand, offset };
  }
  if (reader.accept('JSON')) {
    if (reader.atOperator('(') || reader.at('STRICT') || reader.at('LAX')) {
      reader.unsupported('IS JSON with modifiers');
    }
    return { kind: 'is_json', negated, operand, offset };
  }
  return reader.fail(908);
}

function parseInList(reader: TokenReader): readonly Expression[] {
  const { offset } = reader.peek();
  if (!reader.atOperator('(')) {
    return [parseExpression(reader)];
  }
  reader.next();
  if (reader.at('SELECT') || reader.at('WITH')) {
    const query = parseQuery(reader);
    reader.expectOperator(')');
    return [{ kind: 'subquery', query, offset }];
  }
  const items = reader.list(() => parseExpression(reader));
  reader.expectOperator(')');
  if (items.length > MAXIMUM_LIST) {
    throw new OracleError(1795, `maximum number of expressions in a list is ${MAXIMUM_LIST}`, { offset });
  }
  return items;
}
