import { OracleError } from '../sql/oracle-error.ts';
import type { Expression } from '../sql/syntax-tree.ts';
import { translateConditionValue } from './condition.ts';
import { asNumeric } from './conversion.ts';
import { translateExpression } from './expression.ts';
import { namesIn } from './names-in.ts';
import { rowCount } from './query.ts';
import { type Environment, resolveColumn } from './scope.ts';

/** A WHERE clause without its ROWNUM conditions. */
export interface Where {
  readonly sql: string;
  /** Rows that ROWNUM lets through, as an SQL count. */
  readonly limit: string | undefined;
}

/** WHERE, with `ROWNUM <= n` conditions of its top-level AND taken out. */
export function translateWhere(where: Expression | undefined, rows: Environment): Where {
  if (where === undefined) {
    return { sql: '', limit: undefined };
  }
  const environment: Environment = { ...rows, clause: 'where' };
  const conjuncts = where.kind === 'logical' && where.operator === 'AND' ? where.items : [where];
  const limits = conjuncts.flatMap((item) => rownumLimit(item, environment));
  const rest = conjuncts.filter((item) => !isRownumComparison(item));
  refuseRownum(rest);
  const sql = rest.map((item) => translateConditionValue(item, environment)).join(' AND ');
  return { sql, limit: limits.length > 1 ? `LEAST(${limits.join(', ')})` : limits[0] };
}

function isRownum(expression: Expression): boolean {
  return expression.kind === 'name' && expression.path.length === 1 && expression.path[0]?.name === 'ROWNUM';
}

function isRownumComparison(expression: Expression): boolean {
  return expression.kind === 'comparison' && isRownum(expression.left);
}

function rownumLimit(expression: Expression, environment: Environment): readonly string[] {
  if (expression.kind !== 'comparison' || !isRownum(expression.left)) {
    return [];
  }
  const { right, operator } = expression;
  if (namesIn(right).some((path) => resolveColumn(environment.scope, path) !== undefined)) {
    throw new OracleError(3001, 'unimplemented feature: ROWNUM compared with a column', {
      offset: right.offset,
    });
  }
  const bound = asNumeric(translateExpression(right, environment), right.offset);
  if (operator === '<=') {
    return [rowCount(`floor(${bound})`)];
  }
  if (operator === '<') {
    return [rowCount(`ceil(${bound}) - 1`)];
  }
  if (operator === '=' && right.kind === 'number' && Number(right.value) === 1) {
    return [rowCount('1')];
  }
  throw new OracleError(3001, 'unimplemented feature: ROWNUM may only be bounded from above', {
    offset: expression.offset,
  });
}

function refuseRownum(node: unknown): void {
  if (Array.isArray(node)) {
    node.forEach(refuseRownum);
  } else if (
    typeof node === 'object' &&
    node !== null &&
    !('kind' in node && (node.kind === 'subquery' || node.kind === 'exists'))
  ) {
    if ('name' in node && node.name === 'ROWNUM') {
      throw new OracleError(
        3001,
        'unimplemented feature: ROWNUM only as ROWNUM <= n in the top-level AND of WHERE',
      );
    }
    Object.values(node).forEach(refuseRownum);
  }
}
