import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { OracleError } from '../../infra/local/oracle/sql/oracle-error.ts';
import { json } from '../../lib/sql/bind.ts';
import { withCounting } from '../../lib/sql/counting-transport.ts';
import { createMemoryStore } from '../../lib/store/create-memory-store.ts';
import { purgeExpired } from '../../lib/store/records/purge.ts';
import { chunkAt, EXPIRED, fillThread } from '../conformance/store-fixtures.ts';
import { emptyTables, rowCounts, type StoreStage } from '../conformance/store-stage.ts';
import { type EmulatedStore, openEmulatedStore } from './emulated-store.ts';
import {
  DIMENSIONS,
  direction,
  messageAppend,
  NO_RETENTION,
  newMessage,
  newRecord,
  storeSearch,
} from './store-samples.ts';

let opened: EmulatedStore;
let stage: StoreStage;
let failAt: RegExp | undefined;

beforeAll(async () => {
  opened = await openEmulatedStore({
    beforeStatement: (text) => {
      if (failAt?.test(text)) throw new OracleError(60, 'deadlock detected while waiting for resource');
    },
  });
  const transport = withCounting(opened.transport);
  const { names } = opened;
  const open: StoreStage['reopen'] = (changes) =>
    createMemoryStore({
      transport,
      names,
      settings: { dimensions: DIMENSIONS, retention: NO_RETENTION, ...changes },
    });
  stage = { transport, names, store: open({}), reopen: open };
});
beforeEach(() => {
  failAt = undefined;
  return emptyTables(opened.transport, opened.names);
});
afterAll(() => opened?.transport.close());

/** Messages of a thread that expired long ago, two retrieval rows each. */
async function appendExpired(threadId: string, count: number): Promise<void> {
  for (let first = 0; first < count; first += 500) {
    const messages = Array.from({ length: Math.min(500, count - first) }, (_, index) =>
      newMessage(`expired-${first + index}`, { ...EXPIRED, chunks: [chunkAt(1), chunkAt(2)] }),
    );
    await stage.store.appendMessages(messageAppend(threadId, messages));
  }
}

async function deleteRecords(...ids: readonly string[]): Promise<void> {
  await stage.transport.executeAtomic({
    name: 'test.delete_records',
    binds: { ids: json(ids) },
    statements: [
      {
        name: 'records',
        sql: `DELETE FROM ${stage.names.record} r WHERE r.record_id IN (SELECT j.id FROM JSON_TABLE(:ids, '$[*]' COLUMNS (id VARCHAR2(128 CHAR) PATH '$')) j)`,
      },
    ],
  });
}

describe('a purge (contract §11)', () => {
  it('removes what has expired with its retrieval rows, and nothing else', async () => {
    await fillThread(stage.store, 'user');
    const before = await rowCounts(stage);
    await appendExpired('user', 3);
    await stage.store.addRecord(newRecord('old', { ...EXPIRED, chunks: [chunkAt(0)] }), 'user');
    await stage.store.addRecord(
      newRecord('old preference', { ...EXPIRED, recordType: 'preference', chunks: [] }),
      undefined,
    );
    expect(await purgeExpired(stage)).toEqual({
      records: 5,
      chunks: 7,
      orphanedChunks: 0,
      history: 0,
      batches: 1,
      isComplete: true,
    });
    expect(await rowCounts(stage)).toEqual({ ...before, job: before.job + 1 });
    const hits = await stage.store.search(storeSearch());
    expect(hits?.map((hit) => hit.record.id).sort()).toEqual([
      'user memory',
      'user message 1',
      'user message 2',
    ]);
  });

  it('works in transactions of at most 1,000 records, and goes on in the next run', async () => {
    await fillThread(stage.store, 'user');
    await appendExpired('user', 2_500);
    const batches: number[] = [];
    const transport: typeof stage.transport = {
      ...stage.transport,
      executeAtomic: (list, options) => {
        batches.push(JSON.parse(String(list.binds.record_keys?.value)).length);
        return stage.transport.executeAtomic(list, options);
      },
    };
    const first = await purgeExpired({ ...stage, transport }, { maximumBatches: 2 });
    expect(first).toMatchObject({ records: 2_000, chunks: 4_000, batches: 2, isComplete: false });
    expect(batches).toEqual([1_000, 1_000]);
    const second = await purgeExpired({ ...stage, transport });
    expect(second).toMatchObject({ records: 500, chunks: 1_000, batches: 1, isComplete: true });
    const start = stage.transport.roundTrips;
    expect(await purgeExpired(stage)).toMatchObject({ records: 0, batches: 0, isComplete: true });
    expect(stage.transport.roundTrips - start).toBe(3);
  });

  it('lets searches, lists and writes go on between its batches, and changes what none of them shows', async () => {
    await fillThread(stage.store, 'user');
    await appendExpired('user', 12);
    const { store } = stage;
    const queries = [
      storeSearch(),
      storeSearch({ query: { strategy: 'keyword', text: 'chunk degrees' } }),
      storeSearch({ query: { strategy: 'hybrid', text: 'chunk degrees', vector: direction(0) } }),
    ];
    const look = async () => ({
      hits: await Promise.all(queries.map((query) => store.search(query))),
      messages: await store.getMessages('user', { limit: 100 }),
      memories: await store.listRecords({ family: 'memory', threadId: 'user', after: undefined, limit: 100 }),
    });
    const before = await look();
    let batches = 0;
    const transport: typeof stage.transport = {
      ...stage.transport,
      async executeAtomic(list, options) {
        const counts = await stage.transport.executeAtomic(list, options);
        batches += 1;
        expect(await look()).toEqual(before);
        await store.addRecord(newRecord(`added ${batches}`), undefined);
        return counts;
      },
    };
    expect(await purgeExpired({ ...stage, transport }, { batchSize: 5 })).toMatchObject({
      records: 12,
      isComplete: true,
    });
    expect(batches).toBe(3);
    expect(await rowCounts(stage)).toMatchObject({ record: 3 + batches });
  });

  it('sweeps retrieval rows that have no record', async () => {
    await fillThread(stage.store, 'user');
    await deleteRecords('user message 1', 'user memory');
    expect(await purgeExpired(stage, { batchSize: 1 })).toMatchObject({
      records: 0,
      chunks: 0,
      orphanedChunks: 3,
      batches: 2,
    });
    expect(await rowCounts(stage)).toMatchObject({ record: 1, chunk: 2 });
  });

  it('leaves a batch whole when it fails, and can be repeated', async () => {
    await fillThread(stage.store, 'user');
    await appendExpired('user', 4);
    const before = await rowCounts(stage);
    failAt = /^\s*DELETE FROM MEMORY_CHUNK/;
    await expect(purgeExpired(stage)).rejects.toMatchObject({ code: 'unavailable', retryable: true });
    expect(await rowCounts(stage)).toEqual(before);
    failAt = undefined;
    expect(await purgeExpired(stage)).toMatchObject({ records: 4, chunks: 8 });
  });

  it.each([{ batchSize: 0 }, { batchSize: 1_001 }, { batchSize: 1.5 }, { maximumBatches: 0 }])(
    'refuses %o',
    async (limits) => {
      await expect(purgeExpired(stage, limits)).rejects.toThrow(RangeError);
    },
  );
});
