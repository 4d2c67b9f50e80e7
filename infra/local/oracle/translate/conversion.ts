import { OracleError } from '../sql/oracle-error.ts';
import type { OracleType } from '../sql/oracle-type.ts';
import { isAssignable } from './implicit-conversion.ts';
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
    default:
      if (value.type === undefined) {
        return `NULL::${postgresType(type)}`;
      }
      if (!isAssignable(value.type, type)) {
        throw inconsistent(typeName(type), value.type, offset);
      }
      return value.sql;
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
