import { describe, expect, it } from 'vitest';
import type { LogFields } from '../../functions/http/logger.ts';
import { purgeJob } from '../../functions/jobs/purge.ts';
import { createWorker } from '../../functions/runtime/worker.ts';
import { runScheduledJob } from '../../functions/scheduled-job.ts';
import type { Services } from '../../functions/services.ts';
import { JOB_INTERVAL_MILLISECONDS, startJobTimer } from '../../infra/local/job-timer.ts';
import { AgentMemoryError } from '../../lib/errors/agent-memory-error.ts';
import { createManualClock } from '../../lib/testing/manual-clock.ts';

const OUTCOME = { records: 3, chunks: 4, orphanedChunks: 0, batches: 1, isComplete: true };

/** Services whose purge answers from a list, and waits for its signal when the list has ended. */
function createPurgeServices(answers: readonly (typeof OUTCOME | Error)[]) {
  const logged: (LogFields & { level: string; event: string })[] = [];
  let runs = 0;
  const refuse = () => Promise.reject(new Error('not asked for here'));
  const services: Services = {
    openContext: refuse,
    checkReadiness: refuse,
    purgeExpired: ({ signal } = {}) => {
      const answer = answers[runs];
      runs += 1;
      if (answer instanceof Error) return Promise.reject(answer);
      if (answer !== undefined) return Promise.resolve(answer);
      return new Promise((_, reject) => signal?.addEventListener('abort', () => reject(signal.reason)));
    },
    authenticate: refuse,
    logger: { log: (level, event, fields) => void logged.push({ level, event, ...fields }) },
    diagnostics: false,
    requestBudgetSeconds: undefined,
    bodyLimitBytes: 1,
    corsOrigins: [],
    close: () => Promise.resolve(),
  };
  return { services, logged, runs: () => runs };
}

const settled = (): Promise<void> => new Promise((resolve) => setImmediate(() => setImmediate(resolve)));

describe('the purge under npm start', () => {
  it('runs at once and every hour, also after a failure', async () => {
    const clock = createManualClock({ sleepAdvances: false });
    const failure = new AgentMemoryError('unavailable', 'there is no database');
    const { services, logged, runs } = createPurgeServices([failure, OUTCOME, OUTCOME]);
    const timer = startJobTimer(purgeJob, services, clock);
    await settled();
    expect(runs()).toBe(1);
    clock.advance(JOB_INTERVAL_MILLISECONDS - 1);
    await settled();
    expect(runs()).toBe(1);
    clock.advance(1);
    await settled();
    expect(runs()).toBe(2);
    await timer.stop();
    clock.advance(JOB_INTERVAL_MILLISECONDS);
    await settled();
    expect(runs()).toBe(2);
    expect(logged).toEqual([
      {
        level: 'error',
        event: 'job_failed',
        job: 'purge',
        failure: expect.objectContaining({ code: 'unavailable' }),
      },
      { level: 'info', event: 'job_finished', job: 'purge', ...OUTCOME },
    ]);
  });

  it('stops in the middle of a run', async () => {
    const { services, runs } = createPurgeServices([]);
    const timer = startJobTimer(purgeJob, services, createManualClock({ sleepAdvances: false }));
    await settled();
    await timer.stop();
    expect(runs()).toBe(1);
  });
});

it('a run that found nothing to do is a detail of the log', async () => {
  const { services, logged } = createPurgeServices([{ ...OUTCOME, records: 0, chunks: 0, batches: 0 }]);
  await runScheduledJob(purgeJob, services);
  expect(logged).toMatchObject([{ level: 'debug', event: 'job_finished', isComplete: true }]);
});

describe('the cron trigger of a Worker', () => {
  it('runs the jobs over the services of the isolate', async () => {
    const { services, logged, runs } = createPurgeServices([OUTCOME, OUTCOME]);
    let created = 0;
    const worker = createWorker({
      operations: [],
      jobs: [purgeJob],
      createServices: () => {
        created += 1;
        return services;
      },
    });
    await worker.scheduled({ cron: '17 * * * *' }, {});
    await worker.scheduled({ cron: '17 * * * *' }, {});
    expect([created, runs()]).toEqual([1, 2]);
    expect(logged.map(({ event }) => event)).toEqual(['job_finished', 'job_finished']);
  });

  it('fails when the job fails or the configuration is wrong', async () => {
    const broken = new AgentMemoryError('unavailable', 'there is no database');
    const jobs = [purgeJob];
    const failing = createWorker({
      operations: [],
      jobs,
      createServices: () => createPurgeServices([broken]).services,
    });
    await expect(failing.scheduled({}, {})).rejects.toBe(broken);
    const misconfigured = createWorker({
      operations: [],
      jobs,
      createServices: () => {
        throw broken;
      },
    });
    await expect(misconfigured.scheduled({}, {})).rejects.toBe(broken);
  });
});
