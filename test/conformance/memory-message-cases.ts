import { expect } from 'vitest';
import { expectError, type MemoryCase, plainThread } from './memory-stage.ts';

function numbered(count: number, prefix = 'message') {
  return Array.from({ length: count }, (_, index) => ({ role: 'user', content: `${prefix} ${index}` }));
}

export const MESSAGE_CASES: Readonly<Record<string, MemoryCase>> = {
  'messages come back in the order in which they were given (contract §4.3)': async (stage) => {
    const thread = await plainThread(stage);
    const first = await thread.addMessages([
      { id: stage.id('m1'), role: 'user', content: 'one' },
      { role: 'assistant', content: 'two', timestamp: '2020-01-01T10:00:00+02:00' },
    ]);
    await thread.addMessages([{ role: 'tool', content: 'three' }]);
    expect(first.ids[0]).toBe(stage.id('m1'));
    expect(first.extraction).toEqual({ status: 'none', jobId: null });
    const messages = await thread.getMessages();
    expect(messages.map(({ role, content }) => [role, content])).toEqual([
      ['user', 'one'],
      ['assistant', 'two'],
      ['tool', 'three'],
    ]);
    expect(messages[1]?.timestamp).toBe('2020-01-01T08:00:00.000Z');
    expect(messages.map((message) => message.id).slice(0, 2)).toEqual(first.ids);
  },

  'a time without an offset is UTC (contract §4.3)': async (stage) => {
    const thread = await plainThread(stage);
    await thread.addMessages([{ role: 'user', content: 'x', timestamp: '2024-02-29T12:00:00' }]);
    expect((await thread.getMessages())[0]?.timestamp).toBe('2024-02-29T12:00:00.000Z');
  },

  'content survives as it was: emoji, scripts, markup, white space, length (contract §4.2)': async (
    stage,
  ) => {
    const thread = await plainThread(stage);
    const contents = [
      '😀👩‍👩‍👧 日本語 é',
      ' <b>&amp;</b>\r\n\t"quoted" \\ ',
      "Robert'); DROP TABLE thread; --",
      ':name {"json": [1]} %_*',
      'x'.repeat(32_768),
      'é'.repeat(120_000),
    ];
    await thread.addMessages(contents.map((content) => ({ role: 'user', content })));
    expect((await thread.getMessages()).map((message) => message.content)).toEqual(contents);
  },

  'without a window the newest 100 come back; a window counts from 0 (contract §4.6, D9)': async (stage) => {
    const thread = await plainThread(stage);
    await thread.addMessages(numbered(101));
    const numbersOf = async (window: { start?: number; end?: number }) => {
      const messages = await thread.getMessages(window);
      return messages.map((message) => Number(message.content.split(' ')[1]));
    };
    const all = Array.from({ length: 101 }, (_, index) => index);
    expect(await numbersOf({})).toEqual(all.slice(1));
    expect(await numbersOf({ start: 0 })).toEqual(all.slice(0, 100));
    expect(await numbersOf({ start: 0, end: -1 })).toEqual(all);
    expect(await numbersOf({ start: 99, end: 1_000 })).toEqual([99, 100]);
    expect(await numbersOf({ end: 2 })).toEqual([0, 1]);
    expect(await numbersOf({ start: 5, end: 5 })).toEqual([]);
    expect(await numbersOf({ start: 101, end: -1 })).toEqual([]);
  },

  'a window with a negative index is refused, except end −1 (contract §4.6)': async (stage) => {
    const thread = await plainThread(stage);
    await expectError(thread.getMessages({ start: -1 }), 'invalid_request', 'start');
    await expectError(thread.getMessages({ end: -2 }), 'invalid_request', 'end');
  },

  '500 messages are one call, 501 are refused (HTTP API contract, Conventions)': async (stage) => {
    const thread = await plainThread(stage);
    expect((await thread.addMessages(numbered(500))).ids).toHaveLength(500);
    await expectError(thread.addMessages(numbered(501)), 'invalid_request', 'messages');
  },

  'metadata is shared by the batch or aligned one to one (contract §4.3)': async (stage) => {
    const thread = await plainThread(stage);
    await thread.addMessages(numbered(2), { metadata: { source: 'import' } });
    await thread.addMessages(numbered(2), { metadata: [{ n: 1 }, null] });
    await thread.addMessages([{ role: 'user', content: 'own', metadata: { own: true } }]);
    const messages = await thread.getMessages();
    expect(messages.map((message) => message.metadata)).toEqual([
      { source: 'import' },
      { source: 'import' },
      { n: 1 },
      {},
      { own: true },
    ]);
  },

  'lists that do not align and anchors without a timestamp are refused by name (contract §4.3)': async (
    stage,
  ) => {
    const thread = await plainThread(stage);
    const two = numbered(2);
    await expectError(thread.addMessages(two, { metadata: [{}] }), 'invalid_request', 'metadata');
    await expectError(thread.addMessages(two, { ttlDays: [1, 2, 3] }), 'invalid_request', 'ttlDays');
    await expectError(
      thread.addMessages(two, { ttlAnchor: 'timestamp', ttlDays: 1 }),
      'invalid_request',
      'messages[0].timestamp',
    );
    expect(await thread.getMessages()).toEqual([]);
  },

  'an expiry that is past already makes a message invisible at once (contract §11)': async (stage) => {
    const thread = await plainThread(stage);
    await thread.addMessages([{ role: 'user', content: 'old tea', timestamp: '2020-01-01T00:00:00Z' }], {
      ttlDays: 1,
      ttlAnchor: 'timestamp',
    });
    await thread.addMessages([{ role: 'user', content: 'new tea' }], { ttlDays: 1 });
    expect((await thread.getMessages()).map((message) => message.content)).toEqual(['new tea']);
    expect((await thread.search('tea')).map((result) => result.content)).toEqual(['new tea']);
  },

  'invalid messages are refused by their path and nothing is stored (contract §4.2)': async (stage) => {
    const thread = await plainThread(stage);
    const good = { role: 'user', content: 'x' };
    await expectError(thread.addMessages([]), 'invalid_request', 'messages');
    for (const content of ['', '  \n', 'a\u0000b', '\ud800']) {
      await expectError(
        thread.addMessages([good, { ...good, content }]),
        'invalid_request',
        'messages[1].content',
      );
    }
    await expectError(thread.addMessages([{ ...good, role: '' }]), 'invalid_request', 'messages[0].role');
    await expectError(
      thread.addMessages([{ ...good, role: 'r'.repeat(31) }]),
      'invalid_request',
      'messages[0].role',
    );
    await expectError(
      thread.addMessages([{ ...good, timestamp: 'yesterday' }]),
      'invalid_request',
      'messages[0].timestamp',
    );
    expect(await thread.getMessages()).toEqual([]);
  },

  'an id given twice or taken is a conflict, and nothing of the batch stays (contract §4.3, D7)': async (
    stage,
  ) => {
    const thread = await plainThread(stage);
    const message = { id: stage.id('m'), role: 'user', content: 'first' };
    await expectError(thread.addMessages([message, message]), 'conflict');
    await thread.addMessages([message]);
    await expectError(thread.addMessages([{ role: 'user', content: 'second' }, message]), 'conflict');
    expect(await thread.getMessages()).toMatchObject([{ content: 'first' }]);
  },

  'a handle on a deleted thread answers not found (contract §3.3, D7)': async (stage) => {
    const thread = await plainThread(stage);
    await stage.memory.deleteThread(thread.threadId);
    await expectError(thread.addMessages(numbered(1)), 'not_found');
    await expectError(thread.addMemory('x'), 'not_found');
    await expectError(thread.search('x'), 'not_found');
    await expectError(thread.getContextCard(), 'not_found');
    await expectError(thread.getSummary(), 'not_found');
  },
};
