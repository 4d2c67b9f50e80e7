import { atEachToken, type HouseRule } from './house-rule.ts';
import { isToken, type OracleToken, startsWith } from './oracle-token.ts';

const COMPARISONS = ['=', '<>', '!=', '<', '>', '<=', '>='];
/** Words after which `=` compares until the next SET. */
const COMPARES = ['WHERE', 'ON', 'AND', 'OR', 'HAVING', 'NOT', 'SELECT', 'IF'];

/** Whether the `=` at `index` assigns: its query block is at SET, and no CASE is open. */
function isAssignment(tokens: readonly OracleToken[], index: number): boolean {
  let depth = 0;
  let cases = 0;
  for (let before = index - 1; before >= 0; before -= 1) {
    if (isToken(tokens, before, ')')) depth += 1;
    if (isToken(tokens, before, '(')) depth -= 1;
    if (depth < 0) return false;
    if (depth > 0) continue;
    if (isToken(tokens, before, 'END')) cases += 1;
    if (isToken(tokens, before, 'CASE')) cases -= 1;
    if (cases < 0) return false;
    if (cases === 0 && isToken(tokens, before, 'SET')) return true;
    if (cases === 0 && isToken(tokens, before, ...COMPARES)) return false;
  }
  return false;
}

function comparesAt(tokens: readonly OracleToken[], index: number): boolean {
  if (!isToken(tokens, index, ...COMPARISONS)) return false;
  return !isToken(tokens, index, '=') || !isAssignment(tokens, index);
}

/** `''` is NULL: nothing equals it, and concatenated or as a default it is not there. */
export const emptyLiteral: HouseRule = atEachToken((token) =>
  token.kind === 'string' && token.text === "''" ? 'an empty literal is NULL' : undefined,
);

/** No value equals NULL, and none is unequal to it. */
export const comparedWithNull: HouseRule = atEachToken((_token, index, { tokens }) => {
  if (!isToken(tokens, index, 'NULL')) return undefined;
  return comparesAt(tokens, index - 1) ? 'a comparison with NULL is never true' : undefined;
});

/** One NULL in the answer of the subquery and nothing is found. */
export const notInSubquery: HouseRule = atEachToken((_token, index, { tokens }) =>
  startsWith(tokens, index, 'NOT IN ( SELECT') ? 'NOT IN of a subquery finds nothing beside NULL' : undefined,
);

/** A large object knows no comparison (ORA-00932): a CLOB bind, and its local in a block, neither. */
export const comparedLargeBind: HouseRule = atEachToken((token, index, { tokens, binds }) => {
  const name = token.text.replace(/^(?::|L_)/, '').toLowerCase();
  if (token.kind !== 'bind' && !token.text.startsWith('L_')) return undefined;
  if (binds[name]?.type !== 'clob') return undefined;
  const compared = comparesAt(tokens, index - 1) || comparesAt(tokens, index + 1);
  const listed = isToken(tokens, index + 1, 'IN') || startsWith(tokens, index - 2, 'IN (');
  const sorted = isToken(tokens, index - 1, 'BY', 'DISTINCT');
  return compared || listed || sorted ? `the CLOB ${token.text} is compared` : undefined;
});

/** The clock of the session or of another type: times are SYSTIMESTAMP, and one in a block. */
export const otherClock: HouseRule = atEachToken((_token, index, { tokens }) =>
  isToken(tokens, index, 'SYSDATE', 'CURRENT_DATE', 'LOCALTIMESTAMP', 'CURRENT_TIMESTAMP', 'SESSIONTIMEZONE')
    ? `${tokens[index]?.text} is not the clock of the store`
    : undefined,
);

/** A number added to a timestamp makes a DATE of it: no zone, no milliseconds. */
export const numberAddedToTime: HouseRule = atEachToken((token, index, { tokens }, { times }) => {
  const isTime =
    token.kind === 'word' && (times.has(token.text) || isToken(tokens, index, 'SYSTIMESTAMP', 'L_NOW'));
  if (!isTime || !isToken(tokens, index + 1, '+', '-')) return undefined;
  const added = tokens[index + 2];
  const isNumber = added?.kind === 'number' || added?.kind === 'bind' || /^L_(?!NOW)/.test(added?.text ?? '');
  return isNumber ? `a number is added to ${token.text}` : undefined;
});

/** A time without a zone in a text or a cast means the zone of the session. */
export const timeWithoutZone: HouseRule = atEachToken((_token, index, { tokens }) =>
  isToken(tokens, index, 'TO_DATE', 'TO_TIMESTAMP') ? `${tokens[index]?.text} knows no time zone` : undefined,
);

/** The text of a time depends on the session unless its zone is named. */
export const zonelessOutput: HouseRule = atEachToken((_token, index, { tokens }, { times }) => {
  if (!startsWith(tokens, index, 'TO_CHAR (')) return undefined;
  const at = isToken(tokens, index + 3, '.') ? index + 4 : index + 2;
  const isTime = times.has(tokens[at]?.text ?? '') || isToken(tokens, at, 'SYSTIMESTAMP', 'L_NOW');
  return isTime && !startsWith(tokens, at + 1, 'AT TIME ZONE')
    ? `TO_CHAR of ${tokens[at]?.text} without a zone`
    : undefined;
});
