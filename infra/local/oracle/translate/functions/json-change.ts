import { OracleError } from '../../sql/oracle-error.ts';
import type { Expression, JsonChange } from '../../sql/syntax-tree.ts';
import { asJson, asText } from '../conversion.ts';
import { translateExpression } from '../expression.ts';
import { quoteText } from '../names.ts';
import type { Environment } from '../scope.ts';
import { condition, isText, JSON_TYPE, type Value } from '../value.ts';
import type { Functions } from './call.ts';
import { simpleSteps } from './json-path-syntax.ts';
import { jsonFragment, jsonInput, jsonText } from './json-value.ts';

/** The JSON constructor and JSON_EQUAL. */
export const JSON_FUNCTIONS: Functions = {
  JSON: {
    count: [1, 1],
    translate: ([value], call) => ({
      sql: asJson(value ?? { sql: 'NULL', type: undefined }, call.offset),
      type: JSON_TYPE,
    }),
  },
  JSON_EQUAL: {
    count: [2, 2],
    translate: ([left, right], call, environment) => {
      if (environment.inCondition !== true) {
        throw new OracleError(40600, 'JSON_EQUAL used outside of a condition', { offset: call.offset });
      }
      const [a, b] = [left, right].map((value) =>
        isText(value?.type)
          ? `ora.json_or_null(${value?.sql})`
          : asJson(value ?? { sql: 'NULL', type: undefined }, call.offset),
      );
      return condition(`(${a} = ${b})`);
    },
  },
};

/** `JSON_SERIALIZE(x [RETURNING …] [PRETTY])`. */
export function translateJsonSerialize(
  node: Expression & { kind: 'json_serialize' },
  environment: Environment,
): Value {
  const operand = translateExpression(node.operand, environment);
  if (node.pretty) {
    const sql = `jsonb_pretty(${asJson(operand, node.offset)})`;
    return { sql, type: node.returning ?? { kind: 'CLOB' } };
  }
  if (isText(operand.type)) {
    const checked = `ora.json_checked(${operand.sql})`;
    return jsonText(checked, `(${checked})::json`, node.returning, true, node.offset);
  }
  return jsonFragment(asJson(operand, node.offset), node.returning, true, node.offset);
}

/** `JSON_MERGEPATCH(x, patch)` by RFC 7396. */
export function translateJsonMerge(
  node: Expression & { kind: 'json_merge' },
  environment: Environment,
): Value {
  const operand = translateExpression(node.operand, environment);
  const patch = asJson(translateExpression(node.patch, environment), node.offset);
  const sql = `ora.json_merge_patch(${asJson(operand, node.offset)}, ${patch})`;
  return operand.type?.kind === 'JSON' && node.returning === undefined
    ? { sql, type: JSON_TYPE }
    : jsonFragment(sql, node.returning, true, node.offset);
}

/** `JSON_TRANSFORM(x, operation, …)` on paths without wildcards. */
export function translateJsonTransform(
  node: Expression & { kind: 'json_transform' },
  environment: Environment,
): Value {
  const operand = translateExpression(node.operand, environment);
  let sql = asJson(operand, node.offset);
  for (const change of node.changes) {
    sql = applyChange(sql, change, node.offset, environment);
  }
  return operand.type?.kind === 'JSON' && node.returning === undefined
    ? { sql, type: JSON_TYPE }
    : jsonFragment(sql, node.returning, true, node.offset);
}

function applyChange(sql: string, change: JsonChange, offset: number, environment: Environment): string {
  const steps = simpleSteps(change.path, offset);
  if (steps.length === 0) {
    throw new OracleError(40442, `JSON path expression syntax error ('${change.path}')`, { offset });
  }
  const path = `ARRAY[${steps.map(quoteText).join(', ')}]::text[]`;
  if (change.value === undefined) {
    return `(${sql} #- ${path})`;
  }
  const value = translateExpression(change.value.value, environment);
  if (change.operation === 'RENAME') {
    return `ora.json_rename(${sql}, ${path}, ${asText(value, offset)})`;
  }
  const input = jsonInput(value, change.value.formatJson, offset);
  return `ora.json_change('${change.operation}', ${sql}, ${path}, COALESCE(to_jsonb(${input}), 'null'::jsonb))`;
}
