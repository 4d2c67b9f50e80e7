import { OracleError } from '../oracle-error.ts';
import { isReservedWord } from '../reserved-words.ts';
import type { ArithmeticOperator, Expression, Identifier } from '../syntax-tree.ts';
import { parseCondition } from './parse-condition.ts';
import { parseCall } from './parse-function.ts';
import { parseQuery } from './parse-query.ts';
import type { TokenReader } from './token-reader.ts';

/** Units that an interval literal may name. */
const INTERVAL_UNITS: ReadonlySet<string> = new Set(['YEAR', 'MONTH', 'DAY', 'HOUR', 'MINUTE', 'SECOND']);

/** A value: anything below the comparison operators. In parentheses also a condition (checked by type later). */
export function parseExpression(reader: TokenReader): Expression {
  let left = parseProduct(reader);
  for (;;) {
    const { value, kind, offset } = reader.peek();
    if (kind !== 'operator' || !isAdditive(value)) {
      return left;
    }
    reader.next();
    left = { kind: 'arithmetic', operator: value, left, right: parseProduct(reader), offset };
  }
}

function isAdditive(operator: string): operator is '+' | '-' | '||' | '<->' | '<=>' | '<#>' {
  return ['+', '-', '||', '<->', '<=>', '<#>'].includes(operator);
}

function parseProduct(reader: TokenReader): Expression {
  let left = parseSigned(reader);
  for (;;) {
    const { offset } = reader.peek();
    const operator: ArithmeticOperator | undefined = reader.acceptOperator('*')
      ? '*'
      : reader.acceptOperator('/')
        ? '/'
        : undefined;
    if (operator === undefined) {
      return left;
    }
    left = { kind: 'arithmetic', operator, left, right: parseSigned(reader), offset };
  }
}

function parseSigned(reader: TokenReader): Expression {
  const { offset } = reader.peek();
  if (reader.acceptOperator('-')) {
    return { kind: 'sign', operator: '-', operand: parseSigned(reader), offset };
  }
  if (reader.acceptOperator('+')) {
    return { kind: 'sign', operator: '+', operand: parseSigned(reader), offset };
  }
  let operand = parsePrimary(reader);
  while (reader.at('AT', 'TIME', 'ZONE') || reader.at('AT', 'LOCAL')) {
    reader.next();
    if (reader.accept('LOCAL')) {
      operand = { kind: 'at_time_zone', operand, zone: { kind: 'text', value: 'UTC', offset }, offset };
    } else {
      reader.next();
      reader.next();
      operand = { kind: 'at_time_zone', operand, zone: parsePrimary(reader), offset };
    }
  }
  return operand;
}

function parsePrimary(reader: TokenReader): Expression {
  const token = reader.peek();
  const { offset } = token;
  switch (token.kind) {
    case 'text':
      reader.next();
      return { kind: 'text', value: token.value, offset };
    case 'number':
      reader.next();
      return { kind: 'number', value: token.value, offset };
    case 'bind':
      return parseBind(reader);
    case 'quoted':
      return parseName(reader);
    case 'word':
      return parseWord(reader);
    default:
      return token.value === '(' && token.kind === 'operator' ? parseParenthesis(reader) : reader.fail(936);
  }
}

/** A bind variable. ORA-01745: its name is a reserved word. */
export function parseBind(reader: TokenReader): Expression & { readonly kind: 'bind' } {
  const token = reader.next();
  if (token.kind !== 'bind') {
    return reader.fail(936, token);
  }
  if (isReservedWord(token.value)) {
    throw new OracleError(1745, `invalid host/bind variable name ${token.text}`, { offset: token.offset });
  }
  return { kind: 'bind', name: token.value, offset: token.offset };
}

function parseParenthesis(reader: TokenReader): Expression {
  const { offset } = reader.next();
  if (reader.at('SELECT') || reader.at('WITH')) {
    const query = parseQuery(reader);
    reader.expectOperator(')');
    return { kind: 'subquery', query, offset };
  }
  const items = reader.list(() => parseCondition(reader));
  reader.expectOperator(')');
  const [first] = items;
  if (first === undefined) {
    return reader.fail(936);
  }
  if (items.length > 1) {
    return { kind: 'row', items, offset };
  }
  return first;
}

function parseWord(reader: TokenReader): Expression {
  const { value, offset } = reader.peek();
  const following = reader.peek(1);
  switch (value) {
    case 'NULL':
      reader.next();
      return { kind: 'null', offset };
    case 'TRUE':
    case 'FALSE':
      reader.next();
      return { kind: 'boolean', value: value === 'TRUE', offset };
    case 'DEFAULT':
      reader.next();
      return { kind: 'default', offset };
    case 'CASE':
      return parseCase(reader);
    case 'DATE':
    case 'TIMESTAMP':
      if (following.kind === 'text') {
        reader.next();
        return { kind: 'time', type: value, value: reader.textLiteral(), offset };
      }
      break;
    case 'INTERVAL':
      if (following.kind === 'text') {
        return parseInterval(reader);
      }
      break;
    case 'ROWNUM':
    case 'SYSDATE':
    case 'USER':
      reader.next();
      return { kind: 'name', path: [{ name: value, offset }], offset };
    case 'LEVEL':
    case 'ROWID':
    case 'PRIOR':
    case 'CONNECT_BY_ROOT':
    case 'CURSOR':
    case 'MULTISET':
      return reader.unsupported(value);
  }
  if (isReservedWord(value)) {
    return reader.fail(936);
  }
  return parseName(reader);
}

/** A column, pseudo-column or variable, or a function call. */
function parseName(reader: TokenReader): Expression {
  const { offset } = reader.peek();
  const path: Identifier[] = [reader.identifier()];
  while (reader.atOperator('.') && path.length < 3) {
    reader.next();
    if (reader.at('ROWID')) {
      return reader.unsupported('ROWID');
    }
    path.push(reader.identifier(1747));
  }
  if (reader.atOperator('(')) {
    if (reader.atOperator('+', 1) && reader.atOperator(')', 2)) {
      return reader.unsupported('the outer join operator (+)');
    }
    return parseCall(reader, path.map((part) => part.name).join('.'), offset);
  }
  return { kind: 'name', path, offset };
}

function parseCase(reader: TokenReader): Expression {
  const { offset } = reader.next();
  const operand = reader.at('WHEN') ? undefined : parseExpression(reader);
  const branches: { when: Expression; value: Expression }[] = [];
  while (reader.accept('WHEN')) {
    const when = operand === undefined ? parseCondition(reader) : parseExpression(reader);
    reader.expect('THEN');
    branches.push({ when, value: parseExpression(reader) });
  }
  if (branches.length === 0) {
    reader.fail(905);
  }
  const otherwise = reader.accept('ELSE') ? parseExpression(reader) : undefined;
  reader.expect('END');
  return { kind: 'case', operand, branches, otherwise, offset };
}

function parseInterval(reader: TokenReader): Expression {
  const { offset } = reader.next();
  const value = reader.textLiteral();
  const from = parseIntervalUnit(reader);
  const to = reader.accept('TO') ? parseIntervalUnit(reader) : undefined;
  return { kind: 'interval', value, from, to, offset };
}

function parseIntervalUnit(reader: TokenReader): string {
  const token = reader.next();
  if (token.kind !== 'word' || !INTERVAL_UNITS.has(token.value)) {
    reader.fail(30089, token);
  }
  if (reader.acceptOperator('(')) {
    reader.list(() => reader.integer());
    reader.expectOperator(')');
  }
  return token.value;
}
