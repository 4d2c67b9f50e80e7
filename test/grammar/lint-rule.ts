import { closingParenthesis, findAtDepth, type OracleToken } from './oracle-token.ts';

/** The tokens of one statement or block. */
export type Tokens = readonly OracleToken[];

export interface LintOptions {
  /** Columns (upper case) that are CLOB, JSON or VECTOR: no comparison, no ORDER BY, GROUP BY or DISTINCT. */
  readonly largeColumns?: ReadonlySet<string>;
  /** Functions (upper case) that the schema has. */
  readonly storedFunctions?: ReadonlySet<string>;
}

/** What a rule finds wrong, each with the number that Oracle gives. */
export type LintRule = (tokens: Tokens, options: LintOptions) => readonly string[];

/** A rule that looks at one token and its neighbours. */
export const eachToken =
  (check: (token: OracleToken, index: number, tokens: Tokens) => string | undefined): LintRule =>
  (tokens) =>
    tokens.flatMap((token, index) => check(token, index, tokens) ?? []);

/** Number of expressions between the parenthesis at `open` and its partner. */
export function listLength(tokens: Tokens, open: number): number {
  const close = closingParenthesis(tokens, open);
  let length = 1;
  let comma = findAtDepth(tokens, open + 1, ',');
  while (comma >= 0 && comma < close) {
    length += 1;
    comma = findAtDepth(tokens, comma + 1, ',');
  }
  return length;
}
