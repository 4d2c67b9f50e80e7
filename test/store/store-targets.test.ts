import { globSync } from 'node:fs';
import { expect, it } from 'vitest';
import { chooseTargets } from '../conformance/choose-targets.ts';
import { STORE_TARGETS } from './store-targets.ts';

const known = Object.keys(STORE_TARGETS);

it('takes every target that there is unless told otherwise', () => {
  expect(chooseTargets(known, undefined)).toEqual({ chosen: known, skipped: [] });
  expect(chooseTargets(known, 'ords')).toEqual({
    chosen: ['ords'],
    skipped: known.filter((name) => name !== 'ords'),
  });
  for (const wish of ['oracle', 'ords,', '']) {
    expect(() => chooseTargets(known, wish)).toThrow(RangeError);
  }
});

it('has a file of its own for each target', () => {
  const files = globSync('store-over-*.test.ts', { cwd: import.meta.dirname });
  expect(files.sort()).toEqual(known.map((name) => `store-over-${name}.test.ts`).sort());
});
