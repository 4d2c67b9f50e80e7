import { expect } from 'vitest';
import type { ThreadConfig } from '../../lib/store/threads/stored-thread.ts';
import {
  extractionOutcome,
  messageAppend,
  newMessage,
  newRecord,
  newThread,
  threadConfig,
} from '../store/store-samples.ts';
import type { StoreCase, StoreStage } from './store-stage.ts';

const UTC = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);

/** A thread with one job for each of these messages; a job's id is `job-` and the message's. */
async function threadWithJobs(
  { store }: StoreStage,
  threadId: string,
  ids: readonly string[],
  extraction: Partial<ThreadConfig['extraction']> = {},
): Promise<void> {
  await store.createThread(newThread(threadId, { config: threadConfig(extraction) }));
  for (const id of ids) await store.appendMessages(messageAppend(threadId, [newMessage(id)]));
}

function jobIds(listed: { readonly jobs: readonly { readonly job: { readonly jobId: string } }[] }) {
  return listed.jobs.map(({ job }) => job.jobId);
}

const ALL = { threadId: undefined, status: undefined, before: undefined, limit: 10 } as const;

/** Jobs as callers read them (HTTP API contract, Job). */
export const JOB_READ_CASES: Readonly<Record<string, StoreCase>> = {
  'a job tells what it covers, what it made and what it cost': async (stage) => {
    await threadWithJobs(stage, 'thread', ['日本']);
    const running = await stage.store.getJob('job-日本');
    expect(running).toEqual({
      jobId: 'job-日本',
      threadId: 'thread',
      status: 'running',
      attempt: 1,
      maxAttempts: 5,
      nextAttemptAt: null,
      reason: null,
      messageIds: ['日本'],
      memoryIds: [],
      llmCalls: 0,
      promptTokens: null,
      completionTokens: null,
      createdAt: UTC,
      startedAt: running?.createdAt,
      finishedAt: null,
    });
    const costs = { llmCalls: 2, promptTokens: 10, completionTokens: 4 };
    const memories = [newRecord('made')];
    await stage.store.finishExtraction(extractionOutcome('job-日本', 'lease', { memories, ...costs }));
    expect(await stage.store.getJob('job-日本')).toEqual({
      ...running,
      ...costs,
      status: 'succeeded',
      memoryIds: ['made'],
      finishedAt: UTC,
    });
  },
  'a job that waits says when it is due, one that failed says why': async (stage) => {
    await threadWithJobs(stage, 'thread', ['a'], { extractionMode: 'background' });
    await stage.store.appendMessages(messageAppend('thread', [newMessage('b')], { canExtract: false }));
    expect(await stage.store.getJob('job-a')).toMatchObject({
      status: 'pending',
      attempt: 0,
      nextAttemptAt: UTC,
      startedAt: null,
      finishedAt: null,
    });
    expect(await stage.store.getJob('job-b')).toMatchObject({
      status: 'failed',
      reason: { code: 'unsupported', detail: expect.stringContaining('language model') },
      finishedAt: UTC,
    });
  },
  'there is no job under an unknown id, nor under one that is similar': async (stage) => {
    await threadWithJobs(stage, 'thread', ['a']);
    expect(await stage.store.getJob('job-A')).toBeUndefined();
    expect(await stage.store.getJob('job-%')).toBeUndefined();
  },
  'jobs are listed newest first, page by page, while others are added': async (stage) => {
    await threadWithJobs(stage, 'thread', ['a', 'b', 'c']);
    const first = await stage.store.listJobs({ ...ALL, limit: 2 });
    expect([jobIds(first), first.more]).toEqual([['job-c', 'job-b'], true]);
    await stage.store.appendMessages(messageAppend('thread', [newMessage('d')]));
    const second = await stage.store.listJobs({ ...ALL, limit: 2, before: first.jobs[1]?.position });
    expect([jobIds(second), second.more]).toEqual([['job-a'], false]);
  },
  'jobs are listed by thread and by state': async (stage) => {
    await threadWithJobs(stage, 'thread', ['a', 'b']);
    await threadWithJobs(stage, 'thread2', ['c']);
    await stage.store.finishExtraction(extractionOutcome('job-a', 'lease'));
    const list = async (filter: object) => jobIds(await stage.store.listJobs({ ...ALL, ...filter }));
    expect(await list({ threadId: 'thread' })).toEqual(['job-b', 'job-a']);
    expect(await list({ status: 'running' })).toEqual(['job-c', 'job-b']);
    expect(await list({ threadId: 'thread', status: 'succeeded' })).toEqual(['job-a']);
    expect(await list({ threadId: 'threa_' })).toEqual([]);
  },
  'a thread counts its jobs by state and shows the latest twenty': async (stage) => {
    const ids = Array.from({ length: 22 }, (_, index) => `m${index}`);
    await threadWithJobs(stage, 'thread', ids);
    await threadWithJobs(stage, 'other', ['x']);
    await stage.store.finishExtraction(extractionOutcome('job-m0', 'lease'));
    await stage.store.finishExtraction(extractionOutcome('job-m1', 'lease', { status: 'failed' }));
    const { jobs, ...counts } = (await stage.store.readThreadExtraction('thread')) ?? { jobs: [] };
    expect(counts).toEqual({ pending: 0, running: 20, succeeded: 1, failed: 1, dead: 0, cancelled: 0 });
    expect(jobs.map(({ jobId }) => jobId)).toEqual(
      ids
        .slice(2)
        .map((id) => `job-${id}`)
        .reverse(),
    );
  },
  'a thread without jobs counts none, an unknown thread is not found': async (stage) => {
    await threadWithJobs(stage, 'thread', []);
    expect(await stage.store.readThreadExtraction('thread')).toEqual({
      pending: 0,
      running: 0,
      succeeded: 0,
      failed: 0,
      dead: 0,
      cancelled: 0,
      jobs: [],
    });
    expect(await stage.store.readThreadExtraction('other')).toBeUndefined();
  },
  'reads of jobs take one round trip': async (stage) => {
    await threadWithJobs(stage, 'thread', ['a']);
    const before = stage.transport.roundTrips;
    await stage.store.getJob('job-a');
    await stage.store.listJobs(ALL);
    await stage.store.readThreadExtraction('thread');
    expect(stage.transport.roundTrips - before).toBe(3);
  },
  'the jobs of a deleted thread are gone': async (stage) => {
    await threadWithJobs(stage, 'thread', ['a']);
    await stage.store.deleteThread('thread');
    expect(await stage.store.getJob('job-a')).toBeUndefined();
    expect(jobIds(await stage.store.listJobs(ALL))).toEqual([]);
  },
};
