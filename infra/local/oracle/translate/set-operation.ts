import { OracleError } from '../sql/oracle-error.ts';
import type { OracleType } from '../sql/oracle-type.ts';
import type { SetOperation } from '../sql/query-syntax.ts';
import type { SortKey } from '../sql/syntax-tree.ts';
import { unify } from './common-type.ts';
import { refuseIncomparable } from './comparison.ts';
import { translateBody } from './query.ts';
import type { Environment, ScopeColumn, TranslatedQuery } from './scope.ts';
import { sortDirection } from './sort.ts';
import { typeName } from './value.ts';

/** UNION, INTERSECT and MINUS. ORA-01789: other number of columns; ORA-01790: other family of types. */
export function translateSet(
  body: SetOperation,
  environment: Environment,
  expected?: readonly ScopeColumn[],
): TranslatedQuery {
  const left = translateBody(body.left, environment);
  const right = translateBody(body.right, environment);
  if (left.columns.length !== right.columns.length) {
    throw new OracleError(1789, 'query block has incorrect number of result columns', {
      offset: body.offset,
    });
  }
  const columns = left.columns.map((column, index) => {
    const type = commonSetType(column.type, right.columns[index]?.type, body);
    return { name: column.name, type: type ?? expected?.[index]?.type };
  });
  const sides = [
    hasUntyped(left) ? translateBody(body.left, environment, columns) : left,
    hasUntyped(right) ? translateBody(body.right, environment, columns) : right,
  ];
  const operator = body.operator.replace('MINUS', 'EXCEPT');
  return { sql: `(${sides[0]?.sql}) ${operator} (${sides[1]?.sql})`, columns };
}

function hasUntyped(query: TranslatedQuery): boolean {
  return query.columns.some((column) => column.type === undefined);
}

function commonSetType(
  left: OracleType | undefined,
  right: OracleType | undefined,
  body: SetOperation,
): OracleType | undefined {
  if (body.operator !== 'UNION ALL') {
    refuseIncomparable({ sql: '', type: left }, body.offset);
    refuseIncomparable({ sql: '', type: right }, body.offset);
  }
  const sides = [left, right].map((type) => ({ sql: '', type }));
  return unify(
    sides,
    (expected, actual) =>
      new OracleError(
        1790,
        `expression must have same datatype as corresponding expression (${typeName(expected)}, ${typeName(actual)})`,
        { offset: body.offset },
      ),
  ).type;
}

/** ORDER BY of a set operation: positions and names of its columns. */
export function sortByColumns(keys: readonly SortKey[], columns: readonly ScopeColumn[]): string {
  return keys
    .map((key) => {
      const { expression } = key;
      const position =
        expression.kind === 'number'
          ? Number(expression.value)
          : expression.kind === 'name' && expression.path.length === 1
            ? columns.findIndex((column) => column.name === expression.path[0]?.name) + 1
            : 0;
      const column = columns[position - 1];
      if (column === undefined) {
        throw new OracleError(1785, 'ORDER BY item must be the number of a SELECT-list expression', {
          offset: expression.offset,
        });
      }
      refuseIncomparable({ sql: '', type: column.type }, expression.offset);
      return `${position}${sortDirection(key)}`;
    })
    .join(', ');
}
