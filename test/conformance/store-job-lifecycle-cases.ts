import { expect } from 'vitest';
import type { JobRelease } from '../../lib/store/jobs/job-lifecycle.ts';
import {
  extractionOutcome,
  JOB_RELEASE,
  messageAppend,
  newMessage,
  newRecord,
  newThread,
  threadConfig,
} from '../store/store-samples.ts';
import { ageJobs, readJobs, rowCounts, type StoreCase, type StoreStage } from './store-stage.ts';

const LEASE_SECONDS = 45;
const USER_LIMIT = 9;
const claimBy = (leaseToken: string) => ({
  jobId: 'job-a',
  leaseToken,
  leaseSeconds: LEASE_SECONDS,
  userLimit: USER_LIMIT,
});
const release = (leaseToken: string, changes: Partial<JobRelease> = {}) => ({
  ...JOB_RELEASE,
  ...changes,
  jobId: 'job-a',
  leaseToken,
});

/** A thread with one pending job, `job-a`. */
async function startPending({ store }: StoreStage, maxAttempts = 5): Promise<void> {
  const config = threadConfig({ extractionMode: 'background' });
  await store.createThread(newThread('thread', { config }));
  await store.appendMessages(messageAppend('thread', [newMessage('a')], { maxAttempts }));
}

/** Seconds from now until the job's next attempt, as the database counts them. */
async function secondsUntilDue({ transport, names }: StoreStage): Promise<number> {
  const [row] = await transport.query({
    name: 'stage.seconds_until_due',
    sql: `SELECT EXTRACT(MINUTE FROM (j.next_attempt_at - SYSTIMESTAMP)) * 60
  + EXTRACT(SECOND FROM (j.next_attempt_at - SYSTIMESTAMP)) AS seconds_left
FROM ${names.job} j`,
    binds: {},
    shape: { seconds_left: 'number' },
  });
  return Math.ceil(row?.seconds_left ?? Number.NaN);
}

/** Jobs as workers see them: claim, lease and release (contract §8.3). */
export const JOB_LIFECYCLE_CASES: Readonly<Record<string, StoreCase>> = {
  'a pending job is claimed once': async (stage) => {
    await startPending(stage);
    const outcomes = await Promise.all(
      ['one', 'two', 'three'].map((t) => stage.store.claimDueJob(claimBy(t))),
    );
    expect(outcomes.toSorted()).toEqual(['claimed', 'nothing_due', 'nothing_due']);
    expect(await readJobs(stage, 'thread')).toMatchObject([
      { job_status: 'running', attempt: 1, lost_attempts: 0, is_leased: true, is_due: false },
    ]);
  },
  'jobs of one thread are claimed in the order of their messages': async (stage) => {
    const { store } = stage;
    await startPending(stage);
    const claimOf = (jobId: string) => store.claimDueJob({ ...claimBy('one'), jobId });
    for (const id of ['b', 'c']) await store.appendMessages(messageAppend('thread', [newMessage(id)]));
    const config = threadConfig({ extractionMode: 'background' });
    await store.createThread(newThread('other', { config }));
    await store.appendMessages(messageAppend('other', [newMessage('d')]));
    expect([await claimOf('job-c'), await claimOf('job-b')]).toEqual(['nothing_due', 'nothing_due']);
    expect(await store.findNextJobs('job-c', USER_LIMIT)).toEqual(['job-a', 'job-d']);
    expect([await claimOf('job-a'), await claimOf('job-d')]).toEqual(['claimed', 'claimed']);
    expect([await claimOf('job-b'), await store.findNextJobs('job-a', USER_LIMIT)]).toEqual([
      'nothing_due',
      [],
    ]);
    await store.releaseJob(release('one'));
    expect([await claimOf('job-b'), await store.findNextJobs('job-a', USER_LIMIT)]).toEqual([
      'nothing_due',
      [],
    ]);
    await store.cancelJob('job-a');
    expect(await store.findNextJobs('job-a', USER_LIMIT)).toEqual(['job-b']);
    expect([await claimOf('job-c'), await claimOf('job-b')]).toEqual(['nothing_due', 'claimed']);
    await store.finishExtraction(extractionOutcome('job-b', 'one'));
    expect(await store.findNextJobs('job-b', USER_LIMIT)).toEqual(['job-c']);
    expect([
      await store.findNextJobs('job-d', USER_LIMIT),
      await store.findNextJobs('none', USER_LIMIT),
    ]).toEqual([['job-c'], []]);
  },
  'a user has no more jobs running than allowed, and the oldest that waits is next': async (stage) => {
    const { store } = stage;
    const config = threadConfig({ extractionMode: 'background' });
    for (const id of ['a', 'b', 'c', 'd']) {
      await store.createThread(newThread(`thread-${id}`, { config, userId: id === 'd' ? 'user2' : 'user' }));
      await store.appendMessages(messageAppend(`thread-${id}`, [newMessage(id)]));
    }
    const claimOf = (id: string) =>
      store.claimDueJob({ ...claimBy('one'), jobId: `job-${id}`, userLimit: 1 });
    expect(await claimOf('b')).toBe('claimed');
    expect([await claimOf('a'), await claimOf('c'), await claimOf('d')]).toEqual([
      'nothing_due',
      'nothing_due',
      'claimed',
    ]);
    await store.releaseJob({ ...release('one'), jobId: 'job-b', retrySeconds: [60] });
    expect(await store.findNextJobs('job-b', 1)).toEqual(['job-a']);
    expect(await store.findNextJobs('job-b', 2)).toEqual(['job-a', 'job-c']);
    expect([await claimOf('a'), await claimOf('c')]).toEqual(['claimed', 'nothing_due']);
    expect([await store.findNextJobs('job-b', 1), await store.findNextJobs('job-b', 2)]).toEqual([
      [],
      ['job-c'],
    ]);
    await ageJobs(stage, LEASE_SECONDS + 1);
    expect([await claimOf('c'), await claimOf('a')]).toEqual(['claimed', 'nothing_due']);
  },
  'a pass in its own request leaves the user as many workers as without it': async (stage) => {
    const { store } = stage;
    await store.createThread(newThread('inline', { config: threadConfig({ extractionMode: 'inline' }) }));
    expect(await store.appendMessages(messageAppend('inline', [newMessage('x')]))).toEqual({
      job: 'running',
    });
    await startPending(stage);
    expect(await store.claimDueJob({ ...claimBy('one'), userLimit: 1 })).toBe('claimed');
  },
  'there is nothing to claim of a job that runs, has ended or is not there': async (stage) => {
    await startPending(stage);
    await stage.store.claimDueJob(claimBy('one'));
    expect(await stage.store.claimDueJob(claimBy('two'))).toBe('nothing_due');
    await stage.store.finishExtraction(extractionOutcome('job-a', 'one'));
    const ended = await stage.store.getJob('job-a');
    await ageJobs(stage, 86_400);
    expect(await stage.store.claimDueJob(claimBy('two'))).toBe('nothing_due');
    expect(await stage.store.claimDueJob({ ...claimBy('two'), jobId: 'none' })).toBe('nothing_due');
    expect(await stage.store.getJob('job-a')).toMatchObject({ status: ended?.status, attempt: 1 });
  },
  'a lease that is over is taken over, and counts as a lost attempt': async (stage) => {
    await startPending(stage);
    await stage.store.claimDueJob(claimBy('one'));
    await ageJobs(stage, LEASE_SECONDS - 5);
    expect(await stage.store.claimDueJob(claimBy('two'))).toBe('nothing_due');
    await ageJobs(stage, 5);
    expect(await stage.store.claimDueJob(claimBy('two'))).toBe('claimed');
    expect(await readJobs(stage, 'thread')).toMatchObject([
      { job_status: 'running', attempt: 2, lost_attempts: 1, lease_token: 'two' },
    ]);
    const late = extractionOutcome('job-a', 'one', { memories: [newRecord('late')] });
    expect(await stage.store.finishExtraction(late)).toBe('lost');
    expect(await stage.store.renewLease(claimBy('one'))).toBe(false);
    expect(await stage.store.releaseJob(release('one'))).toBe('lost');
    expect(await stage.store.finishExtraction(extractionOutcome('job-a', 'two'))).toBe('written');
  },
  'a job is dead after three lost attempts, whatever it has left': async (stage) => {
    await startPending(stage);
    for (const token of ['one', 'two', 'three']) {
      expect(await stage.store.claimDueJob(claimBy(token))).toBe('claimed');
      await ageJobs(stage, LEASE_SECONDS);
    }
    expect(await stage.store.claimDueJob(claimBy('four'))).toBe('dead');
    expect(await stage.store.getJob('job-a')).toMatchObject({
      status: 'dead',
      attempt: 3,
      reason: { code: 'worker_lost' },
      finishedAt: expect.any(String),
    });
    expect(await stage.store.claimDueJob(claimBy('five'))).toBe('nothing_due');
  },
  'a job is dead when its last attempt is lost': async (stage) => {
    await startPending(stage, 1);
    await stage.store.claimDueJob(claimBy('one'));
    await ageJobs(stage, LEASE_SECONDS);
    expect(await stage.store.claimDueJob(claimBy('two'))).toBe('dead');
    expect(await stage.store.getJob('job-a')).toMatchObject({ status: 'dead', attempt: 1, maxAttempts: 1 });
  },
  'a renewed lease begins anew': async (stage) => {
    await startPending(stage);
    await stage.store.claimDueJob(claimBy('one'));
    await ageJobs(stage, LEASE_SECONDS - 5);
    expect(await stage.store.renewLease(claimBy('one'))).toBe(true);
    expect(await stage.store.renewLease(claimBy('two'))).toBe(false);
    await ageJobs(stage, 10);
    expect(await stage.store.claimDueJob(claimBy('two'))).toBe('nothing_due');
  },
  'a cancelled, finished or deleted job has no lease to renew': async (stage) => {
    await startPending(stage);
    await stage.store.claimDueJob(claimBy('one'));
    await stage.store.cancelJob('job-a');
    expect(await stage.store.renewLease(claimBy('one'))).toBe(false);
    expect(await stage.store.releaseJob(release('one'))).toBe('lost');
    await stage.store.claimJob(claimBy('two'));
    await stage.store.deleteThread('thread');
    expect(await stage.store.renewLease(claimBy('two'))).toBe(false);
    expect(await stage.store.releaseJob(release('two'))).toBe('lost');
    expect(await stage.store.claimDueJob(claimBy('three'))).toBe('nothing_due');
    expect(await rowCounts(stage)).toEqual({ thread: 0, record: 0, chunk: 0, job: 0 });
  },
  'a released job waits as long as its attempt says, with its reason and its costs': async (stage) => {
    await startPending(stage);
    const waits: number[] = [];
    for (const token of ['one', 'two', 'three', 'four']) {
      expect(await stage.store.claimDueJob(claimBy(token))).toBe('claimed');
      expect(await stage.store.releaseJob(release(token, { retrySeconds: [2, 8, 30] }))).toBe('pending');
      expect(await stage.store.claimDueJob(claimBy('early'))).toBe('nothing_due');
      const seconds = await secondsUntilDue(stage);
      waits.push(seconds);
      await ageJobs(stage, seconds);
    }
    expect(waits).toEqual([2, 8, 30, 30]);
    expect(await stage.store.getJob('job-a')).toMatchObject({
      status: 'pending',
      attempt: 4,
      reason: JOB_RELEASE.reason,
      llmCalls: 4,
      promptTokens: 40,
      completionTokens: null,
      finishedAt: null,
    });
  },
  'a job whose attempts are used up is dead, with the reason of the last one': async (stage) => {
    await startPending(stage, 1);
    await stage.store.claimDueJob(claimBy('one'));
    expect(await stage.store.releaseJob(release('one'))).toBe('dead');
    expect(await readJobs(stage, 'thread')).toMatchObject([
      { job_status: 'dead', reason_code: 'rate_limited', lease_token: null, is_finished: true, llm_calls: 1 },
    ]);
  },
  'work that only goes on elsewhere is due at once and costs no attempt': async (stage) => {
    await stage.store.createThread(newThread('thread', { config: threadConfig() }));
    await stage.store.appendMessages(messageAppend('thread', [newMessage('a')], { maxAttempts: 1 }));
    const handOver = { ...release('lease', { retrySeconds: [0] }), countsAttempt: false };
    expect(await stage.store.releaseJob(handOver)).toBe('pending');
    expect(await readJobs(stage, 'thread')).toMatchObject([{ attempt: 0, is_due: true }]);
    expect(await stage.store.claimDueJob(claimBy('one'))).toBe('claimed');
    expect(await stage.store.getJob('job-a')).toMatchObject({ attempt: 1, maxAttempts: 1, reason: null });
  },
  'a claim, a renewal and a release take one round trip each': async (stage) => {
    await startPending(stage);
    const before = stage.transport.roundTrips;
    await stage.store.claimDueJob(claimBy('one'));
    await stage.store.renewLease(claimBy('one'));
    await stage.store.releaseJob(release('one'));
    expect(stage.transport.roundTrips - before).toBe(3);
  },
};
