import { expect } from 'vitest';
import { messageAppend, newMessage, newRecord, newThread } from '../store/store-samples.ts';
import { chunkAt, EXPIRED } from './store-fixtures.ts';
import { ODD_IDS, ODD_METADATA, rowCounts, type StoreCase } from './store-stage.ts';

const messages = (count: number, prefix = 'm') =>
  Array.from({ length: count }, (_, index) => newMessage(`${prefix}${index}`));
const ids = (found: { readonly messages: readonly { readonly id: string }[] } | undefined) =>
  found?.messages.map((message) => message.id);

/** Appending and reading messages. */
export const MESSAGE_CASES: Readonly<Record<string, StoreCase>> = {
  'messages come back as they were written (contract §4.2)': async ({ store }) => {
    await store.createThread(newThread('thread'));
    const timestamp = '2023-02-03T04:05:06.789Z';
    const written = [
      newMessage('m1', {
        role: '役割 "x"',
        content: 'line one\nline two\t🙂 \u00a0',
        metadata: ODD_METADATA,
      }),
      newMessage('m2', { timestamp }),
    ];
    await store.appendMessages(messageAppend('thread', written));
    const found = await store.getMessages('thread', { limit: 10 });
    expect(found).toMatchObject({ firstIndex: 0, total: 2 });
    const [first, second] = found?.messages ?? [];
    const { id, role, content, metadata } = written[0] ?? newMessage('none');
    expect(first).toMatchObject({ id, role, content, metadata, sequence: 1 });
    expect(Object.keys(first?.metadata ?? {}).sort()).toEqual(Object.keys(ODD_METADATA).sort());
    expect(second).toEqual({
      id: 'm2',
      sequence: 2,
      role: 'user',
      content: 'content of m2',
      timestamp,
      metadata: {},
    });
    expect(first?.timestamp).toBe((await store.getRecord('message', 'm1'))?.createdAt);
  },
  '500 messages of one call keep their order (contract §4.3)': async ({ store }) => {
    await store.createThread(newThread('thread'));
    await store.appendMessages(messageAppend('thread', messages(500)));
    const found = await store.getMessages('thread', { start: 0, end: null, limit: 100 });
    expect(ids(found)).toEqual(messages(500).map((message) => message.id));
    expect(found?.messages.map((message) => message.sequence)).toEqual(
      messages(500).map((_, index) => index + 1),
    );
    expect((await store.getThread('thread'))?.messageCount).toBe(500);
  },
  'appends at the same time get distinct, unbroken numbers': async ({ store }) => {
    await store.createThread(newThread('thread'));
    await Promise.all(
      Array.from({ length: 20 }, (_, call) =>
        store.appendMessages(messageAppend('thread', messages(5, `call ${call} `))),
      ),
    );
    const found = await store.getMessages('thread', { start: 0, end: null, limit: 100 });
    expect(found?.messages.map((message) => message.sequence)).toEqual(
      Array.from({ length: 100 }, (_, index) => index + 1),
    );
    const calls = ids(found)?.map((id) => id.slice(0, id.lastIndexOf(' '))) ?? [];
    expect(calls.filter((call, index) => call !== calls[index - 1])).toHaveLength(20);
  },
  'windows count from either end like slices (contract §4.6)': async ({ store }) => {
    await store.createThread(newThread('thread'));
    const all = messages(7).map((message) => message.id);
    await store.appendMessages(messageAppend('thread', messages(7)));
    for (const start of [0, 3, 6, 7, 8]) {
      expect(ids(await store.getMessages('thread', { start, end: null, limit: 2 }))).toEqual(
        all.slice(start),
      );
      expect(ids(await store.getMessages('thread', { start, limit: 2 }))).toEqual(
        all.slice(start, start + 2),
      );
      for (const end of [0, 1, 4, 7, 9]) {
        const found = await store.getMessages('thread', { start, end, limit: 1 });
        expect(found).toMatchObject({ firstIndex: start, total: 7 });
        expect(ids(found)).toEqual(all.slice(start, Math.max(start, end)));
      }
    }
    expect(ids(await store.getMessages('thread', { end: 2, limit: 1 }))).toEqual(all.slice(0, 2));
    for (const limit of [1, 6, 7, 8]) {
      const found = await store.getMessages('thread', { limit });
      expect(ids(found)).toEqual(all.slice(-limit));
      expect(found?.firstIndex).toBe(Math.max(0, 7 - limit));
    }
  },
  'a window goes on after a sequence number, whatever was deleted or expired before it': async (stage) => {
    const { store } = stage;
    await store.createThread(newThread('thread'));
    await store.appendMessages(messageAppend('thread', messages(8)));
    await store.deleteRecord('message', 'm1');
    const read = (after: number, limit = 3) => store.getMessages('thread', { after, limit });
    expect(await read(0)).toMatchObject({ firstIndex: 0, total: 7 });
    expect(ids(await read(0))).toEqual(['m0', 'm2', 'm3']);
    const before = stage.transport.roundTrips;
    expect(ids(await read(4))).toEqual(['m4', 'm5', 'm6']);
    expect(stage.transport.roundTrips - before).toBe(1);
    for (const id of ['m0', 'm3']) await store.deleteRecord('message', id);
    expect(await read(4)).toMatchObject({ firstIndex: 1, total: 5 });
    expect(ids(await read(4))).toEqual(['m4', 'm5', 'm6']);
    expect(ids(await read(7, 9))).toEqual(['m7']);
    expect(await read(8)).toEqual({ messages: [], firstIndex: 5, total: 5 });
    expect(await store.getMessages('thread2', { after: 0, limit: 3 })).toBeUndefined();
  },
  'a window of an unknown thread is undefined, of an empty one empty': async ({ store }) => {
    await store.createThread(newThread('thread'));
    expect(await store.getMessages('thread', { limit: 5 })).toEqual({
      messages: [],
      firstIndex: 0,
      total: 0,
    });
    expect(await store.getMessages('thread', { start: 3, limit: 5 })).toMatchObject({
      messages: [],
      total: 0,
    });
    expect(await store.getMessages('threa', { limit: 5 })).toBeUndefined();
    expect(await store.getMessages('threa', { start: 0, limit: 5 })).toBeUndefined();
  },
  'a window ends after 1,000 messages': async ({ store }) => {
    await store.createThread(newThread('thread'));
    for (const call of ['a', 'b', 'c'])
      await store.appendMessages(messageAppend('thread', messages(400, call)));
    const found = await store.getMessages('thread', { start: 0, end: null, limit: 100 });
    expect(found?.messages).toHaveLength(1_000);
    expect(found).toMatchObject({ firstIndex: 0, total: 1_200 });
    expect(ids(await store.getMessages('thread', { start: 1_000, end: null, limit: 100 }))).toHaveLength(200);
    expect(ids(await store.getMessages('thread', { limit: 2 }))).toEqual(['c398', 'c399']);
  },
  'a window ends after four million characters, and its first message is always in it': async ({ store }) => {
    await store.createThread(newThread('thread'));
    const long = 'ä🙂'.repeat(200_000);
    await store.appendMessages(
      messageAppend(
        'thread',
        messages(11).map((message) => ({ ...message, content: long })),
      ),
    );
    const found = await store.getMessages('thread', { start: 0, end: null, limit: 100 });
    expect(found?.messages).toHaveLength(10);
    expect(found?.messages.every((message) => message.content === long)).toBe(true);
    expect(ids(await store.getMessages('thread', { start: 10, end: null, limit: 100 }))).toEqual(['m10']);
    expect((await store.readThreadContext('thread', 1))?.recentMessages[0]?.content).toBe(long);
  },
  'an append to an unknown thread is not found and writes nothing': async (stage) => {
    const append = messageAppend('none', [newMessage('m', { chunks: [chunkAt(0)] })]);
    await expect(stage.store.appendMessages(append)).rejects.toMatchObject({
      code: 'not_found',
      message: 'thread not found',
    });
    expect(await rowCounts(stage)).toEqual({ thread: 0, record: 0, chunk: 0, job: 0 });
  },
  'an id that is taken is a conflict and the whole call is undone': async (stage) => {
    const { store } = stage;
    await store.createThread(newThread('thread'));
    await store.createThread(newThread('other'));
    await store.addRecord(newRecord('m1'), undefined);
    await store.appendMessages(messageAppend('thread', [newMessage('m1', { chunks: [chunkAt(0)] })]));
    const before = await rowCounts(stage);
    for (const taken of [
      [newMessage('m2'), newMessage('m1')],
      [newMessage('m3', { chunks: [chunkAt(0)] }), newMessage('m3')],
    ]) {
      await expect(store.appendMessages(messageAppend('other', taken))).rejects.toMatchObject({
        code: 'conflict',
        message: expect.stringContaining('already exists'),
      });
    }
    expect(await rowCounts(stage)).toEqual(before);
    expect((await store.getThread('other'))?.messageCount).toBe(0);
  },
  'messages of odd ids and threads stay apart': async ({ store }) => {
    for (const id of ODD_IDS) {
      await store.createThread(newThread(id));
      await store.appendMessages(messageAppend(id, [newMessage(id, { content: id })], { jobId: id }));
    }
    for (const id of ODD_IDS) {
      const found = await store.getMessages(id, { limit: 100 });
      expect(found?.messages).toMatchObject([{ id, content: id }]);
      expect(await store.getRecord('message', id)).toMatchObject({ id, threadId: id, role: 'user' });
    }
  },
  'expired messages are invisible at once and indexes count the others': async ({ store }) => {
    await store.createThread(newThread('thread'));
    const written = messages(6).map((message, index) =>
      index % 2 === 0 ? { ...message, ...EXPIRED } : message,
    );
    await store.appendMessages(messageAppend('thread', written));
    expect(await store.getMessages('thread', { limit: 2 })).toMatchObject({ firstIndex: 1, total: 3 });
    expect(ids(await store.getMessages('thread', { start: 1, end: 2, limit: 2 }))).toEqual(['m3']);
    expect(await store.getRecord('message', 'm0')).toBeUndefined();
    expect((await store.readThreadContext('thread', 10))?.recentMessages).toHaveLength(3);
    const input = await store.readExtractionInput('job-m0', 'lease');
    expect(input?.recentMessages.map((message) => message.id)).toEqual(['m1', 'm3', 'm5']);
  },
  'a lifetime counts from the write or from the timestamp': async ({ store, reopen }) => {
    await store.createThread(newThread('thread'));
    const future = '2099-05-06T07:08:09.123Z';
    const clamping = reopen({ retention: { defaultTtlDays: 3, maxTtlDays: 10 } });
    await clamping.appendMessages(
      messageAppend('thread', [
        newMessage('default'),
        newMessage('longest', { ttlDays: null }),
        newMessage('clamped', { ttlDays: 11 }),
        newMessage('anchored', { ttlDays: 2, ttlAnchor: 'timestamp', timestamp: future }),
      ]),
    );
    await store.appendMessages(messageAppend('thread', [newMessage('never')], { jobId: 'second' }));
    const days = async (id: string) => {
      const record = await store.getRecord('message', id);
      if (record === undefined || record.expiresAt === null) return null;
      return (Date.parse(record.expiresAt) - Date.parse(record.createdAt)) / 86_400_000;
    };
    expect(await days('default')).toBe(3);
    expect(await days('longest')).toBe(10);
    expect(await days('clamped')).toBe(10);
    expect(await days('never')).toBeNull();
    expect((await store.getRecord('message', 'anchored'))?.expiresAt).toBe('2099-05-08T07:08:09.123Z');
  },
};
