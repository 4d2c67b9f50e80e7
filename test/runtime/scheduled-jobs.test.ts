import { describe, expect, it } from 'vitest';
import { purgeJob } from '../../functions/jobs/purge.ts';
import { runScheduledJob } from '../../functions/scheduled-job.ts';
import { startJobTimer } from '../../infra/local/job-timer.ts';
import { AgentMemoryError } from '../../lib/errors/agent-memory-error.ts';
import { createManualClock } from '../../lib/testing/manual-clock.ts';
import { createServiceDouble } from './service-double.ts';

const OUTCOME = {
  records: 3,
  chunks: 4,
  orphanedChunks: 0,
  history: 2,
  audit: 5,
  batches: 1,
  isComplete: true,
};

/** Services whose purge answers from a list, and waits for its signal when the list has ended. */
function createPurgeServices(answers: readonly (typeof OUTCOME | Error)[]) {
  let runs = 0;
  const double = createServiceDouble({
    purgeExpired: ({ signal } = {}) => {
      const answer = answers[runs];
      runs += 1;
      if (answer instanceof Error) return Promise.reject(answer);
      if (answer !== undefined) return Promise.resolve(answer);
      return new Promise((_, reject) => signal?.addEventListener('abort', () => reject(signal.reason)));
    },
  });
  return { ...double, runs: () => runs };
}

const settled = (): Promise<void> => new Promise((resolve) => setImmediate(() => setImmediate(resolve)));

describe('the purge under npm start', () => {
  it('runs at once and every hour, also after a failure', async () => {
    const clock = createManualClock({ sleepAdvances: false });
    const failure = new AgentMemoryError('unavailable', 'there is no database');
    const { services, logged, runs } = createPurgeServices([failure, OUTCOME, OUTCOME]);
    const timer = startJobTimer(purgeJob, 60_000, services, clock);
    await settled();
    expect(runs()).toBe(1);
    clock.advance(60_000 - 1);
    await settled();
    expect(runs()).toBe(1);
    clock.advance(1);
    await settled();
    expect(runs()).toBe(2);
    await timer.stop();
    clock.advance(60_000);
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
    const { services, logged, runs } = createPurgeServices([]);
    const timer = startJobTimer(purgeJob, 60_000, services, createManualClock({ sleepAdvances: false }));
    await settled();
    await timer.stop();
    expect(runs()).toBe(1);
    expect(logged).toEqual([{ level: 'info', event: 'job_cut_off', job: 'purge' }]);
  });
});

it('a run that found nothing to do is a detail of the log', async () => {
  const { services, logged } = createPurgeServices([
    { ...OUTCOME, records: 0, chunks: 0, history: 0, audit: 0, batches: 0 },
  ]);
  await runScheduledJob(purgeJob, services, new AbortController().signal);
  expect(logged).toMatchObject([{ level: 'debug', event: 'job_finished', isComplete: true }]);
});

it.each([
  { what: 'woke a job', outcome: { woken: 1, dead: 0, failedWakeUps: 0 }, level: 'info' },
  { what: 'could not wake a job', outcome: { woken: 1, dead: 0, failedWakeUps: 1 }, level: 'warn' },
  { what: 'found a job dead', outcome: { woken: 0, dead: 1, failedWakeUps: 0 }, level: 'error' },
])('a sweep that $what is in the log at the level $level', async ({ outcome, level }) => {
  const { services, logged } = createServiceDouble();
  const sweep = { name: 'sweep', run: async () => outcome };
  await runScheduledJob(sweep, services, new AbortController().signal);
  expect(logged).toEqual([{ level, event: 'job_finished', job: 'sweep', ...outcome }]);
});
