import { expect, it } from 'vitest';
import { ttlWarnings } from '../../lib/memory/ttl-warnings.ts';

const POLICY = { defaultTtlDays: 7, maxTtlDays: 30 };

it('warns once when days exceed the maximum of the store (contract §11)', () => {
  expect(ttlWarnings(POLICY, [1, 31, 90])).toEqual({
    warnings: [{ code: 'ttl_clamped', message: expect.stringContaining('30') }],
  });
});

it.each([
  ['days within the maximum', POLICY, [30, 1]],
  ['null, which asks for the maximum', POLICY, [null]],
  ['omitted days', POLICY, [undefined]],
  ['a store without a maximum', { defaultTtlDays: 7, maxTtlDays: null }, [36_500]],
])('says nothing about %s', (_title, retention, days) => {
  expect(ttlWarnings(retention, days)).toEqual({});
});
