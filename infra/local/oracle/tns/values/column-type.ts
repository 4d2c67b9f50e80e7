import type { EngineColumn } from '../../engine/oracle-engine.ts';
import { OracleError } from '../../sql/oracle-error.ts';
import { CHARACTER_FORM, DATA_TYPE, MAXIMUM_STRING_BYTES, type WireType } from '../wire/data-type.ts';
import { TIME_BYTES } from './time-encoding.ts';

const NUMBER_BYTES = 22;
const BYTES_OF_CHARACTER = 4;
/** Described size of what has a locator: over the string size the driver would expect indicators after each value. */
const LOCATOR_COLUMN_BYTES = 4_000;

/** How a column of a query is described. ORA-03001: the emulator sends no INTERVAL and no object types. */
export function columnWireType(type: EngineColumn['type']): WireType {
  switch (type.kind) {
    case 'VARCHAR2': {
      const bytes = type.length * (type.unit === 'CHAR' ? BYTES_OF_CHARACTER : 1);
      return text(DATA_TYPE.varchar, Math.min(bytes, MAXIMUM_STRING_BYTES));
    }
    case 'CLOB':
      return text(DATA_TYPE.clob, LOCATOR_COLUMN_BYTES);
    case 'NUMBER':
      return plain(DATA_TYPE.number, NUMBER_BYTES);
    case 'BINARY_DOUBLE':
      return plain(DATA_TYPE.binaryDouble, 8);
    case 'BINARY_FLOAT':
      return plain(DATA_TYPE.binaryFloat, 4);
    case 'DATE':
      return plain(DATA_TYPE.date, TIME_BYTES.date);
    case 'TIMESTAMP':
      return type.timeZone
        ? plain(DATA_TYPE.timestampWithTimeZone, TIME_BYTES.timestampWithTimeZone)
        : plain(DATA_TYPE.timestamp, TIME_BYTES.timestamp);
    case 'RAW':
      return plain(DATA_TYPE.raw, type.length);
    case 'BOOLEAN':
      return plain(DATA_TYPE.boolean, 4);
    case 'BLOB':
      return plain(DATA_TYPE.blob, LOCATOR_COLUMN_BYTES);
    case 'JSON':
      return plain(DATA_TYPE.json, LOCATOR_COLUMN_BYTES);
    case 'VECTOR':
      return plain(DATA_TYPE.vector, LOCATOR_COLUMN_BYTES);
    default:
      throw new OracleError(3001, `unimplemented feature: the emulator sends no ${type.kind} to a client`);
  }
}

/** The driver defines such columns before it fetches: a first execution only describes them. */
export function needsDefine({ type }: EngineColumn): boolean {
  return type.kind === 'CLOB' || type.kind === 'BLOB' || type.kind === 'JSON' || type.kind === 'VECTOR';
}

function text(type: number, size: number): WireType {
  return { type, form: CHARACTER_FORM.implicit, size };
}

function plain(type: number, size: number): WireType {
  return { type, form: 0, size };
}
