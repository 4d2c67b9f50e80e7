import { OracleError } from '../sql/oracle-error.ts';
import type { OracleType } from '../sql/oracle-type.ts';
import type { Expression } from '../sql/syntax-tree.ts';
import { asText, convert } from './conversion.ts';
import { translateExpression } from './expression.ts';
import type { Environment } from './scope.ts';
import type { Value } from './value.ts';

/** `CAST(x AS type)`. Text longer than the type is cut, as in Oracle. */
export function translateCast(expression: Expression & { kind: 'cast' }, environment: Environment): Value {
  const operand = translateExpression(expression.operand, environment);
  return castValue(operand, expression.type, expression.offset);
}

/** A value as another type with the length, precision and scale of the type applied. */
function castValue(operand: Value, type: OracleType, offset: number): Value {
  switch (type.kind) {
    case 'VARCHAR2': {
      const source =
        operand.type?.kind === 'TIMESTAMP' || operand.type?.kind === 'DATE'
          ? refuseTimeText(offset)
          : asText(operand, offset);
      const cut =
        type.unit === 'CHAR' ? `left(${source}, ${type.length})` : `ora.cut_bytes(${source}, ${type.length})`;
      return { sql: cut, type, bounded: true };
    }
    case 'NUMBER': {
      const converted = convert(operand, type, offset);
      return type.precision === undefined
        ? { sql: converted, type }
        : { sql: `ora.fit_number(${converted}, ${type.precision}, ${type.scale ?? 0})`, type, bounded: true };
    }
    case 'VECTOR': {
      const dimensions = type.dimensions === '*' ? 'NULL' : String(type.dimensions);
      return {
        sql: `ora.fit_vector(${convert(operand, type, offset)}, ${dimensions}, ${type.format === 'INT8'})`,
        type,
      };
    }
    default:
      return { sql: convert(operand, type, offset), type };
  }
}

function refuseTimeText(offset: number): never {
  throw new OracleError(3001, 'unimplemented feature: CAST of a time to text (use TO_CHAR with a format)', {
    offset,
  });
}
