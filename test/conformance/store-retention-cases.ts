import { expect } from 'vitest';
import type { RetentionPolicy } from '../../lib/schema/retention-policy.ts';
import type { MemoryStore } from '../../lib/store/memory-store.ts';
import type { Lifetime } from '../../lib/store/records/stored-record.ts';
import {
  extractionOutcome,
  messageAppend,
  NO_RETENTION,
  newMessage,
  newMessageRecord,
  newRecord,
  newThread,
} from '../store/store-samples.ts';
import { chunkAt } from './store-fixtures.ts';
import type { StoreCase } from './store-stage.ts';

const DAY = 86_400_000;
/** An event time whose days are not over yet. */
const TIMESTAMP = '2090-02-27T23:59:59.999Z';

const POLICIES: readonly RetentionPolicy[] = [
  NO_RETENTION,
  { defaultTtlDays: 7, maxTtlDays: null },
  { defaultTtlDays: null, maxTtlDays: 30 },
  { defaultTtlDays: 7, maxTtlDays: 30 },
  { defaultTtlDays: 30, maxTtlDays: 30 },
];
const LIFETIMES: readonly Lifetime[] = [undefined, null, 1, 30, 31, 36_500].flatMap((ttlDays) =>
  (['created_at', 'timestamp'] as const).map((ttlAnchor) => ({ ttlDays, ttlAnchor })),
);

/** The days of contract §11, read literally: omitted → the default; none → the maximum; more → the maximum. */
function expectedDays({ defaultTtlDays, maxTtlDays }: RetentionPolicy, { ttlDays }: Lifetime): number | null {
  const asked = ttlDays === undefined ? defaultTtlDays : ttlDays;
  if (asked === null) return maxTtlDays;
  return maxTtlDays === null ? asked : Math.min(asked, maxTtlDays);
}

interface Write {
  readonly family: 'memory' | 'message';
  /** Writes a record with this lifetime; `plain` is the store without a policy, for what was there before. */
  run(store: MemoryStore, id: string, lifetime: Lifetime, plain: MemoryStore): Promise<unknown>;
}

const content = { text: 'changed', chunks: [chunkAt(5)] };
const job = { leaseToken: 'lease', leaseSeconds: 45, maxAttempts: 5, queueCapacity: 1_000, canExtract: true };

/** Every way in which the store gives a record its lifetime. */
const WRITES: Readonly<Record<string, Write>> = {
  'adding a memory': {
    family: 'memory',
    run: (store, id, lifetime) =>
      store.addRecord(newRecord(id, { timestamp: TIMESTAMP, ...lifetime }), 'thread'),
  },
  'adding memories in a batch': {
    family: 'memory',
    run: (store, id, lifetime) =>
      store.addRecords([newRecord(`${id} beside`), newRecord(id, { timestamp: TIMESTAMP, ...lifetime })]),
  },
  'adding messages in a batch': {
    family: 'message',
    run: (store, id, lifetime) =>
      store.addRecords([newMessageRecord(id, 'thread', { timestamp: TIMESTAMP, ...lifetime })]),
  },
  'appending messages': {
    family: 'message',
    run: (store, id, lifetime) =>
      store.appendMessages(messageAppend('thread', [newMessage(id, { timestamp: TIMESTAMP, ...lifetime })])),
  },
  'extracting a memory': {
    family: 'memory',
    async run(store, id, lifetime) {
      await store.appendMessages(messageAppend('thread', [newMessage(`${id} source`)], { jobId: id }));
      const memories = [newRecord(id, { userId: 'user', agentId: null, timestamp: TIMESTAMP, ...lifetime })];
      expect(await store.finishExtraction(extractionOutcome(id, 'lease', { memories }))).toBe('written');
    },
  },
  'updating a memory': {
    family: 'memory',
    async run(store, id, lifetime, plain) {
      await plain.addRecord(newRecord(id, { timestamp: TIMESTAMP, ttlDays: 300 }), undefined);
      expect(await store.updateRecord('memory', id, { lifetime })).toBe(true);
    },
  },
  'updating a memory with its timestamp': {
    family: 'memory',
    async run(store, id, lifetime, plain) {
      await plain.addRecord(newRecord(id, { timestamp: '2089-01-01T00:00:00.000Z' }), undefined);
      expect(await store.updateRecord('memory', id, { timestamp: TIMESTAMP, lifetime })).toBe(true);
    },
  },
  'editing a message': {
    family: 'message',
    async run(store, id, lifetime, plain) {
      await plain.appendMessages(messageAppend('thread', [newMessage(id, { timestamp: TIMESTAMP })]));
      const change = { content, lifetime };
      const edit = { threadId: 'thread', messageId: id, change, jobId: `edit ${id}`, ...job };
      expect(await store.editMessage(edit)).toBeDefined();
    },
  },
};

/** When what was written expires, by every policy, lifetime, anchor and kind of write. */
export const RETENTION_CASES: Readonly<Record<string, StoreCase>> = Object.fromEntries(
  Object.entries(WRITES).map(([name, { family, run }]): [string, StoreCase] => [
    `${name} sets the expiry by policy, days and anchor (contract §11)`,
    async ({ store: plain, reopen }) => {
      await plain.createThread(newThread('thread'));
      for (const [number, retention] of POLICIES.entries()) {
        const store = reopen({ retention });
        for (const [index, lifetime] of LIFETIMES.entries()) {
          const id = `${number} ${index}`;
          await run(store, id, lifetime, plain);
          const record = await plain.getRecord(family, id);
          const days = expectedDays(retention, lifetime);
          const start = lifetime.ttlAnchor === 'timestamp' ? TIMESTAMP : (record?.createdAt ?? '');
          const expiresAt = days === null ? null : new Date(Date.parse(start) + days * DAY).toISOString();
          expect([retention, lifetime, record?.expiresAt]).toEqual([retention, lifetime, expiresAt]);
        }
      }
    },
  ]),
);
