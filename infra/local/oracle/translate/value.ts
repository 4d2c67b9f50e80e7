import { OracleError } from '../sql/oracle-error.ts';
import { type OracleType, PLSQL_JSON_TYPES, type PlsqlJsonType } from '../sql/oracle-type.ts';

/**
 * A translated expression. The PostgreSQL type follows from the Oracle type: VARCHAR2 and CLOB are `text` that is never
 * empty, NUMBER is `numeric`, BINARY_DOUBLE `float8`, DATE `timestamp(0)`, TIMESTAMP `timestamp` or `timestamptz`,
 * JSON `jsonb`, RAW and BLOB `bytea`, VECTOR pgvector's `vector`.
 */
export interface Value {
  readonly sql: string;
  /** Undefined: the literal NULL, which takes any type. */
  readonly type: OracleType | undefined;
  /** The value is known to keep the length, precision and scale of its type. */
  readonly bounded?: boolean;
  /** The same value as PostgreSQL `json`, for a JSON function around it. */
  readonly json?: string;
  /** The value is a comparison or another condition, not a stored BOOLEAN. */
  readonly condition?: boolean;
  /** The column that the value is, for Oracle Text. */
  readonly column?: { readonly table: string | undefined; readonly alias: string; readonly name: string };
  /** An INTERVAL DAY TO SECOND, which can be added without a look at the calendar. */
  readonly daysOnly?: boolean;
  /** Time zone in which TO_CHAR and EXTRACT see a TIMESTAMP WITH TIME ZONE; UTC when absent. */
  readonly zone?: string;
}

/** Type of text whose length is not known. */
export const VARCHAR2: OracleType = { kind: 'VARCHAR2', length: 4000, unit: 'BYTE' };
export const NUMBER: OracleType = { kind: 'NUMBER' };
export const DATE: OracleType = { kind: 'DATE' };
export const TIMESTAMP: OracleType = { kind: 'TIMESTAMP', precision: 6, timeZone: false };
export const TIMESTAMP_TZ: OracleType = { kind: 'TIMESTAMP', precision: 6, timeZone: true };
export const CLOB: OracleType = { kind: 'CLOB' };
export const JSON_TYPE: OracleType = { kind: 'JSON' };
export const BOOLEAN: OracleType = { kind: 'BOOLEAN' };
export const BINARY_DOUBLE: OracleType = { kind: 'BINARY_DOUBLE' };
export const INTERVAL: OracleType = { kind: 'INTERVAL' };

/** A VARCHAR2 value. */
export const text = (sql: string): Value => ({ sql, type: VARCHAR2 });
/** A NUMBER value. */
export const number = (sql: string): Value => ({ sql, type: NUMBER });
/** A BINARY_DOUBLE value. */
export const double = (sql: string): Value => ({ sql, type: BINARY_DOUBLE });
/** A condition. */
export const condition = (sql: string): Value => ({ sql, type: BOOLEAN, condition: true });
/** The literal NULL. */
export const NULL_VALUE: Value = { sql: 'NULL', type: undefined };

/** PostgreSQL type for a cast; no length or precision, which assignments check with Oracle's errors. */
export function postgresType(type: OracleType): string {
  switch (type.kind) {
    case 'VARCHAR2':
    case 'CLOB':
      return 'text';
    case 'NUMBER':
      return 'numeric';
    case 'BINARY_DOUBLE':
      return 'float8';
    case 'BINARY_FLOAT':
      return 'float4';
    case 'BLOB':
    case 'RAW':
      return 'bytea';
    case 'DATE':
      return 'timestamp(0)';
    case 'TIMESTAMP':
      return `${type.timeZone ? 'timestamptz' : 'timestamp'}(${Math.min(type.precision, 6)})`;
    case 'JSON':
      return 'jsonb';
    case 'BOOLEAN':
      return 'boolean';
    case 'INTERVAL':
      return 'interval';
    case 'VECTOR':
      return type.dimensions === '*' ? 'vector' : `vector(${type.dimensions})`;
    case 'JSON_ELEMENT_T':
    case 'JSON_OBJECT_T':
    case 'JSON_ARRAY_T':
    case 'JSON_SCALAR_T':
    case 'JSON_KEY_LIST':
      return 'jsonb';
  }
}

/** The type as Oracle's messages name it. */
export function typeName(type: OracleType | undefined): string {
  if (type === undefined) {
    return '-';
  }
  switch (type.kind) {
    case 'VARCHAR2':
      return 'CHAR';
    case 'TIMESTAMP':
      return type.timeZone ? 'TIMESTAMP WITH TIME ZONE' : 'TIMESTAMP';
    default:
      return type.kind;
  }
}

/** True for VARCHAR2, and for CLOB where it is allowed. */
export function isText(type: OracleType | undefined): boolean {
  return type?.kind === 'VARCHAR2' || type?.kind === 'CLOB';
}

/** NUMBER or a floating type. */
export function isNumeric(type: OracleType | undefined): boolean {
  return type?.kind === 'NUMBER' || isFloating(type);
}

/** BINARY_DOUBLE or BINARY_FLOAT. */
export function isFloating(type: OracleType | undefined): boolean {
  return type?.kind === 'BINARY_DOUBLE' || type?.kind === 'BINARY_FLOAT';
}

/** A type that only PL/SQL has. */
export function isPlsqlJson(
  type: OracleType | undefined,
): type is OracleType & { readonly kind: PlsqlJsonType } {
  return PLSQL_JSON_TYPES.some((kind) => kind === type?.kind);
}

/** DATE or TIMESTAMP. */
export function isTime(type: OracleType | undefined): boolean {
  return type?.kind === 'DATE' || type?.kind === 'TIMESTAMP';
}

/** ORA-00932. */
export function inconsistent(expected: string, actual: OracleType | undefined, offset?: number): OracleError {
  return new OracleError(932, `inconsistent datatypes: expected ${expected} got ${typeName(actual)}`, {
    offset,
  });
}
