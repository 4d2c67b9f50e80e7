import { describe, expect, it } from 'vitest';
import { createBm25, stem, stems } from '../../bench/locomo/bm25.ts';
import { ranking, recall } from '../../bench/locomo/recall.ts';
import { sessionStart } from '../../bench/locomo/store-conversation.ts';

describe('plain BM25', () => {
  it.each([
    ['hobbies', 'hobby'],
    ['running', 'run'],
    ['making', 'mak'],
    ['make', 'mak'],
    ["caroline's", 'carolin'],
    ['classes', 'class'],
    ['relational', 'rel'],
  ])('stems %s to %s', (word, expected) => {
    expect(stem(word)).toBe(expected);
  });

  it('leaves stop words out', () => {
    expect(stems('When did Caroline go to the group?')).toEqual(['carolin', 'go', 'group']);
  });

  it('scores by hand-computed values', () => {
    const scores = createBm25(['red car', 'red', 'blue'])('red car');
    const rarity = (found: number) => Math.log(1 + (3 - found + 0.5) / (found + 0.5));
    const part = (length: number) => 2.2 / (1 + 1.2 * (0.25 + (0.75 * length) / (4 / 3)));
    expect(scores[0]).toBeCloseTo((rarity(2) + rarity(1)) * part(2), 10);
    expect(scores[1]).toBeCloseTo(rarity(2) * part(1), 10);
    expect(scores[2]).toBe(0);
    expect(ranking(scores)).toEqual([0, 1, 2]);
  });
});

it('counts the share of the evidence that was found', () => {
  expect(recall(['a', 'b', 'c'], new Set(['a', 'c', 'x']), 2)).toBeCloseTo(1 / 3);
  expect(recall(['a', 'b', 'c'], new Set(['a', 'c']), 3)).toBe(1);
});

it.each([
  ['1:56 pm on 8 May, 2023', '2023-05-08T13:56:00.000Z'],
  ['12:09 am on 13 September, 2023', '2023-09-13T00:09:00.000Z'],
])('reads the date %s', (date, expected) => {
  expect(sessionStart(date).toISOString()).toBe(expected);
});
