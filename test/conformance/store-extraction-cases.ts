import { expect } from 'vitest';
import type { ResolvedExtractionConfig } from '../../lib/schemas/extraction.ts';
import type { MemoryTally, ThreadContext } from '../../lib/store/extraction/extraction-outcome.ts';
import type { NewRecord } from '../../lib/store/records/stored-record.ts';
import {
  direction,
  extractionOutcome,
  messageAppend,
  newMessage,
  newRecord,
  newThread,
  storeSearch,
  threadConfig,
} from '../store/store-samples.ts';
import { chunkAt, EXPIRED } from './store-fixtures.ts';
import { readJobs, rowCounts, type StoreCase, type StoreStage } from './store-stage.ts';

/** A thread of five messages: a job of the first three and a running one of the last two. */
async function startJobs(
  { store }: StoreStage,
  extraction: Partial<ResolvedExtractionConfig> = {},
): Promise<void> {
  const config = threadConfig({ enableContextSummary: false, ...extraction });
  await store.createThread(newThread('thread', { config }));
  for (const ids of [
    ['a', 'b', 'c'],
    ['d', 'e'],
  ]) {
    await store.appendMessages(
      messageAppend(
        'thread',
        ids.map((id) => newMessage(id)),
      ),
    );
  }
}

const extracted = (id: string, overrides: Partial<NewRecord> = {}) =>
  newRecord(id, {
    recordType: 'fact',
    chunks: [chunkAt(10, 'bicycle'), chunkAt(20, 'bicycle')],
    ...overrides,
  });

/** The memories of the thread's user and agent, as a pass that begins now finds them. */
async function tallyOf({ store }: StoreStage, jobId = 'job-d'): Promise<MemoryTally> {
  const input = await store.readExtractionInput(jobId, 'lease');
  return input?.memoryTally ?? { memoryCount: -1, positionSum: -1 };
}

/** What an extraction pass reads and writes. */
export const EXTRACTION_CASES: Readonly<Record<string, StoreCase>> = {
  'a pass reads its due messages and the thread (contract §8.4)': async (stage) => {
    await startJobs(stage);
    const input = await stage.store.readExtractionInput('job-d', 'lease');
    expect(input).toMatchObject({ fromSequence: 4, uptoSequence: 5 });
    expect(input?.thread).toEqual(await stage.store.getThread('thread'));
    expect(input?.recentMessages.map((message) => message.id)).toEqual(['d', 'e']);
  },
  'a window adds the newest messages before the due ones, never later ones (contract §8.1)': async (
    stage,
  ) => {
    await startJobs(stage, { memoryExtractionWindow: 4 });
    const read = async (jobId: string) =>
      (await stage.store.readExtractionInput(jobId, 'lease'))?.recentMessages.map((message) => message.id);
    expect(await read('job-d')).toEqual(['b', 'c', 'd', 'e']);
    expect(await read('job-a')).toEqual(['a', 'b', 'c']);
  },
  'a due summary adds what it does not cover yet (contract §8.4)': async (stage) => {
    const read = async (jobId: string) =>
      (await stage.store.readExtractionInput(jobId, 'lease'))?.recentMessages.map((message) => message.id);
    await startJobs(stage, { enableContextSummary: true, contextSummaryUpdateFrequency: 4 });
    expect(await read('job-a')).toEqual(['a', 'b', 'c']);
    expect(await read('job-d')).toEqual(['a', 'b', 'c', 'd', 'e']);
    const summary = { text: 'So far.', uptoSequence: 3 };
    await stage.store.finishExtraction(extractionOutcome('job-a', 'lease', { summary }));
    expect(await read('job-d')).toEqual(['d', 'e']);
  },
  'without the lease there is nothing to read': async (stage) => {
    await startJobs(stage);
    expect(await stage.store.readExtractionInput('job-d', 'other')).toBeUndefined();
    expect(await stage.store.readExtractionInput('none', 'lease')).toBeUndefined();
    await stage.store.finishExtraction(extractionOutcome('job-d', 'lease'));
    expect(await stage.store.readExtractionInput('job-d', 'lease')).toBeUndefined();
  },
  'a card reads the thread and its newest messages (contract §9.1)': async (stage) => {
    await startJobs(stage);
    const context = await stage.store.readThreadContext('thread', 2);
    expect(context?.thread).toEqual(await stage.store.getThread('thread'));
    expect(context?.recentMessages.map((message) => message.id)).toEqual(['d', 'e']);
    expect((await stage.store.readThreadContext('thread', 0))?.recentMessages).toEqual([]);
    expect(await stage.store.readThreadContext('thread2', 2)).toBeUndefined();
  },
  'a card reads more messages when the summary is stale (D3)': async (stage) => {
    await startJobs(stage);
    const read = async () =>
      (await stage.store.readThreadContext('thread', 1, { messagesWhenStale: 3 }))?.recentMessages.map(
        (message) => message.id,
      );
    expect(await read()).toEqual(['e']);
    await stage.store.deleteRecord('message', 'd');
    expect(await read()).toEqual(['b', 'c', 'e']);
  },
  'a card and a pass read about four million characters, the newest message always': async (stage) => {
    const { store } = stage;
    await store.createThread(newThread('thread', { config: threadConfig({ memoryExtractionFrequency: 4 }) }));
    const content = 'x'.repeat(1_500_000);
    for (const id of ['a', 'b', 'c', 'd'])
      await store.appendMessages(messageAppend('thread', [newMessage(id, { content })]));
    const idsOf = (read: ThreadContext | undefined) => read?.recentMessages.map((message) => message.id);
    expect(idsOf(await store.readThreadContext('thread', 100))).toEqual(['b', 'c', 'd']);
    expect(idsOf(await store.readExtractionInput('job-d', 'lease'))).toEqual(['b', 'c', 'd']);
  },
  'metadata counts among the characters of a window, a card and a pass': async (stage) => {
    const { store } = stage;
    await store.createThread(newThread('thread', { config: threadConfig({ memoryExtractionFrequency: 4 }) }));
    const metadata = { note: 'x'.repeat(1_500_000) };
    for (const id of ['a', 'b', 'c', 'd'])
      await store.appendMessages(messageAppend('thread', [newMessage(id, { metadata })]));
    const idsOf = (messages: readonly { readonly id: string }[] = []) => messages.map(({ id }) => id);
    const window = await store.getMessages('thread', { start: 0, end: null, limit: 100 });
    expect(idsOf(window?.messages)).toEqual(['a', 'b', 'c']);
    const card = await store.readThreadContext('thread', 100);
    expect(idsOf(card?.recentMessages)).toEqual(['b', 'c', 'd']);
    const pass = await store.readExtractionInput('job-d', 'lease');
    expect(idsOf(pass?.recentMessages)).toEqual(['b', 'c', 'd']);
  },
  'a stale summary that was made anew is saved, in one round trip': async (stage) => {
    const { store } = stage;
    await startJobs(stage);
    await store.deleteRecord('message', 'd');
    const threadUpdatedAt = (await store.getThread('thread'))?.updatedAt ?? '';
    const before = stage.transport.roundTrips;
    const summary = { threadId: 'thread', text: 'without d', uptoSequence: 5, threadUpdatedAt };
    expect(await store.saveRebuiltSummary(summary)).toBe(true);
    expect(stage.transport.roundTrips - before).toBe(1);
    expect(await store.getThread('thread')).toMatchObject({
      runningSummary: 'without d',
      summarizedSequence: 5,
      summaryStale: false,
      updatedAt: threadUpdatedAt,
    });
    expect(await store.saveRebuiltSummary({ ...summary, text: 'again' })).toBe(false);
    expect((await store.getThread('thread'))?.runningSummary).toBe('without d');
  },
  'a summary made of an earlier state is not saved': async (stage) => {
    const { store } = stage;
    await startJobs(stage);
    await store.deleteRecord('message', 'd');
    const read = await store.getThread('thread');
    const summary = { threadId: 'thread', text: 'with c', threadUpdatedAt: read?.updatedAt ?? '' };
    await store.deleteRecord('message', 'c');
    const changed = { ...summary, uptoSequence: 5, threadUpdatedAt: '2020-01-01T00:00:00.000Z' };
    expect(await store.saveRebuiltSummary(changed)).toBe(false);
    await store.appendMessages(messageAppend('thread', [newMessage('f')]));
    expect(await store.saveRebuiltSummary({ ...summary, uptoSequence: 5 })).toBe(false);
    expect(await store.saveRebuiltSummary({ ...changed, threadId: 'nobody' })).toBe(false);
    expect(await store.getThread('thread')).toMatchObject({ runningSummary: null, summaryStale: true });
  },
  'an outcome is written as a whole (contract §8.4)': async (stage) => {
    const { store } = stage;
    await startJobs(stage);
    const summary = { text: 'Zusammenfassung '.repeat(5_000).trim(), uptoSequence: 5 };
    const outcome = extractionOutcome('job-d', 'lease', {
      memories: [extracted('job-d-1'), extracted('job-d-2', { threadId: null })],
      summary,
      llmCalls: 2,
    });
    expect(await store.finishExtraction(outcome)).toBe('written');
    expect(await store.getRecord('memory', 'job-d-1')).toMatchObject({
      recordType: 'fact',
      userId: 'user',
      agentId: 'agent',
      threadId: 'thread',
    });
    expect(await store.getRecord('memory', 'job-d-2')).toMatchObject({ userId: 'user', threadId: null });
    expect(await store.getThread('thread')).toMatchObject({
      extractedSequence: 5,
      summarizedSequence: 5,
      runningSummary: summary.text,
      summaryStale: false,
    });
    expect((await readJobs(stage, 'thread'))[1]).toMatchObject({
      job_status: 'succeeded',
      lease_token: null,
      is_leased: false,
      is_finished: true,
      memory_ids: ['job-d-1', 'job-d-2'],
      llm_calls: 2,
      prompt_tokens: 10,
      completion_tokens: 5,
    });
    const found = await store.search(storeSearch({ query: { strategy: 'keyword', text: 'bicycle' } }));
    expect(found?.map((hit) => hit.record.id)).toEqual(['job-d-1', 'job-d-2']);
  },
  'an outcome is written once (contract §8.4)': async (stage) => {
    await startJobs(stage);
    const outcome = extractionOutcome('job-d', 'lease', { memories: [extracted('job-d-1')] });
    expect(await stage.store.finishExtraction(outcome)).toBe('written');
    const before = [await rowCounts(stage), await readJobs(stage, 'thread')];
    expect(await stage.store.finishExtraction(outcome)).toBe('lost');
    expect([await rowCounts(stage), await readJobs(stage, 'thread')]).toEqual(before);
  },
  'a pass that lost its lease writes nothing': async (stage) => {
    await startJobs(stage);
    const before = [
      await rowCounts(stage),
      await readJobs(stage, 'thread'),
      await stage.store.getThread('thread'),
    ];
    const outcome = extractionOutcome('job-d', 'stolen', {
      memories: [extracted('job-d-1')],
      summary: { text: 'summary', uptoSequence: 5 },
    });
    expect(await stage.store.finishExtraction(outcome)).toBe('lost');
    expect([
      await rowCounts(stage),
      await readJobs(stage, 'thread'),
      await stage.store.getThread('thread'),
    ]).toEqual(before);
  },
  'a pass of a deleted thread writes nothing': async (stage) => {
    await startJobs(stage);
    await stage.store.deleteThread('thread');
    const outcome = extractionOutcome('job-d', 'lease', { memories: [extracted('job-d-1')] });
    expect(await stage.store.finishExtraction(outcome)).toBe('lost');
    expect(await rowCounts(stage)).toEqual({ thread: 0, record: 0, chunk: 0, job: 0 });
  },
  'a memory id that is taken undoes the outcome': async (stage) => {
    await startJobs(stage);
    await stage.store.addRecord(newRecord('taken'), undefined);
    const memories = [extracted('job-d-1'), extracted('taken')];
    await expect(
      stage.store.finishExtraction(extractionOutcome('job-d', 'lease', { memories })),
    ).rejects.toMatchObject({
      code: 'conflict',
      message: expect.stringContaining('already exists'),
    });
    expect(await stage.store.getRecord('memory', 'job-d-1')).toBeUndefined();
    expect((await readJobs(stage, 'thread'))[1]).toMatchObject({
      job_status: 'running',
      lease_token: 'lease',
    });
  },
  'a failed pass keeps its reason, its messages and the watermark': async (stage) => {
    await startJobs(stage);
    const reason = { code: 'model_failed', detail: 'the model answered nothing' };
    const outcome = extractionOutcome('job-d', 'lease', { status: 'failed', reason, promptTokens: null });
    expect(await stage.store.finishExtraction(outcome)).toBe('written');
    expect((await stage.store.getThread('thread'))?.extractedSequence).toBe(0);
    expect((await readJobs(stage, 'thread'))[1]).toMatchObject({
      job_status: 'failed',
      reason_code: 'model_failed',
      reason_detail: reason.detail,
      message_ids: ['d', 'e'],
      memory_ids: [],
      prompt_tokens: null,
    });
  },
  'the watermark and the summary never go back': async (stage) => {
    const { store } = stage;
    await startJobs(stage);
    const summary = (text: string, uptoSequence: number) => ({ summary: { text, uptoSequence } });
    await store.finishExtraction(extractionOutcome('job-d', 'lease', summary('newer', 5)));
    await store.finishExtraction(extractionOutcome('job-a', 'lease', summary('older', 3)));
    expect(await store.getThread('thread')).toMatchObject({
      extractedSequence: 5,
      summarizedSequence: 5,
      runningSummary: 'newer',
    });
  },
  'a summary stays stale when a message was deleted while it was written': async (stage) => {
    const { store } = stage;
    await startJobs(stage);
    await store.deleteRecord('message', 'd');
    const summary = { text: 'with d', uptoSequence: 5 };
    await store.finishExtraction(extractionOutcome('job-d', 'lease', { summary }));
    expect(await store.getThread('thread')).toMatchObject({ runningSummary: 'with d', summaryStale: true });
    await store.appendMessages(messageAppend('thread', [newMessage('f')]));
    await store.finishExtraction(
      extractionOutcome('job-f', 'lease', { summary: { text: 'without d', uptoSequence: 6 } }),
    );
    expect(await store.getThread('thread')).toMatchObject({
      runningSummary: 'without d',
      summaryStale: false,
    });
  },
  'a pass that read a deleted message does not replace the summary that a card made anew (D3)': async (
    stage,
  ) => {
    const { store } = stage;
    await startJobs(stage);
    await store.deleteRecord('message', 'd');
    const threadUpdatedAt = (await store.getThread('thread'))?.updatedAt ?? '';
    const anew = { threadId: 'thread', text: 'without d', uptoSequence: 5, threadUpdatedAt };
    expect(await store.saveRebuiltSummary(anew)).toBe(true);
    const summary = { text: 'with d', uptoSequence: 5 };
    await store.finishExtraction(extractionOutcome('job-d', 'lease', { summary }));
    expect(await store.getThread('thread')).toMatchObject({
      runningSummary: 'without d',
      summaryStale: false,
    });
  },
  'superseded memories are hidden from search, of the own user only (contract §8.4)': async (stage) => {
    const { store } = stage;
    await startJobs(stage);
    await store.addRecord(extracted('old'), 'thread');
    await store.addRecord(extracted('foreign', { userId: 'user2' }), undefined);
    const comparedWith = await tallyOf(stage);
    await store.finishExtraction(
      extractionOutcome('job-d', 'lease', {
        memories: [extracted('new')],
        comparedWith,
        supersededIds: ['old', 'foreign', 'none'],
      }),
    );
    for (const query of [storeSearch().query, { strategy: 'keyword', text: 'bicycle' } as const]) {
      const found = await store.search(storeSearch({ query }));
      expect(found?.map((hit) => hit.record.id).sort()).toEqual(['foreign', 'new']);
    }
    expect((await store.getRecord('memory', 'old'))?.status).toBe('superseded');
    await store.deleteRecord('memory', 'new');
    expect((await store.search(storeSearch()))?.map((hit) => hit.record.id)).toEqual(['foreign']);
  },
  'a search comes with the input of a pass: the nearest memories of its owners, in one round trip': async (
    stage,
  ) => {
    const { store } = stage;
    await startJobs(stage);
    await store.addRecord(extracted('far', { chunks: [chunkAt(80, 'bicycle bell')] }), 'thread');
    await store.addRecord(extracted('near', { chunks: [chunkAt(5, 'bicycle')] }), 'thread');
    await store.addRecord(extracted('of another user', { userId: 'user2' }), 'thread');
    await store.addRecord(extracted('superseded'), 'thread');
    await store.finishExtraction(extractionOutcome('job-a', 'lease', { supersededIds: ['superseded'] }));
    const newestMemories = { count: 10, characters: 100 };
    const bare = await store.readExtractionInput('job-d', 'lease');
    expect(bare).toMatchObject({ pastMemories: [], newestMemories: [] });
    const plain = await store.readExtractionInput('job-d', 'lease', { newestMemories });
    expect(plain).toMatchObject({ pastMemories: [], memoryTally: { memoryCount: 3 } });
    expect(plain?.newestMemories.map((record) => record.id)).toEqual(['near', 'far']);
    for (const [count, characters, ids] of [
      [1, 100, ['near']],
      [10, 0, []],
    ] as const) {
      const limits = { count, characters };
      const limited = await store.readExtractionInput('job-d', 'lease', { newestMemories: limits });
      expect(limited?.newestMemories.map((record) => record.id)).toEqual(ids);
      const newest = await store.readNewestMemories('job-d', 'lease', limits);
      expect(newest?.memories.map((record) => record.id)).toEqual(ids);
    }
    const scope = {
      user: { kind: 'exact_of_thread' },
      agent: { kind: 'exact_of_thread' },
      thread: { kind: 'boost_of_thread' },
    } as const;
    const vector = direction(0);
    const text = 'bicycle';
    for (const query of [
      { strategy: 'vector', vector } as const,
      { strategy: 'keyword', text } as const,
      { strategy: 'hybrid', text, vector } as const,
    ]) {
      const search = storeSearch({ threadId: 'thread', scope, recordTypes: ['fact'], query });
      const before = stage.transport.roundTrips;
      const input = await store.readExtractionInput('job-d', 'lease', {
        pastMemories: search,
        newestMemories,
      });
      expect(stage.transport.roundTrips - before).toBe(1);
      expect(input).toEqual({ ...plain, pastMemories: expect.anything(), newestMemories: [] });
      const found = await store.search(search);
      expect(input?.pastMemories).toEqual(found?.map((hit) => hit.record));
      expect(input?.pastMemories.map((record) => record.id).sort()).toEqual(['far', 'near']);
      const nearest = await store.readExtractionInput('job-d', 'lease', {
        pastMemories: { ...search, maxResults: 1 },
        newestMemories,
      });
      expect(nearest?.pastMemories).toEqual(input?.pastMemories.slice(0, 1));
      expect(nearest?.newestMemories).toEqual(input?.pastMemories.slice(1));
    }
    const nothing = storeSearch({ threadId: 'thread', scope, query: { strategy: 'keyword', text: '???' } });
    expect(
      await store.readExtractionInput('job-d', 'lease', { pastMemories: nothing, newestMemories }),
    ).toEqual(plain);
    const ofThread = storeSearch({ threadId: 'thread', scope });
    expect(await store.readExtractionInput('job-d', 'other', { pastMemories: ofThread })).toBeUndefined();
  },
  'memories are written only beside those that they were compared with': async (stage) => {
    const { store } = stage;
    await startJobs(stage);
    const comparedWith = await tallyOf(stage);
    expect(comparedWith).toEqual({ memoryCount: 0, positionSum: 0 });
    const first = extractionOutcome('job-a', 'lease', { memories: [extracted('job-a-1')], comparedWith });
    expect(await store.finishExtraction(first)).toBe('written');
    const before = [await rowCounts(stage), await readJobs(stage, 'thread'), await store.getThread('thread')];
    const second = extractionOutcome('job-d', 'lease', {
      memories: [extracted('job-d-1')],
      comparedWith,
      supersededIds: ['job-a-1'],
      summary: { text: 'summary', uptoSequence: 5 },
    });
    expect(await store.finishExtraction(second)).toBe('other_memories');
    expect([
      await rowCounts(stage),
      await readJobs(stage, 'thread'),
      await store.getThread('thread'),
    ]).toEqual(before);
    expect(await store.getRecord('memory', 'job-a-1')).toMatchObject({ status: 'active' });
    const again = { ...second, comparedWith: await tallyOf(stage) };
    expect(await store.finishExtraction(again)).toBe('written');
  },
  'memories of another thread of the same user and agent count, those of other owners do not': async (
    stage,
  ) => {
    const { store } = stage;
    await startJobs(stage);
    const comparedWith = await tallyOf(stage);
    for (const [userId, agentId] of [
      ['user', 'agent2'],
      ['user2', 'agent'],
      ['user', null],
    ] as const) {
      await store.addRecord(extracted(`${userId} ${agentId}`, { userId, agentId }), undefined);
    }
    expect(await tallyOf(stage)).toEqual(comparedWith);
    await store.createThread(newThread('other'));
    await store.addRecord(extracted('same owners'), 'other');
    const outcome = extractionOutcome('job-d', 'lease', { memories: [extracted('new')], comparedWith });
    expect(await store.finishExtraction(outcome)).toBe('other_memories');
    await store.deleteRecord('memory', 'same owners');
    expect(await store.finishExtraction(outcome)).toBe('written');
  },
  'an outcome without memories is written whatever memories there are': async (stage) => {
    await startJobs(stage);
    await stage.store.addRecord(extracted('new'), 'thread');
    expect(await stage.store.finishExtraction(extractionOutcome('job-d', 'lease'))).toBe('written');
  },
  'a lost pass with memories is told so, whatever was added': async (stage) => {
    await startJobs(stage);
    await stage.store.addRecord(extracted('added'), 'thread');
    const outcome = extractionOutcome('job-d', 'stolen', { memories: [extracted('new')] });
    expect(await stage.store.finishExtraction(outcome)).toBe('lost');
  },
  'the newest memories of the owners are read with their tally, in one round trip': async (stage) => {
    const { store } = stage;
    await startJobs(stage);
    expect(await store.readNewestMemories('job-d', 'lease', { count: 2, characters: 100 })).toEqual({
      memories: [],
      memoryTally: { memoryCount: 0, positionSum: 0 },
    });
    for (const id of ['one', 'two', 'three', 'superseded']) await store.addRecord(extracted(id), 'thread');
    await store.addRecord(extracted('of another user', { userId: 'user2' }), 'thread');
    await store.addRecord(newRecord('expired', EXPIRED), 'thread');
    await store.finishExtraction(extractionOutcome('job-a', 'lease', { supersededIds: ['superseded'] }));
    const before = stage.transport.roundTrips;
    const newest = await store.readNewestMemories('job-d', 'lease', { count: 2, characters: 100 });
    expect(stage.transport.roundTrips - before).toBe(1);
    expect(newest?.memories.map((record) => record.id)).toEqual(['three', 'two']);
    expect(newest?.memoryTally).toEqual(await tallyOf(stage));
    expect(newest?.memoryTally.memoryCount).toBe(5);
    expect(await store.readNewestMemories('job-d', 'stolen', { count: 2, characters: 100 })).toBeUndefined();
  },
  'an outcome is one round trip': async (stage) => {
    await startJobs(stage);
    const before = stage.transport.roundTrips;
    await stage.store.finishExtraction(
      extractionOutcome('job-d', 'lease', { memories: [extracted('job-d-1')] }),
    );
    expect(stage.transport.roundTrips - before).toBe(1);
  },
};
