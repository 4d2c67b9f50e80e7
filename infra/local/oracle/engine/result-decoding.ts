import { OracleError } from '../sql/oracle-error.ts';
import type { OracleType } from '../sql/oracle-type.ts';
import { decodeInterval } from './interval-decoding.ts';
import type { OracleValue } from './oracle-engine.ts';
import type { PostgresField } from './postgres-connection.ts';

/** OIDs of the PostgreSQL types that results have; every other type is text. */
const OID = {
  boolean: 16,
  bytes: 17,
  int8: 20,
  int2: 21,
  int4: 23,
  json: 114,
  float4: 700,
  float8: 701,
  date: 1082,
  timestamp: 1114,
  timestampWithTimeZone: 1184,
  interval: 1186,
  numeric: 1700,
  jsonBinary: 3802,
} as const;

const MAXIMUM_EXACT_DIGITS = 15;
const TIMESTAMP = /^(\d{4,6}-\d\d-\d\d)(?:[ T](\d\d:\d\d:\d\d)(?:\.(\d+))?)?(?:\+00(?::00)?)?$/;

/** The Oracle type of a result column that the translator could not tell, from its PostgreSQL type. */
export function oracleTypeOf(field: PostgresField): OracleType {
  switch (field.type) {
    case OID.boolean:
      return { kind: 'BOOLEAN' };
    case OID.bytes:
      return { kind: 'RAW', length: 2000 };
    case OID.int8:
    case OID.int2:
    case OID.int4:
    case OID.numeric:
      return { kind: 'NUMBER' };
    case OID.float4:
    case OID.float8:
      return { kind: 'BINARY_DOUBLE' };
    case OID.json:
    case OID.jsonBinary:
      return { kind: 'JSON' };
    case OID.date:
      return { kind: 'DATE' };
    case OID.timestamp:
      return { kind: 'TIMESTAMP', precision: 6, timeZone: false };
    case OID.timestampWithTimeZone:
      return { kind: 'TIMESTAMP', precision: 6, timeZone: true };
    case OID.interval:
      return { kind: 'INTERVAL' };
    default:
      return { kind: 'VARCHAR2', length: 4000, unit: 'BYTE' };
  }
}

/** One value of a result. An empty string is NULL; timestamps become ISO-8601 UTC text with microseconds. */
export function decodeValue(text: string | null, field: PostgresField): OracleValue {
  if (text === null || text === '') {
    return null;
  }
  switch (field.type) {
    case OID.boolean:
      return text === 't';
    case OID.bytes:
      return new Uint8Array(Buffer.from(text.slice(2), 'hex'));
    case OID.int2:
    case OID.int4:
    case OID.float4:
    case OID.float8:
      return Number(text);
    case OID.int8:
    case OID.numeric:
      return decodeNumber(text);
    case OID.date:
    case OID.timestamp:
    case OID.timestampWithTimeZone:
      return decodeTimestamp(text);
    case OID.interval:
      return decodeInterval(text);
    default:
      return text;
  }
}

/**
 * A JavaScript number where it holds every digit, else the digits as text. ORA-01426: larger than a NUMBER can be.
 */
export function decodeNumber(text: string): number | string {
  if (text.length > 126 || /e/i.test(text)) {
    checkMagnitude(text);
  }
  if (/e/i.test(text)) {
    const [digits = '', exponent = ''] = text.split(/e/i);
    const exact = decodeNumber(digits);
    return typeof exact === 'number' ? Number(`${exact}e${exponent}`) : text;
  }
  const plain = text.includes('.') ? text.replace(/\.?0+$/, '') : text;
  const digits = plain.replace(/^-?0*\.?0*|[-.]/g, '').length;
  const value = Number(plain);
  return digits <= MAXIMUM_EXACT_DIGITS || Number.isSafeInteger(value) ? value : plain;
}

/** ORA-01426 for 1E126 and more. */
export function checkMagnitude(text: string): void {
  if (Math.abs(Number(text)) >= 1e126) {
    throw new OracleError(1426, 'numeric overflow');
  }
}

function decodeTimestamp(text: string): string {
  const parts = TIMESTAMP.exec(text);
  const [, day = text, time = '00:00:00', fraction = ''] = parts ?? [];
  return parts === null ? text : `${day}T${time}.${fraction.padEnd(6, '0')}Z`;
}
