import { expect, test } from 'vitest';
import { foldExpression } from '../../infra/local/oracle/engine/block/fold-expression.ts';
import { decodeNumber } from '../../infra/local/oracle/engine/result-decoding.ts';
import { parseCondition } from '../../infra/local/oracle/sql/parser/parse-condition.ts';
import { TokenReader } from '../../infra/local/oracle/sql/parser/token-reader.ts';
import { NUMBER, TEXT } from './engine-fixture.ts';

const VARIABLES = new Map([
  ['L_ONE', { value: 1, type: NUMBER }],
  ['L_NULL', { value: null, type: NUMBER }],
  ['L_TEXT', { value: 'abc', type: TEXT }],
  ['L_TIME', { value: '2026-01-01T00:00:00.000000Z', type: { kind: 'DATE' } }],
] as const);

const fold = (text: string) =>
  foldExpression(parseCondition(new TokenReader(text)), {
    variable: (name) => [...VARIABLES].find(([known]) => known === name)?.[1],
    bind: () => undefined,
  })?.value;

test.each([
  ['1 + 2 * 3', 7],
  ["'a' || NULL || 1", 'a1'],
  ["'' IS NULL", true],
  ["l_one = 1 AND l_text <> 'x'", true],
  ['l_null = 1', null],
  ['l_null = 1 AND 1 = 2', false],
  ['l_null = 1 OR 1 = 1', true],
  ['NOT l_null = 1', null],
  ['l_one <= 0', false],
  ['-l_one', -1],
])('%s is evaluated in place', (text, expected) => {
  expect(fold(text)).toBe(expected);
});

test.each([
  '1 / 2',
  '9007199254740991 + 1',
  '0.1 + 0.2',
  "l_text < 'b'",
  "l_time = '2026-01-01'",
  "'at ' || l_time",
  'l_unknown',
  'UPPER(l_text)',
])('%s is left to the database', (text) => {
  expect(fold(text)).toBeUndefined();
});

test.each([
  ['1.50', 1.5],
  ['-0.10', -0.1],
  ['100', 100],
  ['0.00', 0],
  ['9007199254740993', '9007199254740993'],
  ['0.33333333333333333333', '0.33333333333333333333'],
  ['1234567890123456.5', '1234567890123456.5'],
])('the NUMBER %s', (text, expected) => {
  expect(decodeNumber(text)).toBe(expected);
});
