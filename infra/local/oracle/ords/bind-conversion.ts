import type { EngineBind } from '../engine/oracle-engine.ts';
import type { OracleType } from '../sql/oracle-type.ts';
import { OrdsHttpError } from './ords-http-error.ts';
import type { OrdsBind } from './ords-request.ts';

const NUMBER_TYPES = /^(?:NUMBER|NUMERIC|DECIMAL|DEC|INTEGER|INT|SMALLINT|FLOAT|DOUBLE PRECISION|REAL)$/;
const TEXT_TYPES =
  /^(?:CHAR|CHARACTER|VARCHAR2?|NCHAR|NVARCHAR2?|CHAR VARYING|CHARACTER VARYING|NCHAR VARYING|NATIONAL CHAR(?:ACTER)?(?: VARYING)?)$/;
const LONG_TEXT_TYPES = /^(?:CLOB|NCLOB|LONG)$/;
const PARAMETER =
  /[nN]?[qQ]'(?:\[[\s\S]*?\]|\{[\s\S]*?\}|\([\s\S]*?\)|<[\s\S]*?>|([^\s[{(<])[\s\S]*?\1)'|'(?:[^']|'')*'|"[^"]*"|--[^\n]*|\/\*[\s\S]*?\*\/|\?/g;

/** A statement with `?` placeholders replaced by `:1`, `:2`, …, as JDBC numbers them. */
export function numberPlaceholders(text: string): string {
  let count = 0;
  return text.replace(PARAMETER, (match) => {
    if (match !== '?') {
      return match;
    }
    count += 1;
    return `:${count}`;
  });
}

/** The binds of a request. In SQL a text bind holds 4,000 bytes, in a block 32,767. */
export function engineBinds(binds: readonly OrdsBind[], inBlock: boolean): readonly EngineBind[] {
  const areNamed = binds.every((bind) => bind.name !== undefined && bind.index === undefined);
  const areIndexed = binds.every((bind) => bind.index !== undefined && bind.name === undefined);
  if (!areNamed && !areIndexed) {
    throw new OrdsHttpError(400, 'every bind has a name, or every bind has an index');
  }
  if (new Set(binds.map(bindName)).size < binds.length) {
    throw new OrdsHttpError(400, 'a bind is given twice');
  }
  return binds.map((bind) => ({
    name: bindName(bind),
    type: bindType(bind.data_type, inBlock),
    direction: bind.mode,
    ...(bind.value === undefined ? {} : { value: bind.value }),
  }));
}

/** The name of a bind in the engine. */
export function bindName(bind: OrdsBind): string {
  return bind.name?.toUpperCase() ?? String(bind.index);
}

function bindType(dataType: string, inBlock: boolean): OracleType {
  const name = dataType.trim().toUpperCase().replace(/\s+/g, ' ');
  if (NUMBER_TYPES.test(name)) {
    return { kind: 'NUMBER' };
  }
  if (TEXT_TYPES.test(name)) {
    return { kind: 'VARCHAR2', length: inBlock ? 32_767 : 4_000, unit: 'BYTE' };
  }
  if (LONG_TEXT_TYPES.test(name)) {
    return { kind: 'CLOB' };
  }
  switch (name) {
    case 'BINARY_FLOAT':
    case 'BINARY_DOUBLE':
      return { kind: name };
    case 'RAW':
    case 'LONG RAW':
      return { kind: 'RAW', length: inBlock ? 32_767 : 2_000 };
    default:
      throw new OrdsHttpError(400, `the emulator does not support binds of data_type ${dataType}`);
  }
}
