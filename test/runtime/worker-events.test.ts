import { describe, expect, it } from 'vitest';
import type { QueueJob } from '../../functions/queue-job.ts';
import { createWorker, type WorkerParts } from '../../functions/runtime/worker.ts';
import type { ScheduledJob } from '../../functions/scheduled-job.ts';
import { AgentMemoryError } from '../../lib/errors/agent-memory-error.ts';
import { createServiceDouble } from './service-double.ts';

const BROKEN = new AgentMemoryError('unavailable', 'there is no database');

/** A Worker whose parts are replaced, and how often its services were made. */
function createTestWorker(parts: Partial<WorkerParts> = {}) {
  const { services, logged } = createServiceDouble();
  let created = 0;
  const worker = createWorker({
    operations: [],
    scheduledJobs: {},
    queueJob: { name: 'extract', run: async () => ({}) },
    createServices: () => {
      created += 1;
      return services;
    },
    ...parts,
  });
  return { worker, logged, created: () => created };
}

function countingJob(name: string, ran: string[]): ScheduledJob {
  return { name, run: async () => ({ run: ran.push(name) }) };
}

describe('the cron triggers of a Worker', () => {
  it('start their own job, over the services of the isolate', async () => {
    const ran: string[] = [];
    const scheduledJobs = {
      '* * * * *': countingJob('sweep', ran),
      '17 * * * *': countingJob('purge', ran),
    };
    const { worker, logged, created } = createTestWorker({ scheduledJobs });
    await worker.scheduled({ cron: '* * * * *' }, {});
    await worker.scheduled({ cron: '17 * * * *' }, {});
    await worker.scheduled({ cron: '* * * * *' }, {});
    expect([ran, created()]).toEqual([['sweep', 'purge', 'sweep'], 1]);
    expect(logged.map(({ event }) => event)).toEqual(['job_finished', 'job_finished', 'job_finished']);
  });

  it('start every job when nothing is known of the trigger', async () => {
    const ran: string[] = [];
    const scheduledJobs = {
      '* * * * *': countingJob('sweep', ran),
      '17 * * * *': countingJob('purge', ran),
    };
    await createTestWorker({ scheduledJobs }).worker.scheduled({ cron: '*/5 * * * *' }, {});
    expect(ran).toEqual(['sweep', 'purge']);
  });

  it('fail when the job fails or the configuration is wrong', async () => {
    const failing: ScheduledJob = { name: 'sweep', run: () => Promise.reject(BROKEN) };
    const cron = '* * * * *';
    const { worker } = createTestWorker({ scheduledJobs: { [cron]: failing } });
    await expect(worker.scheduled({ cron }, {})).rejects.toBe(BROKEN);
    const misconfigured = createTestWorker({ createServices: fail, scheduledJobs: { [cron]: failing } });
    await expect(misconfigured.worker.scheduled({ cron }, {})).rejects.toBe(BROKEN);
  });
});

function fail(): never {
  throw BROKEN;
}

/** A batch of messages with these bodies, and what was said of each. */
function batchOf(...bodies: readonly unknown[]) {
  const settled: string[] = [];
  const messages = bodies.map((body) => ({
    body,
    ack: () => void settled.push(`ack ${body}`),
    retry: () => void settled.push(`retry ${body}`),
  }));
  return { batch: { messages }, settled };
}

describe('the queue of a Worker', () => {
  it('acknowledges what was handled and asks again for what failed', async () => {
    const queueJob: QueueJob = {
      name: 'extract',
      run: async (_, body) => {
        if (body === 'bad') throw BROKEN;
        return { outcome: `did ${body}` };
      },
    };
    const { worker, logged } = createTestWorker({ queueJob });
    const { batch, settled } = batchOf('one', 'bad', 'two');
    await worker.queue(batch, {});
    expect(settled.toSorted()).toEqual(['ack one', 'ack two', 'retry bad']);
    expect(logged.map(({ event }) => event).toSorted()).toEqual([
      'message_failed',
      'message_handled',
      'message_handled',
    ]);
  });

  it('runs the messages of a batch at once, under a signal that has not ended', async () => {
    const waiting: (() => void)[] = [];
    const queueJob: QueueJob = {
      name: 'extract',
      run: async (_services, _body, signal) => {
        await new Promise<void>((resolve) => {
          waiting.push(resolve);
          if (waiting.length === 2) for (const go of waiting) go();
        });
        return { aborted: signal.aborted };
      },
    };
    const { worker, logged } = createTestWorker({ queueJob });
    const { batch, settled } = batchOf('a', 'b');
    await worker.queue(batch, {});
    expect(settled).toHaveLength(2);
    expect(logged.map(({ aborted }) => aborted)).toEqual([false, false]);
  });

  it('tells work to stop when its time is over', async () => {
    const queueJob: QueueJob = {
      name: 'extract',
      run: (_services, _body, signal) =>
        new Promise((resolve) => {
          signal.addEventListener('abort', () => resolve({ outcome: 'handed back' }));
        }),
    };
    const { worker, logged } = createTestWorker({ queueJob, jobMilliseconds: 20 });
    const { batch, settled } = batchOf('a');
    await worker.queue(batch, {});
    expect([settled, logged[0]?.outcome]).toEqual([['ack a'], 'handed back']);
  });

  it('fails when the configuration is wrong, so that every message comes again', async () => {
    const { worker } = createTestWorker({ createServices: fail });
    const { batch, settled } = batchOf('a');
    await expect(worker.queue(batch, {})).rejects.toBe(BROKEN);
    expect(settled).toEqual([]);
  });
});
