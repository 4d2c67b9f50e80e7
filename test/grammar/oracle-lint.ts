import { ORACLE_FUNCTIONS, WORDS_BEFORE_PARENTHESES } from './oracle-functions.ts';
import { closingParenthesis, findAtDepth, isToken, type OracleToken, startsWith } from './oracle-token.ts';
import { ORACLE_RESERVED_WORDS } from './reserved-words.ts';

type Tokens = readonly OracleToken[];

export interface LintOptions {
  /** Columns (upper case) that are CLOB, JSON or VECTOR: no comparison, no ORDER BY, GROUP BY or DISTINCT. */
  readonly largeColumns?: ReadonlySet<string>;
}

type Rule = (tokens: Tokens, options: LintOptions) => readonly string[];

const eachToken =
  (check: (token: OracleToken, index: number, tokens: Tokens) => string | undefined): Rule =>
  (tokens) =>
    tokens.flatMap((token, index) => check(token, index, tokens) ?? []);

const isBlock = (tokens: Tokens): boolean => isToken(tokens, 0, 'DECLARE', 'BEGIN');
const isDdl = (tokens: Tokens): boolean => isToken(tokens, 0, 'CREATE', 'ALTER', 'DROP', 'TRUNCATE');
const byteLength = (text: string): number => Buffer.byteLength(text, 'utf8');

/** A query block ends with a parenthesis, a semicolon or a set operator. */
function queryBlockHas(tokens: Tokens, from: number, words: string): boolean {
  let depth = 0;
  for (let index = from; index < tokens.length; index += 1) {
    if (depth === 0 && isToken(tokens, index, ';')) return false;
    if (depth === 0 && startsWith(tokens, index, words)) return true;
    if (isToken(tokens, index, '(')) depth += 1;
    if (isToken(tokens, index, ')')) depth -= 1;
    if (depth < 0) return false;
  }
  return false;
}

const forUpdate = eachToken((_token, index, tokens) => {
  if (!isToken(tokens, index, 'SELECT') || !queryBlockHas(tokens, index, 'FOR UPDATE')) return undefined;
  const forbidden = ['FETCH FIRST', 'FETCH NEXT', 'OFFSET', 'GROUP BY', 'UNION', 'MINUS', 'INTERSECT'];
  const found = forbidden.find((words) => queryBlockHas(tokens, index, words));
  if (isToken(tokens, index + 1, 'DISTINCT', 'UNIQUE')) return 'ORA-02014: FOR UPDATE with DISTINCT';
  return found && `ORA-02014: FOR UPDATE with ${found}`;
});

const bindNames = eachToken((token) =>
  token.kind === 'bind' && ORACLE_RESERVED_WORDS.has(token.text.slice(1))
    ? `ORA-01745: reserved word as bind name ${token.text}`
    : undefined,
);

const bindsInDdl: Rule = (tokens) =>
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

const invalidCharacter = eachToken((token) =>
  token.kind === 'invalid' ? `ORA-00911: invalid character ${token.text}` : undefined,
);

function listLength(tokens: Tokens, open: number): number {
  const close = closingParenthesis(tokens, open);
  let length = 1;
  let comma = findAtDepth(tokens, open + 1, ',');
  while (comma >= 0 && comma < close) {
    length += 1;
    comma = findAtDepth(tokens, comma + 1, ',');
  }
  return length;
}

const inList = eachToken((_token, index, tokens) =>
  startsWith(tokens, index, 'IN (') && listLength(tokens, index + 1) > 1000
    ? 'ORA-01795: more than 1000 expressions in a list'
    : undefined,
);

const varcharLength = eachToken((token, index, tokens) => {
  if (!isToken(tokens, index, 'VARCHAR2', 'RAW', 'NVARCHAR2') || tokens[index - 1] === undefined)
    return undefined;
  if (isToken(tokens, index - 1, 'RETURNING', 'RETURN')) return undefined;
  return isToken(tokens, index + 1, '(') ? undefined : `ORA-00906: ${token.text} without a length`;
});

const numberPrecision = eachToken((_token, index, tokens) => {
  const precision = Number(tokens[index + 2]?.text);
  if (startsWith(tokens, index, 'NUMBER (') && (precision < 1 || precision > 38))
    return 'ORA-01727: precision out of range';
  if (startsWith(tokens, index, 'TIMESTAMP (') && precision > 9) return 'ORA-30088: precision out of range';
  if (startsWith(tokens, index, 'VARCHAR2 (') && precision > 32767) return 'ORA-00910: length too long';
  if (startsWith(tokens, index, 'VARCHAR2 (') && precision === 0)
    return 'ORA-01723: zero-length columns are not allowed';
  return undefined;
});

const jsonPath = eachToken((token, index, tokens) => {
  if (!isToken(tokens, index, 'JSON_EXISTS', 'JSON_VALUE', 'JSON_QUERY') || !isToken(tokens, index + 1, '('))
    return undefined;
  const comma = findAtDepth(tokens, index + 2, ',');
  return tokens[comma + 1]?.kind === 'string'
    ? undefined
    : `ORA-40454: path of ${token.text} is not a literal`;
});

/** Where a name before a parenthesis is defined by the statement itself or is the name of a table. */
function isDefinedName(tokens: Tokens, index: number): boolean {
  if (
    isToken(
      tokens,
      index - 1,
      '.',
      'INTO',
      'TABLE',
      'INDEX',
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

const packagedCall = eachToken((token, index, tokens) =>
  isToken(tokens, index + 1, '.') && /^(DBMS|UTL|CTX)_/.test(token.text) && tokens[index + 2]?.kind !== 'word'
    ? `ORA-06550: ${token.text} names a package, not a procedure`
    : undefined,
);

/** `(a, b) < (c, d)`: only equality is defined for lists. */
const rowComparison = eachToken((_token, index, tokens) => {
  if (!isToken(tokens, index, '<', '>', '<=', '>=') || !isToken(tokens, index + 1, '(')) return undefined;
  const isList = !isToken(tokens, index + 2, 'SELECT') && listLength(tokens, index + 1) > 1;
  return isList ? 'ORA-01796: this operator cannot be used with lists' : undefined;
});

const scoreLabels: Rule = (tokens) => {
  const labels = tokens.flatMap((_token, index) => {
    if (!startsWith(tokens, index, 'CONTAINS (')) return [];
    const label = tokens[closingParenthesis(tokens, index + 1) - 1];
    return label?.kind === 'number' ? [label.text] : [];
  });
  const scores = tokens.flatMap((_token, index) =>
    startsWith(tokens, index, 'SCORE (') ? [tokens[index + 2]?.text ?? ''] : [],
  );
  const repeated = labels.length === new Set(labels).size ? [] : ['ORA-29907: CONTAINS label used twice'];
  return [
    ...repeated,
    ...scores
      .filter((score) => !labels.includes(score))
      .map((score) => `ORA-29908: SCORE(${score}) without CONTAINS`),
  ];
};

const TYPES =
  /^(VARCHAR2|NVARCHAR2|CHAR|NCHAR|NUMBER|FLOAT|INTEGER|INT|SMALLINT|DECIMAL|NUMERIC|DATE|TIMESTAMP|INTERVAL|RAW|CLOB|NCLOB|BLOB|JSON|BOOLEAN|VECTOR|BINARY_DOUBLE|BINARY_FLOAT|DOUBLE|ROWID|XMLTYPE|REAL|VARCHAR)$/;

const castType = eachToken((_token, index, tokens) => {
  if (!startsWith(tokens, index, 'CAST (')) return undefined;
  const type = tokens[findAtDepth(tokens, index + 2, 'AS') + 1];
  return type === undefined || TYPES.test(type.text)
    ? undefined
    : `ORA-00902: invalid data type ${type.text}`;
});

const columnTypes: Rule = (tokens) => {
  if (!startsWith(tokens, 0, 'CREATE TABLE')) return [];
  const open = findAtDepth(tokens, 0, '(');
  if (open < 0 || isToken(tokens, open + 1, 'SELECT') || isToken(tokens, open - 1, 'AS')) return [];
  const starts = [open + 1];
  for (
    let comma = findAtDepth(tokens, open + 1, ',');
    comma >= 0;
    comma = findAtDepth(tokens, comma + 1, ',')
  )
    starts.push(comma + 1);
  return starts.flatMap((start) => {
    if (isToken(tokens, start, 'CONSTRAINT', 'PRIMARY', 'UNIQUE', 'CHECK', 'FOREIGN')) return [];
    const type = tokens[start + 1]?.text ?? '';
    return TYPES.test(type) ? [] : [`ORA-00902: invalid data type ${type}`];
  });
};

/** SELECT as a statement of a block needs INTO (PLS-00428); outside a block there is nothing to select into. */
const selectInto = eachToken((_token, index, tokens) => {
  if (!isToken(tokens, index, 'SELECT')) return undefined;
  const inBlock = isBlock(tokens);
  const isStatement = index === 0 || isToken(tokens, index - 1, ';', 'BEGIN', 'THEN', 'ELSE', 'LOOP');
  if (!isStatement) return undefined;
  const from = findAtDepth(tokens, index, 'FROM', ';');
  const into = findAtDepth(tokens, index, 'INTO', ';');
  const hasInto = isToken(tokens, into, 'INTO') && into < from;
  if (inBlock && !hasInto) return 'PLS-00428: SELECT without INTO in a block';
  return !inBlock && hasInto ? 'ORA-00905: SELECT … INTO outside a block' : undefined;
});

const largeColumns: Rule = (tokens, { largeColumns: names }) =>
  tokens.flatMap((token, index) => {
    if (token.kind !== 'word' || !names?.has(token.text) || isToken(tokens, index + 1, '(')) return [];
    const start = isToken(tokens, index - 1, '.') ? index - 2 : index;
    const assigned =
      isToken(tokens, 0, 'UPDATE', 'MERGE', 'BEGIN', 'DECLARE') && isToken(tokens, start - 1, 'SET', ',');
    const compared = isToken(tokens, index + 1, '=', '<>', '!=', '<', '>', 'IN') && !assigned;
    const grouped =
      isToken(tokens, start - 1, 'BY', 'DISTINCT') || isToken(tokens, start - 1, '=', '<>', '!=');
    return compared || grouped ? [`ORA-00932: ${token.text} is a large object`] : [];
  });

const RULES: readonly Rule[] = [
  invalidCharacter,
  forUpdate,
  bindNames,
  bindsInDdl,
  identifierLength,
  literalLength,
  inList,
  varcharLength,
  numberPrecision,
  jsonPath,
  unknownFunction,
  packagedCall,
  rowComparison,
  scoreLabels,
  castType,
  columnTypes,
  selectInto,
  largeColumns,
];

/** Rules of Oracle that can be decided from the text and that the grammar does not hold; each error names its number. */
export function lintOracle(tokens: Tokens, options: LintOptions = {}): readonly string[] {
  return RULES.flatMap((rule) => rule(tokens, options));
}
