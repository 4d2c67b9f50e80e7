import type { OracleValue } from '../../engine/oracle-engine.ts';
import { OracleError } from '../../sql/oracle-error.ts';
import type { OracleType } from '../../sql/oracle-type.ts';
import type { SessionLobs } from '../session/session-lobs.ts';
import type { DataReader } from '../wire/data-reader.ts';
import { CHARACTER_FORM, DATA_TYPE, MAXIMUM_STRING_BYTES, type WireType } from '../wire/data-type.ts';
import { MalformedMessageError } from '../wire/malformed-message-error.ts';
import { readDouble, readFloat } from './binary-number-encoding.ts';
import { decodeJson } from './json-image-decoder.ts';
import { decodeNumber } from './number-encoding.ts';
import { decodeTime } from './time-encoding.ts';
import { decodeVector } from './vector-image.ts';

const NULL_BOOLEAN = 253;
const MAXIMUM_BLOCK_STRING = 32_767;
const BYTES_OF_CHARACTER = 4;

/** Reads one value of a bind; a locator gives what its LOB holds. */
export function readBind(reader: DataReader, wire: WireType, lobs: SessionLobs): OracleValue {
  switch (wire.type) {
    case DATA_TYPE.clob:
    case DATA_TYPE.blob:
      return reader.integer() === 0 ? null : lobs.find(reader.value() ?? Buffer.alloc(0)).value;
    case DATA_TYPE.json:
    case DATA_TYPE.vector:
      return readImage(reader, wire.type === DATA_TYPE.json ? decodeJson : decodeVector);
    case DATA_TYPE.boolean:
      return readBoolean(reader);
    default: {
      const bytes = reader.value();
      return bytes === null ? null : decodePlain(bytes, wire);
    }
  }
}

function readImage(reader: DataReader, decode: (image: Buffer) => string): string | null {
  if (reader.integer() === 0) {
    return null;
  }
  reader.value();
  const image = reader.value();
  return image === null ? null : decode(image);
}

function readBoolean(reader: DataReader): boolean | null {
  const length = reader.uint8();
  const first = reader.uint8();
  if (length === NULL_BOOLEAN) {
    return null;
  }
  reader.bytes(length - 1);
  return first === 1;
}

function decodePlain(bytes: Buffer, { type, form }: WireType): OracleValue {
  switch (type) {
    case DATA_TYPE.varchar:
    case DATA_TYPE.char:
    case DATA_TYPE.long:
      return decodeCharacters(bytes, form);
    case DATA_TYPE.number:
    case DATA_TYPE.binaryInteger:
      return decodeNumber(bytes);
    case DATA_TYPE.date:
    case DATA_TYPE.timestamp:
    case DATA_TYPE.timestampWithTimeZone:
    case DATA_TYPE.timestampWithLocalTimeZone:
      return decodeTime(bytes);
    case DATA_TYPE.raw:
    case DATA_TYPE.longRaw:
      return Buffer.from(bytes);
    case DATA_TYPE.binaryDouble:
      return readDouble(exactly(8, bytes));
    case DATA_TYPE.binaryFloat:
      return readFloat(exactly(4, bytes));
    default:
      return unsupported(type);
  }
}

function exactly(count: number, bytes: Buffer): Buffer {
  if (bytes.length !== count) {
    throw new MalformedMessageError(`a binary number of ${bytes.length} bytes`);
  }
  return bytes;
}

export function decodeCharacters(bytes: Buffer, form: number): string {
  if (form !== CHARACTER_FORM.national) {
    return bytes.toString('utf8');
  }
  if (bytes.length % 2 !== 0) {
    throw new MalformedMessageError('half a character of UTF-16');
  }
  return Buffer.from(bytes).swap16().toString('utf16le');
}

/**
 * The type that a bind has in the engine.
 *
 * @param takesLong the bind is at a place of SQL where more than 4,000 bytes may stand; elsewhere they are ORA-01461
 */
export function bindType(wire: WireType, inBlock: boolean, takesLong = false): OracleType {
  switch (wire.type) {
    case DATA_TYPE.varchar:
    case DATA_TYPE.char:
    case DATA_TYPE.long:
      return isLong(wire) && takesLong
        ? { kind: 'CLOB' }
        : { kind: 'VARCHAR2', length: inBlock ? MAXIMUM_BLOCK_STRING : MAXIMUM_STRING_BYTES, unit: 'BYTE' };
    case DATA_TYPE.number:
    case DATA_TYPE.binaryInteger:
      return { kind: 'NUMBER' };
    case DATA_TYPE.date:
      return { kind: 'DATE' };
    case DATA_TYPE.timestamp:
      return { kind: 'TIMESTAMP', precision: 6, timeZone: false };
    case DATA_TYPE.timestampWithTimeZone:
    case DATA_TYPE.timestampWithLocalTimeZone:
      return { kind: 'TIMESTAMP', precision: 6, timeZone: true };
    case DATA_TYPE.raw:
    case DATA_TYPE.longRaw:
      return isLong(wire) && takesLong
        ? { kind: 'BLOB' }
        : { kind: 'RAW', length: inBlock ? MAXIMUM_BLOCK_STRING : MAXIMUM_STRING_BYTES };
    case DATA_TYPE.binaryDouble:
      return { kind: 'BINARY_DOUBLE' };
    case DATA_TYPE.binaryFloat:
      return { kind: 'BINARY_FLOAT' };
    case DATA_TYPE.boolean:
      return { kind: 'BOOLEAN' };
    case DATA_TYPE.clob:
      return { kind: 'CLOB' };
    case DATA_TYPE.blob:
      return { kind: 'BLOB' };
    case DATA_TYPE.json:
      return { kind: 'JSON' };
    case DATA_TYPE.vector:
      return { kind: 'VECTOR', dimensions: '*', format: '*' };
    default:
      return unsupported(wire.type);
  }
}

/** More than a string of SQL may have: the driver sends such values after the others. */
export function isLong({ type, form, size }: WireType): boolean {
  if (type === DATA_TYPE.json || type === DATA_TYPE.vector) {
    return false;
  }
  const bytes = form === CHARACTER_FORM.national ? size / BYTES_OF_CHARACTER : size;
  return bytes > MAXIMUM_STRING_BYTES;
}

function unsupported(type: number): never {
  throw new OracleError(3001, `unimplemented feature: binds of the data type ${type}`);
}
