import { findAtDepth, isToken, type OracleToken } from './oracle-token.ts';

/** The name that a select-list item gives its column, or undefined for an expression without an alias. */
function itemName(item: readonly OracleToken[]): string | undefined {
  const last = item.at(-1);
  const before = item.at(-2);
  if (last === undefined || (last.kind !== 'word' && last.kind !== 'quoted')) return undefined;
  if (item.length === 1 || before?.text === '.' || before?.text === 'AS') return last.text;
  const isAlias =
    before?.text === ')' || before?.kind === 'word' || before?.kind === 'number' || before?.kind === 'bind';
  return isAlias && last.text !== 'END' ? last.text : undefined;
}

/**
 * Names that occur twice in the select list of the outermost query. Oracle itself returns such a result, but a query
 * that is wrapped in an in-line view (as ORDS does) is refused with ORA-00918.
 */
export function duplicateAliases(tokens: readonly OracleToken[]): readonly string[] {
  if (!isToken(tokens, 0, 'SELECT', 'WITH')) return [];
  const select = findAtDepth(tokens, 0, 'SELECT');
  const from = findAtDepth(tokens, select + 1, 'FROM');
  if (select < 0 || from < 0) return [];
  const names: string[] = [];
  let start = select + 1;
  while (start < from) {
    const comma = findAtDepth(tokens, start, ',', 'FROM');
    const name = itemName(tokens.slice(start, comma));
    if (name !== undefined) names.push(name);
    start = comma + 1;
  }
  return [...new Set(names.filter((name, index) => names.indexOf(name) !== index))];
}
