import { OracleError } from '../sql/oracle-error.ts';
import type { ComparisonOperator } from '../sql/syntax-tree.ts';
import { asNumber, asRaw, asTime, convert } from './conversion.ts';
import { BINARY_DOUBLE, inconsistent, isFloating, isNumeric, isTime, typeName, type Value } from './value.ts';

/** Compares two values after Oracle's implicit conversions. Types that Oracle cannot compare are refused. */
export function compareValues(
  left: Value,
  operator: ComparisonOperator,
  right: Value,
  offset?: number,
): string {
  const [a, b] = comparable(left, right, offset);
  return `(${a} ${operator} ${b})`;
}

/** Two values as PostgreSQL texts of one type. */
export function comparable(left: Value, right: Value, offset?: number): readonly [string, string] {
  refuseIncomparable(left, offset);
  refuseIncomparable(right, offset);
  if (left.type === undefined || right.type === undefined) {
    const type = left.type ?? right.type;
    return type === undefined
      ? ['NULL::text', 'NULL::text']
      : [convert(left, type, offset), convert(right, type, offset)];
  }
  if (left.type.kind === 'BOOLEAN' && right.type.kind === 'BOOLEAN') {
    return [left.sql, right.sql];
  }
  if (isNumeric(left.type) || isNumeric(right.type)) {
    const a = asNumber(left, offset);
    const b = asNumber(right, offset);
    return isFloating(a.type) || isFloating(b.type)
      ? [convert(a, BINARY_DOUBLE), convert(b, BINARY_DOUBLE)]
      : [a.sql, b.sql];
  }
  if (isTime(left.type) || isTime(right.type)) {
    return [asTime(left, offset).sql, asTime(right, offset).sql];
  }
  if (left.type.kind === 'RAW' || right.type.kind === 'RAW') {
    return [asRaw(left, offset), asRaw(right, offset)];
  }
  if (left.type.kind === 'INTERVAL' && right.type.kind === 'INTERVAL') {
    return [left.sql, right.sql];
  }
  if (left.type.kind === 'VARCHAR2' && right.type.kind === 'VARCHAR2') {
    return [left.sql, right.sql];
  }
  throw inconsistent(typeName(left.type), right.type, offset);
}

/** Types without an order or equality: ORA-00932 (LOBs), ORA-40796 (JSON), ORA-22848 (VECTOR). */
export function refuseIncomparable(value: Value, offset?: number): void {
  switch (value.type?.kind) {
    case 'CLOB':
    case 'BLOB':
      throw inconsistent('-', value.type, offset);
    case 'JSON':
      throw new OracleError(40796, 'invalid comparison operation involving JSON type value', { offset });
    case 'VECTOR':
      throw new OracleError(22848, 'cannot use VECTOR type as comparison key', { offset });
    default:
  }
}
