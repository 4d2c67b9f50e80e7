import { expect } from 'vitest';
import type { MemoryStore } from '../../lib/store/memory-store.ts';
import type { MessageEdit } from '../../lib/store/messages/stored-message.ts';
import {
  direction,
  extractionOutcome,
  messageAppend,
  newMessage,
  newMessageRecord,
  newThread,
  storeSearch,
  threadConfig,
} from '../store/store-samples.ts';
import { chunkAt, EXPIRED } from './store-fixtures.ts';
import { ODD_IDS, readJobs, rowCounts, type StoreCase } from './store-stage.ts';

function messageEdit(messageId: string, overrides: Partial<MessageEdit> = {}): MessageEdit {
  return {
    threadId: 'thread',
    messageId,
    change: { content: { text: `edited ${messageId}`, chunks: [chunkAt(30, 'edited')] } },
    jobId: `edit-${messageId}`,
    leaseToken: 'edit lease',
    leaseSeconds: 45,
    maxAttempts: 5,
    queueCapacity: 1_000,
    canExtract: true,
    ...overrides,
  };
}

/** A thread with the messages m1, m2, …, appended one by one. */
async function startThread(store: MemoryStore, count: number, config = threadConfig()): Promise<void> {
  await store.createThread(newThread('thread', { config }));
  for (let number = 1; number <= count; number += 1) {
    const message = newMessage(`m${number}`, { chunks: [chunkAt(0, 'original'), chunkAt(10, 'original')] });
    await store.appendMessages(messageAppend('thread', [message]));
  }
}

const finish = (store: MemoryStore, jobId: string, leaseToken: string, uptoSequence: number) =>
  store.finishExtraction(
    extractionOutcome(jobId, leaseToken, { summary: { text: `summary to ${uptoSequence}`, uptoSequence } }),
  );

/** Edits of messages, with the extraction over them. */
export const EDIT_CASES: Readonly<Record<string, StoreCase>> = {
  'an edit replaces content, metadata and every retrieval row of the message': async (stage) => {
    const { store } = stage;
    await startThread(store, 2, threadConfig({ extractMemories: false }));
    const before = await store.getRecord('message', 'm1');
    const { content } = messageEdit('m1').change;
    const outcome = await store.editMessage(messageEdit('m1', { change: { content, metadata: { a: 1 } } }));
    expect(outcome).toEqual({ job: 'none' });
    expect(await store.getRecord('message', 'm1')).toEqual({
      ...before,
      content: 'edited m1',
      metadata: { a: 1 },
      updatedAt: expect.any(String),
    });
    expect((await store.getMessages('thread', { limit: 5 }))?.messages).toMatchObject([
      { id: 'm1', sequence: 1, content: 'edited m1' },
      { id: 'm2', sequence: 2, content: 'content of m2' },
    ]);
    expect(await rowCounts(stage)).toMatchObject({ record: 2, chunk: 3, job: 0 });
    const words = async (text: string) => {
      const hits = await store.search(storeSearch({ query: { strategy: 'keyword', text } }));
      return hits?.map((hit) => hit.record.id);
    };
    expect(await words('original')).toEqual(['m2']);
    expect(await words('edited')).toEqual(['m1']);
    const near = await store.search(storeSearch({ query: { strategy: 'vector', vector: direction(30) } }));
    expect(near?.[0]).toMatchObject({ record: { id: 'm1' } });
  },
  'an edit of a message that the thread does not have writes nothing': async (stage) => {
    const { store } = stage;
    await startThread(store, 1, threadConfig({ extractMemories: false }));
    await store.createThread(newThread('other'));
    await store.appendMessages(messageAppend('thread', [newMessage('old', EXPIRED)]));
    const before = await rowCounts(stage);
    for (const edit of [
      messageEdit('m1', { threadId: 'other' }),
      messageEdit('m1', { threadId: 'nothing' }),
      messageEdit('nothing'),
      messageEdit('old'),
    ]) {
      expect(await store.editMessage(edit)).toBeUndefined();
    }
    expect(await rowCounts(stage)).toEqual(before);
    expect(await store.getRecord('message', 'm1')).toMatchObject({ content: 'content of m1' });
  },
  'messages of odd ids and threads are edited apart': async ({ store }) => {
    const config = threadConfig({ extractMemories: false });
    for (const id of ODD_IDS) {
      await store.createThread(newThread(id, { config }));
      await store.appendMessages(messageAppend(id, [newMessage(id)], { jobId: 'none' }));
    }
    for (const id of ODD_IDS) {
      await store.editMessage(
        messageEdit(id, { threadId: id, jobId: 'none', change: { content: { text: id, chunks: [] } } }),
      );
    }
    for (const id of ODD_IDS) expect(await store.getRecord('message', id)).toMatchObject({ content: id });
  },
  'a job over an edited message covers it alone and is not counted for the frequency (contract §4.5)': async (
    stage,
  ) => {
    const { store } = stage;
    await startThread(store, 3, threadConfig({ memoryExtractionFrequency: 4 }));
    expect(await store.editMessage(messageEdit('m3'))).toEqual({ job: 'running' });
    expect(await readJobs(stage, 'thread')).toMatchObject([
      { job_id: 'edit-m3', job_status: 'running', from_seq: 3, upto_seq: 3, message_ids: ['m3'] },
    ]);
    expect(await store.finishExtraction(extractionOutcome('edit-m3', 'edit lease'))).toBe('written');
    expect((await store.getThread('thread'))?.extractedSequence).toBe(0);
    const append = messageAppend('thread', [newMessage('m4')]);
    expect(await store.appendMessages(append)).toEqual({ job: 'running' });
    const [, job] = await readJobs(stage, 'thread');
    expect(job).toMatchObject({ from_seq: 1, upto_seq: 4, message_ids: ['m1', 'm2', 'm3', 'm4'] });
    await store.finishExtraction(extractionOutcome('job-m4', 'lease'));
    expect((await store.getThread('thread'))?.extractedSequence).toBe(4);
  },
  'a job over an edited message reads the messages before it, never those after it': async ({ store }) => {
    await startThread(
      store,
      14,
      threadConfig({ memoryExtractionFrequency: 100, enableContextSummary: false }),
    );
    await store.editMessage(messageEdit('m12'));
    const input = await store.readExtractionInput('edit-m12', 'edit lease');
    expect(input).toMatchObject({ fromSequence: 12, uptoSequence: 12, windowMessages: 10 });
    expect(input?.recentMessages.map((message) => message.sequence)).toEqual([
      3, 4, 5, 6, 7, 8, 9, 10, 11, 12,
    ]);
    expect(input?.recentMessages.at(-1)?.content).toBe('edited m12');
    const extraction = { memoryExtractionWindow: 2 };
    await store.updateThread('thread', { metadata: undefined, config: { extraction } });
    const narrow = await store.readExtractionInput('edit-m12', 'edit lease');
    expect(narrow?.recentMessages.map((message) => message.sequence)).toEqual([11, 12]);
    expect(narrow?.windowMessages).toBe(2);
  },
  'an edit makes a summary stale that covers the message, and no other (D3)': async ({ store }) => {
    await startThread(store, 2);
    expect(await finish(store, 'job-m1', 'lease', 1)).toBe('written');
    expect(await store.finishExtraction(extractionOutcome('job-m2', 'lease'))).toBe('written');
    await store.editMessage(messageEdit('m2', { canExtract: false }));
    expect(await store.getThread('thread')).toMatchObject({ summarizedSequence: 1, summaryStale: false });
    await store.editMessage(messageEdit('m1', { canExtract: false }));
    expect(await store.getThread('thread')).toMatchObject({ summarizedSequence: 1, summaryStale: true });
  },
  'the pass over the edited newest message makes the stale summary anew (D3)': async ({ store }) => {
    await startThread(store, 2);
    await store.finishExtraction(extractionOutcome('job-m1', 'lease'));
    expect(await finish(store, 'job-m2', 'lease', 2)).toBe('written');
    await store.editMessage(messageEdit('m2'));
    expect((await store.getThread('thread'))?.summaryStale).toBe(true);
    const input = await store.readExtractionInput('edit-m2', 'edit lease');
    expect(input?.recentMessages.map((message) => message.content)).toEqual(['content of m1', 'edited m2']);
    expect(await finish(store, 'edit-m2', 'edit lease', 2)).toBe('written');
    expect(await store.getThread('thread')).toMatchObject({
      runningSummary: 'summary to 2',
      summarizedSequence: 2,
      summaryStale: false,
    });
  },
  'a pass that read a message before its edit does not replace the summary made after it (D3)': async ({
    store,
  }) => {
    await startThread(store, 1);
    await store.editMessage(messageEdit('m1'));
    const edited = { text: 'of the edited message', uptoSequence: 1 };
    await store.finishExtraction(extractionOutcome('edit-m1', 'edit lease', { summary: edited }));
    expect(await finish(store, 'job-m1', 'lease', 1)).toBe('written');
    expect(await store.getThread('thread')).toMatchObject({
      runningSummary: edited.text,
      summarizedSequence: 1,
      summaryStale: false,
    });
  },
  'a message that a running pass may have read makes its summary stale, a message after it does not (D3)':
    async ({ store }) => {
      await startThread(store, 1);
      await store.updateThread('thread', {
        metadata: undefined,
        config: { extraction: { extractMemories: false } },
      });
      await store.appendMessages(messageAppend('thread', [newMessage('after')]));
      expect(await store.deleteRecord('message', 'after', { threadId: 'thread' })).toBe(1);
      expect((await store.getThread('thread'))?.summaryStale).toBe(false);
      expect(await store.deleteRecord('message', 'm1', { threadId: 'thread' })).toBe(1);
      expect((await store.getThread('thread'))?.summaryStale).toBe(true);
    },
  'without a model the job over an edited message is stored as failed (D23)': async (stage) => {
    await startThread(stage.store, 1, threadConfig({ memoryExtractionFrequency: 9 }));
    const outcome = await stage.store.editMessage(messageEdit('m1', { canExtract: false }));
    expect(outcome).toEqual({ job: 'unsupported' });
    expect(await readJobs(stage, 'thread')).toMatchObject([
      { job_id: 'edit-m1', job_status: 'failed', reason_code: 'unsupported', message_ids: ['m1'] },
    ]);
  },
  'an edit in the background is left pending': async (stage) => {
    await startThread(
      stage.store,
      1,
      threadConfig({ memoryExtractionFrequency: 9, extractionMode: 'background' }),
    );
    expect(await stage.store.editMessage(messageEdit('m1'))).toEqual({ job: 'pending' });
    expect(await readJobs(stage, 'thread')).toMatchObject([{ job_status: 'pending', is_due: true }]);
  },
  'an edit can move the expiry, of the retrieval rows too; days from a timestamp need one': async ({
    store,
  }) => {
    await startThread(store, 1, threadConfig({ extractMemories: false }));
    const { content } = messageEdit('m1').change;
    const lifetime = { ttlDays: 1, ttlAnchor: 'timestamp' } as const;
    await expect(
      store.editMessage(messageEdit('m1', { change: { content, lifetime } })),
    ).rejects.toMatchObject({
      code: 'invalid_request',
      issues: [{ path: 'ttlAnchor' }],
    });
    expect(await store.getRecord('message', 'm1')).toMatchObject({
      content: 'content of m1',
      expiresAt: null,
    });
    const timestamp = EXPIRED.timestamp;
    await store.appendMessages(messageAppend('thread', [newMessage('dated', { timestamp })]));
    await store.editMessage(messageEdit('dated', { change: { content, lifetime } }));
    expect(await store.getRecord('message', 'dated')).toBeUndefined();
    const hits = await store.search(storeSearch({ query: { strategy: 'keyword', text: 'edited' } }));
    expect(hits).toEqual([]);
  },
  'deleting the thread of an edited message leaves no row in any table': async (stage) => {
    await startThread(stage.store, 1);
    await stage.store.editMessage(messageEdit('m1'));
    expect(await rowCounts(stage)).toEqual({ thread: 1, record: 1, chunk: 1, job: 2 });
    expect(await stage.store.deleteThread('thread')).toBe(1);
    expect(await rowCounts(stage)).toEqual({ thread: 0, record: 0, chunk: 0, job: 0 });
    expect(await stage.store.finishExtraction(extractionOutcome('edit-m1', 'edit lease'))).toBe('lost');
  },
  'content that is the stored one changes nothing': async (stage) => {
    const { store } = stage;
    await startThread(store, 2);
    for (const job of ['m1', 'm2']) await finish(store, `job-${job}`, 'lease', 2);
    const state = async () => [
      await rowCounts(stage),
      await readJobs(stage, 'thread'),
      await store.getThread('thread'),
      await store.getRecord('message', 'm1'),
      await store.search(storeSearch({ query: { strategy: 'keyword', text: 'original' } })),
    ];
    const before = await state();
    const content = { text: 'content of m1', chunks: [chunkAt(30, 'edited')] };
    for (const canExtract of [true, false])
      expect(await store.editMessage(messageEdit('m1', { canExtract, change: { content } }))).toEqual({
        job: 'none',
      });
    expect(await store.editMessage(messageEdit('m1', { change: {} }))).toEqual({ job: 'none' });
    expect(await state()).toEqual(before);
  },
  'content that is the stored one counts as not given beside other fields': async (stage) => {
    const { store } = stage;
    await startThread(store, 1);
    await finish(store, 'job-m1', 'lease', 1);
    const content = { text: 'content of m1', chunks: [chunkAt(30, 'edited')] };
    const lifetime = { ttlDays: 7, ttlAnchor: 'created_at' } as const;
    const edit = messageEdit('m1', { change: { content, metadata: { a: 1 }, lifetime } });
    expect(await store.editMessage(edit)).toEqual({ job: 'none' });
    expect(await store.getRecord('message', 'm1')).toMatchObject({
      content: 'content of m1',
      metadata: { a: 1 },
      expiresAt: expect.any(String),
    });
    expect(await store.getThread('thread')).toMatchObject({ summaryStale: false });
    expect(await rowCounts(stage)).toMatchObject({ chunk: 2, job: 1 });
    const hits = await store.search(storeSearch({ query: { strategy: 'keyword', text: 'edited' } }));
    expect(hits).toEqual([]);
  },
  'one character, case or space makes other content, however long it is': async (stage) => {
    const { store } = stage;
    await startThread(store, 1, threadConfig({ extractMemories: false }));
    const long = 'ä🙂'.repeat(40_000);
    for (const text of [long, `${long} `, `${long}.`, long.toUpperCase(), `${long.slice(0, -2)}🙃`]) {
      await store.editMessage(messageEdit('m1', { change: { content: { text, chunks: [chunkAt(1)] } } }));
      expect((await store.getRecord('message', 'm1'))?.content).toBe(text);
    }
    const before = await store.getRecord('message', 'm1');
    await store.editMessage(
      messageEdit('m1', { change: { content: { text: before?.content ?? '', chunks: [] } } }),
    );
    expect(await store.getRecord('message', 'm1')).toEqual(before);
    expect(await rowCounts(stage)).toMatchObject({ chunk: 1 });
  },
  'a message without text gets one': async ({ store }) => {
    await store.createThread(newThread('thread', { config: threadConfig({ extractMemories: false }) }));
    for (const [id, content] of [
      ['none', null],
      ['empty', ''],
    ] as const) {
      await store.addRecords([newMessageRecord(id, 'thread', { content })]);
      await store.editMessage(messageEdit(id));
      expect(await store.getRecord('message', id)).toMatchObject({ content: `edited ${id}` });
    }
  },
  'fields change without the content, of a message of exactly this thread': async (stage) => {
    const { store } = stage;
    await startThread(store, 1);
    await store.createThread(newThread('other'));
    await store.appendMessages(messageAppend('thread', [newMessage('old', EXPIRED)]));
    const before = await rowCounts(stage);
    for (const change of [
      { metadata: { a: 1 } },
      { lifetime: { ttlDays: 9, ttlAnchor: 'created_at' } as const },
      {},
    ]) {
      expect(await store.editMessage(messageEdit('m1', { change }))).toEqual({ job: 'none' });
      for (const edit of [
        messageEdit('m1', { change, threadId: 'other' }),
        messageEdit('nothing', { change }),
        messageEdit('old', { change }),
      ])
        expect(await store.editMessage(edit)).toBeUndefined();
    }
    expect(await store.getRecord('message', 'm1')).toMatchObject({
      content: 'content of m1',
      metadata: { a: 1 },
      expiresAt: expect.any(String),
    });
    expect(await rowCounts(stage)).toEqual(before);
  },
  'an edit is one round trip': async ({ store, transport }) => {
    await startThread(store, 1);
    const before = transport.roundTrips;
    await store.editMessage(messageEdit('m1'));
    expect(transport.roundTrips).toBe(before + 1);
  },
};
