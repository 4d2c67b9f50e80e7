import { getParserFromInput } from '@griffithswaite/ts-plsql-parser';
import { withoutCurrentReleaseForms } from './current-release-forms.ts';
import type { LintOptions } from './lint-rule.ts';
import { lintOracle } from './oracle-lint.ts';
import { isPlsql, isToken, type OracleToken, tokenizeOracle } from './oracle-token.ts';
import { duplicateAliases } from './select-aliases.ts';

const STATEMENT_VERBS = [
  ...['SELECT', 'WITH', 'INSERT', 'UPDATE', 'DELETE', 'MERGE', 'CREATE', 'ALTER', 'DROP', 'TRUNCATE'],
  ...['COMMENT', 'COMMIT', 'ROLLBACK', 'SAVEPOINT', 'LOCK', 'GRANT', 'BEGIN', 'DECLARE', 'SET'],
] as const;

/** PL/SQL ends with its semicolon; an SQL statement has none when a driver sends it (ORA-03405, formerly ORA-00911). */
function checkEnd(tokens: readonly OracleToken[]): readonly string[] {
  const isBlock = isPlsql(tokens);
  const hasSemicolon = isToken(tokens, tokens.length - 1, ';');
  if (isBlock && !hasSemicolon) return ['PLS-00103: a block ends with a semicolon'];
  if (!isBlock && tokens.some((_token, index) => isToken(tokens, index, ';')))
    return ['ORA-03405: semicolon in an SQL statement'];
  return isToken(tokens, tokens.length - 1, '/') ? ['ORA-00936: slash at the end'] : [];
}

/** Prediction modes of ANTLR: local context only, and full context. */
const SLL = 0;
const LL = 1;

/** The part of the ANTLR run time that the check uses; the package's own declarations do not resolve. */
interface GrammarParser {
  readonly _interp: { predictionMode: number };
  removeErrorListeners(): void;
  addErrorListener(listener: {
    syntaxError(recognizer: unknown, symbol: unknown, line: number, column: number, message: string): void;
    reportAmbiguity(): void;
    reportAttemptingFullContext(): void;
    reportContextSensitivity(): void;
  }): void;
  sql_script(): unknown;
}

function isGrammarParser(parser: object): parser is GrammarParser {
  return ['_interp', 'removeErrorListeners', 'addErrorListener', 'sql_script'].every(
    (name) => name in parser,
  );
}

function parseIn(mode: number, text: string): readonly string[] {
  const parser: object = getParserFromInput(text);
  if (!isGrammarParser(parser)) throw new Error('the parser package has another interface than expected');
  const errors: string[] = [];
  parser._interp.predictionMode = mode;
  parser.removeErrorListeners();
  parser.addErrorListener({
    syntaxError: (_recognizer, _symbol, _line, column, message) => {
      const [found] = message.split(' expecting {');
      errors.push(`syntax error at character ${column}: ${found}`);
    },
    reportAmbiguity: () => undefined,
    reportAttemptingFullContext: () => undefined,
    reportContextSensitivity: () => undefined,
  });
  parser.sql_script();
  return errors;
}

/**
 * What the ANTLR grammar of Oracle SQL and PL/SQL finds wrong with the tokens. A text that parses with local context is
 * valid; the slow full context decides only about the others.
 */
function parse(tokens: readonly OracleToken[]): readonly string[] {
  const end = isToken(tokens, tokens.length - 1, ';') ? '' : ' ;';
  const text = tokens.map((token) => token.text).join(' ') + end;
  return parseIn(SLL, text).length === 0 ? [] : parseIn(LL, text);
}

/**
 * What the rules on tokens find wrong with a text that begins with a verb of SQL: all but its grammar, in no time. Takes
 * what `checkOracleGrammar` takes.
 */
export function lintOracleText(sql: string, options: LintOptions = {}): readonly string[] {
  const tokens = tokenizeOracle(sql);
  if (!isToken(tokens, 0, ...STATEMENT_VERBS)) return ['ORA-00900: invalid SQL statement'];
  const aliases = duplicateAliases(tokens).map(
    (name) => `ORA-00918: ${name} occurs twice in the select list`,
  );
  return [...checkEnd(tokens), ...lintOracle(tokens, options), ...aliases];
}

/**
 * Why Oracle Database 23ai would refuse the text, as far as text alone can tell: the ANTLR grammar of Oracle SQL and
 * PL/SQL after the newer forms are rewritten, and rules on tokens for what that grammar lets through. Empty when nothing
 * is wrong. Takes one SQL statement without a semicolon, or one anonymous block or stored program with it. The first texts of a process
 * take seconds (the parser builds its tables as it goes), so keep the checks of many texts in one test file.
 */
export function checkOracleGrammar(sql: string, options: LintOptions = {}): readonly string[] {
  const found = lintOracleText(sql, options);
  return found.length > 0 ? found : parse(withoutCurrentReleaseForms(tokenizeOracle(sql)));
}
