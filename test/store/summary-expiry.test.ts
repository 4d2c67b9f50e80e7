import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { createMemoryStore } from '../../lib/store/create-memory-store.ts';
import type { MemoryStore } from '../../lib/store/memory-store.ts';
import { purgeExpired } from '../../lib/store/records/purge.ts';
import { EXPIRED } from '../conformance/store-fixtures.ts';
import { emptyTables } from '../conformance/store-stage.ts';
import { type EmulatedStore, openEmulatedStore } from './emulated-store.ts';
import {
  DIMENSIONS,
  extractionOutcome,
  messageAppend,
  NO_RETENTION,
  newMessage,
  newThread,
} from './store-samples.ts';

let opened: EmulatedStore;
let store: MemoryStore;
beforeAll(async () => {
  opened = await openEmulatedStore();
  const { transport, names } = opened;
  store = createMemoryStore({
    transport,
    names,
    settings: { dimensions: DIMENSIONS, retention: NO_RETENTION },
  });
});
afterAll(() => opened?.transport.close());

const TIMES = { timestamp: EXPIRED.timestamp, ttlDays: null } as const;
const isStale = async () => (await store.getThread('thread'))?.summaryStale;
const finish = () =>
  store.finishExtraction(
    extractionOutcome('job-first', 'lease', { summary: { text: 'summary', uptoSequence: 2 } }),
  );
const expireNow = (id: string) =>
  store.updateRecord('message', id, { lifetime: { ttlDays: 1, ttlAnchor: 'timestamp' } });

/** A thread whose running summary is in the making over two messages, the first of which lives for a day. */
beforeEach(async () => {
  await emptyTables(opened.transport, opened.names);
  await store.createThread(newThread('thread'));
  await store.appendMessages(
    messageAppend('thread', [newMessage('first', { ...TIMES, ttlDays: 1 }), newMessage('second', TIMES)]),
  );
});

/** Moves what the store knows of times of expiry, as if two days had gone by. */
async function twoDaysPass(): Promise<void> {
  const { record, thread } = opened.names;
  const earlier = (column: string) => `${column} = ${column} - NUMTODSINTERVAL(2, 'DAY')`;
  await opened.transport.executeAtomic({
    name: 'test.two_days_pass',
    binds: {},
    statements: [
      {
        name: 'records',
        sql: `UPDATE ${record} r SET ${earlier('r.expires_at')}, ${earlier('r.updated_at')}`,
      },
      { name: 'threads', sql: `UPDATE ${thread} t SET ${earlier('t.summary_expires_at')}` },
    ],
  });
}

it('a running summary is stale from the first expiry of what it covers', async () => {
  await finish();
  expect(await isStale()).toBe(false);
  await twoDaysPass();
  expect(await isStale()).toBe(true);
  const context = await store.readThreadContext('thread', 1, { messagesWhenStale: 10 });
  expect(context?.thread.summaryStale).toBe(true);
  expect(context?.recentMessages.map(({ id }) => id)).toEqual(['second']);
});

it('one that was made anew is current, whether or not the message is purged', async () => {
  await finish();
  await twoDaysPass();
  const { updatedAt = '' } = (await store.getThread('thread')) ?? {};
  const summary = { threadId: 'thread', text: 'new', uptoSequence: 2, threadUpdatedAt: updatedAt };
  expect(await store.saveRebuiltSummary(summary)).toBe(true);
  expect(await isStale()).toBe(false);
  expect(await purgeExpired(opened)).toMatchObject({ records: 1 });
  expect(await isStale()).toBe(false);
  expect(await store.saveRebuiltSummary(summary)).toBe(false);
});

it('one that is stale is still so after the purge', async () => {
  await finish();
  await twoDaysPass();
  await purgeExpired(opened);
  expect(await isStale()).toBe(true);
});

it('a new lifetime of a covered message counts, whichever way it moves', async () => {
  await finish();
  await store.updateRecord('message', 'first', { lifetime: { ttlDays: null, ttlAnchor: 'created_at' } });
  await twoDaysPass();
  expect(await isStale()).toBe(false);
  await expireNow('second');
  expect(await isStale()).toBe(true);
  await store.updateRecord('message', 'first', { lifetime: { ttlDays: 9, ttlAnchor: 'created_at' } });
  expect(await isStale()).toBe(true);
});

it('a message that the summary does not cover says nothing about it', async () => {
  await finish();
  await store.appendMessages(messageAppend('thread', [newMessage('third', TIMES)], { canExtract: false }));
  await expireNow('third');
  expect(await isStale()).toBe(false);
});

it('a message that expires while a pass reads it leaves the summary stale', async () => {
  await expireNow('second');
  await finish();
  expect(await isStale()).toBe(true);
});
