import type { OracleError } from '../sql/oracle-error.ts';
import type { OracleType } from '../sql/oracle-type.ts';
import { convert } from './conversion.ts';
import { isFloating, isNumeric, isText, type Value } from './value.ts';

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
