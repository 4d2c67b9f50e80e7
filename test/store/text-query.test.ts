import { describe, expect, it } from 'vitest';
import { textQuery } from '../../lib/store/text-query.ts';

describe('textQuery', () => {
  it('joins distinct words in braces', () => {
    expect(textQuery('Red bicycle, red BELL')).toBe('{red} ACCUM {bicycle} ACCUM {bell}');
  });

  it.each([
    ['reserved words', 'a AND NOT near', '{a} ACCUM {and} ACCUM {not} ACCUM {near}'],
    ['operators and braces', '{x} & y | z% _w ?(v)', '{x} ACCUM {y} ACCUM {z} ACCUM {w} ACCUM {v}'],
    [
      'punctuation inside',
      "C++ user@example.com isn't 50%",
      '{c} ACCUM {user} ACCUM {example} ACCUM {com} ACCUM {isn} ACCUM {t} ACCUM {50}',
    ],
    [
      'Japanese of three scripts',
      '東京タワーへ行く',
      '{東} ACCUM {京} ACCUM {タ} ACCUM {ワ} ACCUM {ー} ACCUM {へ} ACCUM {行} ACCUM {く}',
    ],
    ['Chinese', '凭证为sk_test', '{凭} ACCUM {证} ACCUM {为} ACCUM {sk} ACCUM {test}'],
    ['combining marks', 'हिन्दी', '{हिन्दी}'],
    ['decomposed letters', 'e\u0301te\u0301', '{été}'],
    ['stop words', 'the of', '{the} ACCUM {of}'],
  ])('takes %s as plain words', (_title, text, expected) => {
    expect(textQuery(text)).toBe(expected);
  });

  it.each(['', '   ', '`', '"', '?', '{}', '🙂🙂', '& | - % $ \\'])(
    'finds nothing to search for in %j',
    (text) => {
      expect(textQuery(text)).toBeUndefined();
    },
  );

  it('is bounded for long texts and long words', () => {
    const words = Array.from({ length: 5_000 }, (_, index) => `w${index}`).join(' ');
    expect(textQuery(words)?.split(' ACCUM ')).toHaveLength(64);
    expect(textQuery('𐐨'.repeat(10_000))).toBe(`{${'𐐨'.repeat(60)}}`);
  });
});
