import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import type { DmlStatement } from '../../lib/sql/statement.ts';
import { DEFAULT_AUDIT_DAYS, pruneAudit } from '../../lib/store/audit/prune-audit.ts';
import { createMemoryStore } from '../../lib/store/create-memory-store.ts';
import type { MemoryStore } from '../../lib/store/memory-store.ts';
import { purgeExpired } from '../../lib/store/records/purge.ts';
import { emptyTables } from '../conformance/store-stage.ts';
import { type EmulatedStore, openEmulatedStore } from './emulated-store.ts';
import { DIMENSIONS, NO_RETENTION, newRecord } from './store-samples.ts';

const SETTINGS = { dimensions: DIMENSIONS, retention: NO_RETENTION };
const ALL_AUDIT = { userId: undefined, since: undefined, before: undefined, limit: 100 };

let opened: EmulatedStore;
let store: MemoryStore;
beforeAll(async () => {
  opened = await openEmulatedStore();
  store = createMemoryStore({ ...opened, settings: SETTINGS });
});
beforeEach(() => emptyTables(opened.transport, opened.names));
afterAll(() => opened?.transport.close());

async function change(sql: string): Promise<void> {
  const statement: DmlStatement = { name: 'change', sql };
  await opened.transport.executeAtomic({ name: 'test.change', binds: {}, statements: [statement] });
}

/** A memory with one earlier form. */
async function addChanged(id: string): Promise<void> {
  await store.addRecord(newRecord(id, { content: 'one', userId: 'ana' }), undefined);
  await store.updateRecord('memory', id, { content: { text: 'two', chunks: [] } });
}

async function countHistory(): Promise<number> {
  const rows = await opened.transport.query({
    name: 'test.history',
    sql: `SELECT h.record_id AS record_id FROM ${opened.names.history} h`,
    binds: {},
    shape: { record_id: 'text' },
  });
  return rows.length;
}

it('history is invisible with an expired memory, and goes when that is purged', async () => {
  await addChanged('expired');
  await addChanged('kept');
  await change(
    `UPDATE ${opened.names.record} r SET r.expires_at = :now - NUMTODSINTERVAL(1, 'DAY') WHERE r.record_id = 'expired'`,
  );
  expect(await store.listHistory({ memoryId: 'expired', before: undefined, limit: 10 })).toBeUndefined();
  expect(await purgeExpired(opened)).toMatchObject({ records: 1, history: 1 });
  expect(await countHistory()).toBe(1);
});

it('history without its memory is purged: a purge by the database of an older version leaves it', async () => {
  await addChanged('deleted');
  await change(`DELETE FROM ${opened.names.record} r WHERE r.record_id = 'deleted'`);
  expect(await purgeExpired(opened)).toMatchObject({ records: 0, history: 1 });
  expect(await countHistory()).toBe(0);
});

it('entries of the audit trail are pruned when they were kept long enough', async () => {
  await addChanged('old');
  await change(
    `UPDATE ${opened.names.audit} a SET a.occurred_at = a.occurred_at - NUMTODSINTERVAL(366, 'DAY') WHERE a.operation_id = 'addMemory'`,
  );
  expect(await pruneAudit(opened, 400)).toBe(0);
  expect(await pruneAudit(opened, DEFAULT_AUDIT_DAYS)).toBe(1);
  const { entries } = await store.listAudit(ALL_AUDIT);
  expect(entries.map(({ entry }) => entry.operation)).toEqual(['updateMemory']);
});

it('entries name the author that the store was opened for, and a write that failed leaves none', async () => {
  const author = { callerId: 'agent', requestId: 'request', operationId: 'addThreadMemory' };
  const authored = createMemoryStore({ ...opened, settings: SETTINGS, author });
  await authored.addRecord(newRecord('m', { userId: 'ana' }), undefined);
  await expect(authored.addRecord(newRecord('m', { userId: 'ana' }), undefined)).rejects.toMatchObject({
    code: 'conflict',
  });
  expect(await authored.updateRecord('memory', 'none', { metadata: {} })).toBe(false);
  expect(await authored.deleteRecord('memory', 'none')).toBe(0);
  const { entries } = await store.listAudit(ALL_AUDIT);
  expect(entries.map(({ entry }) => entry)).toMatchObject([
    { callerId: 'agent', requestId: 'request', operation: 'addThreadMemory', subject: 'memory', ids: ['m'] },
  ]);
});
