import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { JobQueue } from '../../lib/queue/job-queue.ts';

/** A queue with a consumer at its other end. */
export interface QueueStage {
  /** A sender of its own; all of them lead to the one consumer. */
  createQueue(): JobQueue;
  /** Ids of the jobs that the consumer has heard of so far, each as often as it did. */
  received(): Promise<readonly string[]>;
  close(): Promise<void>;
}

type QueueCase = (stage: QueueStage) => Promise<void>;

const LONG = 30_000;

/** Waits for a list of ids that have `prefix`, in any order. */
async function expectReceived(stage: QueueStage, prefix: string, ids: readonly string[]): Promise<void> {
  await vi.waitFor(
    async () => {
      const received = (await stage.received()).filter((id) => id.startsWith(prefix));
      expect(received.toSorted()).toEqual(ids.toSorted());
    },
    { timeout: LONG, interval: 50 },
  );
}

const CASES: Readonly<Record<string, QueueCase>> = {
  'a wake-up arrives with the id of its job, whatever the id': async (stage) => {
    const queue = stage.createQueue();
    const ids = ['id a/b', 'id 日本', 'id "{}\\"', `id ${'😀'.repeat(60)}`, "id '; drop", 'id <x>&amp;'];
    for (const jobId of ids) await queue.send({ jobId });
    await expectReceived(stage, 'id', ids);
  },
  'all arrive that are sent at once, from several senders': async (stage) => {
    const ids = Array.from({ length: 40 }, (_, index) => `many ${index}`);
    const queues = [stage.createQueue(), stage.createQueue()];
    await Promise.all(ids.map((jobId, index) => queues[index % 2]?.send({ jobId })));
    await expectReceived(stage, 'many', ids);
  },
  'a job may be woken more than once': async (stage) => {
    const queue = stage.createQueue();
    await queue.send({ jobId: 'twice' });
    await queue.send({ jobId: 'twice' });
    await expectReceived(stage, 'twice', ['twice', 'twice']);
  },
  'a delayed wake-up arrives later': async (stage) => {
    const queue = stage.createQueue();
    await queue.send({ jobId: 'delay longest', delaySeconds: 900 });
    await queue.send({ jobId: 'delay a moment', delaySeconds: 0.2 });
    await queue.send({ jobId: 'delay none', delaySeconds: 0 });
    await expectReceived(stage, 'delay', ['delay a moment', 'delay none']);
  },
  'a delay that no queue can carry is refused, and nothing is sent': async (stage) => {
    const queue = stage.createQueue();
    for (const delaySeconds of [-1, 900.5, 901]) {
      const refused = expect(queue.send({ jobId: 'refused', delaySeconds })).rejects;
      await refused.toMatchObject({ code: 'invalid_request', issues: [{ path: 'delaySeconds' }] });
    }
    await queue.send({ jobId: 'refused not' });
    await expectReceived(stage, 'refused', ['refused not']);
  },
  'a caller that has gone sends nothing': async (stage) => {
    const queue = stage.createQueue();
    const reason = new Error('gone');
    await expect(queue.send({ jobId: 'gone' }, { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
    await queue.send({ jobId: 'gone not' }, { signal: new AbortController().signal });
    await expectReceived(stage, 'gone', ['gone not']);
  },
  'a closed queue takes nothing, may be closed again, and loses nothing that it took': async (stage) => {
    const queue = stage.createQueue();
    await queue.send({ jobId: 'closed before' });
    await queue.close();
    await queue.close();
    const after = expect(queue.send({ jobId: 'closed after' })).rejects;
    await after.toMatchObject({ code: 'unavailable', retryable: true });
    await stage.createQueue().send({ jobId: 'closed other' });
    await expectReceived(stage, 'closed', ['closed before', 'closed other']);
  },
};

/** What every queue must do, whatever carries its messages. */
export function queueCases(name: string, start: () => Promise<QueueStage>): void {
  describe(`${name} as a job queue`, () => {
    let stage: QueueStage;
    beforeAll(async () => {
      stage = await start();
    });
    afterAll(() => stage?.close());
    for (const [title, run] of Object.entries(CASES)) it(title, () => run(stage), LONG + 5_000);
  });
}
