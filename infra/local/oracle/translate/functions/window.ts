import { OracleError } from '../../sql/oracle-error.ts';
import type { CallExpression, WindowSpecification } from '../../sql/syntax-tree.ts';
import { isAggregate } from '../aggregates.ts';
import { refuseIncomparable } from '../comparison.ts';
import { asInteger, asNumeric, convert } from '../conversion.ts';
import { translateExpression } from '../expression.ts';
import type { Environment } from '../scope.ts';
import { translateSortKeys } from '../sort.ts';
import { number, type Value } from '../value.ts';
import { aggregateValue } from './aggregate.ts';

const RANKING: ReadonlySet<string> = new Set([
  'ROW_NUMBER',
  'RANK',
  'DENSE_RANK',
  'PERCENT_RANK',
  'CUME_DIST',
  'NTILE',
]);
const POSITION: ReadonlySet<string> = new Set(['LAG', 'LEAD', 'FIRST_VALUE', 'LAST_VALUE', 'NTH_VALUE']);

/** True for functions that need a window. */
export function isWindowFunction(name: string): boolean {
  return RANKING.has(name) || POSITION.has(name) || name === 'RATIO_TO_REPORT';
}

/** An analytic function. ORA-30484 and ORA-30485: no window, no ORDER BY in it; ORA-30487: ORDER BY not allowed. */
export function translateWindowFunction(call: CallExpression, environment: Environment): Value {
  const { window } = call;
  if (window === undefined) {
    throw new OracleError(30484, 'missing window specification for this function', { offset: call.offset });
  }
  if (environment.clause !== 'select') {
    throw new OracleError(30483, 'window functions are not allowed here', { offset: call.offset });
  }
  const over = `OVER (${translateWindow(window, environment)})`;
  if (RANKING.has(call.name)) {
    return translateRanking(call, window, over, environment);
  }
  if (POSITION.has(call.name)) {
    return translatePosition(call, window, over, environment);
  }
  if (call.name === 'RATIO_TO_REPORT') {
    const value = asNumeric(argument(call, 0, environment), call.offset);
    return number(`ora.divide(${value}, sum(${value}) ${over})`);
  }
  if (!isAggregate(call.name) || ['LISTAGG', 'MEDIAN', 'STDDEV', 'VARIANCE'].includes(call.name)) {
    throw new OracleError(3001, `unimplemented feature: ${call.name} with a window`, { offset: call.offset });
  }
  if (call.distinct) {
    throw window.orderBy.length > 0 || window.frame !== undefined
      ? new OracleError(30487, 'ORDER BY not allowed here', { offset: call.offset })
      : new OracleError(3001, `unimplemented feature: ${call.name}(DISTINCT …) with a window`, {
          offset: call.offset,
        });
  }
  const plain = aggregateValue({ ...call, window: undefined }, environment);
  return addWindow(plain, over);
}

/** Puts OVER after the call, before the cast that makes a count a NUMBER. */
function addWindow(value: Value, over: string): Value {
  const cast = '::numeric';
  return value.sql.endsWith(cast) && value.sql.startsWith('count(')
    ? { ...value, sql: `(${value.sql.slice(0, -cast.length)} ${over})${cast}` }
    : { ...value, sql: `(${value.sql} ${over})` };
}

function translateWindow(window: WindowSpecification, environment: Environment): string {
  const parts: string[] = [];
  if (window.partitionBy.length > 0) {
    const keys = window.partitionBy.map((expression) => {
      const value = translateExpression(expression, environment);
      refuseIncomparable(value, expression.offset);
      return value.type === undefined ? 'NULL::text' : value.sql;
    });
    parts.push(`PARTITION BY ${keys.join(', ')}`);
  }
  if (window.orderBy.length > 0) {
    parts.push(`ORDER BY ${translateSortKeys(window.orderBy, environment)}`);
  }
  if (window.frame !== undefined) {
    parts.push(window.frame);
  }
  return parts.join(' ');
}

function translateRanking(
  call: CallExpression,
  window: WindowSpecification,
  over: string,
  environment: Environment,
): Value {
  if (window.orderBy.length === 0) {
    throw new OracleError(30485, 'missing ORDER BY expression in the window specification', {
      offset: call.offset,
    });
  }
  if (call.name === 'NTILE') {
    return number(`(ntile(${asInteger(argument(call, 0, environment), call.offset)}) ${over})::numeric`);
  }
  if (call.arguments.length > 0) {
    throw new OracleError(909, 'invalid number of arguments', { offset: call.offset });
  }
  return number(`(${call.name.toLowerCase()}() ${over})::numeric`);
}

function translatePosition(
  call: CallExpression,
  window: WindowSpecification,
  over: string,
  environment: Environment,
): Value {
  if (call.ignoreNulls) {
    throw new OracleError(3001, 'unimplemented feature: IGNORE NULLS', { offset: call.offset });
  }
  const value = argument(call, 0, environment);
  const source = value.type === undefined ? 'NULL::text' : value.sql;
  if (call.name === 'FIRST_VALUE' || call.name === 'LAST_VALUE') {
    return { sql: `(${call.name.toLowerCase()}(${source}) ${over})`, type: value.type };
  }
  if (window.orderBy.length === 0 && call.name !== 'NTH_VALUE') {
    throw new OracleError(30485, 'missing ORDER BY expression in the window specification', {
      offset: call.offset,
    });
  }
  const second =
    call.arguments[1] === undefined ? '1' : asInteger(argument(call, 1, environment), call.offset);
  const substitute =
    call.arguments[2] === undefined || value.type === undefined
      ? ''
      : `, ${convert(argument(call, 2, environment), value.type, call.offset)}`;
  return { sql: `(${call.name.toLowerCase()}(${source}, ${second}${substitute}) ${over})`, type: value.type };
}

function argument(call: CallExpression, index: number, environment: Environment): Value {
  const expression = call.arguments[index];
  if (expression === undefined) {
    throw new OracleError(909, 'invalid number of arguments', { offset: call.offset });
  }
  return translateExpression(expression, environment);
}
