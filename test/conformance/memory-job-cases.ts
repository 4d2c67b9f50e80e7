import { expect } from 'vitest';
import { expectError, type MemoryCase, type MemoryStage, plainThread } from './memory-stage.ts';

/** A thread with a succeeded job for each of these messages. */
async function extractedThread(stage: MemoryStage, contents: readonly string[]) {
  const thread = await plainThread(stage, { extraction: { extractMemories: true } });
  const jobIds: string[] = [];
  for (const content of contents) {
    const { extraction } = await thread.addMessages([{ role: 'user', content }]);
    jobIds.unshift(extraction.jobId ?? '');
  }
  return { thread, jobIds };
}

/** Extraction jobs and what can be read of them. */
export const MEMORY_JOB_CASES: Readonly<Record<string, MemoryCase>> = {
  'a job is read as the answer of addMessages told it': async (stage) => {
    const thread = await plainThread(stage, { extraction: { extractMemories: true } });
    const { ids, extraction } = await thread.addMessages([{ role: 'user', content: 'I live in Lisbon.' }]);
    const job = await stage.memory.getJob(extraction.jobId ?? '');
    expect(job).toMatchObject({
      jobId: extraction.jobId,
      threadId: thread.threadId,
      status: 'succeeded',
      attempt: 1,
      reason: null,
      messageIds: ids,
      memoryIds: extraction.memoryIds,
    });
    expect(Date.parse(job.startedAt ?? '')).toBeLessThanOrEqual(Date.parse(job.finishedAt ?? ''));
  },

  'jobs are listed newest first in pages, by thread and by state': async (stage) => {
    const { thread, jobIds } = await extractedThread(stage, ['I like tea.', 'I row.', 'I live in Porto.']);
    const { threadId } = thread;
    const first = await stage.memory.listJobs({ threadId, limit: 2 });
    expect(first.items.map(({ jobId }) => jobId)).toEqual(jobIds.slice(0, 2));
    const second = await stage.memory.listJobs({ threadId, limit: 2, cursor: first.nextCursor ?? '' });
    expect([second.items.map(({ jobId }) => jobId), second.nextCursor]).toEqual([jobIds.slice(2), null]);
    const all: string[] = [];
    for await (const job of stage.memory.iterateJobs({ threadId, status: 'succeeded', limit: 1 })) {
      all.push(job.jobId);
    }
    expect(all).toEqual(jobIds);
    expect((await stage.memory.listJobs({ threadId, status: 'failed' })).items).toEqual([]);
  },

  'a thread counts its jobs by state and shows the latest': async (stage) => {
    const { thread, jobIds } = await extractedThread(stage, ['I like tea.', 'I row.']);
    const { jobs, ...counts } = await thread.getExtraction();
    expect(counts).toEqual({ pending: 0, running: 0, succeeded: 2, failed: 0, dead: 0, cancelled: 0 });
    expect(jobs.map(({ jobId }) => jobId)).toEqual(jobIds);
  },

  'jobs that are not there are not found, and neither is their thread': async (stage) => {
    const { thread, jobIds } = await extractedThread(stage, ['I like tea.']);
    await stage.memory.deleteThread(thread.threadId);
    await expectError(stage.memory.getJob(jobIds[0] ?? ''), 'not_found');
    await expectError(thread.getExtraction(), 'not_found');
    expect((await stage.memory.listJobs({ threadId: thread.threadId })).items).toEqual([]);
  },

  'a failed job is retried once its cause is gone, and ends (contract §8.2, D19)': async (stage) => {
    const extraction = { extractMemories: true, memoryExtractionInheritMessageMetadata: true };
    const thread = await plainThread(stage, { extraction });
    const { ids, extraction: failed } = await thread.addMessages([
      { role: 'user', content: 'I live in Lisbon.', metadata: { place: 'a' } },
      { role: 'user', content: 'I like tea.', metadata: { place: 'b' } },
    ]);
    expect(failed).toMatchObject({ status: 'failed', reason: { code: 'invalid_request' } });
    const jobId = failed.jobId ?? '';
    expect(await stage.memory.retryJob(jobId)).toMatchObject({ status: 'failed', attempt: 2 });
    await thread.update({ extraction: { memoryExtractionInheritMessageMetadata: false } });
    const job = await stage.memory.retryJob(jobId);
    expect(job).toMatchObject({ status: 'succeeded', attempt: 3, reason: null, messageIds: ids });
    expect(job.memoryIds.length).toBeGreaterThan(0);
    expect(await stage.memory.getJob(jobId)).toEqual(job);
    expect((await thread.getExtraction()).succeeded).toBe(1);
    await expectError(stage.memory.retryJob(jobId), 'conflict');
    await expectError(stage.memory.cancelJob(jobId), 'conflict');
  },

  'jobs that are not there are neither retried nor cancelled': async ({ memory, id }) => {
    await expectError(memory.retryJob(id('no-job')), 'not_found');
    await expectError(memory.cancelJob(id('no-job')), 'not_found');
  },

  'a list of jobs refuses a cursor of another list': async ({ memory }) => {
    const threadsCursor = 'dGhyZWFkczo3';
    await expectError(memory.listJobs({ cursor: threadsCursor }), 'invalid_request', 'cursor');
    await expectError(memory.listJobs({ limit: 0 }), 'invalid_request', 'limit');
  },
};
