import { type OracleType, PLSQL_JSON_TYPES } from '../../sql/oracle-type.ts';
import type { FunctionParameter } from '../catalog.ts';
import type { BlockReader } from './block-reader.ts';
import type { FunctionSyntax } from './block-syntax.ts';
import { compileError } from './compile-error.ts';
import { parseBody } from './parse-block.ts';
import { parseDeclarations } from './parse-declaration.ts';
import { PLS_INTEGER } from './pls-integer.ts';

const LONGEST_TEXT = 32_767;

/** Types that a parameter or a result may have; length and precision come with the value. */
const UNCONSTRAINED_TYPES: ReadonlyMap<string, OracleType> = new Map<string, OracleType>([
  ['VARCHAR2', { kind: 'VARCHAR2', length: LONGEST_TEXT, unit: 'BYTE' }],
  ['CLOB', { kind: 'CLOB' }],
  ['NUMBER', { kind: 'NUMBER' }],
  ['INTEGER', { kind: 'NUMBER', precision: 38, scale: 0 }],
  ['PLS_INTEGER', PLS_INTEGER],
  ['BINARY_INTEGER', PLS_INTEGER],
  ['BINARY_DOUBLE', { kind: 'BINARY_DOUBLE' }],
  ['BOOLEAN', { kind: 'BOOLEAN' }],
  ['DATE', { kind: 'DATE' }],
  ['JSON', { kind: 'JSON' }],
]);

/** One of the types for JSON in memory, which only a stored function has here. */
export function acceptJsonType(reader: BlockReader): OracleType | undefined {
  const kind = reader.isFunction ? PLSQL_JSON_TYPES.find((type) => reader.accept(type)) : undefined;
  return kind && { kind };
}

/** `FUNCTION name (…) RETURN type [IS … END [name]]` in the declarations of another function, up to its semicolon. */
export function parseInnerFunction(reader: BlockReader): FunctionSyntax {
  reader.expect('FUNCTION');
  return parseFunction(reader);
}

/** A function from its name to its END, with the name again if it stands there. */
export function parseFunction(reader: BlockReader): FunctionSyntax {
  const { offset } = reader.token;
  const name = reader.name();
  const parameters = reader.acceptOperator('(') ? parseParameters(reader) : [];
  reader.expect('RETURN');
  const heading = { name, parameters, returns: parseType(reader), ...parseOptions(reader), offset };
  if (!reader.accept('IS') && !reader.accept('AS')) {
    return { ...heading, block: undefined };
  }
  const start = reader.token.offset;
  const block = parseBody(reader, parseDeclarations(reader), start);
  if (reader.token.kind === 'word' && reader.name() !== name) {
    throw compileError(reader.text, start, `PLS-00113: END identifier must match '${name}'`);
  }
  return { ...heading, block };
}

function parseParameters(reader: BlockReader): readonly FunctionParameter[] {
  const parameters: FunctionParameter[] = [];
  do {
    const name = reader.name();
    reader.accept('IN');
    if (reader.at('OUT') || reader.at('NOCOPY')) {
      reader.unsupported(`${reader.token.text} parameters`);
    }
    parameters.push({ name, type: parseType(reader) });
    if (reader.at('DEFAULT') || reader.atOperator(':=')) {
      reader.unsupported('default values of parameters');
    }
  } while (reader.acceptOperator(','));
  reader.expectOperator(')');
  return parameters;
}

/** A type without length or precision. PLS-00201: it is none. */
function parseType(reader: BlockReader): OracleType {
  const json = acceptJsonType(reader);
  if (json !== undefined) {
    return json;
  }
  const token = reader.token;
  if (reader.accept('TIMESTAMP')) {
    const timeZone = reader.accept('WITH', 'TIME', 'ZONE');
    return { kind: 'TIMESTAMP', precision: 6, timeZone };
  }
  const type = token.kind === 'word' ? UNCONSTRAINED_TYPES.get(token.value) : undefined;
  if (type === undefined) {
    throw compileError(reader.text, token.offset, `PLS-00201: identifier '${token.value}' must be declared`);
  }
  reader.next();
  return type;
}

function parseOptions(reader: BlockReader): Pick<FunctionSyntax, 'deterministic' | 'parallel'> {
  let deterministic = false;
  let parallel = false;
  for (;;) {
    if (reader.accept('DETERMINISTIC')) {
      deterministic = true;
    } else if (reader.accept('PARALLEL_ENABLE')) {
      parallel = true;
    } else if (reader.accept('AUTHID')) {
      if (!reader.accept('CURRENT_USER')) {
        reader.expect('DEFINER');
      }
    } else {
      return { deterministic, parallel };
    }
  }
}
