import type { OracleValue } from '../../engine/oracle-engine.ts';
import { OracleError } from '../../sql/oracle-error.ts';
import type { OracleType } from '../../sql/oracle-type.ts';
import type { SessionLobs } from '../session/session-lobs.ts';
import { CHARACTER_FORM, DATA_TYPE, type WireType } from '../wire/data-type.ts';
import type { DataWriter } from '../wire/data-writer.ts';
import { writeDouble, writeFloat } from './binary-number-encoding.ts';
import { encodeJson } from './json-image-encoder.ts';
import { encodeNumber } from './number-encoding.ts';
import { encodeTime, TIME_BYTES } from './time-encoding.ts';
import { encodeVector } from './vector-image.ts';

const CHUNK_BYTES = 8_132;

/** A value of the engine and the type that it has there. */
export interface TypedValue {
  readonly value: OracleValue;
  readonly type: OracleType;
}

/** Writes a value as a client wants it. ORA-00932: there is no such conversion. */
export function writeValue(writer: DataWriter, typed: TypedValue, wire: WireType, lobs: SessionLobs): void {
  const { value } = typed;
  if (value === null) {
    writer.uint8(0);
    return;
  }
  switch (wire.type) {
    case DATA_TYPE.clob:
      writeLocator(writer, textOf(value), lobs, typed.type.kind !== 'CLOB');
      return;
    case DATA_TYPE.blob:
      writeLocator(writer, bytesOf(value), lobs, typed.type.kind !== 'BLOB');
      return;
    case DATA_TYPE.json:
      writeImage(writer, encodeJson(textOf(value)));
      return;
    case DATA_TYPE.vector:
      writeImage(writer, encodeVector(textOf(value), typed.type.kind === 'VECTOR' ? typed.type.format : '*'));
      return;
    default:
      writer.value(encodePlain(value, wire));
  }
}

function encodePlain(value: OracleValue, wire: WireType): Uint8Array {
  switch (wire.type) {
    case DATA_TYPE.varchar:
    case DATA_TYPE.char:
    case DATA_TYPE.long:
      return encodeCharacters(textOf(value), wire.form);
    case DATA_TYPE.number:
    case DATA_TYPE.binaryInteger:
      return encodeNumber(typeof value === 'number' ? String(value) : textOf(value));
    case DATA_TYPE.date:
      return encodeTime(textOf(value), TIME_BYTES.date);
    case DATA_TYPE.timestamp:
    case DATA_TYPE.timestampWithLocalTimeZone:
      return encodeTime(textOf(value), TIME_BYTES.timestamp);
    case DATA_TYPE.timestampWithTimeZone:
      return encodeTime(textOf(value), TIME_BYTES.timestampWithTimeZone);
    case DATA_TYPE.raw:
    case DATA_TYPE.longRaw:
      return bytesOf(value);
    case DATA_TYPE.binaryDouble:
      return binaryNumber(8, (bytes) => writeDouble(bytes, Number(value)));
    case DATA_TYPE.binaryFloat:
      return binaryNumber(4, (bytes) => writeFloat(bytes, Number(value)));
    case DATA_TYPE.boolean:
      return typeof value === 'boolean' ? Buffer.from(value ? [1, 1] : [0]) : inconsistent();
    default:
      return inconsistent();
  }
}

function binaryNumber(size: number, write: (bytes: Buffer) => void): Buffer {
  const bytes = Buffer.allocUnsafe(size);
  write(bytes);
  return bytes;
}

export function encodeCharacters(text: string, form: number): Buffer {
  return form === CHARACTER_FORM.national ? Buffer.from(text, 'utf16le').swap16() : Buffer.from(text, 'utf8');
}

function writeLocator(
  writer: DataWriter,
  value: string | Uint8Array,
  lobs: SessionLobs,
  isTemporary: boolean,
): void {
  const locator = lobs.add(value, isTemporary);
  writer.integers(locator.length, value.length, CHUNK_BYTES).value(locator);
}

/** JSON and vectors come whole, with a locator that the driver skips. */
function writeImage(writer: DataWriter, image: Buffer): void {
  writer.integers(1, image.length, CHUNK_BYTES).value(image).uint8(0);
}

function textOf(value: OracleValue): string {
  if (value instanceof Uint8Array) {
    return Buffer.from(value).toString('hex').toUpperCase();
  }
  return typeof value === 'boolean' ? String(value).toUpperCase() : String(value);
}

function bytesOf(value: OracleValue): Uint8Array {
  return value instanceof Uint8Array ? value : inconsistent();
}

function inconsistent(): never {
  throw new OracleError(932, 'inconsistent data types: the value does not convert to the type of the client');
}
