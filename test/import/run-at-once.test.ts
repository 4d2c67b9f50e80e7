import { expect, it } from 'vitest';
import { runAtOnce } from '../../infra/import/run-at-once.ts';

it('runs no more than the limit at a time, and everything once', async () => {
  let [running, most] = [0, 0];
  const done: number[] = [];
  await runAtOnce([1, 2, 3, 4, 5, 6, 7], 3, async (item) => {
    running += 1;
    most = Math.max(most, running);
    await Promise.resolve();
    done.push(item);
    running -= 1;
  });
  expect([most, done.toSorted()]).toEqual([3, [1, 2, 3, 4, 5, 6, 7]]);
});

it('begins nothing after a failure, and ends what has begun', async () => {
  const [begun, ended]: [number[], number[]] = [[], []];
  const run = runAtOnce([1, 2, 3, 4, 5], 2, async (item) => {
    begun.push(item);
    if (item === 1) throw new Error('broken');
    await new Promise((resolve) => setImmediate(resolve));
    ended.push(item);
  });
  await expect(run).rejects.toThrow('broken');
  expect([begun, ended]).toEqual([[1, 2], [2]]);
});
