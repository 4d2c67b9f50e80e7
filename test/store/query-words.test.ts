import { describe, expect, it } from 'vitest';
import { englishWordForms } from '../../lib/store/search/english-word-forms.ts';
import { queryWords } from '../../lib/store/search/query-words.ts';

/** The words of a query, each by the first of its forms. */
const words = (queries: readonly string[]) =>
  queries.map((query) => /^\{([^{}]*)\}(?: OR \{[a-z]+\})*$/.exec(query)?.[1]);

describe('queryWords', () => {
  it('makes each distinct word one query of all its forms, in braces', () => {
    expect(queryWords('Red trains, red TRAINS').telling).toEqual([
      '{red} OR {reds}',
      '{trains} OR {train} OR {trained} OR {training}',
    ]);
  });

  it.each([
    ['operators and braces', '{x} & y | z% _w ?(v)', ['x', 'y', 'z', 'w', 'v']],
    ['reserved words', 'bicycle MINUS near WITHIN', ['bicycle', 'minus', 'near', 'within']],
    ['punctuation inside', "C++ user@example.com isn't 50%", ['c', 'user', 'example', 'com', '50']],
    ['Japanese of three scripts', '東京タワーへ', ['東 京', '京 タ', 'タ ワ', 'ワ ー', 'ー へ']],
    ['Chinese beside Latin letters', '凭证为sk_test', ['凭 证', '证 为', 'sk', 'test']],
    ['a character alone', '茶', ['茶']],
    ['combining marks', 'हिन्दी', ['हिन्दी']],
    ['letters whose lower case is another letter', 'İstanbul GROẞ ÉTÉ', ['İstanbul', 'GROẞ', 'été']],
    ['decomposed letters', 'e\u0301te\u0301', ['été']],
  ])('takes %s as plain words', (_title, text, expected) => {
    expect(words(queryWords(text).telling)).toEqual(expected);
  });

  it('tells words that every text holds from the others', () => {
    expect(words(queryWords('What did the fox do?').telling)).toEqual(['fox']);
    expect(queryWords('the of').telling).toEqual([]);
    expect(words(queryWords('the of').all)).toEqual(['the', 'of']);
  });

  it.each(['', '   ', '`', '"', '?', '{}', '🙂🙂', '& | - % $ \\'])(
    'finds nothing to search for in %j',
    (text) => {
      expect(queryWords(text)).toEqual({ telling: [], all: [] });
    },
  );

  it('is bounded for long texts and long words', () => {
    const text = Array.from({ length: 5_000 }, (_, index) => `w${index}`).join(' ');
    expect(queryWords(text).telling).toHaveLength(24);
    expect(queryWords(text).all).toHaveLength(24);
  });

  it('keeps as much of a long word as Oracle Text does, 255 bytes', () => {
    const hash = '3a7bd3e2360a3d29eea436fcfb7e44c735d117c42d1c1835420b6b9942dd4f1b';
    expect(words(queryWords(hash).telling)).toEqual([hash]);
    expect(words(queryWords('9'.repeat(10_000)).telling)).toEqual(['9'.repeat(255)]);
    expect(words(queryWords('𐐨'.repeat(10_000)).telling)).toEqual(['𐐨'.repeat(63)]);
  });
});

describe('englishWordForms', () => {
  it.each([
    ['painting', 'painted'],
    ['painted', 'paint'],
    ['hobbies', 'hobby'],
    ['hobby', 'hobbies'],
    ['hiking', 'hikes'],
    ['hike', 'hiking'],
    ['planned', 'planning'],
    ['boxes', 'box'],
    ['recently', 'recent'],
    ['went', 'go'],
    ['children', 'child'],
  ])('has %s and %s as one word', (word, other) => {
    expect(englishWordForms(word)[0]).toBe(word);
    expect(englishWordForms(word)).toContain(other);
  });

  it.each(['james', 'glass', 'bus', 'thing', 'is', 'zx81', 'été', '2026'])('leaves %s whole', (word) => {
    const shorter = englishWordForms(word).filter((form) => form.length < word.length);
    expect(shorter.filter((form) => form !== 'jame')).toEqual([]);
  });
});
