import { describe, expect, it } from 'vitest';
import { AgentMemoryError } from '../../lib/errors/agent-memory-error.ts';
import { createInlineQueue } from '../../lib/queue/inline/inline-queue.ts';
import { createManualClock } from '../../lib/testing/manual-clock.ts';
import { queueCases } from '../conformance/queue-cases.ts';

queueCases('a queue in the process', async () => {
  const received: string[] = [];
  const queues: ReturnType<typeof createInlineQueue>[] = [];
  return {
    createQueue() {
      const queue = createInlineQueue({ run: async (jobId) => void received.push(jobId) });
      queues.push(queue);
      return queue;
    },
    received: async () => received,
    async close() {
      for (const queue of queues) await queue.close();
    },
  };
});

const settled = (): Promise<void> => new Promise((resolve) => setImmediate(() => setImmediate(resolve)));

/** Runs that end when the test says so, or at once when their signal aborts. */
function createHeldRuns() {
  const started: string[] = [];
  const aborted: string[] = [];
  const ends = new Map<string, () => void>();
  return {
    started,
    aborted,
    end: (jobId: string) => ends.get(jobId)?.(),
    run: (jobId: string, signal: AbortSignal): Promise<void> => {
      started.push(jobId);
      return new Promise((resolve, reject) => {
        ends.set(jobId, resolve);
        signal.addEventListener('abort', () => {
          aborted.push(jobId);
          reject(signal.reason);
        });
      });
    },
  };
}

describe('a queue in the process', () => {
  it('runs a bounded number of jobs at once and the others in their order', async () => {
    const runs = createHeldRuns();
    const queue = createInlineQueue({ run: runs.run, concurrency: 2 });
    for (const jobId of ['a', 'b', 'c', 'd']) await queue.send({ jobId });
    await settled();
    expect(runs.started).toEqual(['a', 'b']);
    runs.end('b');
    await settled();
    expect(runs.started).toEqual(['a', 'b', 'c']);
    for (const jobId of ['a', 'c']) runs.end(jobId);
    await settled();
    expect(runs.started).toEqual(['a', 'b', 'c', 'd']);
    runs.end('d');
    await queue.close();
  });

  it('answers while the job still runs, and waits for a delay by its clock', async () => {
    const clock = createManualClock({ sleepAdvances: false });
    const runs = createHeldRuns();
    const queue = createInlineQueue({ run: runs.run, clock });
    await queue.send({ jobId: 'now' });
    await queue.send({ jobId: 'later', delaySeconds: 30 });
    clock.advance(29_999);
    await settled();
    expect(runs.started).toEqual(['now']);
    clock.advance(1);
    await settled();
    expect(runs.started).toEqual(['now', 'later']);
    runs.end('now');
    runs.end('later');
    await queue.close();
  });

  it.each([Number.NaN, Number.POSITIVE_INFINITY])('refuses the delay %d', async (delaySeconds) => {
    const queue = createInlineQueue({ run: async () => undefined });
    await expect(queue.send({ jobId: 'a', delaySeconds })).rejects.toThrow(/^delaySeconds: /);
  });

  it('reports a run that fails and goes on', async () => {
    const failures: unknown[] = [];
    const failure = new AgentMemoryError('unavailable', 'no database');
    const done: string[] = [];
    const queue = createInlineQueue({
      run: async (jobId) => {
        if (jobId === 'bad') throw failure;
        done.push(jobId);
      },
      reportFailure: (error) => failures.push(error),
      concurrency: 1,
    });
    await queue.send({ jobId: 'bad' });
    await queue.send({ jobId: 'good' });
    await queue.close();
    expect([failures, done]).toEqual([[failure], ['good']]);
  });

  it('closes when what it took has run, without what is delayed', async () => {
    const clock = createManualClock({ sleepAdvances: false });
    const runs = createHeldRuns();
    const queue = createInlineQueue({ run: runs.run, concurrency: 1, clock });
    await queue.send({ jobId: 'a' });
    await queue.send({ jobId: 'b' });
    await queue.send({ jobId: 'delayed', delaySeconds: 5 });
    let isClosed = false;
    const closing = queue.close().then(() => {
      isClosed = true;
    });
    await settled();
    runs.end('a');
    await settled();
    expect([isClosed, runs.started]).toEqual([false, ['a', 'b']]);
    runs.end('b');
    await closing;
    clock.advance(10_000);
    await settled();
    expect([runs.started, runs.aborted]).toEqual([['a', 'b'], []]);
  });

  it('aborts what still runs when closing takes too long, and starts nothing more', async () => {
    const clock = createManualClock({ sleepAdvances: false });
    const runs = createHeldRuns();
    const queue = createInlineQueue({ run: runs.run, concurrency: 1, clock });
    await queue.send({ jobId: 'slow' });
    await queue.send({ jobId: 'waiting' });
    const closing = queue.close({ timeoutSeconds: 5 });
    await settled();
    expect(runs.aborted).toEqual([]);
    clock.advance(5_000);
    await closing;
    expect([runs.started, runs.aborted]).toEqual([['slow'], ['slow']]);
  });
});
