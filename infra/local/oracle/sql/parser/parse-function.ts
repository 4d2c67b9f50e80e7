import type { CallExpression, Expression, SortKey, WindowSpecification } from '../syntax-tree.ts';
import { parseDataType, parseVectorFormat } from './data-type.ts';
import { parseExpression } from './parse-expression.ts';
import { JSON_PARSERS } from './parse-json.ts';
import { parseSortKeys } from './parse-query.ts';
import type { TokenReader } from './token-reader.ts';

const PLAIN: Omit<CallExpression, 'name' | 'offset' | 'arguments'> = {
  kind: 'call',
  star: false,
  distinct: false,
  ignoreNulls: false,
  withinGroup: undefined,
  window: undefined,
  keyword: undefined,
};

/** Functions with a syntax of their own; each starts after the left parenthesis and ends before the right one. */
const SPECIAL_PARSERS: Readonly<Record<string, (reader: TokenReader, offset: number) => Expression>> = {
  CAST: parseCast,
  EXTRACT: parseExtract,
  LNNVL: (reader) => reader.unsupported('the function LNNVL'),
  TREAT: parseTreat,
  TRIM: parseTrim,
  VECTOR_DISTANCE: parseVectorDistance,
  VECTOR_EMBEDDING: parseVectorEmbedding,
  TO_VECTOR: parseToVector,
  VECTOR: parseToVector,
  FROM_VECTOR: parseFromVector,
  VECTOR_SERIALIZE: parseFromVector,
  ...JSON_PARSERS,
};

/** A call and the methods of its result; the reader stands at the left parenthesis. */
export function parseCall(reader: TokenReader, name: string, offset: number): Expression {
  let expression = parseSingleCall(reader, name, offset);
  while (reader.acceptOperator('.')) {
    expression = {
      kind: 'method',
      operand: expression,
      name: reader.identifier().name,
      arguments: parseMethodArguments(reader),
      offset,
    };
  }
  return expression;
}

function parseMethodArguments(reader: TokenReader): readonly Expression[] {
  if (!reader.acceptOperator('(')) {
    return [];
  }
  if (reader.acceptOperator(')')) {
    return [];
  }
  const items = reader.list(() => parseExpression(reader));
  reader.expectOperator(')');
  return items;
}

function parseSingleCall(reader: TokenReader, name: string, offset: number): Expression {
  const special = SPECIAL_PARSERS[name];
  reader.expectOperator('(');
  if (special !== undefined) {
    const expression = special(reader, offset);
    reader.expectOperator(')');
    return expression;
  }
  const call = parseArguments(reader, name, offset);
  return parseCallTail(reader, call);
}

function parseArguments(reader: TokenReader, name: string, offset: number): CallExpression {
  if (reader.acceptOperator(')')) {
    return { ...PLAIN, name, arguments: [], offset };
  }
  if (reader.atOperator('*') && reader.atOperator(')', 1)) {
    reader.next();
    reader.next();
    return { ...PLAIN, name, arguments: [], star: true, offset };
  }
  const distinct = reader.accept('DISTINCT') || reader.accept('UNIQUE');
  if (!distinct) {
    reader.accept('ALL');
  }
  const items = reader.list(() => parseExpression(reader));
  const ignoreNulls = parseNullTreatment(reader);
  if (name === 'LISTAGG' && reader.accept('ON', 'OVERFLOW')) {
    reader.expect('ERROR');
  }
  reader.expectOperator(')');
  return { ...PLAIN, name, arguments: items, distinct, ignoreNulls, offset };
}

function parseNullTreatment(reader: TokenReader): boolean {
  if (reader.accept('IGNORE', 'NULLS')) {
    return true;
  }
  reader.accept('RESPECT', 'NULLS');
  return false;
}

function parseCallTail(reader: TokenReader, call: CallExpression): CallExpression {
  const ignoreNulls = parseNullTreatment(reader) || call.ignoreNulls;
  let withinGroup: readonly SortKey[] | undefined;
  if (reader.accept('WITHIN')) {
    reader.expect('GROUP');
    reader.expectOperator('(');
    withinGroup = parseSortKeys(reader);
    reader.expectOperator(')');
  }
  if (reader.at('KEEP') && reader.atOperator('(', 1)) {
    reader.unsupported('KEEP (DENSE_RANK …)');
  }
  const window = reader.accept('OVER') ? parseWindow(reader) : undefined;
  return { ...call, ignoreNulls, withinGroup, window };
}

function parseWindow(reader: TokenReader): WindowSpecification {
  if (!reader.atOperator('(')) {
    reader.unsupported('a named window');
  }
  reader.next();
  let partitionBy: readonly Expression[] = [];
  if (reader.accept('PARTITION')) {
    reader.expect('BY', 924);
    partitionBy = reader.list(() => parseExpression(reader));
  }
  const orderBy = reader.at('ORDER') ? parseSortKeys(reader) : [];
  const frame = reader.at('ROWS') || reader.at('RANGE') ? parseFrame(reader) : undefined;
  reader.expectOperator(')');
  return { partitionBy, orderBy, frame };
}

function parseFrame(reader: TokenReader): string {
  const unit = reader.next().value;
  if (!reader.accept('BETWEEN')) {
    return `${unit} ${parseFrameBound(reader)}`;
  }
  const start = parseFrameBound(reader);
  reader.expect('AND');
  return `${unit} BETWEEN ${start} AND ${parseFrameBound(reader)}`;
}

function parseFrameBound(reader: TokenReader): string {
  if (reader.accept('CURRENT')) {
    reader.expect('ROW');
    return 'CURRENT ROW';
  }
  const distance = reader.accept('UNBOUNDED') ? 'UNBOUNDED' : String(reader.integer(30081));
  if (reader.accept('PRECEDING')) {
    return `${distance} PRECEDING`;
  }
  reader.expect('FOLLOWING');
  return `${distance} FOLLOWING`;
}

function parseCast(reader: TokenReader, offset: number): Expression {
  const operand = parseExpression(reader);
  reader.expect('AS');
  return { kind: 'cast', operand, type: parseDataType(reader), offset };
}

/** `TREAT(expression AS type)` for an object type. */
function parseTreat(reader: TokenReader, offset: number): Expression {
  const operand = parseExpression(reader);
  reader.expect('AS');
  return { kind: 'treat', operand, type: reader.identifier(902), offset };
}

function parseExtract(reader: TokenReader, offset: number): Expression {
  const field = reader.next().value;
  reader.expect('FROM', 923);
  return { kind: 'extract', field, operand: parseExpression(reader), offset };
}

function parseTrim(reader: TokenReader, offset: number): Expression {
  const side = reader.accept('LEADING')
    ? 'LEADING'
    : reader.accept('TRAILING')
      ? 'TRAILING'
      : reader.accept('BOTH')
        ? 'BOTH'
        : undefined;
  if (side !== undefined && reader.accept('FROM')) {
    return { kind: 'trim', side, characters: undefined, operand: parseExpression(reader), offset };
  }
  const first = parseExpression(reader);
  if (reader.accept('FROM')) {
    return {
      kind: 'trim',
      side: side ?? 'BOTH',
      characters: first,
      operand: parseExpression(reader),
      offset,
    };
  }
  return side === undefined
    ? { kind: 'trim', side: 'BOTH', characters: undefined, operand: first, offset }
    : reader.fail(923);
}

function parseVectorDistance(reader: TokenReader, offset: number): Expression {
  const left = parseExpression(reader);
  reader.expectOperator(',');
  const right = parseExpression(reader);
  const keyword = reader.acceptOperator(',') ? reader.identifier().name : 'COSINE';
  return { ...PLAIN, name: 'VECTOR_DISTANCE', arguments: [left, right], keyword, offset };
}

/** `VECTOR_EMBEDDING(model USING expression AS DATA)`: the one input of a text model, under the name that Oracle gives it. */
function parseVectorEmbedding(reader: TokenReader, offset: number): Expression {
  const path = [reader.identifier().name];
  if (reader.acceptOperator('.')) {
    path.push(reader.identifier().name);
  }
  reader.expect('USING');
  if (reader.atOperator('*')) {
    reader.unsupported('VECTOR_EMBEDDING … USING *');
  }
  const input = parseExpression(reader);
  if (!(reader.accept('AS') && reader.accept('DATA'))) {
    reader.unsupported('an input of VECTOR_EMBEDDING that is not named by AS DATA');
  }
  if (reader.atOperator(',')) {
    reader.unsupported('several inputs of VECTOR_EMBEDDING');
  }
  return { ...PLAIN, name: 'VECTOR_EMBEDDING', arguments: [input], keyword: path.join('.'), offset };
}

function parseToVector(reader: TokenReader, offset: number): Expression {
  const items = [parseExpression(reader)];
  let keyword: string | undefined;
  if (reader.acceptOperator(',')) {
    if (!reader.acceptOperator('*')) {
      items.push(parseExpression(reader));
    }
    if (reader.acceptOperator(',')) {
      keyword = parseVectorFormat(reader);
    }
  }
  return { ...PLAIN, name: 'TO_VECTOR', arguments: items, keyword, offset };
}

function parseFromVector(reader: TokenReader, offset: number): Expression {
  const operand = parseExpression(reader);
  const type = reader.accept('RETURNING') ? parseDataType(reader, { defaultLength: 4000 }) : undefined;
  const call: Expression = { ...PLAIN, name: 'FROM_VECTOR', arguments: [operand], offset };
  return type === undefined ? call : { kind: 'cast', operand: call, type, offset };
}
