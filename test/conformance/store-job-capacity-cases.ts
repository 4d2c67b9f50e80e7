import { expect } from 'vitest';
import { messageAppend, newMessage, newThread, threadConfig } from '../store/store-samples.ts';
import { readJobs, type StoreCase, type StoreStage } from './store-stage.ts';

const CLAIM = { jobId: 'job-a', leaseToken: 'one', leaseSeconds: 45, userLimit: 9 };

/** Two background threads of different users; `append` writes one message whose job finds room for two. */
async function startThreads({ store }: StoreStage) {
  const config = threadConfig({ extractionMode: 'background' });
  await store.createThread(newThread('thread', { config }));
  await store.createThread(newThread('other', { config, userId: 'other' }));
  return (threadId: string, id: string) =>
    store.appendMessages(messageAppend(threadId, [newMessage(id)], { queueCapacity: 2 }));
}

/** How many jobs may be pending (contract §8.3). */
export const JOB_CAPACITY_CASES: Readonly<Record<string, StoreCase>> = {
  'a job that finds no room is left out, visibly, and its messages stay (contract §8.3)': async (stage) => {
    const append = await startThreads(stage);
    expect(await append('other', 'a')).toEqual({ job: 'pending' });
    expect(await append('thread', 'b')).toEqual({ job: 'pending' });
    expect(await append('thread', 'c')).toEqual({ job: 'full' });
    expect(await readJobs(stage, 'thread')).toMatchObject([
      { job_id: 'job-b', job_status: 'pending' },
      {
        job_id: 'job-c',
        job_status: 'cancelled',
        reason_code: 'extraction_queue_full',
        attempt: 0,
        is_due: false,
        is_finished: true,
        message_ids: ['c'],
      },
    ]);
    expect((await stage.store.getMessages('thread', { limit: 5 }))?.total).toBe(2);
  },
  'running and ended jobs take no room': async (stage) => {
    const append = await startThreads(stage);
    await append('thread', 'a');
    await append('thread', 'b');
    await stage.store.claimDueJob(CLAIM);
    expect(await append('thread', 'c')).toEqual({ job: 'pending' });
    await stage.store.cancelJob('job-b');
    expect(await append('thread', 'd')).toEqual({ job: 'pending' });
  },
  'an inline job needs no room': async (stage) => {
    const append = await startThreads(stage);
    await append('thread', 'a');
    await append('thread', 'b');
    await stage.store.createThread(newThread('inline', { config: threadConfig() }));
    expect(await append('inline', 'c')).toEqual({ job: 'running' });
  },
  'an edit finds no room either': async (stage) => {
    const append = await startThreads(stage);
    await append('thread', 'a');
    await append('thread', 'b');
    const outcome = await stage.store.editMessage({
      ...messageAppend('thread', [], { jobId: 'edit', queueCapacity: 2 }),
      messageId: 'a',
      change: { content: { text: 'edited', chunks: [] } },
    });
    expect(outcome).toEqual({ job: 'full' });
    expect(await stage.store.getJob('edit')).toMatchObject({ status: 'cancelled', messageIds: ['a'] });
  },
  'messages of a job that was left out are not due again': async (stage) => {
    const config = threadConfig({ extractionMode: 'background', memoryExtractionFrequency: 1 });
    await stage.store.createThread(newThread('thread', { config }));
    const append = (id: string, queueCapacity: number) =>
      stage.store.appendMessages(messageAppend('thread', [newMessage(id)], { queueCapacity }));
    expect(await append('a', 0)).toEqual({ job: 'full' });
    expect(await append('b', 1)).toEqual({ job: 'pending' });
    expect((await readJobs(stage, 'thread'))[1]).toMatchObject({ from_seq: 2, upto_seq: 2 });
  },
  'a job that was left out is admitted when there is room': async (stage) => {
    const append = await startThreads(stage);
    for (const id of ['a', 'b', 'c']) await append('thread', id);
    expect(await stage.store.admitJob('job-c', 2)).toBe(false);
    await stage.store.claimDueJob(CLAIM);
    expect(await stage.store.admitJob('job-c', 2)).toBe(true);
    expect(await stage.store.getJob('job-c')).toMatchObject({
      status: 'pending',
      reason: null,
      finishedAt: null,
    });
    expect((await readJobs(stage, 'thread'))[2]).toMatchObject({ is_due: true });
    expect(await stage.store.admitJob('job-c', 0)).toBe(true);
  },
  'only a job that was left out is admitted': async (stage) => {
    const append = await startThreads(stage);
    await append('thread', 'a');
    await stage.store.cancelJob('job-a');
    expect(await stage.store.admitJob('job-a', 2)).toBe(false);
    expect(await stage.store.admitJob('none', 2)).toBe(false);
    expect(await stage.store.getJob('job-a')).toMatchObject({ status: 'cancelled' });
  },
  'a job that ended without success can wait again, with all its attempts': async (stage) => {
    const append = await startThreads(stage);
    await append('thread', 'a');
    await stage.store.claimDueJob(CLAIM);
    await stage.store.cancelJob('job-a');
    await stage.store.requeueJob('job-a', 3);
    expect(await stage.store.getJob('job-a')).toMatchObject({
      status: 'pending',
      attempt: 0,
      maxAttempts: 3,
      reason: null,
      startedAt: null,
      finishedAt: null,
    });
    await expect(stage.store.requeueJob('job-a', 3)).rejects.toMatchObject({ code: 'conflict' });
    await expect(stage.store.requeueJob('none', 3)).rejects.toMatchObject({ code: 'not_found' });
    expect(await stage.store.claimDueJob({ ...CLAIM, leaseToken: 'two' })).toBe('claimed');
    await expect(stage.store.requeueJob('job-a', 3)).rejects.toMatchObject({ code: 'conflict' });
  },
};
