import { OracleError } from '../sql/oracle-error.ts';
import type { OracleType } from '../sql/oracle-type.ts';
import type { OracleValue } from './oracle-engine.ts';
import { checkMagnitude } from './result-decoding.ts';

const NUMBER_TEXT = /^\s*[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?\s*$/;

/**
 * A value as the text that PostgreSQL takes for a parameter of this type; null for NULL and for the empty string.
 * Raises ORA-01461 (VARCHAR2 longer than its bind), ORA-01722 (no number) and ORA-00932 (value of another kind).
 */
export function encodeValue(value: OracleValue | undefined, type: OracleType): string | null {
  if (value === null || value === undefined || value === '') {
    return null;
  }
  switch (type.kind) {
    case 'NUMBER':
    case 'BINARY_DOUBLE':
    case 'BINARY_FLOAT':
      return encodeNumber(value, type);
    case 'RAW':
    case 'BLOB':
      return encodeBytes(value, type);
    case 'BOOLEAN':
      return encodeBoolean(value, type);
    case 'VARCHAR2':
      return encodeText(value, type);
    default:
      return value instanceof Uint8Array || typeof value === 'boolean'
        ? inconsistent(value, type)
        : String(value);
  }
}

function encodeNumber(value: OracleValue, type: OracleType): string {
  if (typeof value === 'number') {
    if (type.kind === 'NUMBER' && !Number.isFinite(value)) {
      throw new OracleError(1722, 'invalid number');
    }
    return inRange(String(value), type);
  }
  if (typeof value !== 'string') {
    return inconsistent(value, type);
  }
  if (!NUMBER_TEXT.test(value)) {
    throw new OracleError(1722, 'invalid number');
  }
  return inRange(value, type);
}

function inRange(text: string, type: OracleType): string {
  if (type.kind === 'NUMBER') {
    checkMagnitude(text);
  }
  return text;
}

function encodeBytes(value: OracleValue, type: OracleType): string {
  if (value instanceof Uint8Array) {
    return `\\x${Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString('hex')}`;
  }
  if (typeof value !== 'string') {
    return inconsistent(value, type);
  }
  if (!/^(?:[0-9a-f]{2})*$/i.test(value)) {
    throw new OracleError(1465, 'invalid hex number');
  }
  return `\\x${value}`;
}

function encodeBoolean(value: OracleValue, type: OracleType): string {
  if (value === true || value === 1) {
    return 'true';
  }
  return value === false || value === 0 ? 'false' : inconsistent(value, type);
}

function encodeText(value: OracleValue, type: OracleType & { kind: 'VARCHAR2' }): string {
  if (value instanceof Uint8Array || typeof value === 'boolean') {
    return inconsistent(value, type);
  }
  const text = String(value);
  if (textLength(text, type.unit) > type.length) {
    throw new OracleError(
      1461,
      'The value provided for the bind variable is too large for its VARCHAR2 type.',
    );
  }
  return text;
}

/** Length of a text as VARCHAR2 counts it: bytes of UTF-8 or characters. */
export function textLength(text: string, unit: 'BYTE' | 'CHAR'): number {
  return unit === 'BYTE' ? Buffer.byteLength(text, 'utf8') : [...text].length;
}

function inconsistent(value: OracleValue, type: OracleType): never {
  const got = value instanceof Uint8Array ? 'RAW' : typeof value === 'boolean' ? 'BOOLEAN' : typeof value;
  throw new OracleError(932, `inconsistent data types: expected ${type.kind} but got ${got.toUpperCase()}`);
}
