import { describe, expect, it } from 'vitest';
import { waitForAllExtraction, waitForExtraction } from '../../lib/memory/wait-for-extraction.ts';
import { writeCursor } from '../../lib/schemas/cursor.ts';
import type { ExtractionProgress } from '../../lib/store/jobs/job-store.ts';
import { createTestContext } from './test-context.ts';

const RUNNING = { newestPosition: 7, unfinished: 2, succeeded: 1, failed: 1 };
const DONE = { ...RUNNING, unfinished: 0, succeeded: 3 };

/** A context whose jobs end at a second of the manual clock, and the looks at them: second and position. */
function waitingContext(doneAfterSeconds: number, answerAfterSeconds?: number) {
  const made = createTestContext({ sleepAdvances: true });
  const { clock } = made;
  const start = clock.now().getTime();
  const seconds = () => (clock.now().getTime() - start) / 1_000;
  const looks: { second: number; upto: number | undefined }[] = [];
  const readExtractionProgress = async (_: string, upto?: number): Promise<ExtractionProgress> => {
    looks.push({ second: seconds(), upto });
    return seconds() >= doneAfterSeconds ? DONE : RUNNING;
  };
  const answerBy =
    answerAfterSeconds === undefined ? undefined : new Date(start + answerAfterSeconds * 1_000);
  const context = { ...made.context, answerBy, store: { ...made.store, readExtractionProgress } };
  return { context, looks, seconds };
}

describe('waiting for extraction (contract §4.7)', () => {
  it('ends with the jobs that there were when it began', async () => {
    const { context, looks } = waitingContext(3);
    expect(await waitForExtraction(context, 'thread', {})).toEqual({
      status: 'completed',
      succeeded: 3,
      failed: 1,
    });
    expect(looks.map(({ upto }) => upto)).toEqual([undefined, ...looks.slice(1).map(() => 7)]);
  });

  it('looks at most twelve times in the first ten seconds, then every two', async () => {
    const { context, looks } = waitingContext(30);
    await waitForExtraction(context, 'thread', {});
    expect(looks.filter(({ second }) => second <= 10).length).toBeLessThanOrEqual(12);
    expect(
      looks.slice(12).every(({ second }, index) => second - (looks[index + 11]?.second ?? 0) === 2),
    ).toBe(true);
    expect(looks.at(-1)?.second).toBeLessThanOrEqual(32);
  });

  it('looks at most twelve times when it ends after ten seconds', async () => {
    const { context, looks } = waitingContext(60);
    const wait = waitForExtraction(context, 'thread', { timeoutSeconds: 10 });
    await expect(wait).rejects.toMatchObject({ code: 'timeout' });
    expect(looks.length).toBeLessThanOrEqual(12);
    expect(looks.at(-1)?.second).toBe(10);
  });

  it('is a timeout after its own time, and says where to go on', async () => {
    const { context, seconds } = waitingContext(Number.POSITIVE_INFINITY);
    await expect(waitForExtraction(context, 'thread', {})).rejects.toMatchObject({
      code: 'timeout',
      retryable: true,
      details: { watermark: writeCursor('extraction', 7), pending: 2 },
    });
    expect(seconds()).toBe(300);
  });

  it('looks once with a time of 0', async () => {
    const { context, looks } = waitingContext(1);
    const wait = waitForExtraction(context, 'thread', { timeoutSeconds: 0 });
    await expect(wait).rejects.toMatchObject({ code: 'timeout' });
    expect(looks).toHaveLength(1);
  });

  it('waits for ever with null', async () => {
    const { context } = waitingContext(100_000);
    const answer = await waitForExtraction(context, 'thread', { timeoutSeconds: null });
    expect(answer.status).toBe('completed');
  });

  it('answers pending when the request has to end first, and goes on from the watermark', async () => {
    const { context, looks, seconds } = waitingContext(60, 17);
    const answer = await waitForExtraction(context, 'thread', { timeoutSeconds: null });
    expect(answer).toEqual({ status: 'pending', watermark: writeCursor('extraction', 7), pending: 2 });
    expect(seconds()).toBe(17);
    looks.length = 0;
    await waitForExtraction({ ...context, answerBy: undefined }, 'thread', { watermark: 5 });
    expect(new Set(looks.map(({ upto }) => upto))).toEqual(new Set([5]));
  });

  it('goes on to the end in this process', async () => {
    const { context } = waitingContext(60, 17);
    expect(await waitForAllExtraction(context, 'thread', {})).toEqual({ succeeded: 3, failed: 1 });
    await expect(waitForAllExtraction(context, 'thread', { timeoutSeconds: 0 })).resolves.toBeDefined();
  });

  it('ends with the signal of its request', async () => {
    const { context } = waitingContext(60);
    const signal = AbortSignal.abort(new Error('gone'));
    await expect(waitForExtraction({ ...context, signal }, 'thread', {})).rejects.toThrow('gone');
  });
});
