import { expect } from 'vitest';
import {
  extractionOutcome,
  JOB_RELEASE,
  messageAppend,
  newMessage,
  newThread,
  threadConfig,
} from '../store/store-samples.ts';
import { ageJobs, readJobs, rowCounts, type StoreCase, type StoreStage } from './store-stage.ts';

const DUE = { graceSeconds: 10, quietSeconds: 60, limit: 500 };
const claimOf = (jobId: string) => ({ jobId, leaseToken: 'lease', leaseSeconds: 45, userLimit: 9 });

/** A background thread with one pending job for each id: `job-a` for `a`. */
async function startJobs({ store }: StoreStage, ids: readonly string[], maxAttempts = 5): Promise<void> {
  const config = threadConfig({ extractionMode: 'background', memoryExtractionFrequency: 1 });
  await store.createThread(newThread('thread', { config }));
  for (const id of ids) {
    await store.appendMessages(messageAppend('thread', [newMessage(id)], { maxAttempts }));
  }
}

/** A background thread for each id, with one pending job. */
async function startThreads({ store }: StoreStage, ids: readonly string[]): Promise<void> {
  const config = threadConfig({ extractionMode: 'background', memoryExtractionFrequency: 1 });
  for (const id of ids) {
    await store.createThread(newThread(`thread-${id}`, { config }));
    await store.appendMessages(messageAppend(`thread-${id}`, [newMessage(id)]));
  }
}

/** What a sweep reads and writes. */
export const JOB_SWEEP_CASES: Readonly<Record<string, StoreCase>> = {
  'a sweep finds pending jobs after their grace and jobs whose lease is over, oldest first': async (
    stage,
  ) => {
    const { store } = stage;
    await startThreads(stage, ['a', 'b', 'c', 'd', 'e']);
    for (const id of ['job-b', 'job-c', 'job-d']) await store.claimDueJob(claimOf(id));
    await store.finishExtraction(extractionOutcome('job-c', 'lease'));
    await store.releaseJob({ ...JOB_RELEASE, retrySeconds: [3_600], jobId: 'job-d', leaseToken: 'lease' });
    expect(await store.findDueJobs(DUE)).toEqual([]);
    await ageJobs(stage, 11);
    expect(await store.findDueJobs(DUE)).toEqual(['job-a', 'job-e']);
    await ageJobs(stage, 35);
    expect(await store.findDueJobs(DUE)).toEqual(['job-a', 'job-b', 'job-e']);
    expect(await store.findDueJobs({ ...DUE, limit: 2 })).toEqual(['job-a', 'job-b']);
  },
  'a sweep leaves jobs alone that wait for an earlier one of their thread': async (stage) => {
    await startJobs(stage, ['a', 'b']);
    await startThreads(stage, ['c']);
    await ageJobs(stage, 11);
    expect(await stage.store.findDueJobs(DUE)).toEqual(['job-a', 'job-c']);
    await stage.store.cancelJob('job-a');
    expect(await stage.store.findDueJobs(DUE)).toEqual(['job-b', 'job-c']);
  },
  'a job that was woken is left alone for a while, and for no longer than it waits': async (stage) => {
    const { store } = stage;
    await startThreads(stage, ['a', 'b']);
    await ageJobs(stage, 11);
    await store.markWoken(['job-a', 'none']);
    expect(await store.findDueJobs(DUE)).toEqual(['job-b']);
    await ageJobs(stage, 61);
    expect(await store.findDueJobs(DUE)).toEqual(['job-a', 'job-b']);
    await store.markWoken(['job-a', 'job-b']);
    await store.claimDueJob(claimOf('job-a'));
    await ageJobs(stage, 45);
    expect(await store.findDueJobs(DUE)).toEqual(['job-a']);
  },
  'a job that a worker has is not noted as woken': async (stage) => {
    await startJobs(stage, ['a', 'b']);
    await stage.store.claimDueJob(claimOf('job-a'));
    await stage.store.markWoken(['job-a', 'job-b']);
    expect(await readJobs(stage, 'thread')).toMatchObject([{ was_woken: false }, { was_woken: true }]);
  },
  'a sweep ends jobs with neither attempts nor a worker, and no others': async (stage) => {
    const { store } = stage;
    await startJobs(stage, ['a', 'b'], 1);
    await store.claimDueJob(claimOf('job-a'));
    expect(await store.endLostJobs()).toBe(0);
    await ageJobs(stage, 46);
    expect(await store.endLostJobs()).toBe(1);
    expect(await store.endLostJobs()).toBe(0);
    expect(await store.getJob('job-a')).toMatchObject({ status: 'dead', reason: { code: 'worker_lost' } });
    expect(await store.getJob('job-b')).toMatchObject({ status: 'pending' });
  },
  'a sweep does not end a job that has attempts left': async (stage) => {
    await startJobs(stage, ['a']);
    await stage.store.claimDueJob(claimOf('job-a'));
    await ageJobs(stage, 46);
    expect(await stage.store.endLostJobs()).toBe(0);
    expect(await stage.store.claimDueJob(claimOf('job-a'))).toBe('claimed');
  },
  'old finished jobs are removed, and their messages are not due again': async (stage) => {
    const { store } = stage;
    await startJobs(stage, ['a', 'b', 'c']);
    await store.claimDueJob(claimOf('job-a'));
    await store.finishExtraction(extractionOutcome('job-a', 'lease'));
    await store.claimDueJob(claimOf('job-b'));
    await store.finishExtraction(extractionOutcome('job-b', 'lease', { status: 'failed' }));
    await store.claimDueJob(claimOf('job-c'));
    await ageJobs(stage, 29 * 86_400);
    expect(await store.pruneJobs(30, 500)).toBe(0);
    await ageJobs(stage, 2 * 86_400);
    expect(await store.pruneJobs(30, 1)).toBe(1);
    expect(await store.pruneJobs(30, 500)).toBe(1);
    expect(await store.pruneJobs(30, 500)).toBe(0);
    expect((await readJobs(stage, 'thread')).map((job) => job.job_id)).toEqual(['job-c']);
    await store.cancelJob('job-c');
    await ageJobs(stage, 31 * 86_400);
    expect(await store.pruneJobs(30, 500)).toBe(1);
    await store.appendMessages(messageAppend('thread', [newMessage('d')]));
    expect(await readJobs(stage, 'thread')).toMatchObject([{ from_seq: 4, upto_seq: 4 }]);
  },
  'removing the job of an edit moves no watermark': async (stage) => {
    const { store } = stage;
    await startJobs(stage, ['a']);
    await store.editMessage({
      ...messageAppend('thread', [], { jobId: 'edit' }),
      messageId: 'a',
      change: { content: { text: 'edited', chunks: [] } },
    });
    await store.cancelJob('edit');
    await ageJobs(stage, 31 * 86_400);
    expect(await store.pruneJobs(30, 500)).toBe(1);
    expect(await store.getThread('thread')).toMatchObject({ extractedSequence: 0 });
    expect((await rowCounts(stage)).job).toBe(1);
  },
  'rows of requests are kept as long as they may be repeated': async (stage) => {
    const { store, transport, names } = stage;
    const insert = (key: string, hours: number) => ({
      name: `insert_${key}`,
      sql: `INSERT INTO ${names.request} (request_key, request_hash, created_at)
VALUES ('${key}', 'hash', :now - NUMTODSINTERVAL(${hours}, 'HOUR'))`,
    });
    const statements = [insert('old', 25), insert('older', 26), insert('young', 23)];
    await transport.executeAtomic({ name: 'stage.requests', binds: {}, statements });
    expect(await store.pruneRequests(24, 1)).toBe(1);
    expect(await store.pruneRequests(24, 500)).toBe(1);
    expect(await store.pruneRequests(24, 500)).toBe(0);
    const rows = await transport.query({
      name: 'stage.request_keys',
      sql: `SELECT q.request_key AS request_key FROM ${names.request} q`,
      binds: {},
      shape: { request_key: 'text' },
    });
    expect(rows).toEqual([{ request_key: 'young' }]);
  },
  'what a sweep asks takes one round trip each, two when there is something to remove': async (stage) => {
    const { store, transport } = stage;
    await startJobs(stage, ['a']);
    const before = transport.roundTrips;
    await store.endLostJobs();
    await store.findDueJobs(DUE);
    await store.markWoken(['job-a']);
    await store.pruneRequests(24, 500);
    await store.pruneJobs(30, 500);
    expect(transport.roundTrips - before).toBe(5);
    await store.cancelJob('job-a');
    await ageJobs(stage, 31 * 86_400);
    const beforeRemoval = transport.roundTrips;
    await store.pruneJobs(30, 500);
    expect(transport.roundTrips - beforeRemoval).toBe(2);
  },
};
