import { eachToken, type LintRule, listLength, type Tokens } from './lint-rule.ts';
import { ORACLE_FUNCTIONS, WORDS_BEFORE_PARENTHESES } from './oracle-functions.ts';
import { closingParenthesis, isToken, startsWith } from './oracle-token.ts';
import { ORACLE_RESERVED_WORDS } from './reserved-words.ts';

const isDdl = (tokens: Tokens): boolean => isToken(tokens, 0, 'CREATE', 'ALTER', 'DROP', 'TRUNCATE');

const byteLength = (text: string): number => Buffer.byteLength(text, 'utf8');

const invalidCharacter = eachToken((token) =>
  token.kind === 'invalid' ? `ORA-00911: invalid character ${token.text}` : undefined,
);

const bindNames = eachToken((token) =>
  token.kind === 'bind' && ORACLE_RESERVED_WORDS.has(token.text.slice(1))
    ? `ORA-01745: reserved word as bind name ${token.text}`
    : undefined,
);

const bindsInDdl: LintRule = (tokens) =>
  isDdl(tokens) && tokens.some((token) => token.kind === 'bind') ? ['ORA-01027: bind variable in DDL'] : [];

const identifierLength = eachToken((token) => {
  if (token.kind !== 'word' && token.kind !== 'quoted') return undefined;
  return byteLength(token.text.replaceAll('"', '')) > 128
    ? `ORA-00972: identifier too long: ${token.text}`
    : undefined;
});

const literalLength = eachToken((token) =>
  token.kind === 'string' && byteLength(token.text) > 4002 ? 'ORA-01704: string literal too long' : undefined,
);

const inList = eachToken((_token, index, tokens) =>
  startsWith(tokens, index, 'IN (') && listLength(tokens, index + 1) > 1000
    ? 'ORA-01795: more than 1000 expressions in a list'
    : undefined,
);

function isDefinedName(tokens: Tokens, index: number): boolean {
  if (
    isToken(
      tokens,
      index - 1,
      '.',
      'INTO',
      'TABLE',
      'INDEX',
      'VIEW',
      'EXISTS',
      'ON',
      'REFERENCES',
      'CONSTRAINT',
      'END',
    )
  )
    return true;
  if (
    isToken(tokens, index - 1, 'WITH', ',') &&
    isToken(tokens, closingParenthesis(tokens, index + 1) + 1, 'AS')
  )
    return true;
  return isToken(tokens, index - 1, 'USING') || isToken(tokens, index - 2, 'INTO');
}

const unknownFunction = eachToken((token, index, tokens) => {
  if (token.kind !== 'word' || !isToken(tokens, index + 1, '(') || isDefinedName(tokens, index))
    return undefined;
  if (ORACLE_FUNCTIONS.has(token.text) || WORDS_BEFORE_PARENTHESES.has(token.text)) return undefined;
  return `ORA-00904: ${token.text} is not a function of Oracle`;
});

/** Characters, names, literals and lists. */
export const NAME_RULES: readonly LintRule[] = [
  invalidCharacter,
  bindNames,
  bindsInDdl,
  identifierLength,
  literalLength,
  inList,
  unknownFunction,
];
