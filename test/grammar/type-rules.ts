import { eachToken, type LintRule, type Tokens } from './lint-rule.ts';
import { closingParenthesis, findAtDepth, isToken, startsWith } from './oracle-token.ts';

const varcharLength = eachToken((token, index, tokens) => {
  if (!isToken(tokens, index, 'VARCHAR2', 'RAW', 'NVARCHAR2') || tokens[index - 1] === undefined)
    return undefined;
  // A parameter of a stored program has no length.
  if (isToken(tokens, index - 1, 'RETURNING', 'RETURN', 'IN', 'OUT')) return undefined;
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

const TYPES =
  /^(VARCHAR2|NVARCHAR2|CHAR|NCHAR|NUMBER|FLOAT|INTEGER|INT|SMALLINT|DECIMAL|NUMERIC|DATE|TIMESTAMP|INTERVAL|RAW|CLOB|NCLOB|BLOB|JSON|BOOLEAN|VECTOR|BINARY_DOUBLE|BINARY_FLOAT|DOUBLE|ROWID|XMLTYPE|REAL|VARCHAR)$/;

const castType = eachToken((_token, index, tokens) => {
  if (!startsWith(tokens, index, 'CAST (')) return undefined;
  const type = tokens[findAtDepth(tokens, index + 2, 'AS') + 1];
  return type === undefined || TYPES.test(type.text)
    ? undefined
    : `ORA-00902: invalid data type ${type.text}`;
});

const columnTypes: LintRule = (tokens) => {
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

const largeColumns: LintRule = (tokens, { largeColumns: names }) =>
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

/** UNION, MINUS and INTERSECT compare rows; the select lists on both sides are looked at. */
const largeObjectsInSets: LintRule = (tokens, { largeColumns: names }) =>
  tokens.flatMap((_token, index) => {
    const compares = isToken(tokens, index, 'MINUS', 'INTERSECT') || isToken(tokens, index, 'UNION');
    if (!compares || isToken(tokens, index + 1, 'ALL')) return [];
    const before = tokens.slice(0, index).findLastIndex((token) => token.text === 'SELECT');
    return [before, findAtDepth(tokens, index, 'SELECT')].flatMap((select) => {
      const from = findAtDepth(tokens, select + 1, 'FROM');
      const large = tokens
        .slice(select, from)
        .find((token) => token.kind === 'word' && names?.has(token.text));
      return large === undefined ? [] : [`ORA-00932: ${large.text} is a large object`];
    });
  });

/** Names of the columns of a table that are TIMESTAMP WITH TIME ZONE. */
function zonedColumns(tokens: Tokens): readonly string[] {
  return tokens.flatMap((token, index) => {
    if (!isToken(tokens, index + 1, 'TIMESTAMP')) return [];
    const after = isToken(tokens, index + 2, '(') ? index + 5 : index + 2;
    return startsWith(tokens, after, 'WITH TIME ZONE') ? [token.text] : [];
  });
}

const zonedKeys: LintRule = (tokens) => {
  if (!startsWith(tokens, 0, 'CREATE TABLE')) return [];
  const zoned = zonedColumns(tokens);
  return tokens.flatMap((_token, index) => {
    const open = startsWith(tokens, index, 'PRIMARY KEY (') ? index + 2 : index + 1;
    if (!isToken(tokens, open, '(') || !isToken(tokens, open - 1, 'KEY', 'UNIQUE')) return [];
    if (!isToken(tokens, index, 'PRIMARY', 'UNIQUE')) return [];
    return tokens
      .slice(open, closingParenthesis(tokens, open))
      .filter(({ text }) => zoned.includes(text))
      .map(({ text }) => `ORA-02329: ${text} cannot be in a unique or primary key`);
  });
};

/** Data types: where they are declared, and what may not be done with large ones. */
export const TYPE_RULES: readonly LintRule[] = [
  varcharLength,
  numberPrecision,
  castType,
  columnTypes,
  largeColumns,
  largeObjectsInSets,
  zonedKeys,
];
