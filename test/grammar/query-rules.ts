import { eachToken, type LintRule, listLength, type Tokens } from './lint-rule.ts';
import { closingParenthesis, findAtDepth, isPlsql, isToken, startsWith } from './oracle-token.ts';

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

const jsonPath = eachToken((token, index, tokens) => {
  if (!isToken(tokens, index, 'JSON_EXISTS', 'JSON_VALUE', 'JSON_QUERY') || !isToken(tokens, index + 1, '('))
    return undefined;
  const comma = findAtDepth(tokens, index + 2, ',');
  return tokens[comma + 1]?.kind === 'string'
    ? undefined
    : `ORA-40454: path of ${token.text} is not a literal`;
});

const rowComparison = eachToken((_token, index, tokens) => {
  if (!isToken(tokens, index, '<', '>', '<=', '>=') || !isToken(tokens, index + 1, '(')) return undefined;
  const isList = !isToken(tokens, index + 2, 'SELECT') && listLength(tokens, index + 1) > 1;
  return isList ? 'ORA-01796: this operator cannot be used with lists' : undefined;
});

const scoreLabels: LintRule = (tokens) => {
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

const selectInto = eachToken((_token, index, tokens) => {
  if (!isToken(tokens, index, 'SELECT')) return undefined;
  const inBlock = isPlsql(tokens);
  const isStatement = index === 0 || isToken(tokens, index - 1, ';', 'BEGIN', 'THEN', 'ELSE', 'LOOP');
  if (!isStatement) return undefined;
  const from = findAtDepth(tokens, index, 'FROM', ';');
  const into = findAtDepth(tokens, index, 'INTO', ';');
  const hasInto = isToken(tokens, into, 'INTO') && into < from;
  if (inBlock && !hasInto) return 'PLS-00428: SELECT without INTO in a block';
  return !inBlock && hasInto ? 'ORA-00905: SELECT … INTO outside a block' : undefined;
});

/** What a query block may combine. */
export const QUERY_RULES: readonly LintRule[] = [forUpdate, jsonPath, rowComparison, scoreLabels, selectInto];
