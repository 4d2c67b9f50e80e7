import { eachToken, type LintRule, listLength, type Tokens } from './lint-rule.ts';
import { ORACLE_FUNCTIONS, WORDS_BEFORE_PARENTHESES } from './oracle-functions.ts';
import { closingParenthesis, isPlsql, isToken, startsWith } from './oracle-token.ts';
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

/** Subprograms of a PL/SQL unit, and its variables and parameters, which may be collections: `l_names(1)`. */
function declaredNames(tokens: Tokens): ReadonlySet<string> {
  const isDeclared = (index: number): boolean =>
    isToken(tokens, index - 1, 'PROCEDURE', 'FUNCTION') ||
    (isToken(tokens, index - 1, '(', ',', ';', 'IS', 'DECLARE') && tokens[index + 1]?.kind === 'word');
  return new Set(
    tokens.flatMap(({ kind, text }, index) => (kind === 'word' && isDeclared(index) ? [text] : [])),
  );
}

/** Object types of PL/SQL that a constructor makes. */
const OBJECT_TYPES = ['JSON_OBJECT_T', 'JSON_ARRAY_T'];

const unknownFunction: LintRule = (tokens, { storedFunctions }) => {
  const declared = new Set(isPlsql(tokens) ? [...declaredNames(tokens), ...OBJECT_TYPES] : []);
  return tokens.flatMap(({ kind, text }, index) => {
    if (kind !== 'word' || !isToken(tokens, index + 1, '(') || isDefinedName(tokens, index)) return [];
    if (declared.size > 0 && isToken(tokens, index - 1, ';', 'BEGIN', 'THEN', 'ELSE', 'LOOP')) return [];
    if (ORACLE_FUNCTIONS.has(text) || WORDS_BEFORE_PARENTHESES.has(text) || declared.has(text)) return [];
    if (storedFunctions?.has(text)) return [];
    return [`ORA-00904: ${text} is not a function of Oracle`];
  });
};

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
