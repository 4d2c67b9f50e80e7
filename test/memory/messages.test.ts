import { describe, expect, it } from 'vitest';
import { AgentMemory } from '../../lib/memory/agent-memory.ts';
import { addMessages, getMessages } from '../../lib/memory/messages.ts';
import { createThread } from '../../lib/memory/threads.ts';
import type { AddMessagesRequest, NewMessage } from '../../lib/schemas/message.ts';
import { createTestContext, type TestContextOptions } from './test-context.ts';

function userMessage(content: string, fields: Partial<NewMessage> = {}): NewMessage {
  return { role: 'user', content, ...fields };
}

async function setUp(options: TestContextOptions = {}) {
  const fakes = createTestContext(options);
  await createThread(fakes.context, { threadId: 't', extraction: { extractMemories: false } });
  const add = (request: AddMessagesRequest) => addMessages(fakes.context, 't', request);
  return { ...fakes, add };
}

const two = [userMessage('one', { id: 'm1' }), userMessage('two', { id: 'm2' })];

describe('addMessages (contract §4.3)', () => {
  it('stores the messages in their order and returns their ids', async () => {
    const { add, context } = await setUp();
    const answer = await add({ messages: [userMessage('one', { id: 'm1' }), userMessage('two')] });
    expect(answer.ids[0]).toBe('m1');
    expect(answer.extraction).toEqual({ status: 'none', jobId: null });
    expect(answer).not.toHaveProperty('warnings');
    const { messages } = await getMessages(context, 't', {});
    expect(messages.map((message) => [message.id, message.content])).toEqual([
      ['m1', 'one'],
      [answer.ids[1], 'two'],
    ]);
  });

  it('takes one round trip and one embedding call for the whole batch', async () => {
    const { add, store, embedder } = await setUp({ settings: { chunkTokens: 2, chunkOverlap: 0 } });
    await add({ messages: [userMessage('a b c'), userMessage('d')] });
    expect(store.calls).toEqual(['createThread', 'appendMessages']);
    expect(embedder.calls.map((call) => [call.purpose, call.texts])).toEqual([
      ['document', ['a b', ' c', 'd']],
    ]);
  });

  it('shares one metadata object, aligns a list, and keeps own metadata', async () => {
    const { add, store } = await setUp();
    await add({ messages: two, metadata: { source: 'import' } });
    await add({
      messages: [userMessage('a'), userMessage('b', { metadata: { own: 1 } })],
      metadata: [{ n: 1 }, null],
    });
    await add({
      messages: [userMessage('c', { metadata: { own: 1, source: 'me' } })],
      metadata: { source: 'x' },
    });
    const metadata = store.appended.flatMap((append) => append.messages.map((message) => message.metadata));
    expect(metadata).toEqual([
      { source: 'import' },
      { source: 'import' },
      { n: 1 },
      { own: 1 },
      { own: 1, source: 'me' },
    ]);
  });

  it('broadcasts and aligns time to live; omitted stays omitted and null stays null', async () => {
    const { add, store } = await setUp();
    const timestamp = '2026-01-01T00:00:00.000Z';
    await add({ messages: two });
    await add({ messages: [userMessage('a'), userMessage('b')], ttlDays: 3 });
    await add({
      messages: [userMessage('c', { timestamp }), userMessage('d')],
      ttlDays: [null, 5],
      ttlAnchor: ['timestamp', 'created_at'],
    });
    const lifetimes = store.appended.map((append) =>
      append.messages.map(({ ttlDays, ttlAnchor }) => [ttlDays, ttlAnchor]),
    );
    expect(lifetimes).toEqual([
      [
        [undefined, 'created_at'],
        [undefined, 'created_at'],
      ],
      [
        [3, 'created_at'],
        [3, 'created_at'],
      ],
      [
        [null, 'timestamp'],
        [5, 'created_at'],
      ],
    ]);
  });

  it.each([
    ['metadata', { metadata: [{}] }, 'metadata'],
    ['ttlDays', { ttlDays: [1, 2, 3] }, 'ttlDays'],
    ['ttlAnchor', { ttlAnchor: [] }, 'ttlAnchor'],
    ['a timestamp anchor without a timestamp', { ttlAnchor: 'timestamp' as const }, 'messages[0].timestamp'],
    [
      'a timestamp anchor of one message',
      { ttlAnchor: ['created_at' as const, 'timestamp' as const] },
      'messages[1].timestamp',
    ],
  ])('refuses %s that does not fit, before anything is embedded or stored', async (_name, fields, path) => {
    const { add, store, embedder } = await setUp();
    await expect(add({ messages: two, ...fields })).rejects.toMatchObject({
      code: 'invalid_request',
      issues: [{ path }],
    });
    expect(embedder.calls).toEqual([]);
    expect(store.appended).toEqual([]);
  });

  it('answers conflict for an id given twice and for a taken id (contract D7)', async () => {
    const { add } = await setUp();
    const conflict = { code: 'conflict', message: expect.stringContaining('already exists') };
    await expect(
      add({ messages: [userMessage('a', { id: 'x' }), userMessage('b', { id: 'x' })] }),
    ).rejects.toMatchObject(conflict);
    await add({ messages: two });
    await expect(add({ messages: two })).rejects.toMatchObject(conflict);
  });

  it('answers not_found for an unknown thread', async () => {
    const { context } = createTestContext();
    await expect(addMessages(context, 'nobody', { messages: two })).rejects.toMatchObject({
      code: 'not_found',
    });
  });

  it('never makes a chunk larger than the embedder takes (contract §10.3)', async () => {
    const fakes = createTestContext();
    const limits = { ...fakes.embedder.limits, maxInputTokens: 3 };
    const context = { ...fakes.context, embedder: { ...fakes.embedder, limits } };
    await createThread(context, { threadId: 't', extraction: { extractMemories: false } });
    await addMessages(context, 't', { messages: [userMessage('a b c d e')] });
    expect(fakes.store.appended[0]?.messages[0]?.chunks.map((chunk) => chunk.text)).toEqual([
      'a b c',
      ' c d e',
    ]);
  });

  it('makes no chunk of white space alone', async () => {
    const letters = { encoding: 'letters', count: (text: string) => text.length };
    const split = (text: string) => text.match(/.{1,4}/gs) ?? [];
    const { add, store } = await setUp({ context: { tokenizer: { ...letters, split } } });
    await add({ messages: [userMessage('tea         cake')] });
    expect(store.appended[0]?.messages[0]?.chunks.map((chunk) => chunk.text)).toEqual(['tea ', 'cake']);
  });

  it('stores text-only rows on a keyword store without embedder', async () => {
    const { add, store } = await setUp({
      context: { embedder: undefined },
      settings: { searchStrategy: 'keyword' },
    });
    await add({ messages: [userMessage('hello')] });
    expect(store.appended[0]?.messages[0]?.chunks).toEqual([{ text: 'hello', embedding: null }]);
  });

  it('refuses to write to a vector store without embedder (contract §10.2)', async () => {
    const { add, store } = await setUp({ context: { embedder: undefined } });
    await expect(add({ messages: two })).rejects.toMatchObject({ code: 'unsupported' });
    expect(store.appended).toEqual([]);
  });
});

describe('a window that the store cuts (contract §4.6)', () => {
  it.each([[{}], [{ start: 0 }], [{ end: -1 }]])('says where to go on: %o', async (window) => {
    const { add, context, store } = await setUp();
    await add({ messages: ['a', 'b', 'c'].map((content) => userMessage(content)) });
    const getSome: typeof store.getMessages = async (...values) => {
      const all = await store.getMessages(...values);
      return all === undefined ? undefined : { ...all, messages: all.messages.slice(0, 2) };
    };
    const cutting = { ...context, store: { ...store, getMessages: getSome } };
    const answer = await getMessages(cutting, 't', window);
    expect(answer.messages.map((message) => message.content)).toEqual(['a', 'b']);
    expect(answer.nextStart).toBe(2);
  });
});

describe('a handle that reads a window in parts (contract §4.6)', () => {
  /** Reads a window of `0` … `9`, three at a time; after each read the given messages are deleted. */
  async function readInParts(
    window: { start?: number; end?: number },
    deleted: readonly (readonly number[])[],
  ) {
    const { add, context, store } = await setUp();
    const messages = Array.from({ length: 10 }, (_, index) => userMessage(`${index}`, { id: `m${index}` }));
    await add({ messages });
    const left = [...deleted];
    const getMessages: typeof store.getMessages = async (...values) => {
      const all = await store.getMessages(...values);
      for (const index of left.shift() ?? []) await store.deleteRecord('message', `m${index}`);
      return all === undefined ? undefined : { ...all, messages: all.messages.slice(0, 3) };
    };
    const thread = await new AgentMemory({ ...context, store: { ...store, getMessages } }).getThread('t');
    return (await thread.getMessages(window)).map((message) => Number(message.content));
  }

  it.each([
    ['nothing', {}, [[]], [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]],
    ['what was read', {}, [[0, 2], [1]], [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]],
    ['all that was read', { end: -1 }, [[0, 1, 2]], [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]],
    ['what comes before the window', { start: 4, end: -1 }, [[0, 1]], [4, 5, 6, 7, 8, 9]],
    ['what was not read yet', { start: 0, end: -1 }, [[4, 9]], [0, 1, 2, 3, 5, 6, 7, 8]],
    ['what was read of a window that ends', { start: 1, end: 6 }, [[1, 2]], [1, 2, 3, 4, 5]],
  ])('leaves out no message when somebody deletes %s', async (_name, window, deleted, expected) => {
    expect(await readInParts(window, deleted)).toEqual(expected);
  });
});

describe('getMessages (contract §4.6, D9)', () => {
  async function withMessages(count: number) {
    const fakes = await setUp();
    const messages = Array.from({ length: count }, (_, index) => userMessage(`${index}`));
    for (let start = 0; start < count; start += 500)
      await fakes.add({ messages: messages.slice(start, start + 500) });
    const read = async (window: { start?: number; end?: number }) => {
      const answer = await getMessages(fakes.context, 't', window);
      return { contents: answer.messages.map((message) => Number(message.content)), next: answer.nextStart };
    };
    return { ...fakes, read };
  }

  it.each([
    ['both omitted: the newest 100', {}, 50, 149],
    ['start alone: 100 from there', { start: 10 }, 10, 109],
    ['start alone near the end', { start: 120 }, 120, 149],
    ['end alone: from the beginning', { end: 3 }, 0, 2],
    ['start and end', { start: 3, end: 5 }, 3, 4],
    ['end −1: to the end', { start: 140, end: -1 }, 140, 149],
    ['end beyond the last', { start: 148, end: 1000 }, 148, 149],
  ])('%s', async (_name, window, first, last) => {
    const { read } = await withMessages(150);
    const { contents, next } = await read(window);
    expect([contents[0], contents.at(-1), contents.length]).toEqual([first, last, last - first + 1]);
    expect(next).toBeNull();
  });

  it.each([[{ start: 5, end: 5 }], [{ start: 7, end: 2 }], [{ start: 1_000 }]])(
    'answers nothing for %o',
    async (window) => {
      const { read } = await withMessages(10);
      expect(await read(window)).toEqual({ contents: [], next: null });
    },
  );

  it('answers not_found for an unknown thread', async () => {
    const { context } = createTestContext();
    await expect(getMessages(context, 'nobody', {})).rejects.toMatchObject({ code: 'not_found' });
  });

  it('cuts an answer below 5 MiB, says where to go on, and the handle goes on', async () => {
    const { add, context, memory } = await setUp({
      context: { embedder: undefined },
      settings: { searchStrategy: 'keyword', chunkTokens: 10 },
    });
    const long = '\u3042'.repeat(400_000);
    await add({ messages: Array.from({ length: 6 }, (_, index) => userMessage(long, { id: `m${index}` })) });
    const first = await getMessages(context, 't', { start: 0, end: -1 });
    expect(first.messages.map((message) => message.id)).toEqual(['m0', 'm1', 'm2', 'm3']);
    expect(first.nextStart).toBe(4);
    const all = await (await memory.getThread('t')).getMessages({ end: -1 });
    expect(all.map((message) => message.id)).toEqual(['m0', 'm1', 'm2', 'm3', 'm4', 'm5']);
  });
});
