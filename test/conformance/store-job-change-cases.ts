import { expect } from 'vitest';
import {
  extractionOutcome,
  messageAppend,
  newMessage,
  newRecord,
  newThread,
  threadConfig,
} from '../store/store-samples.ts';
import { readJobs, rowCounts, type StoreCase, type StoreStage } from './store-stage.ts';

const CLAIM = { jobId: 'job-a', leaseToken: 'second', leaseSeconds: 45 };

/** A thread with one job, `job-a`, running under the lease `lease` or, without a model, failed. */
async function startJob({ store }: StoreStage, canExtract = true): Promise<void> {
  await store.createThread(newThread('thread', { config: threadConfig() }));
  await store.appendMessages(messageAppend('thread', [newMessage('a')], { canExtract }));
}

/** Jobs that are cancelled and run again. */
export const JOB_CHANGE_CASES: Readonly<Record<string, StoreCase>> = {
  'a cancelled job ends, and its pass can neither read nor write': async (stage) => {
    await startJob(stage);
    await stage.store.cancelJob('job-a');
    expect(await readJobs(stage, 'thread')).toMatchObject([
      { job_status: 'cancelled', lease_token: null, is_leased: false, is_due: false, is_finished: true },
    ]);
    expect(await stage.store.readExtractionInput('job-a', 'lease')).toBeUndefined();
    const memories = [newRecord('made')];
    expect(await stage.store.finishExtraction(extractionOutcome('job-a', 'lease', { memories }))).toBe(
      'lost',
    );
    expect(await stage.store.getRecord('memory', 'made')).toBeUndefined();
    expect((await stage.store.getThread('thread'))?.extractedSequence).toBe(0);
  },
  'a pending job can be cancelled': async (stage) => {
    const config = threadConfig({ extractionMode: 'background' });
    await stage.store.createThread(newThread('thread', { config }));
    await stage.store.appendMessages(messageAppend('thread', [newMessage('a')]));
    await stage.store.cancelJob('job-a');
    expect(await stage.store.getJob('job-a')).toMatchObject({ status: 'cancelled', nextAttemptAt: null });
  },
  'a job that has ended cannot be cancelled, an unknown one is not found': async (stage) => {
    await startJob(stage);
    await stage.store.cancelJob('job-a');
    const ended = await stage.store.getJob('job-a');
    await expect(stage.store.cancelJob('job-a')).rejects.toMatchObject({ code: 'conflict' });
    await expect(stage.store.cancelJob('job-b')).rejects.toMatchObject({ code: 'not_found' });
    expect(await stage.store.getJob('job-a')).toEqual(ended);
  },
  'a job that failed without a language model runs under the lease of who retries it': async (stage) => {
    await startJob(stage, false);
    await stage.store.claimJob(CLAIM);
    expect(await readJobs(stage, 'thread')).toMatchObject([
      {
        job_status: 'running',
        attempt: 1,
        lease_token: 'second',
        is_leased: true,
        is_finished: false,
        reason_code: null,
        reason_detail: null,
      },
    ]);
    const input = await stage.store.readExtractionInput('job-a', 'second');
    expect(input?.recentMessages.map(({ id }) => id)).toEqual(['a']);
    expect(await stage.store.finishExtraction(extractionOutcome('job-a', 'second'))).toBe('written');
    expect((await stage.store.getThread('thread'))?.extractedSequence).toBe(1);
  },
  'a retry counts as an attempt beyond the most that were allowed, and keeps the costs': async (stage) => {
    await stage.store.createThread(newThread('thread', { config: threadConfig() }));
    await stage.store.appendMessages(messageAppend('thread', [newMessage('a')], { maxAttempts: 1 }));
    await stage.store.finishExtraction(extractionOutcome('job-a', 'lease', { status: 'failed' }));
    await stage.store.claimJob(CLAIM);
    await stage.store.finishExtraction(extractionOutcome('job-a', 'second'));
    expect(await stage.store.getJob('job-a')).toMatchObject({
      status: 'succeeded',
      attempt: 2,
      maxAttempts: 2,
      llmCalls: 2,
      promptTokens: 20,
    });
  },
  'of two retries at once one gets the job': async (stage) => {
    await startJob(stage, false);
    const claims = ['one', 'other'].map((leaseToken) => stage.store.claimJob({ ...CLAIM, leaseToken }));
    const outcomes = await Promise.allSettled(claims);
    expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    expect(outcomes.find(({ status }) => status === 'rejected')).toMatchObject({
      reason: { code: 'conflict' },
    });
    expect((await stage.store.getJob('job-a'))?.attempt).toBe(1);
  },
  'a job that runs or has succeeded cannot be retried, an unknown one is not found': async (stage) => {
    await startJob(stage);
    await expect(stage.store.claimJob(CLAIM)).rejects.toMatchObject({ code: 'conflict' });
    await stage.store.finishExtraction(extractionOutcome('job-a', 'lease'));
    await expect(stage.store.claimJob(CLAIM)).rejects.toMatchObject({ code: 'conflict' });
    await expect(stage.store.claimJob({ ...CLAIM, jobId: 'job-b' })).rejects.toMatchObject({
      code: 'not_found',
    });
    expect(await stage.store.getJob('job-a')).toMatchObject({ status: 'succeeded', attempt: 1 });
  },
  'the pass before a retry cannot write any more': async (stage) => {
    await startJob(stage);
    await stage.store.cancelJob('job-a');
    await stage.store.claimJob(CLAIM);
    const before = await rowCounts(stage);
    const late = extractionOutcome('job-a', 'lease', { memories: [newRecord('late')] });
    expect(await stage.store.finishExtraction(late)).toBe('lost');
    expect(await rowCounts(stage)).toEqual(before);
    expect(await stage.store.getJob('job-a')).toMatchObject({ status: 'running', attempt: 2 });
  },
  'a cancel and a claim take one round trip each': async (stage) => {
    await startJob(stage);
    const before = stage.transport.roundTrips;
    await stage.store.cancelJob('job-a');
    await stage.store.claimJob(CLAIM);
    expect(stage.transport.roundTrips - before).toBe(2);
  },
};
