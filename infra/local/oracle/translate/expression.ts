import { OracleError } from '../sql/oracle-error.ts';
import { isReservedWord } from '../sql/reserved-words.ts';
import type { Expression, Identifier } from '../sql/syntax-tree.ts';
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
import { PSEUDO_FUNCTIONS } from './functions/pseudo.ts';
import { translateTrim } from './functions/text.ts';
import {
  translateAtTimeZone,
  translateExtract,
  translateInterval,
  translateTimeLiteral,
} from './functions/time.ts';
import { quoteName, quoteText } from './names.ts';
import { type Environment, invalidIdentifier, resolveColumn } from './scope.ts';
import { BOOLEAN, double, NULL_VALUE, NUMBER, number, type Value } from './value.ts';

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
      return translateNumber(expression.value);
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

function translateNumber(literal: string): Value {
  const suffix = literal.at(-1)?.toLowerCase();
  if (suffix === 'd' || suffix === 'f') {
    return double(`${literal.slice(0, -1)}::float8`);
  }
  return number(`${literal.replace(/\.$/, '')}::numeric`);
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

function translateName(path: readonly Identifier[], environment: Environment): Value {
  const [first, second] = path;
  if (first === undefined) {
    throw invalidIdentifier(path);
  }
  if (second === undefined && isReservedWord(first.name)) {
    return translatePseudo(first, environment);
  }
  const alias = second === undefined ? environment.aliases?.get(first.name) : undefined;
  if (alias !== undefined) {
    return alias;
  }
  const column = resolveColumn(environment.scope, path);
  if (column !== undefined) {
    checkGrouping(column, path, environment);
    return column;
  }
  if (second !== undefined) {
    return translateSequence(path, environment);
  }
  const variable = environment.state.context.variables.get(first.name);
  if (variable !== undefined) {
    return environment.state.parameter('variable', first.name, variable);
  }
  return environment.lateAliases?.get(first.name) ?? translatePseudo(first, environment);
}

function translatePseudo(name: Identifier, environment: Environment): Value {
  const pseudo = PSEUDO_FUNCTIONS[name.name];
  if (pseudo === undefined || (environment.restricted === true && name.name === 'ROWNUM')) {
    throw invalidIdentifier([name]);
  }
  if (environment.inCheck === true) {
    throw new OracleError(2436, 'date or system variable wrongly specified in CHECK constraint', {
      offset: name.offset,
    });
  }
  return pseudo;
}

/** ORA-00979, or ORA-00937 without a GROUP BY. */
function checkGrouping(
  column: Value & { local: boolean },
  path: readonly Identifier[],
  environment: Environment,
): void {
  const { grouping } = environment;
  if (grouping === undefined || !column.local || grouping.keys.has(column.sql)) {
    return;
  }
  const name = path.map((part) => part.name).join('.');
  throw grouping.explicit
    ? new OracleError(
        979,
        `"${name}": must appear in the GROUP BY clause or be used in an aggregate function`,
        { offset: path[0]?.offset },
      )
    : new OracleError(937, `not a single-group group function: "${name}"`, { offset: path[0]?.offset });
}

/** `sequence.NEXTVAL` and `sequence.CURRVAL`. */
function translateSequence(path: readonly Identifier[], environment: Environment): Value {
  const [sequence, operation] = path;
  if (sequence === undefined || operation === undefined || path.length > 2) {
    throw invalidIdentifier(path);
  }
  if (operation.name !== 'NEXTVAL' && operation.name !== 'CURRVAL') {
    throw invalidIdentifier(path);
  }
  if (!environment.state.catalog.sequence(sequence.name)) {
    throw new OracleError(2289, `sequence "${sequence.name}" does not exist`, { offset: sequence.offset });
  }
  if (
    environment.grouping !== undefined ||
    environment.inCondition === true ||
    environment.inCheck === true
  ) {
    throw new OracleError(2287, 'sequence number not allowed here', { offset: sequence.offset });
  }
  const call = environment.state.sequenceCall(sequence.name, operation.name, sequence.offset);
  return { sql: `${call}(${quoteText(quoteName(sequence.name))})::numeric`, type: NUMBER };
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

const AGGREGATES: ReadonlySet<string> = new Set([
  'AVG',
  'COUNT',
  'LISTAGG',
  'MAX',
  'MEDIAN',
  'MIN',
  'STDDEV',
  'STDDEV_POP',
  'STDDEV_SAMP',
  'SUM',
  'VARIANCE',
  'VAR_POP',
  'VAR_SAMP',
]);

/** True for the name of an aggregate function. */
export function isAggregate(name: string): boolean {
  return AGGREGATES.has(name);
}

/** True when an aggregate function of this query block stands in the expression. */
export function containsAggregate(node: unknown): boolean {
  if (Array.isArray(node)) {
    return node.some(containsAggregate);
  }
  if (typeof node !== 'object' || node === null) {
    return false;
  }
  if ('kind' in node) {
    if (node.kind === 'subquery' || node.kind === 'exists' || node.kind === 'query') {
      return false;
    }
    if (
      node.kind === 'call' &&
      'name' in node &&
      typeof node.name === 'string' &&
      AGGREGATES.has(node.name)
    ) {
      return !('window' in node) || node.window === undefined || Object.values(node).some(containsAggregate);
    }
    if (
      node.kind === 'json_build' &&
      'function' in node &&
      (node.function === 'JSON_OBJECTAGG' || node.function === 'JSON_ARRAYAGG')
    ) {
      return true;
    }
  }
  return Object.values(node).some(containsAggregate);
}
