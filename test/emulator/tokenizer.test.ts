import { expect, test } from 'vitest';
import { tokenize } from '../../infra/local/oracle/sql/tokenizer.ts';

const kinds = (text: string) => tokenize(text).map((token) => `${token.kind}:${token.value}`);

test('splits words, quoted names, literals, binds and operators', () => {
  expect(kinds(`select "a b", 'it''s', q'[x'y]', N'z' from t where n>=:Id||1.5e3`)).toEqual([
    'word:SELECT',
    'quoted:a b',
    'operator:,',
    "text:it's",
    'operator:,',
    "text:x'y",
    'operator:,',
    'text:z',
    'word:FROM',
    'word:T',
    'word:WHERE',
    'word:N',
    'operator:>=',
    'bind:ID',
    'operator:||',
    'number:1.5e3',
    'end:',
  ]);
});

test('skips comments and hints, and keeps PL/SQL operators apart from numbers', () => {
  expect(kinds('a -- b\n/*+ hint */ := 1..2;')).toEqual([
    'word:A',
    'operator::=',
    'number:1',
    'operator:..',
    'number:2',
    'operator:;',
    'end:',
  ]);
});

test.each([
  ["select 'x", 1756],
  ['select "x', 1740],
  ['select ""', 1741],
  ['select /* x', 1742],
  ['select a ? b', 911],
  [`select ${'a'.repeat(129)}`, 972],
])('refuses %s with ORA-%d', (text, number) => {
  expect(() => tokenize(text)).toThrowError(expect.objectContaining({ number }));
});
