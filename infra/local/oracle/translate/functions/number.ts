import { OracleError } from '../../sql/oracle-error.ts';
import type { CallExpression } from '../../sql/syntax-tree.ts';
import { asDouble, asInteger, asNumber, asNumeric, asText } from '../conversion.ts';
import { quoteText } from '../names.ts';
import { BINARY_DOUBLE, double, isFloating, isTime, number, text, type Value } from '../value.ts';
import { type FunctionDefinition, type Functions, literalText } from './call.ts';
import { roundTime } from './time.ts';

const NUMBER_FORMAT = /^(?:FM)?(?:S|MI)?[09,.DG]*(?:S|MI|PR)?$/i;

/** A PostgreSQL function from number to number. */
function mapping(name: string): FunctionDefinition {
  return { count: [1, 1], translate: ([value], call) => apply(name, value, call) };
}

function apply(name: string, value: Value | undefined, call: CallExpression): Value {
  const operand = required(value, call);
  return isFloating(operand.type) ? double(`${name}(${operand.sql})`) : number(`${name}(${operand.sql})`);
}

/** A function that Oracle computes on decimals and PostgreSQL on `numeric`, with its own domain errors. */
function checked(name: string): FunctionDefinition {
  return {
    count: [1, 1],
    translate: ([value], call) => number(`ora.${name}(${asNumeric(required(value, call), call.offset)})`),
  };
}

function trigonometric(name: string): FunctionDefinition {
  return {
    count: [1, 1],
    translate: ([value], call) =>
      number(`(${name}(${asDouble(required(value, call), call.offset)}))::numeric`),
  };
}

function required(value: Value | undefined, call: CallExpression): Value {
  if (value === undefined) {
    throw new OracleError(938, `not enough arguments for function "${call.name}"`, { offset: call.offset });
  }
  return isTime(value.type) ? value : asNumber(value, call.offset);
}

function rounding(name: 'round' | 'trunc'): FunctionDefinition {
  return {
    count: [1, 2],
    translate: ([value, digits], call) => {
      const operand = required(value, call);
      if (isTime(operand.type)) {
        return roundTime(name, operand, call);
      }
      if (isFloating(operand.type) && digits === undefined) {
        return name === 'trunc'
          ? double(`trunc(${operand.sql})`)
          : double(`round((${operand.sql})::numeric)::float8`);
      }
      const places = digits === undefined ? '0' : asInteger(digits, call.offset);
      return number(`${name}(${asNumeric(operand, call.offset)}, ${places})`);
    },
  };
}

/** Functions on numbers. */
export const NUMBER_FUNCTIONS: Functions = {
  ABS: mapping('abs'),
  CEIL: mapping('ceil'),
  FLOOR: mapping('floor'),
  SIGN: mapping('sign'),
  ROUND: rounding('round'),
  TRUNC: rounding('trunc'),
  SQRT: checked('sqrt'),
  EXP: checked('exp'),
  LN: checked('ln'),
  SIN: trigonometric('sin'),
  COS: trigonometric('cos'),
  TAN: trigonometric('tan'),
  MOD: binary('mod'),
  REMAINDER: binary('remainder'),
  POWER: binary('power'),
  LOG: binary('log'),
  BITAND: binary('bitand'),
  TO_NUMBER: {
    count: [1, 2],
    translate: ([value, format], call) => {
      if (value !== undefined && format !== undefined) {
        const picture = literalText(call, 1) ?? '';
        if (!NUMBER_FORMAT.test(picture)) {
          throw new OracleError(1481, 'invalid number format model', { offset: call.offset });
        }
        return number(
          `ora.to_number_format(${asText(value, call.offset)}, ${quoteText(picture.toUpperCase())})`,
        );
      }
      return number(asNumeric(required(value, call), call.offset));
    },
  },
  TO_BINARY_DOUBLE: {
    count: [1, 1],
    translate: ([value], call) => ({
      sql: asDouble(required(value, call), call.offset),
      type: BINARY_DOUBLE,
    }),
  },
};

function binary(name: string): FunctionDefinition {
  return {
    count: [2, 2],
    translate: ([left, right], call) =>
      number(
        `ora.${name}(${asNumeric(required(left, call), call.offset)}, ${asNumeric(required(right, call), call.offset)})`,
      ),
  };
}

/** `TO_CHAR(number, format)`. ORA-01481: the format is not one of those supported. */
export function translateNumberFormat(value: Value, call: CallExpression): Value {
  const format = literalText(call, 1) ?? '';
  const operand = asNumeric(value, call.offset);
  if (/^TM9?$/i.test(format)) {
    return text(`ora.number_text(${operand})`);
  }
  if (/^(?:FM)?0*X+$/i.test(format)) {
    return text(`ora.hexadecimal(${operand}, ${quoteText(format)})`);
  }
  if (!NUMBER_FORMAT.test(format) || !/[09]/.test(format)) {
    throw new OracleError(1481, 'invalid number format model', { offset: call.offset });
  }
  return text(`ora.format_number(${operand}, ${quoteText(format.toUpperCase())})`);
}
