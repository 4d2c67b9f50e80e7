import { expect, it } from 'vitest';
import { shareLoad } from '../../functions/runtime/share-load.ts';

it('callers that come at once wait for one load', async () => {
  let loads = 0;
  const load = shareLoad(async () => {
    loads += 1;
    return { load: loads };
  });
  const [one, other] = await Promise.all([load(), load()]);
  expect([one, other, await load()]).toEqual([{ load: 1 }, { load: 1 }, { load: 1 }]);
});

it('a load that failed is tried again', async () => {
  const failure = new Error('no file');
  const outcomes = [Promise.reject(failure), Promise.resolve('loaded')];
  const load = shareLoad(() => outcomes.shift() ?? Promise.reject(new Error('loaded once too often')));
  await expect(Promise.all([load(), load()])).rejects.toBe(failure);
  expect([await load(), await load()]).toEqual(['loaded', 'loaded']);
});
