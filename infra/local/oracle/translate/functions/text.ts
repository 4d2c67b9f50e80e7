import { OracleError } from '../../sql/oracle-error.ts';
import type { Expression } from '../../sql/syntax-tree.ts';
import { asInteger, asText } from '../conversion.ts';
import { translateExpression } from '../expression.ts';
import type { Environment } from '../scope.ts';
import { CLOB, isTime, number, text, type Value } from '../value.ts';
import type { FunctionDefinition, Functions } from './call.ts';
import { translateNumberFormat } from './number.ts';
import { translateTimeFormat } from './time.ts';

/** A text result that may be empty: the empty string is NULL. CLOB in gives CLOB out. */
function result(sql: string, source: Value | undefined): Value {
  const filled = `NULLIF(${sql}, '')`;
  return source?.type?.kind === 'CLOB' ? { sql: filled, type: CLOB } : text(filled);
}

/** A function of PostgreSQL that takes and gives text and never makes one empty. */
function mapping(name: string): FunctionDefinition {
  return {
    count: [1, 1],
    translate: ([value], call) => {
      const sql = `${name}(${argument(value, call.offset)})`;
      return value?.type?.kind === 'CLOB' ? { sql, type: CLOB } : text(sql);
    },
  };
}

function trimming(name: 'ltrim' | 'rtrim'): FunctionDefinition {
  return {
    count: [1, 2],
    translate: ([value, characters], call) => {
      const set = characters === undefined ? '' : `, ${asText(characters, call.offset)}`;
      return result(`${name}(${argument(value, call.offset)}${set})`, value);
    },
  };
}

function padding(name: 'lpad' | 'rpad'): FunctionDefinition {
  return {
    count: [2, 3],
    translate: ([value, length, fill], call) => {
      const set = fill === undefined ? '' : `, ${asText(fill, call.offset)}`;
      return result(
        `${name}(${argument(value, call.offset)}, ${argumentInteger(length, call.offset)}${set})`,
        value,
      );
    },
  };
}

const substring: FunctionDefinition = {
  count: [2, 3],
  translate: ([value, start, length], call) => {
    const count = length === undefined ? 'NULL, FALSE' : `${asInteger(length, call.offset)}, TRUE`;
    return result(
      `ora.substr(${argument(value, call.offset)}, ${argumentInteger(start, call.offset)}, ${count})`,
      value,
    );
  },
};

/** Functions on text. */
export const TEXT_FUNCTIONS: Functions = {
  LOWER: mapping('lower'),
  UPPER: mapping('upper'),
  INITCAP: mapping('initcap'),
  REVERSE: mapping('reverse'),
  LTRIM: trimming('ltrim'),
  RTRIM: trimming('rtrim'),
  LPAD: padding('lpad'),
  RPAD: padding('rpad'),
  SUBSTR: substring,
  'DBMS_LOB.SUBSTR': {
    count: [1, 3],
    translate: ([value, amount, start], call) => {
      const from = start === undefined ? '1' : asInteger(start, call.offset);
      const count = amount === undefined ? '32767' : asInteger(amount, call.offset);
      return text(`NULLIF(ora.substr(${argument(value, call.offset)}, ${from}, ${count}, TRUE), '')`);
    },
  },
  INSTR: {
    count: [2, 4],
    translate: ([value, search, start, occurrence], call) => {
      const from = start === undefined ? '1' : asInteger(start, call.offset);
      const count = occurrence === undefined ? '1' : asInteger(occurrence, call.offset);
      return number(
        `ora.instr(${argument(value, call.offset)}, ${argument(search, call.offset)}, ${from}, ${count})`,
      );
    },
  },
  LENGTH: {
    count: [1, 1],
    translate: ([value], call) => number(`char_length(${argument(value, call.offset)})::numeric`),
  },
  LENGTHB: {
    count: [1, 1],
    translate: ([value], call) => number(`octet_length(${argument(value, call.offset)})::numeric`),
  },
  REPLACE: {
    count: [2, 3],
    translate: ([value, search, replacement], call) => {
      const substitute =
        replacement === undefined ? "''" : `COALESCE(${asText(replacement, call.offset)}, '')`;
      return result(
        `replace(${argument(value, call.offset)}, COALESCE(${argument(search, call.offset)}, ''), ${substitute})`,
        value,
      );
    },
  },
  TRANSLATE: {
    count: [3, 3],
    translate: ([value, from, to], call) =>
      result(
        `translate(${argument(value, call.offset)}, ${argument(from, call.offset)}, ${argument(to, call.offset)})`,
        value,
      ),
  },
  CONCAT: {
    count: [2, 255],
    translate: (values, call) =>
      result(
        values.map((value) => `COALESCE(${asText(value, call.offset)}, '')`).join(' || '),
        values.find((value) => value.type?.kind === 'CLOB'),
      ),
  },
  CHR: { count: [1, 1], translate: ([value], call) => text(`chr(${argumentInteger(value, call.offset)})`) },
  ASCII: {
    count: [1, 1],
    translate: ([value], call) => number(`ora.ascii(${argument(value, call.offset)})`),
  },
  TO_CHAR: {
    count: [1, 2],
    translate: ([value, format], call) => {
      if (value === undefined) {
        throw new OracleError(938, 'not enough arguments for function', { offset: call.offset });
      }
      if (isTime(value.type)) {
        return translateTimeFormat(value, call);
      }
      return format === undefined ? text(asText(value, call.offset)) : translateNumberFormat(value, call);
    },
  },
};

function argument(value: Value | undefined, offset: number): string {
  return value === undefined ? 'NULL::text' : asText(value, offset);
}

function argumentInteger(value: Value | undefined, offset: number): string {
  return value === undefined ? 'NULL::integer' : asInteger(value, offset);
}

/** `TRIM([LEADING | TRAILING | BOTH] [character FROM] x)`. ORA-30001: more than one character. */
export function translateTrim(expression: Expression & { kind: 'trim' }, environment: Environment): Value {
  const operand = translateExpression(expression.operand, environment);
  const source = asText(operand, expression.offset);
  const name = { BOTH: 'btrim', LEADING: 'ltrim', TRAILING: 'rtrim' }[expression.side];
  if (expression.characters === undefined) {
    return result(`${name}(${source})`, operand);
  }
  const characters = asText(translateExpression(expression.characters, environment), expression.offset);
  return result(`${name}(${source}, ora.trim_set(${characters}))`, operand);
}
