import { afterAll, beforeAll, expect, it } from 'vitest';
import type { RetentionPolicy } from '../../lib/schema/retention-policy.ts';
import { readSchemaState, writeRetention } from '../../lib/schema/schema-state.ts';
import { createMemoryStore } from '../../lib/store/create-memory-store.ts';
import { type EmulatedStore, openEmulatedStore } from './emulated-store.ts';
import { DIMENSIONS, newRecord } from './store-samples.ts';

const DAY = 86_400_000;
let opened: EmulatedStore;
beforeAll(async () => {
  opened = await openEmulatedStore();
});
afterAll(() => opened?.transport.close());

/** The store as a process opens it that starts after the change. */
async function openWith(policy: RetentionPolicy) {
  const { transport, names } = opened;
  await writeRetention(transport, names, policy);
  const state = await readSchemaState(transport, names);
  if (state === undefined) throw new Error('the store is gone');
  const store = createMemoryStore({
    transport,
    names,
    settings: { dimensions: DIMENSIONS, retention: state.retention },
  });
  const days = async (id: string): Promise<number | null> => {
    const record = await store.getRecord('memory', id);
    if (record === undefined) throw new Error(`${id} is not visible`);
    return record.expiresAt === null
      ? null
      : (Date.parse(record.expiresAt) - Date.parse(record.createdAt)) / DAY;
  };
  return { store, days };
}

it('a new policy is for what is written or given a lifetime after it, never for what is there (contract §11)', async () => {
  const before = await openWith({ defaultTtlDays: null, maxTtlDays: null });
  await before.store.addRecord(newRecord('forever'), undefined);
  await before.store.addRecord(newRecord('long', { ttlDays: 400 }), undefined);
  const after = await openWith({ defaultTtlDays: 7, maxTtlDays: 30 });
  await after.store.addRecord(newRecord('new'), undefined);
  await after.store.addRecord(newRecord('clamped', { ttlDays: 400 }), undefined);
  await after.store.addRecord(newRecord('longest', { ttlDays: null }), undefined);
  const all = async () =>
    Object.fromEntries(
      await Promise.all(
        ['forever', 'long', 'new', 'clamped', 'longest'].map(async (id) => [id, await after.days(id)]),
      ),
    );
  expect(await all()).toEqual({ forever: null, long: 400, new: 7, clamped: 30, longest: 30 });
  await after.store.updateRecord('memory', 'forever', { metadata: { edited: true } });
  await after.store.updateRecord('memory', 'long', {
    lifetime: { ttlDays: undefined, ttlAnchor: 'created_at' },
  });
  expect(await all()).toMatchObject({ forever: null, long: 7 });
});
