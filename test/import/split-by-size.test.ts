import { expect, it } from 'vitest';
import { splitBySize } from '../../infra/import/split-by-size.ts';

const bytesOf = (part: unknown): number => Buffer.byteLength(JSON.stringify(part));

it('keeps every part below what a request holds, in any script, and every item in order', () => {
  const items = Array.from(
    { length: 40 },
    (_, index) => `${index}${(index % 2 === 0 ? '雨' : '"').repeat(40_000)}`,
  );
  const parts = splitBySize(items);
  expect(parts.flat()).toEqual(items);
  expect(parts.length).toBeGreaterThan(5);
  expect(Math.max(...parts.map(bytesOf))).toBeLessThan(501_000);
});

it('fills parts with small items, and gives one that is too large a part of its own', () => {
  const large = 'x'.repeat(600_000);
  const small = Array.from({ length: 150 }, (_, index) => index);
  expect(splitBySize(small).map((part) => part.length)).toEqual([100, 50]);
  expect(splitBySize(['a', large, 'b', 'c'])).toEqual([['a'], [large], ['b', 'c']]);
  expect(splitBySize([])).toEqual([]);
});
