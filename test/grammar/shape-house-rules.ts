import { checkStatementText } from '../../lib/sql/statement-text.ts';
import { atEachToken, type HouseRule } from './house-rule.ts';
import {
  closingParenthesis,
  findAtDepth,
  isPlsql,
  isToken,
  type OracleToken,
  startsWith,
} from './oracle-token.ts';
import { PRODUCT_LITERALS } from './product-literals.ts';

type Tokens = readonly OracleToken[];

/** Binds of one statement. Oracle takes 65,535; a text with so many is none that anybody reads. */
const BIND_LIMIT = 300;

/** What ORDS takes for a command of its own, comments and blank lines. */
export const sqlclText: HouseRule = ({ name, sql, tokens }) => {
  if (isToken(tokens, 0, 'CREATE', 'ALTER', 'DROP') && isPlsql(tokens)) return [];
  try {
    checkStatementText(name, sql);
    return [];
  } catch (error) {
    return [`ORDS reads a command: ${error instanceof Error ? String(error.cause) : ''}`];
  }
};

/** A column that is added later would change what a query answers. COUNT(*) is not meant. */
export const selectedStar: HouseRule = atEachToken((token, index, { tokens }) => {
  if (token.text !== '*' || token.kind !== 'operator') return undefined;
  return isToken(tokens, index - 1, 'SELECT', '.', ',')
    ? 'SELECT * depends on the columns of today'
    : undefined;
});

/** ORDS puts a query into an in-line view, which names columns by their aliases. */
export const unnamedColumn: HouseRule = ({ tokens }) => {
  if (!isToken(tokens, 0, 'SELECT', 'WITH')) return [];
  const select = findAtDepth(tokens, 0, 'SELECT');
  const from = findAtDepth(tokens, select + 1, 'FROM');
  return selectItems(tokens, select + 1, from)
    .filter((item) => !isToken(item, item.length - 2, 'AS'))
    .map((item) => `a column has no alias: ${item.map(({ text }) => text).join(' ')}`);
};

function selectItems(tokens: Tokens, start: number, end: number): readonly Tokens[] {
  const comma = findAtDepth(tokens, start, ',', 'FROM');
  if (comma < 0 || comma >= end) return [tokens.slice(start, end)];
  return [tokens.slice(start, comma), ...selectItems(tokens, comma + 1, end)];
}

/** UNION, MINUS and INTERSECT compare rows, which large objects do not take part in (ORA-00932). */
export const comparingSet: HouseRule = atEachToken((token, index, { tokens }) =>
  (isToken(tokens, index, 'UNION') && !isToken(tokens, index + 1, 'ALL')) ||
  isToken(tokens, index, 'MINUS', 'INTERSECT', 'EXCEPT')
    ? `${token.text} compares rows`
    : undefined,
);

/** A long bind inside the subquery of a MERGE fails (ORA-01461): it belongs into SET and VALUES. */
export const boundMergeSource: HouseRule = ({ tokens }) =>
  tokens.flatMap((_token, index) => {
    if (!isToken(tokens, index, 'USING') || !isToken(tokens, index + 1, '(') || !isMerge(tokens, index))
      return [];
    const source = tokens.slice(index + 2, closingParenthesis(tokens, index + 1));
    return source
      .filter(({ kind, text }) => kind === 'bind' || text.startsWith('L_'))
      .map(({ text }) => `${text} is bound in the source of a MERGE`);
  });

function isMerge(tokens: Tokens, using: number): boolean {
  return isToken(tokens, using - 3, 'INTO') || isToken(tokens, using - 2, 'INTO');
}

/** One FROM list names each alias once. */
export const repeatedTableAlias: HouseRule = ({ tokens }) =>
  tokens.flatMap((_token, index) => {
    if (!isToken(tokens, index, 'FROM') || isToken(tokens, index - 1, 'DELETE')) return [];
    const names = tableAliases(tokens, index);
    return names
      .filter((name, place) => names.indexOf(name) < place)
      .map((name) => `${name} names two tables of one FROM`);
  });

/** Aliases of the tables of a FROM list: the word before its JOIN, ON, comma or end. */
function tableAliases(tokens: Tokens, from: number): readonly string[] {
  const end = findAtDepth(tokens, from + 1, 'WHERE', 'GROUP', 'ORDER', 'HAVING', 'FETCH', 'UNION', ';', ')');
  const close = end < 0 ? enclosingEnd(tokens, from) : end;
  const names: string[] = [];
  let depth = 0;
  for (let index = from; index < close; index += 1) {
    if (isToken(tokens, index, '(')) depth += 1;
    if (isToken(tokens, index, ')')) depth -= 1;
    const starts = depth === 0 && isToken(tokens, index, 'FROM', 'JOIN', ',');
    if (!starts) continue;
    const table = isToken(tokens, index + 1, '(') ? closingParenthesis(tokens, index + 1) : index + 1;
    const after = isToken(tokens, table + 1, '(') ? closingParenthesis(tokens, table + 1) : table;
    const alias = tokens[after + 1];
    if (alias?.kind === 'word' && after + 1 < close) names.push(alias.text);
  }
  return names.filter((name) => !['ON', 'JOIN', 'LEFT', 'CROSS', 'FULL', 'INNER', 'OUTER'].includes(name));
}

function enclosingEnd(tokens: Tokens, from: number): number {
  let depth = 0;
  for (let index = from; index < tokens.length; index += 1) {
    if (isToken(tokens, index, '(')) depth += 1;
    if (isToken(tokens, index, ')')) depth -= 1;
    if (depth < 0) return index;
  }
  return tokens.length;
}

/** Two common table expressions of one query have two names. */
export const repeatedTableName: HouseRule = ({ tokens }) => {
  const names = tokens.flatMap((token, index) =>
    token.kind === 'word' && startsWith(tokens, index + 1, 'AS ( SELECT') ? [token.text] : [],
  );
  return names
    .filter((name, place) => names.indexOf(name) < place)
    .map((name) => `${name} names two tables of a WITH`);
};

export const manyBinds: HouseRule = ({ binds }) =>
  Object.keys(binds).length > BIND_LIMIT ? [`${Object.keys(binds).length} binds`] : [];

/** Paths of this program, formats of times, and the end of Oracle's calendar. */
const FORMATS: readonly RegExp[] = [
  /^\$(?:\[\*\])?(?:\.[A-Za-z]+)*(?:\?\(@\.[A-Za-z]+ == true\))?$/,
  /^YYYY-MM-DD(?:"T"HH24:MI:SS\.FF3(?:"Z"|TZH:TZM))?$/,
  /^9999-12-31T23:59:59\.999\+00:00$/,
];
/** Names of fields in a metadata filter, which cannot be bound: quoted, and escaped unless letters, digits or `_`. */
const FILTER_PATH =
  /^\$(?:\?\(@)?(?:\."(?:\w|\\u[0-9a-f]{4})*")+(?:\[\*\]|\.type\(\) == "(?:object|array)"\))?$/;

/** A literal that is no constant of this program may be a value of a caller. */
export const unknownLiteral: HouseRule = ({ tokens }) => {
  if (
    isToken(tokens, 0, 'CREATE', 'ALTER', 'DROP') ||
    tokens.some((token) => /^(?:DBMS_|CTX_)/.test(token.text))
  )
    return [];
  return tokens
    .filter(({ kind }) => kind === 'string')
    .map(({ text }) => text.slice(1, -1).replaceAll("''", "'"))
    .filter((text) => !PRODUCT_LITERALS.has(text))
    .filter((text) => ![...FORMATS, FILTER_PATH].some((pattern) => pattern.test(text)))
    .map((text) => `'${text}' is no constant of this program`);
};
