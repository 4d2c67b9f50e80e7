import { expect } from 'vitest';
import type { MessageAppend } from '../../lib/store/messages/stored-message.ts';
import type { ThreadConfig } from '../../lib/store/threads/stored-thread.ts';
import {
  extractionOutcome,
  messageAppend,
  newMessage,
  newThread,
  threadConfig,
} from '../store/store-samples.ts';
import { readJobs, type StoreCase, type StoreStage } from './store-stage.ts';

/** Creates the thread and returns a function that appends messages by id. */
async function startThread({ store }: StoreStage, extraction: Partial<ThreadConfig['extraction']>) {
  await store.createThread(newThread('thread', { config: threadConfig(extraction) }));
  return (ids: readonly string[], overrides: Partial<MessageAppend> = {}) =>
    store.appendMessages(
      messageAppend(
        'thread',
        ids.map((id) => newMessage(id)),
        overrides,
      ),
    );
}

/** Extraction jobs that become due with an append (D1, D23). */
export const JOB_CASES: Readonly<Record<string, StoreCase>> = {
  'frequency -1 makes one job of each call (contract §8.1)': async (stage) => {
    const append = await startThread(stage, {});
    expect(await append(['a', 'b', 'c'])).toEqual({ job: 'running' });
    expect(await append(['d'])).toEqual({ job: 'running' });
    expect(await readJobs(stage, 'thread')).toMatchObject([
      { job_id: 'job-a', from_seq: 1, upto_seq: 3, message_ids: ['a', 'b', 'c'] },
      { job_id: 'job-d', from_seq: 4, upto_seq: 4, message_ids: ['d'] },
    ]);
  },
  'an inline job starts under the lease of its caller (contract §8.3)': async (stage) => {
    const append = await startThread(stage, {});
    await append(['a'], { leaseToken: 'mine', leaseSeconds: 45 });
    expect(await readJobs(stage, 'thread')).toMatchObject([
      {
        job_status: 'running',
        attempt: 1,
        lease_token: 'mine',
        is_leased: true,
        is_due: false,
        is_finished: false,
      },
    ]);
  },
  'a background job waits for a worker (contract §8.3)': async (stage) => {
    const append = await startThread(stage, { extractionMode: 'background' });
    expect(await append(['a'])).toEqual({ job: 'pending' });
    expect(await readJobs(stage, 'thread')).toMatchObject([
      {
        job_status: 'pending',
        attempt: 0,
        lease_token: null,
        is_leased: false,
        is_due: true,
        is_finished: false,
      },
    ]);
  },
  'one call of six messages with frequency 2 makes one job of all six (contract §8.1, D1)': async (stage) => {
    const append = await startThread(stage, { memoryExtractionFrequency: 2 });
    expect(await append(['a', 'b', 'c', 'd', 'e', 'f'])).toEqual({ job: 'running' });
    expect(await readJobs(stage, 'thread')).toMatchObject([{ from_seq: 1, upto_seq: 6 }]);
  },
  'frequency counts messages over calls, and open jobs cover theirs (contract §8.1)': async (stage) => {
    const append = await startThread(stage, { memoryExtractionFrequency: 3, extractionMode: 'background' });
    expect(await append(['a', 'b'])).toEqual({ job: 'none' });
    expect(await append(['c', 'd'])).toEqual({ job: 'pending' });
    expect(await append(['e'])).toEqual({ job: 'none' });
    expect(await append(['f', 'g'])).toEqual({ job: 'pending' });
    expect(await readJobs(stage, 'thread')).toMatchObject([
      { from_seq: 1, upto_seq: 4, message_ids: ['a', 'b', 'c', 'd'] },
      { from_seq: 5, upto_seq: 7, message_ids: ['e', 'f', 'g'] },
    ]);
  },
  'the watermark of finished jobs counts like open jobs (contract §8.1)': async (stage) => {
    const append = await startThread(stage, { memoryExtractionFrequency: 2 });
    await append(['a', 'b']);
    expect(await stage.store.finishExtraction(extractionOutcome('job-a', 'lease'))).toBe('written');
    expect(await append(['c'])).toEqual({ job: 'none' });
    expect(await append(['d'])).toEqual({ job: 'running' });
    expect((await readJobs(stage, 'thread'))[1]).toMatchObject({ from_seq: 3, upto_seq: 4 });
  },
  'without extraction there is no job (contract §8.1)': async (stage) => {
    const append = await startThread(stage, { extractMemories: false });
    expect(await append(['a'])).toEqual({ job: 'none' });
    expect(await append(['b'], { canExtract: false })).toEqual({ job: 'none' });
    expect(await readJobs(stage, 'thread')).toEqual([]);
  },
  'without a language model the job fails at once and says why (contract §8.1, D23)': async (stage) => {
    const append = await startThread(stage, { extractionMode: 'background' });
    expect(await append(['a', 'b'], { canExtract: false })).toEqual({ job: 'unsupported' });
    expect(await readJobs(stage, 'thread')).toMatchObject([
      {
        job_status: 'failed',
        reason_code: 'unsupported',
        attempt: 0,
        is_finished: true,
        message_ids: ['a', 'b'],
      },
    ]);
    expect((await stage.store.getMessages('thread', { limit: 5 }))?.total).toBe(2);
  },
};
