import {
  closingParenthesis,
  findAtDepth,
  isToken,
  type OracleToken,
  startsWith,
  tokenizeOracle,
} from './oracle-token.ts';

type Tokens = readonly OracleToken[];
/** Looks at one place and returns what stands there instead, and how many tokens that replaces. */
type Rewrite = (
  tokens: Tokens,
  index: number,
) => { readonly replace: number; readonly by: Tokens } | undefined;

const tokensOf = (text: string): Tokens => tokenizeOracle(text);
const INTEGER = /^\d+$/;

/** `VECTOR`, `VECTOR(3)`, `VECTOR(*, FLOAT32, DENSE)` as a type; the grammar knows CLOB in every such place. */
const vectorType: Rewrite = (tokens, index) => {
  if (!isToken(tokens, index, 'VECTOR') || startsWith(tokens, index, 'VECTOR INDEX')) return undefined;
  if (!isToken(tokens, index + 1, '(')) {
    const typePlace = tokens[index - 1]?.kind === 'word' || tokens[index - 1]?.kind === 'quoted';
    return typePlace && isToken(tokens, index + 1, ',', ')', ';', 'NOT', 'NULL', 'DEFAULT', ':=')
      ? { replace: 1, by: tokensOf('CLOB') }
      : undefined;
  }
  const close = closingParenthesis(tokens, index + 1);
  const written = tokens
    .slice(index + 2, close)
    .map((token) => token.text)
    .join(' ');
  const valid = /^(\d+|\*)( , (INT8|FLOAT32|FLOAT64|BINARY|\*)( , (DENSE|SPARSE))?)?$/.test(written);
  return valid ? { replace: close - index + 1, by: tokensOf('CLOB') } : undefined;
};

const ifExists: Rewrite = (tokens, index) => {
  const afterDdl = index > 0 && index < 5 && isToken(tokens, 0, 'CREATE', 'DROP', 'ALTER');
  if (!afterDdl) return undefined;
  if (startsWith(tokens, index, 'IF NOT EXISTS') && isToken(tokens, 0, 'CREATE'))
    return { replace: 3, by: [] };
  if (startsWith(tokens, index, 'IF EXISTS') && !isToken(tokens, 0, 'CREATE')) return { replace: 2, by: [] };
  return undefined;
};

const VECTOR_INDEX_TAIL =
  /^ORGANIZATION (INMEMORY NEIGHBOR GRAPH|NEIGHBOR PARTITIONS)( WITH)?( DISTANCE (COSINE|DOT|EUCLIDEAN|EUCLIDEAN_SQUARED|MANHATTAN|HAMMING|L2_SQUARED|JACCARD))?( WITH TARGET ACCURACY \d+)?( PARAMETERS \( TYPE (HNSW|IVF)( , [A-Z_ ]+ \d+)* \))?( PARALLEL \d+)?$/;
const SEARCH_INDEX_TAIL = /^(FOR (JSON|TEXT|XML))?( ?PARAMETERS \( '.*' \))?$/;

/** The text after the column list must be one of the documented clauses; then only an ordinary index is left. */
function specialIndex(kind: string, tail: RegExp): Rewrite {
  return (tokens, index) => {
    if (index !== 1 || !startsWith(tokens, index, `${kind} INDEX`)) return undefined;
    const open = findAtDepth(tokens, index, '(');
    if (open < 0) return undefined;
    const close = closingParenthesis(tokens, open);
    const written = tokens
      .slice(close + 1)
      .map((token) => token.text)
      .join(' ');
    if (!tail.test(written)) return undefined;
    return { replace: tokens.length - index, by: tokens.slice(index + 1, close + 1) };
  };
}

const fetchPrecision: Rewrite = (tokens, index) =>
  isToken(tokens, index, 'APPROX', 'APPROXIMATE', 'EXACT') &&
  isToken(tokens, index - 1, 'FETCH') &&
  isToken(tokens, index + 1, 'FIRST', 'NEXT')
    ? { replace: 1, by: [] }
    : undefined;

const targetAccuracy: Rewrite = (tokens, index) =>
  startsWith(tokens, index, 'WITH TARGET ACCURACY') && INTEGER.test(tokens[index + 3]?.text ?? '')
    ? { replace: 4, by: [] }
    : undefined;

const distanceOperator: Rewrite = (tokens, index) =>
  isToken(tokens, index, '<=>', '<->', '<#>') ? { replace: 1, by: tokensOf('-') } : undefined;

const EXISTS_TAIL =
  /^((ERROR|TRUE|FALSE) ON ERROR)?( ?TYPE \( (STRICT|LAX) \))?( ?(ERROR|TRUE|FALSE) ON EMPTY)?$/;

/** Clauses after the path of JSON_EXISTS go; `PASSING value AS "name", …` stays as arguments of COALESCE. */
const jsonExistsClauses: Rewrite = (tokens, index) => {
  if (!startsWith(tokens, index, 'JSON_EXISTS (')) return undefined;
  const close = closingParenthesis(tokens, index + 1);
  const clauses = findAtDepth(tokens, index + 2, 'PASSING', 'ERROR', 'TRUE', 'FALSE', 'TYPE');
  if (clauses < 0) return undefined;
  const hasValues = isToken(tokens, clauses, 'PASSING');
  const error = findAtDepth(tokens, clauses, 'ERROR', 'TRUE', 'FALSE', 'TYPE');
  const end = error < 0 ? close : error;
  const values = hasValues ? passedValues(tokens.slice(clauses + 1, end)) : tokensOf('NULL');
  const tail = tokens
    .slice(end, close)
    .map((token) => token.text)
    .join(' ');
  if (values === undefined || !EXISTS_TAIL.test(tail)) return undefined;
  const condition = [...tokens.slice(index, clauses), ...tokensOf(')')];
  const by = [
    ...tokensOf('('),
    ...condition,
    ...tokensOf('AND COALESCE (NULL ,'),
    ...values,
    ...tokensOf(') IS NULL )'),
  ];
  return { replace: close - index + 1, by };
};

/** The values of a PASSING clause separated by commas, or undefined when one has no `AS "name"`. */
function passedValues(tokens: Tokens): Tokens | undefined {
  const values: OracleToken[] = [];
  let start = 0;
  while (start < tokens.length) {
    const comma = findAtDepth(tokens, start, ',');
    const end = comma < 0 ? tokens.length : comma;
    if (end - start < 3 || !isToken(tokens, end - 2, 'AS') || tokens[end - 1]?.kind !== 'quoted')
      return undefined;
    values.push(...(start > 0 ? tokensOf(',') : []), ...tokens.slice(start, end - 2));
    start = end + 1;
  }
  return values.length > 0 ? values : undefined;
}

/** `JSON_SERIALIZE(x RETURNING CLOB)` and the vector functions of the same form: RETURNING goes. */
const serializeReturning: Rewrite = (tokens, index) => {
  if (!isToken(tokens, index, 'JSON_SERIALIZE', 'VECTOR_SERIALIZE', 'FROM_VECTOR')) return undefined;
  const close = closingParenthesis(tokens, index + 1);
  const returning = findAtDepth(tokens, index + 2, 'RETURNING');
  if (returning < 0) return undefined;
  const written = tokens
    .slice(returning + 1, close)
    .map((token) => token.text)
    .join(' ');
  if (
    !/^(CLOB|BLOB|VARCHAR2( \( \d+( CHAR| BYTE)? \))?)( PRETTY| ASCII| ORDERED)*( (ERROR|NULL) ON ERROR)?$/.test(
      written,
    )
  )
    return undefined;
  return { replace: close - index + 1, by: [...tokens.slice(index, returning), ...tokensOf(')')] };
};

const jsonType: Rewrite = (tokens, index) =>
  isToken(tokens, index, 'JSON') &&
  (isToken(tokens, index - 1, 'RETURNING') || isToken(tokens, index + 1, 'PATH'))
    ? { replace: 1, by: tokensOf('CLOB') }
    : undefined;

/** Second and later rows of `VALUES (…), (…)`. */
const furtherRows: Rewrite = (tokens, index) => {
  if (!isToken(tokens, index, 'VALUES') || !isToken(tokens, index + 1, '(') || !isToken(tokens, 0, 'INSERT'))
    return undefined;
  const first = closingParenthesis(tokens, index + 1);
  let end = first;
  while (startsWith(tokens, end + 1, ', (')) end = closingParenthesis(tokens, end + 2);
  return end > first ? { replace: end - index + 1, by: tokens.slice(index, first + 1) } : undefined;
};

/** `TO_VECTOR(:text, *, FLOAT32)`: any number of dimensions. */
const anyDimension: Rewrite = (tokens, index) =>
  isToken(tokens, index, '*') && isToken(tokens, index - 1, ',') && isToken(tokens, index + 1, ',', ')')
    ? { replace: 1, by: tokensOf('0') }
    : undefined;

/** `CREATE USER name NO AUTHENTICATION` (18c) is an account without a password. */
const schemaOnlyAccount: Rewrite = (tokens, index) =>
  startsWith(tokens, 0, 'CREATE USER') && startsWith(tokens, index, 'NO AUTHENTICATION')
    ? { replace: 2, by: tokensOf('IDENTIFIED EXTERNALLY') }
    : undefined;

/** `ALTER USER name GRANT CONNECT THROUGH proxy`, which the grammar has and does not find. */
const proxyAccount: Rewrite = (tokens, index) =>
  startsWith(tokens, 0, 'ALTER USER') &&
  startsWith(tokens, index, 'GRANT CONNECT THROUGH') &&
  tokens[index + 3]?.kind === 'word' &&
  tokens.length === index + 4
    ? { replace: 4, by: tokensOf('ACCOUNT UNLOCK') }
    : undefined;

/** `GRANT SELECT ON MINING MODEL owner.model`: the grammar knows models without their owner only. */
const grantOnModel: Rewrite = (tokens, index) =>
  isToken(tokens, 0, 'GRANT') && startsWith(tokens, index, 'MINING MODEL') && isToken(tokens, index - 1, 'ON')
    ? { replace: 2, by: [] }
    : undefined;

const REWRITES: readonly Rewrite[] = [
  specialIndex('VECTOR', VECTOR_INDEX_TAIL),
  specialIndex('SEARCH', SEARCH_INDEX_TAIL),
  vectorType,
  ifExists,
  fetchPrecision,
  targetAccuracy,
  distanceOperator,
  jsonExistsClauses,
  serializeReturning,
  jsonType,
  furtherRows,
  anyDimension,
  schemaOnlyAccount,
  proxyAccount,
  grantOnModel,
];

/**
 * Rewrites what Oracle Database 23ai added to SQL after the grammar was written into older forms that are valid in the
 * same place. A form that is not exactly as documented stays as it is, so that the grammar refuses it.
 */
export function withoutCurrentReleaseForms(tokens: Tokens): Tokens {
  let current = tokens;
  let index = 0;
  while (index < current.length) {
    const change = REWRITES.map((rewrite) => rewrite(current, index)).find((found) => found !== undefined);
    if (change === undefined) {
      index += 1;
      continue;
    }
    current = [...current.slice(0, index), ...change.by, ...current.slice(index + change.replace)];
  }
  return current;
}
