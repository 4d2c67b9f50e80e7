import { OracleError } from '../oracle-error.ts';
import type { OracleType } from '../oracle-type.ts';
import type {
  Expression,
  JsonBuildExpression,
  JsonChange,
  JsonHandling,
  JsonPathExpression,
  JsonPathOptions,
} from '../syntax-tree.ts';
import { parseDataType } from './data-type.ts';
import { parseExpression } from './parse-expression.ts';
import { parseSortKeys } from './parse-query.ts';
import type { TokenReader } from './token-reader.ts';

type Parser = (reader: TokenReader, offset: number) => Expression;

/** JSON functions; each starts after the left parenthesis and ends before the right one. */
export const JSON_PARSERS: Readonly<Record<string, Parser>> = {
  JSON_VALUE: (reader, offset) => parsePathFunction(reader, 'JSON_VALUE', offset),
  JSON_QUERY: (reader, offset) => parsePathFunction(reader, 'JSON_QUERY', offset),
  JSON_EXISTS: (reader, offset) => parsePathFunction(reader, 'JSON_EXISTS', offset),
  JSON_OBJECT: (reader, offset) => parseObject(reader, 'JSON_OBJECT', offset),
  JSON_OBJECTAGG: (reader, offset) => parseObject(reader, 'JSON_OBJECTAGG', offset),
  JSON_ARRAY: (reader, offset) => parseArray(reader, 'JSON_ARRAY', offset),
  JSON_ARRAYAGG: (reader, offset) => parseArray(reader, 'JSON_ARRAYAGG', offset),
  JSON_SERIALIZE: parseSerialize,
  JSON_MERGEPATCH: parseMergePatch,
  JSON_TRANSFORM: parseTransform,
};

/** A path must be a literal in Oracle. */
export function parseJsonPath(reader: TokenReader): string {
  const token = reader.next();
  if (token.kind !== 'text') {
    throw new OracleError(40454, 'path expression not a literal', { offset: token.offset });
  }
  return token.value;
}

function parsePathFunction(
  reader: TokenReader,
  name: JsonPathExpression['function'],
  offset: number,
): Expression {
  const document = parseExpression(reader);
  reader.accept('FORMAT', 'JSON');
  const path = reader.acceptOperator(',')
    ? parseJsonPath(reader)
    : name === 'JSON_QUERY'
      ? '$'
      : reader.fail(917);
  const passing = reader.accept('PASSING') ? reader.list(() => parsePassing(reader)) : [];
  const returning = parseReturning(reader);
  const pretty = reader.accept('PRETTY');
  reader.accept('ASCII');
  const wrapper = parseWrapper(reader);
  const { onError, onEmpty } = parseHandling(reader);
  return {
    kind: 'json_path',
    function: name,
    document,
    path,
    passing,
    returning,
    pretty,
    wrapper,
    onError,
    onEmpty,
    offset,
  };
}

function parsePassing(reader: TokenReader): { name: string; value: Expression } {
  const value = parseExpression(reader);
  reader.expect('AS');
  return { name: reader.identifier().name, value };
}

function parseReturning(reader: TokenReader): OracleType | undefined {
  return reader.accept('RETURNING') ? parseDataType(reader, { defaultLength: 4000 }) : undefined;
}

/** `WITHOUT WRAPPER`, `WITH [CONDITIONAL | UNCONDITIONAL] [ARRAY] WRAPPER`. */
export function parseWrapper(reader: TokenReader): JsonPathOptions['wrapper'] {
  const token = reader.peek();
  if (!(reader.at('WITH') || reader.at('WITHOUT'))) {
    return 'WITHOUT';
  }
  reader.next();
  const conditional = reader.accept('CONDITIONAL');
  reader.accept('UNCONDITIONAL');
  reader.accept('ARRAY');
  reader.expect('WRAPPER');
  return token.value === 'WITHOUT' ? 'WITHOUT' : conditional ? 'WITH CONDITIONAL' : 'WITH';
}

/** The error clause, then the empty clause: in Oracle only in this order. */
export function parseHandling(reader: TokenReader): {
  onError: JsonHandling | undefined;
  onEmpty: JsonHandling | undefined;
} {
  let onError: JsonHandling | undefined;
  let onEmpty: JsonHandling | undefined;
  while (onEmpty === undefined) {
    const handling = parseHandlingValue(reader);
    if (handling === undefined) {
      break;
    }
    reader.expect('ON', 907);
    if (reader.accept('ERROR')) {
      if (onError !== undefined) {
        reader.fail(907);
      }
      onError = handling;
    } else {
      reader.expect('EMPTY');
      onEmpty = handling;
    }
  }
  return { onError, onEmpty };
}

function parseHandlingValue(reader: TokenReader): JsonHandling | undefined {
  for (const word of ['NULL', 'ERROR', 'TRUE', 'FALSE'] as const) {
    if (reader.accept(word)) {
      return word;
    }
  }
  if (reader.accept('EMPTY')) {
    if (reader.accept('OBJECT')) {
      return 'EMPTY OBJECT';
    }
    reader.accept('ARRAY');
    return 'EMPTY ARRAY';
  }
  return reader.accept('DEFAULT') ? parseExpression(reader) : undefined;
}

function parseNulls(reader: TokenReader): 'NULL' | 'ABSENT' | undefined {
  if (reader.accept('NULL', 'ON', 'NULL')) {
    return 'NULL';
  }
  return reader.accept('ABSENT', 'ON', 'NULL') ? 'ABSENT' : undefined;
}

function parseObject(
  reader: TokenReader,
  name: 'JSON_OBJECT' | 'JSON_OBJECTAGG',
  offset: number,
): JsonBuildExpression {
  const members = reader.atOperator(')') ? [] : reader.list(() => parseMember(reader));
  return { kind: 'json_build', function: name, members, orderBy: [], ...parseBuildTail(reader), offset };
}

function parseBuildTail(reader: TokenReader) {
  const nulls = parseNulls(reader);
  const returning = parseReturning(reader);
  if (reader.at('STRICT') || reader.at('WITH')) {
    reader.unsupported(`${reader.peek().value} in JSON generation`);
  }
  return { nulls, returning };
}

function parseMember(reader: TokenReader): JsonBuildExpression['members'][number] {
  const named = reader.accept('KEY');
  const key = parseExpression(reader);
  if (
    reader.accept('VALUE') ||
    (!named && reader.accept('IS')) ||
    reader.acceptOperator(',') ||
    acceptColon(reader)
  ) {
    const value = parseExpression(reader);
    return { key, value, formatJson: reader.accept('FORMAT', 'JSON') };
  }
  return reader.fail(905);
}

function acceptColon(reader: TokenReader): boolean {
  return reader.acceptOperator(':');
}

function parseArray(
  reader: TokenReader,
  name: 'JSON_ARRAY' | 'JSON_ARRAYAGG',
  offset: number,
): JsonBuildExpression {
  const element = () => {
    const value = parseExpression(reader);
    return { key: undefined, value, formatJson: reader.accept('FORMAT', 'JSON') };
  };
  const members = reader.atOperator(')') ? [] : name === 'JSON_ARRAY' ? reader.list(element) : [element()];
  const orderBy = name === 'JSON_ARRAYAGG' && reader.at('ORDER') ? parseSortKeys(reader) : [];
  return { kind: 'json_build', function: name, members, orderBy, ...parseBuildTail(reader), offset };
}

function parseSerialize(reader: TokenReader, offset: number): Expression {
  const operand = parseExpression(reader);
  const returning = parseReturning(reader);
  const pretty = reader.accept('PRETTY');
  parseHandling(reader);
  return { kind: 'json_serialize', operand, returning, pretty, offset };
}

function parseMergePatch(reader: TokenReader, offset: number): Expression {
  const operand = parseExpression(reader);
  reader.expectOperator(',');
  const patch = parseExpression(reader);
  return { kind: 'json_merge', operand, patch, returning: parseReturning(reader), offset };
}

function parseTransform(reader: TokenReader, offset: number): Expression {
  const operand = parseExpression(reader);
  reader.expectOperator(',');
  const changes = reader.list(() => parseChange(reader));
  return { kind: 'json_transform', operand, changes, returning: parseReturning(reader), offset };
}

function parseChange(reader: TokenReader): JsonChange {
  const operation = reader.next().value;
  if (operation === 'REMOVE') {
    return { operation, path: parseJsonPath(reader), value: undefined };
  }
  if (
    operation === 'SET' ||
    operation === 'INSERT' ||
    operation === 'REPLACE' ||
    operation === 'APPEND' ||
    operation === 'RENAME'
  ) {
    const path = parseJsonPath(reader);
    if (operation === 'RENAME') {
      reader.expect('WITH');
    } else {
      reader.expectOperator('=');
    }
    const value = parseExpression(reader);
    return { operation, path, value: { value, formatJson: reader.accept('FORMAT', 'JSON') } };
  }
  return reader.unsupported(`JSON_TRANSFORM operation ${operation}`);
}
