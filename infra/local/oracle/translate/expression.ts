import { fitsPlsInteger, PLS_INTEGER } from '../engine/block/pls-integer.ts';
import { OracleError } from '../sql/oracle-error.ts';
import type { Expression } from '../sql/syntax-tree.ts';
import { containsAggregate } from './aggregates.ts';
import { translateArithmetic, translateSign } from './arithmetic.ts';
import { translateCase } from './case-expression.ts';
import { translateCast } from './cast.ts';
import { translateCondition } from './condition.ts';
import { translateCall } from './functions/call.ts';
import { translateJsonBuild } from './functions/json-build.ts';
import {
  translateJsonMerge,
  translateJsonSerialize,
  translateJsonTransform,
} from './functions/json-change.ts';
import { translateJsonPath } from './functions/json-path.ts';
import { translateMethod, translateTreat } from './functions/json-type.ts';
import { translateTrim } from './functions/text.ts';
import { translateAtTimeZone, translateExtract } from './functions/time.ts';
import { translateInterval, translateTimeLiteral } from './functions/time-literal.ts';
import { translateName } from './name.ts';
import { quoteText } from './names.ts';
import type { Environment } from './scope.ts';
import { BOOLEAN, double, NULL_VALUE, number, type Value } from './value.ts';

/** Translates an expression of any kind. Raises the `OracleError` of whatever is wrong in it. */
export function translateExpression(expression: Expression, environment: Environment): Value {
  const grouped = matchGroupKey(expression, environment);
  return grouped ?? translateNode(expression, environment);
}

/** An expression of the select list that GROUP BY also has needs no aggregate. */
function matchGroupKey(expression: Expression, environment: Environment): Value | undefined {
  const { grouping } = environment;
  if (grouping === undefined || grouping.keys.size === 0 || isLeaf(expression)) {
    return undefined;
  }
  if (
    expression.kind === 'call' ||
    expression.kind === 'case' ||
    expression.kind === 'arithmetic' ||
    expression.kind === 'json_path' ||
    expression.kind === 'extract' ||
    expression.kind === 'cast' ||
    expression.kind === 'trim'
  ) {
    if (containsAggregate(expression)) {
      return undefined;
    }
    const value = translateNode(expression, { ...environment, grouping: undefined });
    return grouping.keys.has(value.sql) ? value : undefined;
  }
  return undefined;
}

function isLeaf(expression: Expression): boolean {
  return (
    expression.kind === 'name' ||
    expression.kind === 'text' ||
    expression.kind === 'number' ||
    expression.kind === 'bind'
  );
}

function translateNode(expression: Expression, environment: Environment): Value {
  switch (expression.kind) {
    case 'text':
      return translateText(expression.value, expression.offset);
    case 'number':
      return translateNumber(expression.value, environment);
    case 'null':
      return NULL_VALUE;
    case 'boolean':
      return { sql: expression.value ? 'TRUE' : 'FALSE', type: BOOLEAN };
    case 'time':
      return translateTimeLiteral(expression);
    case 'interval':
      return translateInterval(expression);
    case 'bind':
      return translateBind(expression, environment);
    case 'name':
      return translateName(expression.path, environment);
    case 'sign':
      return translateSign(expression, environment);
    case 'arithmetic':
      return translateArithmetic(expression, environment);
    case 'call':
      return translateCall(expression, environment);
    case 'case':
      return translateCase(expression, environment);
    case 'cast':
      return translateCast(expression, environment);
    case 'treat':
      return translateTreat(expression, environment);
    case 'method':
      return translateMethod(expression, environment);
    case 'extract':
      return translateExtract(expression, environment);
    case 'trim':
      return translateTrim(expression, environment);
    case 'at_time_zone':
      return translateAtTimeZone(expression, environment);
    case 'subquery':
      return translateScalarSubquery(expression, environment);
    case 'json_path':
      return translateJsonPath(expression, environment);
    case 'json_build':
      return translateJsonBuild(expression, environment);
    case 'json_serialize':
      return translateJsonSerialize(expression, environment);
    case 'json_merge':
      return translateJsonMerge(expression, environment);
    case 'json_transform':
      return translateJsonTransform(expression, environment);
    case 'row':
      throw new OracleError(907, 'missing right parenthesis', { offset: expression.offset });
    case 'default':
      throw new OracleError(936, 'missing expression: DEFAULT may stand only as a whole value', {
        offset: expression.offset,
      });
    default:
      return translateCondition(expression, environment);
  }
}

/** An empty string is NULL. ORA-01704: more than 4,000 bytes. */
function translateText(value: string, offset: number): Value {
  if (value === '') {
    return NULL_VALUE;
  }
  const length = Buffer.byteLength(value);
  if (length > 4000) {
    throw new OracleError(1704, 'string literal too long', { offset });
  }
  return {
    sql: `${quoteText(value)}::text`,
    type: { kind: 'VARCHAR2', length, unit: 'BYTE' },
    bounded: true,
  };
}

/** A whole number is PLS_INTEGER in PL/SQL, and NUMBER in SQL. */
function translateNumber(literal: string, environment: Environment): Value {
  const suffix = literal.at(-1)?.toLowerCase();
  if (suffix === 'd' || suffix === 'f') {
    return double(`${literal.slice(0, -1)}::float8`);
  }
  const sql = `${literal.replace(/\.$/, '')}::numeric`;
  const isWhole = /^\d+$/.test(literal) && fitsPlsInteger(Number(literal));
  return isWhole && environment.state.context.routine !== undefined
    ? { sql, type: PLS_INTEGER }
    : number(sql);
}

function translateBind(expression: Expression & { kind: 'bind' }, environment: Environment): Value {
  if (environment.restricted === true || environment.inDefinition === true) {
    throw new OracleError(1027, 'bind variables not allowed for data definition operations', {
      offset: expression.offset,
    });
  }
  const type = environment.state.context.binds.get(expression.name);
  if (type === undefined) {
    throw new OracleError(1008, `not all variables bound: :${expression.name}`, {
      offset: expression.offset,
    });
  }
  return environment.state.parameter('bind', expression.name, type);
}

function translateScalarSubquery(
  expression: Expression & { kind: 'subquery' },
  environment: Environment,
): Value {
  if (environment.restricted === true) {
    throw new OracleError(2251, 'subquery not allowed here', { offset: expression.offset });
  }
  const { sql, columns } = environment.translateQuery(expression.query, environment);
  const [column] = columns;
  if (column === undefined || columns.length > 1) {
    throw new OracleError(913, 'too many values', { offset: expression.offset });
  }
  return { sql: `(${sql})`, type: column.type ?? { kind: 'VARCHAR2', length: 1, unit: 'BYTE' } };
}
