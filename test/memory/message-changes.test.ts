import { describe, expect, it } from 'vitest';
import { AgentMemoryError } from '../../lib/errors/agent-memory-error.ts';
import { deleteMessage, updateMessage } from '../../lib/memory/message-changes.ts';
import { addMessages } from '../../lib/memory/messages.ts';
import { createThread } from '../../lib/memory/threads.ts';
import type { MemoryExtractionConfig } from '../../lib/schemas/extraction.ts';
import { createTestContext, extracted, extractionScript, type TestContextOptions } from './test-context.ts';

const NOTHING_FOUND = { memories: [] };

/** A thread with `m1` … `m4`; each append used one answer of the script. */
async function setUp(options: TestContextOptions, extraction: MemoryExtractionConfig = {}) {
  const fakes = createTestContext(options);
  await createThread(fakes.context, { threadId: 't', userId: 'u', agentId: 'a', extraction });
  for (const number of [1, 2, 3, 4]) {
    const message = { id: `m${number}`, role: 'user', content: `old content ${number}` };
    await addMessages(fakes.context, 't', { messages: [message] });
  }
  const callsBefore = fakes.llm.calls.length;
  const shownIds = (call = callsBefore) =>
    (fakes.llm.calls[call]?.messages.at(-1)?.content ?? '').match(/(?<="id":")m\d/g);
  return { ...fakes, callsBefore, shownIds };
}

const five = (last: object | Error) => ({
  script: extractionScript(NOTHING_FOUND, NOTHING_FOUND, NOTHING_FOUND, NOTHING_FOUND, last),
});

describe('an edit of a message (contract §4.5)', () => {
  it('is mined with the messages before it, not with those after it', async () => {
    const item = extracted('Ana lives in Porto', { sourceMessageIds: ['m3', 'm4'] });
    const { context, shownIds, llm, callsBefore, store } = await setUp(five({ memories: [item] }));
    const { extraction } = await updateMessage(context, 't', 'm3', { content: 'I live in Porto' });
    expect(shownIds()).toEqual(['m1', 'm2', 'm3']);
    const prompt = llm.calls[callsBefore]?.messages.at(-1)?.content;
    expect(prompt).toContain('I live in Porto');
    expect(prompt).not.toContain('old content 3');
    expect(extraction).toMatchObject({ status: 'completed', memoryIds: [expect.any(String)] });
    expect(store.records().at(-1)?.record.metadata).toMatchObject({
      $agent_memory: { sourceMessageIds: ['m3'] },
    });
  });

  it('is shown no more than the window of the thread', async () => {
    const { context, shownIds } = await setUp(five(NOTHING_FOUND), { memoryExtractionWindow: 2 });
    await updateMessage(context, 't', 'm3', { content: 'I live in Porto' });
    expect(shownIds()).toEqual(['m2', 'm3']);
  });

  it('stays when the extraction fails (D2)', async () => {
    const failure = new AgentMemoryError('model_failed', 'The model is ill.');
    const { context, store } = await setUp(five(failure));
    const { extraction } = await updateMessage(context, 't', 'm1', { content: 'new' });
    expect(extraction).toMatchObject({ status: 'failed', reason: { code: 'model_failed' } });
    expect((await store.getRecord('message', 'm1'))?.content).toBe('new');
  });

  it('is stored without a model, and its extraction fails as unsupported (D23)', async () => {
    const { context, store } = await setUp(five(NOTHING_FOUND));
    const withoutModel = { ...context, llm: undefined };
    const { extraction } = await updateMessage(withoutModel, 't', 'm1', { content: 'new' });
    expect(extraction).toMatchObject({ status: 'failed', reason: { code: 'unsupported' } });
    expect((await store.getRecord('message', 'm1'))?.content).toBe('new');
  });

  it('embeds and asks for nothing when the content is the same', async () => {
    const { context, embedder, llm, callsBefore, store } = await setUp(five(NOTHING_FOUND));
    const embedded = embedder.calls.length;
    const stored = store.calls.length;
    await updateMessage(context, 't', 'm1', { content: 'old content 1', metadata: { n: 1 } });
    expect(embedder.calls.length).toBe(embedded);
    expect(llm.calls.length).toBe(callsBefore);
    expect(store.calls.slice(stored)).toEqual(['getRecord', 'updateRecord']);
    expect((await store.getRecord('message', 'm1'))?.metadata).toEqual({ n: 1 });
  });

  it('does not embed for a message that is not there', async () => {
    const { context, embedder } = await setUp(five(NOTHING_FOUND));
    const embedded = embedder.calls.length;
    await expect(updateMessage(context, 'other', 'm1', { content: 'new' })).rejects.toMatchObject({
      code: 'not_found',
      message: expect.stringContaining('"m1"'),
    });
    expect(embedder.calls.length).toBe(embedded);
  });
});

describe('a running summary (contract §4.4, §4.5, D3)', () => {
  it('is stale after a covered message was edited or deleted, and not shown to the extractor', async () => {
    for (const change of ['edit', 'delete'] as const) {
      const { context, store, llm, callsBefore } = await setUp(five(NOTHING_FOUND));
      store.changeThread('t', { runningSummary: 'A summary of old content.', summarizedSequence: 2 });
      if (change === 'edit') await updateMessage(context, 't', 'm2', { content: 'new' });
      else await deleteMessage(context, 't', 'm2');
      expect(store.thread('t')?.summaryStale).toBe(true);
      for (const call of llm.calls.slice(callsBefore))
        expect(call.messages.at(-1)?.content).not.toContain('A summary of old content.');
    }
  });

  it('stays when the message is not in it', async () => {
    const { context, store } = await setUp(five(NOTHING_FOUND));
    store.changeThread('t', { runningSummary: 'A summary of old content.', summarizedSequence: 2 });
    await updateMessage(context, 't', 'm3', { content: 'new' });
    await deleteMessage(context, 't', 'm4');
    expect(store.thread('t')?.summaryStale).toBe(false);
  });
});
