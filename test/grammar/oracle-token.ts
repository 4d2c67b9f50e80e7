/** One lexical unit of Oracle SQL or PL/SQL. `text` is upper case except inside quotes. */
export interface OracleToken {
  readonly kind: 'word' | 'quoted' | 'number' | 'string' | 'bind' | 'operator' | 'invalid';
  readonly text: string;
}

const PATTERNS: readonly (readonly [OracleToken['kind'] | 'space', RegExp])[] = [
  ['space', /\s+|--[^\n]*|\/\*[\s\S]*?\*\//y],
  ['string', /N?Q'\[[\s\S]*?\]'|N?Q'\{[\s\S]*?\}'|N?Q'\([\s\S]*?\)'|N?Q'<[\s\S]*?>'/iy],
  ['string', /N?Q'([^\s[{(<])[\s\S]*?\1'/iy],
  ['string', /N?'(?:[^']|'')*'/iy],
  ['quoted', /"[^"]+"/y],
  ['number', /(?:\d+(?:\.(?!\.)\d*)?|\.\d+)(?:E[+-]?\d+)?[FD]?(?![A-Z0-9_$#])/iy],
  ['word', /[A-Z\u0080-\uffff][A-Z0-9_$#\u0080-\uffff]*/iy],
  ['bind', /:[A-Z][A-Z0-9_$#]*|:\d+/iy],
  ['operator', /<=>|<->|<#>|\|\||:=|=>|\*\*|<>|!=|\^=|<=|>=|\.\.|[-+*/=<>(),.;@%]/y],
];

function readToken(sql: string, offset: number): { kind: OracleToken['kind'] | 'space'; text: string } {
  for (const [kind, pattern] of PATTERNS) {
    pattern.lastIndex = offset;
    const match = pattern.exec(sql);
    if (match) return { kind, text: match[0] };
  }
  return { kind: 'invalid', text: sql.charAt(offset) };
}

/**
 * Splits a text into tokens after the lexical rules of the Oracle SQL Language Reference ("Lexical Conventions",
 * "Literals", "Database Object Names and Qualifiers"). A character that begins no token is a token of kind `invalid`.
 */
export function tokenizeOracle(sql: string): readonly OracleToken[] {
  const tokens: OracleToken[] = [];
  let offset = 0;
  while (offset < sql.length) {
    const { kind, text } = readToken(sql, offset);
    offset += text.length;
    if (kind === 'space') continue;
    const verbatim = kind === 'string' || kind === 'quoted';
    tokens.push({ kind, text: verbatim ? text : text.toUpperCase() });
  }
  return tokens;
}

/** Whether the token at `index` is the given keyword or operator; a quoted name or a literal never is. */
export function isToken(tokens: readonly OracleToken[], index: number, ...texts: readonly string[]): boolean {
  const token = tokens[index];
  if (token === undefined || token.kind === 'string' || token.kind === 'quoted') return false;
  return texts.includes(token.text);
}

/** Whether the words stand one after the other from `index` on. */
export function startsWith(tokens: readonly OracleToken[], index: number, words: string): boolean {
  return words.split(' ').every((word, position) => isToken(tokens, index + position, word));
}

/** Index of the parenthesis that closes the one at `open`, or the number of tokens when there is none. */
export function closingParenthesis(tokens: readonly OracleToken[], open: number): number {
  let depth = 0;
  for (let index = open; index < tokens.length; index += 1) {
    if (isToken(tokens, index, '(')) depth += 1;
    if (isToken(tokens, index, ')')) depth -= 1;
    if (depth === 0) return index;
  }
  return tokens.length;
}

/** Index of the first of the given words at the parenthesis depth of `from`, or -1; stops where that depth ends. */
export function findAtDepth(
  tokens: readonly OracleToken[],
  from: number,
  ...words: readonly string[]
): number {
  let depth = 0;
  for (let index = from; index < tokens.length; index += 1) {
    if (depth === 0 && isToken(tokens, index, ...words)) return index;
    if (isToken(tokens, index, '(')) depth += 1;
    if (isToken(tokens, index, ')')) depth -= 1;
    if (depth < 0) return -1;
  }
  return -1;
}

/** A block, or `CREATE [OR REPLACE] PROCEDURE` and the like: a statement whose text is PL/SQL. */
export function isPlsql(tokens: readonly OracleToken[]): boolean {
  if (isToken(tokens, 0, 'DECLARE', 'BEGIN')) return true;
  const kind = startsWith(tokens, 0, 'CREATE OR REPLACE') ? 3 : 1;
  return isToken(tokens, 0, 'CREATE') && isToken(tokens, kind, 'PROCEDURE', 'FUNCTION', 'PACKAGE', 'TRIGGER');
}
