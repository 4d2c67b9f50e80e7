import { expect } from 'vitest';
import type { MemoryStore } from '../../lib/store/memory-store.ts';
import type { RecordChange } from '../../lib/store/records/stored-record.ts';
import { direction, newRecord, storeSearch } from '../store/store-samples.ts';
import { chunkAt, EXPIRED } from './store-fixtures.ts';
import { chosenFields, ODD_IDS, ODD_METADATA, rowCounts, type StoreCase } from './store-stage.ts';

const TIMESTAMP = '2024-02-29T12:00:00.000Z';
const DAY = 86_400_000;

function daysAfter(instant: string | undefined, days: number): string {
  return new Date(Date.parse(instant ?? '') + days * DAY).toISOString();
}

async function expiryAfter(store: MemoryStore, change: RecordChange) {
  expect(await store.updateRecord('memory', 'memory', change)).toBe(true);
  return store.getRecord('memory', 'memory');
}

/** Updates of stored records. */
export const UPDATE_CASES: Readonly<Record<string, StoreCase>> = {
  'an update changes the given fields and nothing else (contract §10.2)': async ({ store }) => {
    const original = newRecord('memory', {
      recordType: 'fact',
      metadata: { a: 1, b: 2 },
      timestamp: TIMESTAMP,
      userId: 'user',
      threadId: 'thread',
      ttlDays: 36_500,
    });
    await store.addRecord(original, undefined);
    const before = await store.getRecord('memory', 'memory');
    const changes: readonly [RecordChange, object][] = [
      [{}, {}],
      [{ content: { text: 'new', chunks: [] } }, { content: 'new' }],
      [{ metadata: ODD_METADATA }, { metadata: ODD_METADATA }],
      [
        { metadata: { user_id: 'victim', thread_id: 'victim' } },
        { metadata: { user_id: 'victim', thread_id: 'victim' } },
      ],
      [{ timestamp: '2020-01-01T00:00:00.000Z' }, { timestamp: '2020-01-01T00:00:00.000Z' }],
      [{ timestamp: null }, { timestamp: before?.createdAt }],
    ];
    let expected: object = { ...before };
    for (const [change, changed] of changes) {
      expected = { ...expected, ...changed };
      expect(await store.updateRecord('memory', 'memory', change)).toBe(true);
      const after = await store.getRecord('memory', 'memory');
      expect({ ...after, updatedAt: before?.updatedAt }).toEqual(expected);
      expect(Date.parse(after?.updatedAt ?? '')).toBeGreaterThanOrEqual(Date.parse(before?.createdAt ?? ''));
    }
  },
  'new content replaces the retrieval rows (contract §10.3)': async (stage) => {
    const { store } = stage;
    const chunks = [0, 1, 2].map((degrees) => chunkAt(degrees));
    await store.addRecord(newRecord('memory', { chunks, userId: 'user', threadId: 'thread' }), undefined);
    await store.addRecord(newRecord('other', { chunks }), undefined);
    const content = { text: '長🙂'.repeat(20_000), chunks: [chunkAt(60)] };
    await store.updateRecord('memory', 'memory', { content });
    expect(await rowCounts(stage)).toMatchObject({ record: 2, chunk: 4 });
    expect((await store.getRecord('memory', 'memory'))?.content).toBe(content.text);
    const scope = { ...storeSearch().scope, user: { kind: 'exact', value: 'user' } } as const;
    const hits = await store.search(
      storeSearch({ scope, query: { strategy: 'vector', vector: direction(60) } }),
    );
    expect(hits?.map(({ record, distance }) => [record.id, Math.round(distance * 1e6)])).toEqual([
      ['memory', 0],
    ]);
    await store.updateRecord('memory', 'memory', { content: { text: 'nothing to find', chunks: [] } });
    expect(await rowCounts(stage)).toMatchObject({ record: 2, chunk: 3 });
    expect(await store.search(storeSearch({ scope }))).toEqual([]);
  },
  'days count from the creation, from the new or from the stored timestamp (contract §4.5)': async ({
    store,
  }) => {
    await store.addRecord(newRecord('memory', { timestamp: TIMESTAMP, chunks: [chunkAt(0)] }), undefined);
    const created = (await store.getRecord('memory', 'memory'))?.createdAt;
    const cases: readonly [RecordChange, string | null][] = [
      [{ lifetime: { ttlDays: 7, ttlAnchor: 'created_at' } }, daysAfter(created, 7)],
      [{ metadata: {} }, daysAfter(created, 7)],
      [{ lifetime: { ttlDays: 36_500, ttlAnchor: 'timestamp' } }, daysAfter(TIMESTAMP, 36_500)],
      [{ timestamp: '2026-11-01T00:00:00.000Z' }, daysAfter(TIMESTAMP, 36_500)],
      [
        { timestamp: '2030-01-01T00:00:00.000Z', lifetime: { ttlDays: 365, ttlAnchor: 'timestamp' } },
        '2031-01-01T00:00:00.000Z',
      ],
      [
        { timestamp: '9999-12-31T00:00:00.000Z', lifetime: { ttlDays: 1, ttlAnchor: 'timestamp' } },
        '9999-12-31T23:59:59.999Z',
      ],
      [{ lifetime: { ttlDays: 2, ttlAnchor: 'timestamp' } }, '9999-12-31T23:59:59.999Z'],
      [{ lifetime: { ttlDays: null, ttlAnchor: 'created_at' } }, null],
      [{ lifetime: { ttlDays: undefined, ttlAnchor: 'created_at' } }, null],
    ];
    for (const [change, expiresAt] of cases) {
      expect((await expiryAfter(store, change))?.expiresAt).toBe(expiresAt);
    }
  },
  'the retention policy bounds an updated expiry (contract §4.5, §11)': async ({ store, reopen }) => {
    const bounded = reopen({ retention: { defaultTtlDays: 10, maxTtlDays: 30 } });
    await store.addRecord(newRecord('memory'), undefined);
    const created = (await store.getRecord('memory', 'memory'))?.createdAt;
    for (const [ttlDays, days] of [
      [undefined, 10],
      [null, 30],
      [31, 30],
      [5, 5],
    ] as const) {
      const record = await expiryAfter(bounded, { lifetime: { ttlDays, ttlAnchor: 'created_at' } });
      expect(record?.expiresAt).toBe(daysAfter(created, days));
    }
    expect((await expiryAfter(bounded, { metadata: {} }))?.expiresAt).toBe(daysAfter(created, 5));
  },
  'days from a timestamp that is not there are refused and change nothing (contract §11)': async ({
    store,
  }) => {
    await store.addRecord(newRecord('memory', { ttlDays: 9 }), undefined);
    const before = await store.getRecord('memory', 'memory');
    for (const ttlDays of [7, null, undefined]) {
      for (const time of [{}, { timestamp: null }]) {
        const lifetime = { ttlDays, ttlAnchor: 'timestamp' } as const;
        await expect(
          store.updateRecord('memory', 'memory', { metadata: { a: 1 }, ...time, lifetime }),
        ).rejects.toMatchObject({ code: 'invalid_request', issues: [{ path: 'ttlAnchor' }] });
      }
    }
    expect(await store.getRecord('memory', 'memory')).toEqual(before);
  },
  'search follows an updated expiry at once (contract §11)': async ({ store }) => {
    await store.addRecord(newRecord('memory', { timestamp: TIMESTAMP, chunks: [chunkAt(0)] }), undefined);
    await store.updateRecord('memory', 'memory', { lifetime: { ttlDays: 1, ttlAnchor: 'timestamp' } });
    expect(await store.search(storeSearch())).toEqual([]);
    expect(await store.getRecord('memory', 'memory')).toBeUndefined();
    const change = { lifetime: { ttlDays: null, ttlAnchor: 'created_at' } } as const;
    expect(await store.updateRecord('memory', 'memory', change)).toBe(false);
  },
  'an update finds its record by exact family, id and thread, unexpired (contract §10.2, §11)': async (
    stage,
  ) => {
    const { store } = stage;
    for (const id of ODD_IDS) await store.addRecord(newRecord(id, { threadId: id }), undefined);
    await store.addRecord(newRecord('guideline', { recordType: 'guideline' }), undefined);
    await store.addRecord(newRecord('expired', EXPIRED), undefined);
    const before = await Promise.all(ODD_IDS.map((id) => store.getRecord('memory', id)));
    const change = { content: { text: 'new', chunks: [chunkAt(0)] }, metadata: { a: 1 } };
    expect(await store.updateRecord('memory', 'use', change)).toBe(false);
    expect(await store.updateRecord('memory', 'USER', change)).toBe(false);
    expect(await store.updateRecord('message', 'user', change)).toBe(false);
    expect(await store.updateRecord('memory', 'user', change, { threadId: 'user2' })).toBe(false);
    expect(await store.updateRecord('memory', 'expired', change)).toBe(false);
    expect(await store.updateRecord('memory', 'guideline', change, { threadId: 'user' })).toBe(false);
    expect(await store.updateRecord('memory', 'guideline', change, { exceptType: 'guideline' })).toBe(false);
    expect(await rowCounts(stage)).toMatchObject({ chunk: 0 });
    expect(await Promise.all(ODD_IDS.map((id) => store.getRecord('memory', id)))).toEqual(before);
    for (const id of ODD_IDS) {
      const options = { threadId: id, exceptType: 'guideline' } as const;
      expect(await store.updateRecord('memory', id, change, options)).toBe(true);
      expect(chosenFields(await store.getRecord('memory', id))).toMatchObject({
        content: 'new',
        threadId: id,
      });
    }
    expect(await store.updateRecord('memory', 'guideline', change)).toBe(true);
  },
  'an update is one round trip': async ({ store, transport }) => {
    await store.addRecord(newRecord('memory', { timestamp: TIMESTAMP }), undefined);
    const before = transport.roundTrips;
    await store.updateRecord('memory', 'memory', {
      content: { text: 'new', chunks: [chunkAt(0)] },
      lifetime: { ttlDays: 36_500, ttlAnchor: 'timestamp' },
    });
    expect(transport.roundTrips - before).toBe(1);
  },
};
