import type { Token } from '../../sql/tokenizer.ts';

const AFTER_VALUE: ReadonlySet<string> = new Set([
  ',',
  ')',
  'WHERE',
  'RETURNING',
  'RETURN',
  'WHEN',
  'LOG',
  '',
]);
const CLAUSES: ReadonlySet<string> = new Set(['SET', 'WHERE', 'ON', 'SELECT']);

/**
 * Whether the bind at an index of the tokens may have more bytes than a string of SQL: alone in a list of VALUES or
 * right after SET column =. Anywhere else Oracle raises ORA-01461.
 */
export function takesLong(tokens: readonly Token[], index: number): boolean {
  const before = tokens[index - 1]?.value ?? '';
  if (!AFTER_VALUE.has(tokens[index + 1]?.value ?? '')) {
    return false;
  }
  const start = enclosingStart(tokens, index);
  if (start !== undefined) {
    return (before === ',' || before === '(') && startsValues(tokens, start);
  }
  return before === '=' && clauseOf(tokens, index) === 'SET';
}

/** The parenthesis opens a row of VALUES, the first one or a later one. */
function startsValues(tokens: readonly Token[], start: number): boolean {
  const before = tokens[start - 1]?.value;
  if (before !== ',' || tokens[start - 2]?.value !== ')') {
    return before === 'VALUES';
  }
  const previous = enclosingStart(tokens, start - 2);
  return previous !== undefined && startsValues(tokens, previous);
}

/** Index of the parenthesis that the token is in; undefined for none. */
function enclosingStart(tokens: readonly Token[], index: number): number | undefined {
  let depth = 0;
  for (let place = index - 1; place >= 0; place -= 1) {
    const value = operatorAt(tokens, place);
    if (value === ')') {
      depth += 1;
    } else if (value === '(') {
      if (depth === 0) {
        return place;
      }
      depth -= 1;
    }
  }
  return undefined;
}

/** The clause that a token outside of parentheses belongs to. */
function clauseOf(tokens: readonly Token[], index: number): string | undefined {
  let depth = 0;
  for (let place = index - 1; place >= 0; place -= 1) {
    const value = operatorAt(tokens, place);
    depth += value === ')' ? 1 : value === '(' ? -1 : 0;
    const token = tokens[place];
    if (depth === 0 && token?.kind === 'word' && CLAUSES.has(token.value)) {
      return token.value;
    }
  }
  return undefined;
}

function operatorAt(tokens: readonly Token[], index: number): string | undefined {
  const token = tokens[index];
  return token?.kind === 'operator' ? token.value : undefined;
}
