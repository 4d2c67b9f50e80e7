import { OracleError } from '../../sql/oracle-error.ts';
import type { JsonBuildExpression } from '../../sql/syntax-tree.ts';
import { asText } from '../conversion.ts';
import { translateExpression } from '../expression.ts';
import type { Environment } from '../scope.ts';
import { translateSortKeys } from '../sort.ts';
import type { Value } from '../value.ts';
import { jsonInput, jsonText } from './json-value.ts';

/** `JSON_OBJECT`, `JSON_ARRAY`, `JSON_OBJECTAGG` and `JSON_ARRAYAGG`. Without RETURNING the limit is VARCHAR2(4000). */
export function translateJsonBuild(node: JsonBuildExpression, environment: Environment): Value {
  const aggregate = node.function.endsWith('AGG');
  const json = aggregate
    ? buildAggregate(node, aggregateEnvironment(node, environment))
    : build(node, environment);
  if (node.returning?.kind === 'JSON') {
    return { sql: `(${json})::jsonb`, type: node.returning };
  }
  return jsonText(`(${json})::text`, json, node.returning, true, node.offset);
}

function aggregateEnvironment(node: JsonBuildExpression, environment: Environment): Environment {
  if (environment.insideAggregate === true) {
    throw new OracleError(935, 'group function is nested too deeply', { offset: node.offset });
  }
  if (environment.grouping === undefined) {
    throw new OracleError(934, 'group function is not allowed here', { offset: node.offset });
  }
  return { ...environment, grouping: undefined, insideAggregate: true };
}

function build(node: JsonBuildExpression, environment: Environment): string {
  const members = node.members.map((member) => {
    const value = jsonInput(
      translateExpression(member.value, environment),
      member.formatJson,
      member.value.offset,
    );
    return member.key === undefined
      ? value
      : `(${asText(translateExpression(member.key, environment), member.key.offset)}) VALUE ${value}`;
  });
  if (node.function === 'JSON_ARRAY') {
    const nulls = members.length === 0 ? '' : ` ${node.nulls ?? 'ABSENT'} ON NULL`;
    return `JSON_ARRAY(${members.join(', ')}${nulls} RETURNING json)`;
  }
  const nulls = members.length === 0 ? '' : ` ${node.nulls ?? 'NULL'} ON NULL`;
  return `JSON_OBJECT(${members.join(', ')}${nulls} RETURNING json)`;
}

function buildAggregate(node: JsonBuildExpression, rows: Environment): string {
  const [member] = node.members;
  if (member === undefined || node.members.length > 1) {
    throw new OracleError(909, 'invalid number of arguments', { offset: node.offset });
  }
  const value = jsonInput(translateExpression(member.value, rows), member.formatJson, member.value.offset);
  if (member.key !== undefined) {
    const key = asText(translateExpression(member.key, rows), member.key.offset);
    return `JSON_OBJECTAGG((${key}) VALUE ${value} ${node.nulls ?? 'NULL'} ON NULL RETURNING json)`;
  }
  const order = node.orderBy.length === 0 ? '' : ` ORDER BY ${translateSortKeys(node.orderBy, rows)}`;
  return `JSON_ARRAYAGG(${value}${order} ${node.nulls ?? 'ABSENT'} ON NULL RETURNING json)`;
}
