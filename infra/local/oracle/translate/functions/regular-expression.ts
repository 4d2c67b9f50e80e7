import { OracleError } from '../../sql/oracle-error.ts';
import type { CallExpression } from '../../sql/syntax-tree.ts';
import { asInteger, asText } from '../conversion.ts';
import { CLOB, condition, number, text, type Value } from '../value.ts';
import { type Functions, literalText } from './call.ts';

/** REGEXP_LIKE, _COUNT, _INSTR, _SUBSTR and _REPLACE: POSIX expressions, the same in PostgreSQL. */
export const REGULAR_EXPRESSION_FUNCTIONS: Functions = {
  REGEXP_LIKE: {
    count: [2, 3],
    translate: ([value, pattern], call) =>
      condition(`regexp_like(${string(value, call)}, ${string(pattern, call)}, '${flags(call, 2)}')`),
  },
  REGEXP_COUNT: {
    count: [2, 4],
    translate: ([value, pattern, start], call) =>
      number(
        `regexp_count(${string(value, call)}, ${string(pattern, call)}, ${integer(start, '1', call)}, '${flags(call, 3)}')::numeric`,
      ),
  },
  REGEXP_INSTR: {
    count: [2, 7],
    translate: ([value, pattern, start, occurrence, end, , group], call) =>
      number(
        `regexp_instr(${string(value, call)}, ${string(pattern, call)}, ${integer(start, '1', call)}, ${integer(occurrence, '1', call)}, ` +
          `${integer(end, '0', call)}, '${flags(call, 5)}', ${integer(group, '0', call)})::numeric`,
      ),
  },
  REGEXP_SUBSTR: {
    count: [2, 6],
    translate: ([value, pattern, start, occurrence, , group], call) =>
      result(
        `regexp_substr(${string(value, call)}, ${string(pattern, call)}, ${integer(start, '1', call)}, ${integer(occurrence, '1', call)}, ` +
          `'${flags(call, 4)}', ${integer(group, '0', call)})`,
        value,
      ),
  },
  REGEXP_REPLACE: {
    count: [2, 6],
    translate: ([value, pattern, replacement, start, occurrence], call) =>
      result(
        `regexp_replace(${string(value, call)}, ${string(pattern, call)}, COALESCE(${string(replacement, call)}, ''), ` +
          `${integer(start, '1', call)}, ${integer(occurrence, '0', call)}, '${flags(call, 5)}')`,
        value,
      ),
  },
};

function string(value: Value | undefined, call: CallExpression): string {
  return value === undefined ? 'NULL::text' : asText(value, call.offset);
}

function integer(value: Value | undefined, otherwise: string, call: CallExpression): string {
  return value === undefined ? otherwise : asInteger(value, call.offset);
}

function result(sql: string, source: Value | undefined): Value {
  const filled = `NULLIF(${sql}, '')`;
  return source?.type?.kind === 'CLOB' ? { sql: filled, type: CLOB } : text(filled);
}

/** Match parameters of Oracle as flags of PostgreSQL, whose dot matches a line feed unless told otherwise. */
function flags(call: CallExpression, index: number): string {
  const parameters = literalText(call, index) ?? '';
  if (!/^[icnmx]*$/.test(parameters)) {
    throw new OracleError(1760, 'illegal argument for function', { offset: call.offset });
  }
  const dot = parameters.includes('n');
  const lines = parameters.includes('m');
  const newline = lines ? (dot ? 'w' : 'n') : dot ? 's' : 'p';
  const sensitive = parameters.lastIndexOf('i') > parameters.lastIndexOf('c') ? 'i' : 'c';
  return `${newline}${sensitive}${parameters.includes('x') ? 'x' : ''}`;
}
