import { OracleError } from './oracle-error.ts';

/**
 * Kinds of token: `word` (unquoted identifier or keyword), `quoted` (`"Name"`), `text` (string literal, also `q'[…]'`
 * and `n'…'`), `number`, `bind` (`:name`), `operator` (operators and punctuation, also those of PL/SQL) and `end`.
 */
export type TokenKind = 'word' | 'quoted' | 'text' | 'number' | 'bind' | 'operator' | 'end';

/** A piece of SQL text. */
export interface Token {
  readonly kind: TokenKind;
  /** As written. */
  readonly text: string;
  /** Upper case for words and binds (no colon), the content of quoted identifiers and string literals, else `text`. */
  readonly value: string;
  /** First character in the tokenized text. */
  readonly offset: number;
  /** Character after the last one. */
  readonly end: number;
}

const SPACE = /\s+|--[^\n]*|\/\*[\s\S]*?\*\//y;
const WORD = /\p{L}[\p{L}\p{N}_$#]*/uy;
const NUMBER = /(?:\d+(?:\.(?!\.)\d*)?|\.\d+)(?:[eE][+-]?\d+)?(?:[fFdD](?![\p{L}\p{N}_$#]))?/uy;
const TEXT = /[nN]?'(?:[^']|'')*'/y;
const ALTERNATIVE_TEXT = /[nN]?[qQ]'/y;
const QUOTED = /"[^"]*"/y;
const BIND = /:(?:"[^"]+"|[\p{L}\p{N}][\p{L}\p{N}_$#]*)/uy;
const OPERATOR = /\|\||:=|=>|<=>|<->|<#>|<=|>=|<>|!=|\^=|~=|\*\*|\.\.|<<|>>|[-+*/=<>(),.;%@:]/y;
const CLOSING: Readonly<Record<string, string>> = { '[': ']', '{': '}', '(': ')', '<': '>' };
const MAXIMUM_IDENTIFIER_BYTES = 128;
/** Texts whose tokens are kept, and how long they are at most: programs send the same ones again and again. */
const KEPT_TEXTS = 64;
const KEPT_LENGTH = 32_000;
const kept = new Map<string, readonly Token[]>();

/**
 * Splits Oracle SQL or PL/SQL text into tokens, without white space and comments; the last one is of kind `end`.
 * Raises ORA-00911 (character that starts no token), ORA-00972 (identifier over 128 bytes), ORA-01741 (`""`),
 * ORA-01742 (open comment) and ORA-01756 (open string).
 */
export function tokenize(text: string): readonly Token[] {
  const known = kept.get(text);
  if (known !== undefined) {
    return known;
  }
  const tokens = readTokens(text);
  if (text.length <= KEPT_LENGTH) {
    keep(text, tokens);
  }
  return tokens;
}

function keep(text: string, tokens: readonly Token[]): void {
  kept.set(text, tokens);
  const [oldest] = kept.keys();
  if (oldest !== undefined && kept.size > KEPT_TEXTS) {
    kept.delete(oldest);
  }
}

function readTokens(text: string): readonly Token[] {
  const tokens: Token[] = [];
  let offset = skipSpace(text, 0);
  while (offset < text.length) {
    const token = readToken(text, offset);
    tokens.push(token);
    offset = skipSpace(text, token.end);
  }
  tokens.push({ kind: 'end', text: '', value: '', offset: text.length, end: text.length });
  return tokens;
}

function skipSpace(text: string, start: number): number {
  let offset = start;
  for (;;) {
    const end = matchAt(SPACE, text, offset);
    if (end === undefined) {
      if (text.startsWith('/*', offset)) {
        throw new OracleError(1742, 'comment not terminated properly', { offset });
      }
      return offset;
    }
    offset = end;
  }
}

/** The end of the match of a sticky expression at an offset. */
function matchAt(expression: RegExp, text: string, offset: number): number | undefined {
  expression.lastIndex = offset;
  return expression.test(text) ? expression.lastIndex : undefined;
}

function readToken(text: string, offset: number): Token {
  const first = text.charAt(offset);
  if (first === "'" || first === 'n' || first === 'N' || first === 'q' || first === 'Q') {
    const literal = readText(text, offset);
    if (literal !== undefined) {
      return literal;
    }
  }
  const word = matchAt(WORD, text, offset);
  if (word !== undefined) {
    const raw = text.slice(offset, word);
    return { kind: 'word', text: raw, value: checkLength(raw.toUpperCase(), offset), offset, end: word };
  }
  const number = matchAt(NUMBER, text, offset);
  if (number !== undefined) {
    const raw = text.slice(offset, number);
    return { kind: 'number', text: raw, value: raw, offset, end: number };
  }
  if (first === '"') {
    return readQuoted(text, offset);
  }
  const bind = matchAt(BIND, text, offset);
  if (bind !== undefined) {
    const raw = text.slice(offset, bind);
    const value = raw.charAt(1) === '"' ? raw.slice(2, -1) : raw.slice(1).toUpperCase();
    return { kind: 'bind', text: raw, value: checkLength(value, offset), offset, end: bind };
  }
  const operator = matchAt(OPERATOR, text, offset);
  if (operator !== undefined) {
    const raw = text.slice(offset, operator);
    return { kind: 'operator', text: raw, value: raw, offset, end: operator };
  }
  throw new OracleError(911, `${first}: invalid character`, { offset });
}

function readText(text: string, offset: number): Token | undefined {
  const alternative = matchAt(ALTERNATIVE_TEXT, text, offset);
  if (alternative !== undefined) {
    const open = text.charAt(alternative);
    const close = text.indexOf(`${CLOSING[open] ?? open}'`, alternative + 1);
    if (open === '' || close < 0) {
      throw new OracleError(1756, 'quoted string not properly terminated', { offset });
    }
    const end = close + 2;
    const value = text.slice(alternative + 1, close);
    return { kind: 'text', text: text.slice(offset, end), value, offset, end };
  }
  const end = matchAt(TEXT, text, offset);
  if (end !== undefined) {
    const raw = text.slice(offset, end);
    const value = raw.slice(raw.indexOf("'") + 1, -1).replaceAll("''", "'");
    return { kind: 'text', text: raw, value, offset, end };
  }
  if (text.charAt(offset) === "'" || text.charAt(offset + 1) === "'") {
    throw new OracleError(1756, 'quoted string not properly terminated', { offset });
  }
  return undefined;
}

function readQuoted(text: string, offset: number): Token {
  const end = matchAt(QUOTED, text, offset);
  if (end === undefined) {
    throw new OracleError(1740, 'missing double quote in identifier', { offset });
  }
  const value = text.slice(offset + 1, end - 1);
  if (value === '') {
    throw new OracleError(1741, 'illegal zero length identifier', { offset });
  }
  return { kind: 'quoted', text: text.slice(offset, end), value: checkLength(value, offset), offset, end };
}

function checkLength(identifier: string, offset: number): string {
  if (identifier.length * 3 > MAXIMUM_IDENTIFIER_BYTES) {
    const bytes = new TextEncoder().encode(identifier).length;
    if (bytes > MAXIMUM_IDENTIFIER_BYTES) {
      throw new OracleError(
        972,
        `The identifier ${identifier.slice(0, 32)}... exceeds the maximum length of ${MAXIMUM_IDENTIFIER_BYTES} bytes.`,
        { offset },
      );
    }
  }
  return identifier;
}
