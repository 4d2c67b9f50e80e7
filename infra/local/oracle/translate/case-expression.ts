import type { Expression } from '../sql/syntax-tree.ts';
import { unify } from './common-type.ts';
import { compareValues } from './comparison.ts';
import { translateConditionValue } from './condition.ts';
import { translateExpression } from './expression.ts';
import type { Environment } from './scope.ts';
import { inconsistent, NULL_VALUE, typeName, type Value } from './value.ts';

/** `CASE WHEN … END` and `CASE x WHEN … END`. All results must be of one family of types (ORA-00932). */
export function translateCase(expression: Expression & { kind: 'case' }, environment: Environment): Value {
  const operand =
    expression.operand === undefined ? undefined : translateExpression(expression.operand, environment);
  const conditions = expression.branches.map(({ when }) =>
    operand === undefined
      ? translateConditionValue(when, environment)
      : compareValues(operand, '=', translateExpression(when, environment), when.offset),
  );
  const results = expression.branches.map(({ value }) => translateExpression(value, environment));
  const otherwise =
    expression.otherwise === undefined ? NULL_VALUE : translateExpression(expression.otherwise, environment);
  const { type, values } = unify([...results, otherwise], (expected, actual) =>
    inconsistent(typeName(expected), actual, expression.offset),
  );
  const branches = conditions.map((when, index) => `WHEN ${when} THEN ${values[index]}`).join(' ');
  return { sql: `(CASE ${branches} ELSE ${values.at(-1)} END)`, type };
}
