import { OracleError } from '../../sql/oracle-error.ts';
import type { OracleType } from '../../sql/oracle-type.ts';
import { textLength } from '../bind-encoding.ts';
import type { OracleValue } from '../oracle-engine.ts';
import { decodeNumber } from '../result-decoding.ts';
import { isPlsInteger, plsInteger } from './pls-integer.ts';

/** A value of an expression in a block and the type it has. */
export interface TypedValue {
  readonly value: OracleValue;
  /** Undefined: NULL of no type. */
  readonly type: OracleType | undefined;
}

const NUMBER_TEXT = /^\s*[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?\s*$/;

/**
 * The value as a variable or OUT bind of the given type takes it. ORA-06502 when it does not fit or is of a kind that
 * has no implicit conversion here; ORA-01861 for text as a time, which would depend on session formats.
 */
export function assignValue(source: TypedValue, type: OracleType): OracleValue {
  const { value } = source;
  if (value === null || value === '') {
    return null;
  }
  switch (type.kind) {
    case 'VARCHAR2':
      return assignText(textOf(source), type);
    case 'CLOB':
      return textOf(source);
    case 'NUMBER':
      return assignNumber(numberOf(value), type);
    case 'BINARY_DOUBLE':
    case 'BINARY_FLOAT':
      return Number(numberOf(value));
    case 'BOOLEAN':
      return typeof value === 'boolean' ? value : conversionError('wrong type');
    case 'DATE':
    case 'TIMESTAMP':
      return assignTime(source);
    case 'JSON':
    case 'VECTOR':
      return source.type?.kind === type.kind ? value : conversionError('wrong type');
    default:
      return value;
  }
}

function textOf({ value, type }: TypedValue): string {
  if (typeof value === 'string' && !isTime(type)) {
    return value;
  }
  return typeof value === 'number' ? String(value) : conversionError('character conversion error');
}

function assignText(value: string, type: OracleType & { kind: 'VARCHAR2' }): string {
  return textLength(value, type.unit) <= type.length
    ? value
    : conversionError('character string buffer too small');
}

function numberOf(value: OracleValue): number | string {
  if (typeof value === 'number') {
    return value;
  }
  if (typeof value !== 'string' || !NUMBER_TEXT.test(value)) {
    return conversionError('character to number conversion error');
  }
  return decodeNumber(value.trim());
}

function assignNumber(value: number | string, type: OracleType & { kind: 'NUMBER' }): number | string {
  const { precision, scale = 0 } = type;
  if (precision === undefined) {
    return value;
  }
  if (typeof value === 'string') {
    return Math.abs(Number(value)) < 10 ** (precision - scale)
      ? value
      : conversionError('number precision too large');
  }
  const rounded = roundTo(value, scale);
  if (isPlsInteger(type)) {
    return plsInteger(rounded);
  }
  return Math.abs(rounded) < 10 ** (precision - scale)
    ? rounded
    : conversionError('number precision too large');
}

/** Half away from zero, as NUMBER rounds. */
function roundTo(value: number, scale: number): number {
  if (Number.isInteger(value) && scale >= 0) {
    return value;
  }
  const magnitude = Number(`${Math.round(Number(`${Math.abs(value)}e${scale}`))}e${-scale}`);
  return Math.sign(value) * magnitude;
}

function assignTime({ value, type }: TypedValue): OracleValue {
  if (!isTime(type)) {
    throw new OracleError(1861, 'literal does not match format string');
  }
  return value;
}

function isTime(type: OracleType | undefined): boolean {
  return type?.kind === 'TIMESTAMP' || type?.kind === 'DATE';
}

function conversionError(detail: string): never {
  throw new OracleError(6502, `PL/SQL: numeric or value error: ${detail}`);
}
