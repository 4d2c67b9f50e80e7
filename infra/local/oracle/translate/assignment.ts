import { OracleError } from '../sql/oracle-error.ts';
import type { OracleType } from '../sql/oracle-type.ts';
import { asVector, convert } from './conversion.ts';
import { quoteText } from './names.ts';
import type { Value } from './value.ts';

/**
 * The value as it is stored in a column: converted, and checked against length (ORA-12899), precision (ORA-01438), magnitude (ORA-01426) or
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
      if (fits(value, type)) {
        return converted;
      }
      return type.precision === undefined
        ? `ora.fit_magnitude(${converted})`
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
