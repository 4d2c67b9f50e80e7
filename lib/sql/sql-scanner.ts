/** One piece of a SQL text. `quoted` covers literals (also `q'[…]'`) and quoted identifiers. */
export interface SqlPiece {
  readonly kind: 'code' | 'quoted' | 'comment' | 'placeholder';
  /** As written; the pieces joined give the text again. */
  readonly text: string;
}

const PIECE =
  /(?<comment>--[^\n]*|\/\*[\s\S]*?(?:\*\/|$))|(?<alternative>(?<![\w$#])[nN]?[qQ]'(?<open>[\s\S]))|(?<quoted>'(?:[^']|'')*(?:'|$)|"[^"]*(?:"|$))|(?<placeholder>:[A-Za-z][\w$#]*)/g;
const CLOSING: Readonly<Record<string, string>> = { '[': ']', '{': '}', '(': ')', '<': '>' };

/**
 * Splits SQL text into code, quoted text, comments and `:name` placeholders, by Oracle's lexical rules (SQL Language
 * Reference, "Literals" and "Comments"). It knows no grammar: enough to find placeholders and nothing else.
 */
export function scanSql(sql: string): readonly SqlPiece[] {
  const pieces: SqlPiece[] = [];
  let position = 0;
  const push = (kind: SqlPiece['kind'], end: number): void => {
    if (end > position) pieces.push({ kind, text: sql.slice(position, end) });
    position = end;
  };
  PIECE.lastIndex = 0;
  for (let match = PIECE.exec(sql); match !== null; match = PIECE.exec(sql)) {
    const groups = match.groups ?? {};
    push('code', match.index);
    if (groups.alternative !== undefined) {
      PIECE.lastIndex = alternativeQuoteEnd(sql, PIECE.lastIndex, groups.open ?? '');
      push('quoted', PIECE.lastIndex);
    } else if (groups.comment !== undefined) push('comment', PIECE.lastIndex);
    else if (groups.quoted !== undefined) push('quoted', PIECE.lastIndex);
    else push('placeholder', PIECE.lastIndex);
  }
  push('code', sql.length);
  return pieces;
}

function alternativeQuoteEnd(sql: string, start: number, open: string): number {
  const end = sql.indexOf(`${CLOSING[open] ?? open}'`, start);
  return end === -1 ? sql.length : end + 2;
}

/** The names of all `:name` placeholders of a text, without the colon, as written. */
export function placeholderNames(sql: string): ReadonlySet<string> {
  const names = scanSql(sql)
    .filter((piece) => piece.kind === 'placeholder')
    .map((piece) => piece.text.slice(1));
  return new Set(names);
}
