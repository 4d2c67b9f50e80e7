import { OracleError } from '../sql/oracle-error.ts';
import type { Expression, SortKey } from '../sql/syntax-tree.ts';
import { refuseIncomparable } from './comparison.ts';
import { translateExpression } from './expression.ts';
import type { Environment } from './scope.ts';
import { sortDirection } from './sort.ts';
import type { Value } from './value.ts';

/** A column of the select list. */
export interface Item {
  readonly name: string;
  readonly value: Value;
}

/** ORDER BY of a query block, with a leading space. Keys name items by position, alias or expression. */
export function translateOrder(
  keys: readonly SortKey[],
  items: readonly Item[],
  distinct: boolean,
  environment: Environment,
): string {
  if (keys.length === 0) {
    return '';
  }
  const aliases = new Map(items.map(({ name, value }) => [name, value]));
  const sorted = keys.map((key) => {
    const position = sortPosition(key.expression, items);
    const value =
      items[position - 1]?.value ?? translateExpression(key.expression, { ...environment, aliases });
    refuseIncomparable(value, key.expression.offset);
    const index = position > 0 ? position : items.findIndex((item) => item.value.sql === value.sql) + 1;
    if (index === 0 && distinct) {
      throw new OracleError(1791, 'not a SELECTed expression', { offset: key.expression.offset });
    }
    return `${index > 0 ? index : value.type === undefined ? 'NULL::text' : value.sql}${sortDirection(key)}`;
  });
  return ` ORDER BY ${sorted.join(', ')}`;
}

/** Position in the select list that a key names by number or alias; 0 for an expression. ORA-01785: out of range. */
function sortPosition(expression: Expression, items: readonly Item[]): number {
  if (expression.kind === 'number') {
    const position = Number(expression.value);
    if (!Number.isInteger(position) || position < 1 || position > items.length) {
      throw new OracleError(1785, 'ORDER BY item must be the number of a SELECT-list expression', {
        offset: expression.offset,
      });
    }
    return position;
  }
  if (expression.kind === 'name' && expression.path.length === 1) {
    const name = expression.path[0]?.name;
    const named = items.filter((item) => item.name === name);
    if (named.some((item) => item.value.sql !== named[0]?.value.sql)) {
      throw new OracleError(960, `ambiguous column naming in select list: "${name}"`, {
        offset: expression.offset,
      });
    }
    return items.findIndex((item) => item.name === name) + 1;
  }
  return 0;
}
