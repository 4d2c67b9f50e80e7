import type { EngineColumn, EngineResult, OracleValue } from '../engine/oracle-engine.ts';
import { typeLabel } from '../engine/type-label.ts';
import type { OracleType } from '../sql/oracle-type.ts';
import { exactNumber } from './exact-json.ts';

const CLASS_NAMES: Readonly<Partial<Record<OracleType['kind'], string>>> = {
  NUMBER: 'java.math.BigDecimal',
  BINARY_DOUBLE: 'java.lang.Double',
  BINARY_FLOAT: 'java.lang.Float',
  CLOB: 'oracle.jdbc.OracleClob',
  BLOB: 'oracle.jdbc.OracleBlob',
  RAW: '[B',
  DATE: 'java.sql.Timestamp',
  BOOLEAN: 'java.lang.Boolean',
};

/** A value in the JSON of ORDS: numbers as numbers with all digits, times as ISO-8601 text in UTC, bytes as base64. */
export function encodeResult(value: OracleValue, type: OracleType): unknown {
  if (value instanceof Uint8Array) {
    return Buffer.from(value).toString('base64');
  }
  switch (type.kind) {
    case 'NUMBER':
      return typeof value === 'string' ? exactNumber(value) : value;
    case 'BINARY_DOUBLE':
    case 'BINARY_FLOAT':
      return typeof value === 'number' && !Number.isFinite(value) ? String(value) : value;
    case 'DATE':
    case 'TIMESTAMP':
      return typeof value === 'string' ? value.replace(/\.?0*Z$/, 'Z') : value;
    default:
      return value;
  }
}

/** Rows as objects with lower-case keys; the names are unique because ORDS wraps the query. */
export function encodeRows(
  columns: readonly EngineColumn[],
  rows: EngineResult['rows'],
): readonly Readonly<Record<string, unknown>>[] {
  return rows.map((row) =>
    Object.fromEntries(
      columns.map((column, index) => [
        column.name.toLowerCase(),
        encodeResult(row[index] ?? null, column.type),
      ]),
    ),
  );
}

export function encodeMetadata(column: EngineColumn): Readonly<Record<string, unknown>> {
  const { type } = column;
  return {
    columnName: column.name,
    jsonColumnName: column.name.toLowerCase(),
    columnTypeName: typeLabel(type),
    columnClassName: CLASS_NAMES[type.kind] ?? 'java.lang.String',
    precision: precisionOf(type),
    scale: type.kind === 'NUMBER' ? (type.scale ?? 0) : 0,
    isNullable: column.nullable ? 1 : 0,
  };
}

function precisionOf(type: OracleType): number {
  if (type.kind === 'VARCHAR2' || type.kind === 'RAW') {
    return type.length;
  }
  return type.kind === 'NUMBER' ? (type.precision ?? 0) : 0;
}
