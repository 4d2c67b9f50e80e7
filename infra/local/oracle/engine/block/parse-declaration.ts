import { OracleError } from '../../sql/oracle-error.ts';
import type { OracleType } from '../../sql/oracle-type.ts';
import { parseDataType } from '../../sql/parser/data-type.ts';
import { TokenReader } from '../../sql/parser/token-reader.ts';
import type { BlockReader } from './block-reader.ts';
import type { Block, Declaration, FunctionSyntax } from './block-syntax.ts';
import { compileError, wrapCompileError } from './compile-error.ts';
import { acceptJsonType, parseInnerFunction } from './parse-function-declaration.ts';
import { PLS_INTEGER } from './pls-integer.ts';

const MAXIMUM_VARCHAR2 = 32_767;

/** What a block declares. */
export type Declared = Pick<Block, 'declarations' | 'functions'>;

/** Declarations up to BEGIN: variables and constants of the supported types, in a stored function also functions. */
export function parseDeclarations(reader: BlockReader): Declared {
  const declarations: Declaration[] = [];
  const functions: FunctionSyntax[] = [];
  while (!reader.at('BEGIN')) {
    if (reader.isFunction && reader.at('FUNCTION')) {
      functions.push(parseInnerFunction(reader));
    } else if (!(reader.isFunction && reader.accept('PRAGMA', 'UDF'))) {
      if (functions.some(({ block }) => block !== undefined)) {
        reader.unexpected('BEGIN FUNCTION');
      }
      declarations.push(parseDeclaration(reader));
      continue;
    }
    reader.expectOperator(';');
  }
  return { declarations, functions };
}

function parseDeclaration(reader: BlockReader): Declaration {
  const { offset } = reader.token;
  for (const word of ['PROCEDURE', 'FUNCTION', 'CURSOR', 'TYPE', 'SUBTYPE', 'PRAGMA']) {
    if (reader.at(word)) {
      reader.unsupported(`${word} declarations`);
    }
  }
  const name = reader.name();
  const constant = reader.accept('CONSTANT');
  const type = parseVariableType(reader);
  const hasInitial = reader.acceptOperator(':=') || reader.accept('DEFAULT');
  const initial = hasInitial ? reader.expressionUntil(';') : undefined;
  if (constant && initial === undefined) {
    reader.unexpected(':= DEFAULT');
  }
  reader.expectOperator(';');
  return { name, type, initial, constant, offset };
}

function parseVariableType(reader: BlockReader): OracleType {
  const { offset } = reader.token;
  const json = acceptJsonType(reader);
  if (json !== undefined) {
    return json;
  }
  if (reader.accept('PLS_INTEGER') || reader.accept('BINARY_INTEGER')) {
    return PLS_INTEGER;
  }
  if (reader.accept('VARCHAR2')) {
    return parseVarchar(reader, offset);
  }
  const words: string[] = [];
  while (!reader.atOperator(';') && !reader.atOperator(':=') && !reader.at('DEFAULT')) {
    if (reader.token.kind === 'end' || reader.at('BEGIN') || reader.at('NOT')) {
      reader.unexpected(':= ; DEFAULT');
    }
    words.push(reader.next().text);
  }
  return parseSqlType(reader, words.join(' '), offset);
}

function parseSqlType(reader: BlockReader, text: string, offset: number): OracleType {
  try {
    const types = new TokenReader(text);
    const type = parseDataType(types);
    if (types.peek().kind !== 'end') {
      types.fail(902);
    }
    return type;
  } catch (error) {
    throw error instanceof OracleError
      ? wrapCompileError(reader.text, offset, new OracleError(902, error.message.slice(11)), 'expression')
      : error;
  }
}

/** `VARCHAR2(n [CHAR | BYTE])`; PLS-00215 without a length. In PL/SQL the length may be 32,767. */
function parseVarchar(reader: BlockReader, offset: number): OracleType {
  if (!reader.acceptOperator('(')) {
    throw compileError(
      reader.text,
      offset,
      'PLS-00215: String length constraints must be in range (1 .. 32767)',
    );
  }
  const length = Number(reader.next().value);
  if (!Number.isInteger(length) || length < 1 || length > MAXIMUM_VARCHAR2) {
    throw compileError(
      reader.text,
      offset,
      'PLS-00215: String length constraints must be in range (1 .. 32767)',
    );
  }
  const unit = reader.accept('CHAR') ? 'CHAR' : 'BYTE';
  if (unit === 'BYTE') {
    reader.accept('BYTE');
  }
  reader.expectOperator(')');
  return { kind: 'VARCHAR2', length, unit };
}
