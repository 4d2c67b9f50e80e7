import { describe, expect, it } from 'vitest';
import { addMessages } from '../../lib/memory/messages.ts';
import { createSummary, getSummary } from '../../lib/memory/summary.ts';
import { createThread } from '../../lib/memory/threads.ts';
import { createTestContext } from './test-context.ts';

async function setUp(contents: readonly string[]) {
  const fakes = createTestContext({ context: { llm: undefined } });
  await createThread(fakes.context, { threadId: 't', extraction: { extractMemories: false } });
  for (let start = 0; start < contents.length; start += 500) {
    const batch = contents.slice(start, start + 500);
    await addMessages(fakes.context, 't', { messages: batch.map((content) => ({ role: 'user', content })) });
  }
  const summarize = async (request: Parameters<typeof getSummary>[2] = {}) =>
    (await getSummary(fakes.context, 't', request)).content;
  return { ...fakes, summarize };
}

describe('getSummary (contract §4.6, §9.3)', () => {
  it('tells who said what, without a model, in one round trip', async () => {
    const { summarize, store } = await setUp(['one', 'two']);
    const before = store.calls.length;
    expect(await summarize()).toBe('user: one\nuser: two');
    expect(store.calls.slice(before)).toEqual(['getMessages']);
  });

  it('is no longer than an answer holds when the budget is unbounded', async () => {
    const { context } = await setUp(Array.from({ length: 10 }, () => '"'.repeat(400_000)));
    const summary = await getSummary(context, 't', { tokenBudget: 0 });
    const bytes = Buffer.byteLength(JSON.stringify(summary));
    expect(bytes).toBeLessThan(5 * 1024 * 1024);
    expect(bytes).toBeGreaterThan(4.9 * 1024 * 1024);
  });

  it('has the same content as formatted content', async () => {
    const { context } = await setUp(['a <b>']);
    expect(await getSummary(context, 't', {})).toEqual({
      content: 'user: a <b>',
      formattedContent: 'user: a <b>',
    });
  });

  it.each([
    [0, 'user: 1\nuser: 2\nuser: 3'],
    [1, 'user: 1\nuser: 2'],
    [3, ''],
    [9, ''],
  ])('leaves out the newest %i', async (exceptLast, expected) => {
    const { summarize } = await setUp(['1', '2', '3']);
    expect(await summarize({ exceptLast })).toBe(expected);
  });

  it('cuts to floor(budget × 3.5) characters, by default for 2,000 tokens (D9)', async () => {
    const text = 'x'.repeat(20_000);
    const { summarize } = await setUp([text]);
    expect(await summarize({ tokenBudget: 3 })).toBe('user: xxxx');
    expect(await summarize({ tokenBudget: 1 })).toBe('use');
    expect(await summarize()).toHaveLength(7_000);
  });

  it.each([[0], [-1]])('is unbounded for a budget of %i', async (tokenBudget) => {
    const { summarize } = await setUp(['x'.repeat(20_000)]);
    expect(await summarize({ tokenBudget })).toHaveLength(20_006);
  });

  it('counts code points and cuts between them', async () => {
    const { summarize } = await setUp(['😀😀😀😀']);
    expect(await summarize({ tokenBudget: 2 })).toBe('user: 😀');
    expect(createSummary([], 5).content).toBe('');
  });

  it('reads on until the budget is full or the thread ends', async () => {
    const contents = Array.from({ length: 1_203 }, (_, index) => `${index}`);
    const { summarize, store } = await setUp(contents);
    const reads = () => store.calls.filter((call) => call === 'getMessages').length;
    expect((await summarize({ tokenBudget: -1, exceptLast: 3 })).split('\n')).toHaveLength(1_200);
    expect(reads()).toBe(2);
    await summarize({ tokenBudget: 100 });
    expect(reads()).toBe(3);
  });

  it('reads no more messages than the budget can hold', async () => {
    const { context, store } = await setUp(Array.from({ length: 500 }, (_, index) => `${index}`));
    const windows: number[] = [];
    const getMessages: typeof store.getMessages = (threadId, window, options) => {
      windows.push(window.limit);
      return store.getMessages(threadId, window, options);
    };
    const summary = await getSummary({ ...context, store: { ...store, getMessages } }, 't', {
      tokenBudget: 10,
    });
    expect(summary.content).toBe('user: 0\nuser: 1\nuser: 2\nuser: 3\nuse');
    expect(windows).toEqual([7]);
  });

  it('leaves out no message when earlier ones are deleted between two reads', async () => {
    const { context, store } = await setUp(Array.from({ length: 9 }, (_, index) => `${index}`));
    const ids = store.records().map(({ record }) => record.id);
    const getMessages: typeof store.getMessages = async (threadId, window, options) => {
      const page = await store.getMessages(threadId, { ...window, limit: 3 }, options);
      for (const id of ids.splice(0, 2)) await store.deleteRecord('message', id);
      return page;
    };
    const changing = { ...context, store: { ...store, getMessages } };
    const summary = await getSummary(changing, 't', { tokenBudget: 0, exceptLast: 1 });
    expect(summary.content.split('\n')).toEqual([0, 1, 2, 3, 4, 5, 6, 7].map((index) => `user: ${index}`));
  });

  it('of 10,000 messages takes one round trip, ten when it is unbounded (J87)', async () => {
    const { summarize, store } = await setUp(
      Array.from({ length: 10_000 }, (_, index) => `message ${index}`),
    );
    const reads = () => store.calls.filter((call) => call === 'getMessages').length;
    expect(await summarize()).toHaveLength(7_000);
    expect(reads()).toBe(1);
    expect((await summarize({ tokenBudget: 0 })).split('\n')).toHaveLength(10_000);
    expect(reads()).toBe(11);
  });

  it('answers not_found for an unknown thread', async () => {
    const { context } = createTestContext();
    await expect(getSummary(context, 'nobody', {})).rejects.toMatchObject({ code: 'not_found' });
  });
});
