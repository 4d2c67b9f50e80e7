import { expect } from 'vitest';
import { expectError, type MemoryCase, plainThread } from './memory-stage.ts';

/** Adds that are repeated with their idempotency key (HTTP API contract, Conventions). */
export const IDEMPOTENCY_CASES: Readonly<Record<string, MemoryCase>> = {
  'a thread created twice with one key is one thread': async ({ memory, id }) => {
    const request = {
      userId: id('user'),
      metadata: { zulu: 1, alpha: 2 },
      extraction: { extractMemories: false },
    };
    const keyed = memory.withIdempotencyKey(id('key'));
    const first = await keyed.createThread(request);
    const second = await keyed.createThread(request);
    expect(JSON.stringify(second)).toBe(JSON.stringify(first));
    const { items } = await memory.listThreads({ userId: id('user') });
    expect(items.map((thread) => thread.threadId)).toEqual([first.threadId]);
  },

  'messages added twice with one key are there once, and so is what was extracted': async (stage) => {
    const { memory, id } = stage;
    const thread = await plainThread(stage, { extraction: { extractMemories: true } });
    const keyed = thread.withIdempotencyKey(id('key'));
    const messages = [{ role: 'user', content: 'I live in Porto and I row.' }];
    const first = await keyed.addMessages(messages, { metadata: { turn: 1 } });
    expect(first.extraction.status).toBe('completed');
    expect(JSON.stringify(await keyed.addMessages(messages, { metadata: { turn: 1 } }))).toBe(
      JSON.stringify(first),
    );
    expect((await thread.getMessages()).map((message) => message.id)).toEqual(first.ids);
    const { items } = await memory.listMemories({ threadId: thread.threadId });
    expect(items.map((memory) => memory.id).sort()).toEqual([...(first.extraction.memoryIds ?? [])].sort());
  },

  'memories and records added twice with one key keep their ids': async (stage) => {
    const { memory, id } = stage;
    const thread = await plainThread(stage);
    const adds = [
      () => thread.withIdempotencyKey(id('key')).addMemory('Likes tea.'),
      () => memory.withIdempotencyKey(id('key')).addMemory('Likes tea.', { userId: id('user') }),
      () => memory.withIdempotencyKey(id('key')).addUser(id('user'), 'Likes tea.'),
      () => memory.withIdempotencyKey(id('key')).addAgent(id('agent'), 'Makes tea.'),
      () => memory.records.withIdempotencyKey(id('key')).add({ recordType: 'fact', contents: ['a', 'b'] }),
      () =>
        memory.withIdempotencyKey(id('key')).records.addBatches([{ recordType: 'fact', contents: ['c'] }]),
    ];
    for (const add of adds) expect(await add()).toEqual(await add());
    const again = await thread.addMemory('Likes tea.');
    expect(again).not.toBe(await adds[0]?.());
  },

  'a key of another call is idempotency_mismatch, and its call stays as it was': async (stage) => {
    const thread = await plainThread(stage);
    const keyed = thread.withIdempotencyKey(stage.id('key'));
    const id = await keyed.addMemory('Likes tea.');
    await expectError(keyed.addMemory('Likes coffee.'), 'idempotency_mismatch');
    expect(await keyed.addMemory('Likes tea.')).toBe(id);
  },

  'a call that was refused is made when it is repeated with its key': async (stage) => {
    const { memory, id } = stage;
    const keyed = memory.withIdempotencyKey(id('key'));
    const request = { threadId: id('thread'), extraction: { extractMemories: false } };
    const taken = await plainThread(stage);
    await expectError(keyed.createThread(request), 'conflict');
    await expectError(keyed.cancelJob(id('job')), 'not_found');
    await memory.deleteThread(taken.threadId);
    const made = await keyed.createThread(request);
    expect((await keyed.createThread(request)).createdAt).toBe(made.createdAt);
  },

  'a key is 1 to 255 visible ASCII characters': async ({ memory }) => {
    for (const key of ['', 'two words', 'x'.repeat(256), 'caf\u00e9']) {
      expect(() => memory.withIdempotencyKey(key)).toThrow(/^idempotencyKey: /);
    }
  },
};
