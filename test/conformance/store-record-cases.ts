import { expect } from 'vitest';
import type { NewRecord } from '../../lib/store/records/stored-record.ts';
import { messageAppend, newMessage, newRecord, newThread } from '../store/store-samples.ts';
import { chunkAt, EXPIRED } from './store-fixtures.ts';
import { chosenFields, ODD_IDS, ODD_METADATA, rowCounts, type StoreCase } from './store-stage.ts';

const CONTENTS = [
  'x',
  "it's",
  '🙂'.repeat(100),
  'a'.repeat(32_767),
  'ü'.repeat(32_768),
  '長🙂'.repeat(200_000),
];

/** Records other than messages. */
export const RECORD_CASES: Readonly<Record<string, StoreCase>> = {
  'a record comes back as it was written (contract §10.2)': async ({ store }) => {
    const timestamp = '2024-02-29T23:59:59.999Z';
    const record = newRecord('memory', {
      recordType: 'fact',
      metadata: ODD_METADATA,
      timestamp,
      agentId: null,
    });
    await store.addRecord({ ...record, userId: 'user', threadId: 'no row' }, undefined);
    const found = await store.getRecord('memory', 'memory');
    expect(chosenFields(found)).toEqual({
      id: 'memory',
      recordType: 'fact',
      content: 'content of memory',
      metadata: ODD_METADATA,
      expiresAt: null,
      userId: 'user',
      agentId: null,
      threadId: 'no row',
      status: 'active',
    });
    expect(found?.timestamp).toBe(timestamp);
    expect(found?.updatedAt).toBe(found?.createdAt);
  },
  'without a timestamp the time of the write counts (contract §6.3)': async ({ store }) => {
    await store.addRecord(newRecord('memory'), undefined);
    const found = await store.getRecord('memory', 'memory');
    expect(found?.timestamp).toBe(found?.createdAt);
  },
  'content of any length and script survives': async ({ store }) => {
    for (const [index, content] of CONTENTS.entries()) {
      await store.addRecord(
        newRecord(`memory ${index}`, { content, chunks: [chunkAt(0, content)] }),
        undefined,
      );
      expect((await store.getRecord('memory', `memory ${index}`))?.content).toBe(content);
    }
  },
  'text without characters is kept as that (contract §10.2)': async ({ store }) => {
    await store.addRecord(newRecord('memory', { content: '', metadata: { a: '', b: null } }), undefined);
    const found = await store.getRecord('memory', 'memory');
    expect(found?.content).toBe('');
    expect(found?.metadata).toEqual({ a: '', b: null });
  },
  "ids that are left open are the thread's, others stay": async ({ store }) => {
    await store.createThread(newThread('thread', { userId: 'owner', agentId: 'helper' }));
    const cases: readonly [Partial<NewRecord>, object][] = [
      [{}, { userId: 'owner', agentId: 'helper', threadId: 'thread' }],
      [{ userId: 'other' }, { userId: 'other', agentId: 'helper', threadId: 'thread' }],
      [
        { agentId: null, threadId: null },
        { userId: 'owner', agentId: null, threadId: null },
      ],
      [
        { userId: null, threadId: 'elsewhere' },
        { userId: null, agentId: 'helper', threadId: 'elsewhere' },
      ],
    ];
    for (const [index, [ids, expected]] of cases.entries()) {
      await store.addRecord(newRecord(`memory ${index}`, ids), 'thread');
      expect(await store.getRecord('memory', `memory ${index}`)).toMatchObject(expected);
    }
    await store.addRecord(newRecord('unscoped'), undefined);
    expect(await store.getRecord('memory', 'unscoped')).toMatchObject({
      userId: null,
      agentId: null,
      threadId: null,
    });
  },
  'metadata never changes whose record it is': async ({ store }) => {
    const metadata = { user_id: 'victim', userId: 'victim', agent_id: 'victim', tenant_id: 'victim' };
    await store.addRecord(newRecord('memory', { userId: 'owner', metadata }), undefined);
    expect(await store.getRecord('memory', 'memory')).toMatchObject({
      userId: 'owner',
      agentId: null,
      metadata,
    });
  },
  'a record of an unknown thread is not found and writes nothing (contract §10.2)': async (stage) => {
    const record = newRecord('memory', {
      chunks: [chunkAt(0)],
      userId: 'user',
      agentId: null,
      threadId: null,
    });
    await expect(stage.store.addRecord(record, 'none')).rejects.toMatchObject({ code: 'not_found' });
    expect(await rowCounts(stage)).toMatchObject({ record: 0, chunk: 0 });
  },
  'an id is taken within its family only': async ({ store }) => {
    await store.createThread(newThread('thread'));
    await store.appendMessages(messageAppend('thread', [newMessage('id')]));
    const families = [
      newRecord('id', { content: 'a memory' }),
      newRecord('id', { family: 'user_profile', recordType: 'user_profile', content: 'a user' }),
      newRecord('id', { family: 'agent_profile', recordType: 'agent_profile', content: 'an agent' }),
    ];
    for (const record of families) await store.addRecord(record, undefined);
    for (const record of families) {
      await expect(store.addRecord({ ...record, content: 'second' }, undefined)).rejects.toMatchObject({
        code: 'conflict',
        message: expect.stringContaining('already exists'),
      });
      expect((await store.getRecord(record.family, 'id'))?.content).toBe(record.content);
    }
    expect((await store.getRecord('message', 'id'))?.content).toBe('content of id');
  },
  'deleting a record removes its retrieval rows and nothing else (contract §10.2)': async (stage) => {
    const { store } = stage;
    for (const id of ODD_IDS) {
      await store.addRecord(newRecord(id, { chunks: [chunkAt(0), chunkAt(1)] }), undefined);
    }
    for (const [index, id] of ODD_IDS.entries()) {
      expect(await store.deleteRecord('user_profile', id)).toBe(0);
      expect(await store.deleteRecord('memory', id)).toBe(1);
      expect(await store.deleteRecord('memory', id)).toBe(0);
      expect(await store.getRecord('memory', id)).toBeUndefined();
      const left = ODD_IDS.length - index - 1;
      expect(await rowCounts(stage)).toMatchObject({ record: left, chunk: 2 * left });
    }
  },
  'a record is deleted from exactly its thread, elsewhere it does not exist': async (stage) => {
    const { store } = stage;
    await store.createThread(newThread('thread'));
    await store.createThread(newThread('thread2'));
    await store.appendMessages(messageAppend('thread', [newMessage('id', { chunks: [chunkAt(0)] })]));
    await store.addRecord(newRecord('id', { chunks: [chunkAt(0)] }), 'thread');
    await store.addRecord(newRecord('unscoped', { chunks: [chunkAt(0)] }), undefined);
    const before = await rowCounts(stage);
    for (const threadId of ['thread2', 'threa', 'THREAD', '_', '%']) {
      expect(await store.deleteRecord('message', 'id', { threadId })).toBe(0);
      expect(await store.deleteRecord('memory', 'id', { threadId })).toBe(0);
      expect(await store.deleteRecord('memory', 'unscoped', { threadId })).toBe(0);
    }
    expect(await rowCounts(stage)).toEqual(before);
    expect((await store.getThread('thread'))?.summaryStale).toBe(false);
    expect(await store.deleteRecord('memory', 'id', { threadId: 'thread' })).toBe(1);
    expect(await store.deleteRecord('message', 'id', { threadId: 'thread' })).toBe(1);
    expect((await store.getThread('thread'))?.summaryStale).toBe(true);
    expect(await rowCounts(stage)).toMatchObject({ record: 1, chunk: 1 });
  },
  'a profile never expires, a memory does by the default of the store (contract §11)': async ({ reopen }) => {
    const store = reopen({ retention: { defaultTtlDays: 3, maxTtlDays: 10 } });
    for (const family of ['memory', 'user_profile', 'agent_profile'] as const) {
      await store.addRecord(newRecord('id', { family, recordType: family }), undefined);
      const expiry = (await store.getRecord(family, 'id'))?.expiresAt;
      if (family === 'memory') expect(expiry).toMatch(/Z$/);
      else expect(expiry).toBeNull();
    }
  },
  'deleting a message makes the summary of its thread stale, deleting a memory does not': async ({
    store,
  }) => {
    await store.createThread(newThread('thread'));
    await store.createThread(newThread('other'));
    await store.appendMessages(messageAppend('thread', [newMessage('id')]));
    await store.addRecord(newRecord('id'), 'thread');
    await store.deleteRecord('memory', 'id');
    expect((await store.getThread('thread'))?.summaryStale).toBe(false);
    expect(await store.deleteRecord('message', 'id')).toBe(1);
    expect((await store.getThread('thread'))?.summaryStale).toBe(true);
    expect((await store.getThread('other'))?.summaryStale).toBe(false);
  },
  'an expired record cannot be read (contract §11)': async ({ store }) => {
    await store.addRecord(newRecord('memory', EXPIRED), undefined);
    expect(await store.getRecord('memory', 'memory')).toBeUndefined();
  },
};
