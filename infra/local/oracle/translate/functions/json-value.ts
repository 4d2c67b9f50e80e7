import { OracleError } from '../../sql/oracle-error.ts';
import type { OracleType } from '../../sql/oracle-type.ts';
import { asJson, asText } from '../conversion.ts';
import { BOOLEAN, CLOB, inconsistent, isText, JSON_TYPE, NUMBER, type Value } from '../value.ts';

/** A document argument; text that is not JSON is an error, or NULL where errors give NULL. */
export function jsonDocument(value: Value, strict: boolean, offset: number): string {
  if (isText(value.type)) {
    return `${strict ? 'ora.json' : 'ora.json_or_null'}(${value.sql})`;
  }
  return asJson(value, offset);
}

/** A JSON scalar (`jsonb` SQL) as an SQL value. `strict`: what does not fit is an error, otherwise NULL. */
export function jsonScalar(sql: string, type: OracleType, strict: boolean, offset: number): Value {
  switch (type.kind) {
    case 'VARCHAR2':
      return {
        sql: `ora.json_varchar2(${sql}, ${type.length}, ${type.unit === 'BYTE'}, ${strict})`,
        type,
        bounded: true,
      };
    case 'CLOB':
      return { sql: `ora.json_clob(${sql}, ${strict})`, type: CLOB };
    case 'NUMBER': {
      const number = `ora.json_number(${sql}, ${strict})`;
      return type.precision === undefined
        ? { sql: number, type: NUMBER }
        : { sql: `ora.fit_number(${number}, ${type.precision}, ${type.scale ?? 0})`, type, bounded: true };
    }
    case 'BINARY_DOUBLE':
    case 'BINARY_FLOAT':
      return { sql: `ora.json_number(${sql}, ${strict})::float8`, type };
    case 'BOOLEAN':
      return { sql: `ora.json_boolean(${sql}, ${strict})`, type: BOOLEAN };
    case 'DATE':
      return { sql: `date_trunc('second', ora.json_time(${sql}, ${strict})::timestamp)::timestamp(0)`, type };
    case 'TIMESTAMP':
      return {
        sql: `ora.json_time(${sql}, ${strict})::${type.timeZone ? 'timestamptz' : 'timestamp'}(${Math.min(type.precision, 6)})`,
        type,
      };
    case 'JSON':
      return { sql, type: JSON_TYPE };
    default:
      throw new OracleError(40449, 'invalid data type for return value', { offset });
  }
}

/** A JSON fragment (`jsonb` SQL) in the type of a RETURNING clause; VARCHAR2(4000) when there is none. */
export function jsonFragment(
  sql: string,
  returning: OracleType | undefined,
  strict: boolean,
  offset: number,
): Value {
  if (returning?.kind === 'JSON') {
    return { sql, type: JSON_TYPE };
  }
  return jsonText(`(${sql})::text`, sql, returning, strict, offset);
}

/** JSON text in the type of a RETURNING clause. `json` is the same value for a JSON function around it. */
export function jsonText(
  textSql: string,
  json: string,
  returning: OracleType | undefined,
  strict: boolean,
  offset: number,
): Value {
  const compact = `ora.json_compact(${textSql})`;
  switch (returning?.kind) {
    case 'CLOB':
      return { sql: compact, type: CLOB, json };
    case 'BLOB':
      return { sql: `convert_to(${compact}, 'UTF8')`, type: returning, json };
    case undefined:
    case 'VARCHAR2': {
      const type = returning ?? ({ kind: 'VARCHAR2', length: 4000, unit: 'BYTE' } as const);
      return {
        sql: `ora.limit_json(${compact}, ${type.length}, ${type.unit === 'BYTE'}, ${strict})`,
        type,
        json,
      };
    }
    default:
      throw new OracleError(40449, 'invalid data type for return value', { offset });
  }
}

/** A value as PostgreSQL builds JSON from it: numbers without trailing zeros, times as ISO 8601 text. */
export function jsonInput(value: Value, formatJson: boolean, offset: number): string {
  if (value.json !== undefined) {
    return value.json;
  }
  if (formatJson) {
    return value.type?.kind === 'JSON' ? value.sql : `ora.json_format(${asText(value, offset)})`;
  }
  switch (value.type?.kind) {
    case 'NUMBER':
      return `trim_scale(${value.sql})`;
    case 'TIMESTAMP':
      return `to_char(${value.sql}, 'YYYY-MM-DD"T"HH24:MI:SS.US${value.type.timeZone ? '"Z"' : ''}')`;
    case 'DATE':
      return `to_char(${value.sql}, 'YYYY-MM-DD"T"HH24:MI:SS')`;
    case 'JSON':
    case 'BOOLEAN':
    case 'BINARY_DOUBLE':
    case 'BINARY_FLOAT':
      return value.sql;
    case 'VECTOR':
      return `(${value.sql})::text::json`;
    case 'BLOB':
    case 'INTERVAL':
      throw inconsistent('JSON', value.type, offset);
    default:
      return asText(value, offset);
  }
}
