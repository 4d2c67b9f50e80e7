import { OracleError } from '../../sql/oracle-error.ts';
import type { CallExpression } from '../../sql/syntax-tree.ts';
import { refuseIncomparable } from '../comparison.ts';
import { asNumber, asNumeric, asText } from '../conversion.ts';
import { translateExpression } from '../expression.ts';
import type { Environment } from '../scope.ts';
import { translateSortKeys } from '../sort.ts';
import { double, isFloating, number, text, type Value } from '../value.ts';

/** Aggregates of numbers, by Oracle's name. */
const NUMERIC: Readonly<Record<string, string>> = {
  SUM: 'sum',
  AVG: 'avg',
  STDDEV: 'stddev_samp',
  STDDEV_SAMP: 'stddev_samp',
  STDDEV_POP: 'stddev_pop',
  VARIANCE: 'var_samp',
  VAR_SAMP: 'var_samp',
  VAR_POP: 'var_pop',
};

/** An aggregate function without a window. ORA-00934: not allowed here; ORA-00935: nested too deeply. */
export function translateAggregate(call: CallExpression, environment: Environment): Value {
  if (environment.insideAggregate === true) {
    throw new OracleError(935, 'group function is nested too deeply', { offset: call.offset });
  }
  if (environment.grouping === undefined) {
    throw new OracleError(934, 'group function is not allowed here', { offset: call.offset });
  }
  return aggregateValue(call, { ...environment, grouping: undefined, insideAggregate: true });
}

/** The call itself, with its arguments seen row by row. */
export function aggregateValue(call: CallExpression, rows: Environment): Value {
  if (call.name === 'COUNT') {
    return translateCount(call, rows);
  }
  const [argument] = call.arguments;
  if (argument === undefined || call.star || call.arguments.length > (call.name === 'LISTAGG' ? 2 : 1)) {
    throw new OracleError(909, 'invalid number of arguments', { offset: call.offset });
  }
  const value = translateExpression(argument, rows);
  const distinct = call.distinct ? 'DISTINCT ' : '';
  if (call.name === 'LISTAGG') {
    return translateListagg(call, value, rows);
  }
  if (call.name === 'MEDIAN') {
    return number(
      `(percentile_cont(0.5) WITHIN GROUP (ORDER BY (${asNumeric(value, call.offset)})::float8))::numeric`,
    );
  }
  if (call.name === 'MIN' || call.name === 'MAX') {
    refuseIncomparable(value, call.offset);
    const sql = value.type === undefined ? 'NULL::text' : value.sql;
    return {
      sql: `${call.name.toLowerCase()}(${distinct}${sql})`,
      type: value.type,
      ...(value.bounded === undefined ? {} : { bounded: value.bounded }),
    };
  }
  const operand = asNumber(value, call.offset);
  const sql = `${NUMERIC[call.name]}(${distinct}${operand.sql})`;
  return isFloating(operand.type)
    ? double(sql)
    : number(
        call.name.startsWith('STDDEV') || call.name.startsWith('VAR')
          ? deviation(call.name, sql, operand.sql)
          : sql,
      );
}

/** STDDEV and VARIANCE of one row are 0 in Oracle; the sample forms are NULL. */
function deviation(name: string, sql: string, operand: string): string {
  return name === 'STDDEV' || name === 'VARIANCE'
    ? `(CASE WHEN count(${operand}) = 1 THEN 0 ELSE ${sql} END)`
    : sql;
}

function translateCount(call: CallExpression, rows: Environment): Value {
  if (call.star) {
    return number('count(*)::numeric');
  }
  const [argument] = call.arguments;
  if (argument === undefined || call.arguments.length > 1) {
    throw new OracleError(909, 'invalid number of arguments', { offset: call.offset });
  }
  const value = translateExpression(argument, rows);
  if (call.distinct) {
    refuseIncomparable(value, call.offset);
  }
  return number(
    `count(${call.distinct ? 'DISTINCT ' : ''}${value.type === undefined ? 'NULL::text' : value.sql})::numeric`,
  );
}

function translateListagg(call: CallExpression, value: Value, rows: Environment): Value {
  const separator = call.arguments[1];
  const between =
    separator === undefined
      ? "''"
      : `COALESCE(${asText(translateExpression(separator, rows), call.offset)}, '')`;
  const order =
    call.withinGroup === undefined ? '' : ` ORDER BY ${translateSortKeys(call.withinGroup, rows)}`;
  const distinct = call.distinct ? 'DISTINCT ' : '';
  return text(`ora.limit_text(string_agg(${distinct}${asText(value, call.offset)}, ${between}${order}))`);
}
