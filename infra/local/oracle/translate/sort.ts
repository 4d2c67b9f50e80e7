import type { SortKey } from '../sql/syntax-tree.ts';
import { refuseIncomparable } from './comparison.ts';
import { translateExpression } from './expression.ts';
import type { Environment } from './scope.ts';

/** Keys of an ORDER BY inside a window or an aggregate; NULLs sort last ascending and first descending, as in Oracle. */
export function translateSortKeys(keys: readonly SortKey[], environment: Environment): string {
  return keys
    .map((key) => {
      const value = translateExpression(key.expression, environment);
      refuseIncomparable(value, key.expression.offset);
      return `${value.type === undefined ? 'NULL::text' : value.sql}${sortDirection(key)}`;
    })
    .join(', ');
}

/** ` DESC NULLS LAST` and the like. */
export function sortDirection(key: SortKey): string {
  return `${key.descending ? ' DESC' : ''}${key.nulls === undefined ? '' : ` NULLS ${key.nulls}`}`;
}
