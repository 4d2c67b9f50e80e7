import { describe, expect, it } from 'vitest';
import { AgentMemoryError } from '../../lib/errors/agent-memory-error.ts';
import { addMemory } from '../../lib/memory/memories.ts';
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

  it('asks no model when the content is the same', async () => {
    const { context, llm, callsBefore, store } = await setUp(five(NOTHING_FOUND));
    const jobs = store.jobs.size;
    await updateMessage(context, 't', 'm1', { content: 'old content 1', metadata: { n: 1 } });
    expect([llm.calls.length, store.jobs.size]).toEqual([callsBefore, jobs]);
    expect((await store.getRecord('message', 'm1'))?.metadata).toEqual({ n: 1 });
  });

  it('is not read before, and its past memories come with its messages', async () => {
    const { context, store, embedder } = await setUp(five(NOTHING_FOUND));
    const [stored, embedded, searched] = [store.calls.length, embedder.calls.length, store.searches.length];
    await updateMessage(context, 't', 'm3', { content: 'I live in Porto' });
    expect(store.calls.slice(stored)).toEqual(['editMessage', 'readExtractionInput', 'finishExtraction']);
    expect(store.searches.slice(searched)).toHaveLength(1);
    expect(embedder.calls.slice(embedded)).toMatchObject([
      { texts: ['I live in Porto'], purpose: 'document' },
      { texts: ['I live in Porto'], purpose: 'query' },
    ]);
  });

  it('shows the past memories that came with it', async () => {
    const { context, llm, callsBefore } = await setUp(five(NOTHING_FOUND));
    const owners = { userId: 'u', agentId: 'a' };
    await addMemory(context, { content: 'Ana lived in Porto', memoryId: 'past', ...owners });
    await addMemory(context, {
      content: 'Ben lived in Porto',
      memoryId: 'other',
      userId: 'u2',
      agentId: 'a',
    });
    await updateMessage(context, 't', 'm3', { content: 'I live in Porto' });
    const prompt = llm.calls[callsBefore]?.messages.at(-1)?.content;
    expect(prompt).toContain('Ana lived in Porto');
    expect(prompt).not.toContain('Ben lived in Porto');
  });

  it('that another edit overtakes is compared with what the message says now', async () => {
    const { context, store } = await setUp(five(NOTHING_FOUND));
    const overtaken = {
      ...store,
      readExtractionInput: async (...call: Parameters<typeof store.readExtractionInput>) => {
        await store.updateRecord('message', 'm3', { content: { text: 'I live in Faro', chunks: [] } });
        return store.readExtractionInput(...call);
      },
    };
    const stored = store.calls.length;
    await updateMessage({ ...context, store: overtaken }, 't', 'm3', { content: 'I live in Porto' });
    expect(store.calls.slice(stored)).toEqual([
      'editMessage',
      'updateRecord',
      'readExtractionInput',
      'search',
      'finishExtraction',
    ]);
  });

  it('without words of its own looks for nothing', async () => {
    const { context, llm, callsBefore, store } = await setUp(five(NOTHING_FOUND));
    const searches = store.searches.length;
    const card = '<context_card>\n  <topics></topics>\n</context_card>';
    const { extraction } = await updateMessage(context, 't', 'm3', { content: card });
    expect(extraction).toMatchObject({ status: 'completed', memoryIds: [] });
    expect([llm.calls.length, store.searches.length]).toEqual([callsBefore, searches]);
  });

  it('of a message that is not there is refused', async () => {
    const { context, store } = await setUp(five(NOTHING_FOUND));
    const before = store.records();
    await expect(updateMessage(context, 'other', 'm1', { content: 'new' })).rejects.toMatchObject({
      code: 'not_found',
      message: expect.stringContaining('"m1"'),
    });
    expect(store.records()).toEqual(before);
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
