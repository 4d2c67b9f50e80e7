import { OracleError } from '../sql/oracle-error.ts';
import type { OracleType } from '../sql/oracle-type.ts';
import { quoteText } from './names.ts';
import {
  inconsistent,
  isFloating,
  isNumeric,
  isText,
  isTime,
  postgresType,
  typeName,
  type Value,
} from './value.ts';

/** As text by Oracle's implicit rules. Times are refused: their text depends on session settings. */
export function asText(value: Value, offset?: number): string {
  switch (value.type?.kind) {
    case undefined:
      return 'NULL::text';
    case 'VARCHAR2':
    case 'CLOB':
      return value.sql;
    case 'NUMBER':
      return `ora.number_text(${value.sql})`;
    case 'BINARY_DOUBLE':
    case 'BINARY_FLOAT':
      return `ora.double_text(${value.sql})`;
    case 'RAW':
      return `upper(encode(${value.sql}, 'hex'))`;
    case 'BOOLEAN':
      return `upper((${value.sql})::text)`;
    default:
      throw inconsistent('CHAR', value.type, offset);
  }
}

/** As NUMBER or floating point by Oracle's implicit rules. */
export function asNumber(value: Value, offset?: number): Value {
  if (value.type === undefined) {
    return { sql: 'NULL::numeric', type: { kind: 'NUMBER' } };
  }
  if (isNumeric(value.type)) {
    return value;
  }
  if (value.type.kind === 'VARCHAR2') {
    return { sql: `ora.to_number(${value.sql})`, type: { kind: 'NUMBER' } };
  }
  throw inconsistent('NUMBER', value.type, offset);
}

/** As PostgreSQL `numeric`. */
export function asNumeric(value: Value, offset?: number): string {
  const converted = asNumber(value, offset);
  return isFloating(converted.type) ? `(${converted.sql})::numeric` : converted.sql;
}

/** As PostgreSQL `integer`, for positions and counts: truncated like Oracle does. */
export function asInteger(value: Value, offset?: number): string {
  return `trunc(${asNumeric(value, offset)})::integer`;
}

/** As PostgreSQL `float8`. */
export function asDouble(value: Value, offset?: number): string {
  return `(${asNumber(value, offset).sql})::float8`;
}

/** As a time; text would need a session format and is refused with ORA-01861. */
export function asTime(value: Value, offset?: number): Value {
  if (value.type === undefined) {
    return { sql: 'NULL::timestamp(0)', type: { kind: 'DATE' } };
  }
  if (isTime(value.type)) {
    return value;
  }
  if (value.type.kind === 'VARCHAR2') {
    throw new OracleError(
      1861,
      'literal does not match format string: use TO_DATE or TO_TIMESTAMP with a format',
      { offset },
    );
  }
  throw inconsistent('DATE', value.type, offset);
}

/** As JSON; text is parsed (ORA-40441 when it is not JSON). */
export function asJson(value: Value, offset?: number): string {
  if (value.type === undefined) {
    return 'NULL::jsonb';
  }
  if (value.type.kind === 'JSON') {
    return value.sql;
  }
  if (isText(value.type)) {
    return `ora.json(${value.sql})`;
  }
  throw inconsistent('JSON', value.type, offset);
}

/** As VECTOR; text is parsed and checked (ORA-51803, ORA-51805). */
export function asVector(value: Value, offset?: number): Value {
  if (value.type?.kind === 'VECTOR') {
    return value;
  }
  if (value.type === undefined) {
    return { sql: 'NULL::vector', type: { kind: 'VECTOR', dimensions: '*', format: '*' } };
  }
  if (isText(value.type)) {
    return {
      sql: `ora.to_vector(${value.sql}, NULL)`,
      type: { kind: 'VECTOR', dimensions: '*', format: '*' },
    };
  }
  throw inconsistent('VECTOR', value.type, offset);
}

/** As RAW; text is read as hexadecimal digits. */
export function asRaw(value: Value, offset?: number): string {
  switch (value.type?.kind) {
    case undefined:
      return 'NULL::bytea';
    case 'RAW':
    case 'BLOB':
      return value.sql;
    case 'VARCHAR2':
      return `ora.hex_to_raw(${value.sql})`;
    default:
      throw inconsistent('BINARY', value.type, offset);
  }
}

/** Any value as the given type, by Oracle's implicit rules. Lengths and precisions are not checked. */
export function convert(value: Value, type: OracleType, offset?: number): string {
  switch (type.kind) {
    case 'VARCHAR2':
    case 'CLOB':
      return asText(value, offset);
    case 'NUMBER':
      return asNumeric(value, offset);
    case 'BINARY_DOUBLE':
    case 'BINARY_FLOAT':
      return `(${asNumber(value, offset).sql})::${postgresType(type)}`;
    case 'DATE':
    case 'TIMESTAMP':
      return convertTime(asTime(value, offset), type);
    case 'JSON':
      return asJson(value, offset);
    case 'VECTOR':
      return asVector(value, offset).sql;
    case 'RAW':
    case 'BLOB':
      return asRaw(value, offset);
    case 'BOOLEAN':
    case 'INTERVAL':
      if (value.type === undefined || value.type.kind === type.kind) {
        return value.type === undefined ? `NULL::${postgresType(type)}` : value.sql;
      }
      throw inconsistent(typeName(type), value.type, offset);
  }
}

/** DATE drops fractions; a TIMESTAMP is rounded to its precision. */
function convertTime(value: Value, type: OracleType): string {
  if (type.kind === 'DATE') {
    return value.type?.kind === 'DATE'
      ? value.sql
      : `date_trunc('second', (${value.sql})::timestamp)::timestamp(0)`;
  }
  return `(${value.sql})::${postgresType(type)}`;
}

/**
 * The value as it is stored in a column: converted, and checked against length (ORA-12899), precision (ORA-01438) or
 * dimensions (ORA-51803). `label` names the column in the message.
 */
export function assign(value: Value, type: OracleType, label: string, offset?: number): string {
  const converted = convert(value, type, offset);
  if (value.type === undefined) {
    return converted;
  }
  switch (type.kind) {
    case 'VARCHAR2':
      return fits(value, type)
        ? converted
        : `ora.fit_${type.unit === 'CHAR' ? 'chars' : 'bytes'}(${converted}, ${type.length}, ${quoteText(label)})`;
    case 'NUMBER':
      return type.precision === undefined || fits(value, type)
        ? converted
        : `ora.fit_number(${converted}, ${type.precision}, ${type.scale ?? 0})`;
    case 'RAW':
      return fits(value, type) ? converted : `ora.fit_raw(${converted}, ${type.length}, ${quoteText(label)})`;
    case 'VECTOR':
      return assignVector(value, type, offset);
    default:
      return converted;
  }
}

function fits(value: Value, type: OracleType): boolean {
  const source = value.type;
  if (value.bounded !== true || source === undefined) {
    return false;
  }
  if (source.kind === 'VARCHAR2' && type.kind === 'VARCHAR2') {
    return source.length <= type.length && (source.unit === type.unit || type.unit === 'CHAR');
  }
  if (source.kind === 'NUMBER' && type.kind === 'NUMBER') {
    return source.precision === type.precision && source.scale === type.scale;
  }
  return source.kind === 'RAW' && type.kind === 'RAW' && source.length <= type.length;
}

function assignVector(value: Value, type: OracleType & { kind: 'VECTOR' }, offset?: number): string {
  const source = asVector(value, offset);
  if (source.type?.kind === 'VECTOR' && source.type.dimensions !== '*' && type.dimensions !== '*') {
    if (source.type.dimensions !== type.dimensions) {
      throw new OracleError(
        51803,
        `Vector dimension count must match the dimension count specified in the column definition (actual: ${source.type.dimensions}, required: ${type.dimensions}).`,
        { offset },
      );
    }
    return type.format === 'INT8' ? `ora.vector_int8(${source.sql})` : source.sql;
  }
  const dimensions = type.dimensions === '*' ? 'NULL' : String(type.dimensions);
  return `ora.fit_vector(${source.sql}, ${dimensions}, ${type.format === 'INT8'})`;
}

/** Several values as one common type, for CASE, COALESCE and set operations. Refuses mixed families with `mismatch`. */
export function unify(
  values: readonly Value[],
  mismatch: (expected: OracleType, actual: OracleType) => OracleError,
): { readonly type: OracleType | undefined; readonly values: readonly string[] } {
  let type: OracleType | undefined;
  for (const value of values) {
    if (value.type !== undefined) {
      type = type === undefined ? value.type : commonType(type, value.type, mismatch);
    }
  }
  const common = type;
  if (common === undefined) {
    return { type, values: values.map(() => 'NULL::text') };
  }
  return { type: common, values: values.map((value) => convert(value, common)) };
}

function commonType(
  left: OracleType,
  right: OracleType,
  mismatch: (expected: OracleType, actual: OracleType) => OracleError,
): OracleType {
  if (left.kind === 'VARCHAR2' && right.kind === 'VARCHAR2') {
    return {
      kind: 'VARCHAR2',
      length: Math.max(left.length, right.length),
      unit: left.unit === right.unit ? left.unit : 'CHAR',
    };
  }
  if (isText(left) && isText(right)) {
    return { kind: 'CLOB' };
  }
  if (isNumeric(left) && isNumeric(right)) {
    return isFloating(left) || isFloating(right) ? { kind: 'BINARY_DOUBLE' } : { kind: 'NUMBER' };
  }
  if (left.kind === 'TIMESTAMP' && right.kind === 'TIMESTAMP') {
    return {
      kind: 'TIMESTAMP',
      precision: Math.max(left.precision, right.precision),
      timeZone: left.timeZone || right.timeZone,
    };
  }
  if (left.kind === 'TIMESTAMP' && right.kind === 'DATE') {
    return left;
  }
  if (left.kind === 'DATE' && right.kind === 'TIMESTAMP') {
    return right;
  }
  if (left.kind === 'VECTOR' && right.kind === 'VECTOR') {
    return left.dimensions === right.dimensions ? left : { kind: 'VECTOR', dimensions: '*', format: '*' };
  }
  if (left.kind === 'RAW' && right.kind === 'RAW') {
    return left.length >= right.length ? left : right;
  }
  if (left.kind === right.kind) {
    return left;
  }
  throw mismatch(left, right);
}
