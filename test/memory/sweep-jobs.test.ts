import { describe, expect, it } from 'vitest';
import { sweepJobs } from '../../lib/memory/sweep-jobs.ts';
import { BACKGROUND, createBackgroundStage } from './background-stage.ts';
import { extracted, extractionScript } from './test-context.ts';

const NOTHING = { dead: 0, woken: 0, failedWakeUps: 0, prunedJobs: 0, prunedRequests: 0 };
const MESSAGE = { role: 'user', content: 'I like tea.' };
const TEA = { memories: [extracted('User likes tea')] };

/** A stage with pending jobs whose wake-ups were lost, each in a thread of its own. */
async function lostWakeUps(count: number) {
  const stage = await createBackgroundStage({ script: extractionScript(TEA) });
  for (let number = 0; number < count; number += 1) {
    const threadId = `thread ${number}`;
    const thread = await stage.memory.createThread({ threadId, userId: 'u', extraction: BACKGROUND });
    await thread.addMessages([MESSAGE]);
  }
  const sent = () => stage.queue.sent.slice(count).map(({ jobId }) => jobId);
  return { ...stage, sent, sweep: () => sweepJobs(stage.context) };
}

describe('a sweep (contract §8.3)', () => {
  it('wakes what is due, and again when it is left for 45 seconds', async () => {
    const { sweep, sent, clock } = await lostWakeUps(2);
    expect(await sweep()).toEqual(NOTHING);
    clock.advance(10_000);
    expect(await sweep()).toEqual({ ...NOTHING, woken: 2 });
    expect(new Set(sent()).size).toBe(2);
    clock.advance(44_000);
    expect(await sweep()).toEqual(NOTHING);
    clock.advance(1_000);
    expect(await sweep()).toEqual({ ...NOTHING, woken: 2 });
  });

  it('wakes the first job of a thread only, and the next when it has ended', async () => {
    const { sweep, sent, clock, thread, run } = await lostWakeUps(0);
    const first = (await thread.addMessages([MESSAGE])).extraction.jobId ?? '';
    const second = (await thread.addMessages([MESSAGE])).extraction.jobId ?? '';
    clock.advance(10_000);
    expect(await sweep()).toEqual({ ...NOTHING, woken: 1 });
    expect(sent()).toEqual([first, second, first]);
    await run(first);
    expect(await sweep()).toEqual({ ...NOTHING, woken: 1 });
    expect(sent().at(-1)).toBe(second);
  });

  it('wakes a job whose worker ended', async () => {
    const { sweep, sent, clock, context, store } = await lostWakeUps(1);
    const jobId = [...store.jobs.keys()][0] ?? '';
    await context.store.claimDueJob({ jobId, leaseToken: 'gone', leaseSeconds: 45, userLimit: 4 });
    clock.advance(44_000);
    expect(await sweep()).toEqual(NOTHING);
    clock.advance(1_000);
    expect(await sweep()).toEqual({ ...NOTHING, woken: 1 });
    expect(sent()).toEqual([jobId]);
  });

  it('makes dead what has no attempts left, and wakes it no more', async () => {
    const { sweep, clock, context, store, memory } = await lostWakeUps(1);
    const jobId = [...store.jobs.keys()][0] ?? '';
    for (const _attempt of [1, 2, 3]) {
      await context.store.claimDueJob({ jobId, leaseToken: 'gone', leaseSeconds: 45, userLimit: 4 });
      clock.advance(45_000);
    }
    expect(await sweep()).toEqual({ ...NOTHING, dead: 1 });
    expect(await memory.getJob(jobId)).toMatchObject({ status: 'dead', reason: { code: 'worker_lost' } });
    expect(await sweep()).toEqual(NOTHING);
  });

  it('goes on when the queue takes nothing, and sends it the next time', async () => {
    const { sweep, clock, queue, failures } = await lostWakeUps(3);
    clock.advance(10_000);
    queue.setAvailable(false);
    expect(await sweep()).toEqual({ ...NOTHING, failedWakeUps: 3 });
    expect(failures.map(([work]) => work)).toEqual(['job_wake_up', 'job_wake_up', 'job_wake_up']);
    queue.setAvailable(true);
    expect(await sweep()).toEqual({ ...NOTHING, woken: 3 });
  });

  it('sends the others when one wake-up fails', async () => {
    const { sweep, clock, queue, context, store } = await lostWakeUps(25);
    clock.advance(10_000);
    const [broken] = [...store.jobs.keys()];
    const sent: string[] = [];
    const jobQueue = {
      ...queue,
      async send({ jobId }: { readonly jobId: string }) {
        if (jobId === broken) throw new Error('broken');
        sent.push(jobId);
      },
    };
    expect(await sweepJobs({ ...context, jobQueue })).toEqual({ ...NOTHING, woken: 24, failedWakeUps: 1 });
    expect(new Set(sent).size).toBe(24);
    expect(await sweep()).toEqual({ ...NOTHING, woken: 1 });
  });

  it('wakes 500 jobs at most, the oldest first; the next sweep goes on', async () => {
    const { sweep, clock, sent, store } = await lostWakeUps(501);
    clock.advance(10_000);
    expect(await sweep()).toEqual({ ...NOTHING, woken: 500 });
    expect(sent()).toEqual([...store.jobs.keys()].slice(0, 500));
    expect(await sweep()).toEqual({ ...NOTHING, woken: 1 });
  });

  it('stops sending when its time is over, and notes what it sent', async () => {
    const { clock, context, queue, sweep } = await lostWakeUps(25);
    clock.advance(10_000);
    const controller = new AbortController();
    const jobQueue = {
      ...queue,
      async send() {
        controller.abort();
      },
    };
    const cut = await sweepJobs({ ...context, jobQueue, signal: controller.signal });
    expect(cut).toEqual({ ...NOTHING, woken: 10 });
    expect((await sweep()).woken).toBe(15);
  });

  it('removes jobs that ended 30 days ago', async () => {
    const { sweep, clock, run, store, memory } = await lostWakeUps(1);
    const jobId = [...store.jobs.keys()][0] ?? '';
    await run(jobId);
    clock.advance(30 * 86_400_000 - 1);
    expect(await sweep()).toEqual(NOTHING);
    clock.advance(1);
    expect(await sweep()).toEqual({ ...NOTHING, prunedJobs: 1 });
    await expect(memory.getJob(jobId)).rejects.toMatchObject({ code: 'not_found' });
    expect((await memory.listMemories({ userId: 'u' })).items).toHaveLength(1);
  });

  it('takes four round trips when there is nothing to do, one more for noting wake-ups', async () => {
    const { sweep, clock, store } = await lostWakeUps(1);
    const callsOf = async () => {
      const before = store.calls.length;
      await sweep();
      return store.calls.slice(before);
    };
    expect(await callsOf()).toEqual(['endLostJobs', 'findDueJobs', 'pruneJobs', 'pruneRequests']);
    clock.advance(10_000);
    expect(await callsOf()).toEqual([
      'endLostJobs',
      'findDueJobs',
      'markWoken',
      'pruneJobs',
      'pruneRequests',
    ]);
  });
});
