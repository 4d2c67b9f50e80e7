import { expect } from 'vitest';
import type { MemoryStore } from '../../lib/store/memory-store.ts';
import type { RecordList } from '../../lib/store/records/stored-record.ts';
import {
  extractionOutcome,
  messageAppend,
  newMessage,
  newRecord,
  newThread,
  storeSearch,
} from '../store/store-samples.ts';
import { chunkAt, EXPIRED } from './store-fixtures.ts';
import { ODD_IDS, type StoreCase } from './store-stage.ts';

const MEMORIES = { family: 'memory', after: undefined, limit: 100 } as const;

async function idsOf(store: MemoryStore, list: Partial<RecordList> = {}): Promise<readonly string[]> {
  return (await store.listRecords({ ...MEMORIES, ...list })).records.map(({ record }) => record.id);
}

/** Every page of a list. */
async function pagesOf(
  store: MemoryStore,
  list: Partial<RecordList>,
): Promise<readonly (readonly string[])[]> {
  const pages: string[][] = [];
  for (let after: number | undefined; ; ) {
    const page = await store.listRecords({ ...MEMORIES, ...list, after });
    pages.push(page.records.map(({ record }) => record.id));
    if (!page.more) return pages;
    after = page.records.at(-1)?.position;
  }
}

/** Lists of records. */
export const LIST_CASES: Readonly<Record<string, StoreCase>> = {
  'a list holds one family in the order of insertion (contract §10.2, D12)': async ({ store }) => {
    await store.createThread(newThread('thread'));
    await store.appendMessages(messageAppend('thread', [newMessage('message')]));
    for (const id of ['z', 'a', 'm']) await store.addRecord(newRecord(id), undefined);
    const profile = { family: 'user_profile', recordType: 'user_profile' } as const;
    await store.addRecord(newRecord('user', profile), undefined);
    expect(await idsOf(store)).toEqual(['z', 'a', 'm']);
    expect(await idsOf(store, { family: 'user_profile' })).toEqual(['user']);
    expect(await idsOf(store, { family: 'agent_profile' })).toEqual([]);
    const [first] = (await store.listRecords(MEMORIES)).records;
    expect(first?.record).toEqual(await store.getRecord('memory', 'z'));
  },
  'a list follows its conditions exactly, and all of them (contract §10.2)': async ({ store }) => {
    for (const id of ODD_IDS) {
      await store.addRecord(
        newRecord(`u ${id}`.slice(0, 120), { userId: id, recordType: 'fact' }),
        undefined,
      );
      await store.addRecord(newRecord(`a ${id}`.slice(0, 120), { agentId: id, threadId: id }), undefined);
    }
    for (const id of ODD_IDS) {
      expect(await idsOf(store, { userId: id })).toEqual([`u ${id}`.slice(0, 120)]);
      expect(await idsOf(store, { agentId: id })).toEqual([`a ${id}`.slice(0, 120)]);
      expect(await idsOf(store, { threadId: id })).toEqual([`a ${id}`.slice(0, 120)]);
      expect(await idsOf(store, { threadId: id, userId: id })).toEqual([]);
    }
    expect(await idsOf(store, { recordType: 'fact' })).toHaveLength(ODD_IDS.length);
    expect(await idsOf(store, { recordType: 'preference' })).toEqual([]);
    expect(await idsOf(store, { status: 'active' })).toHaveLength(2 * ODD_IDS.length);
    expect(await idsOf(store, { status: 'superseded' })).toEqual([]);
  },
  'a list hides what has expired (contract §11)': async ({ store }) => {
    await store.addRecord(newRecord('expired', EXPIRED), undefined);
    await store.addRecord(newRecord('kept'), undefined);
    expect(await idsOf(store)).toEqual(['kept']);
  },
  'a superseded record is listed by its status, also after an update': async ({ store }) => {
    await store.createThread(newThread('thread'));
    await store.appendMessages(messageAppend('thread', [newMessage('first')]));
    for (const id of ['old', 'kept']) await store.addRecord(newRecord(id), 'thread');
    await store.finishExtraction(extractionOutcome('job-first', 'lease', { supersededIds: ['old'] }));
    expect(await idsOf(store, { status: 'active' })).toEqual(['kept']);
    expect(await idsOf(store, { status: 'superseded' })).toEqual(['old']);
    const content = { text: 'changed', chunks: [chunkAt(0)] };
    expect(await store.updateRecord('memory', 'old', { content })).toBe(true);
    expect(await idsOf(store, { status: 'superseded' })).toEqual(['old']);
    expect(await store.search(storeSearch())).toEqual([]);
  },
  'the pages of a list are exact at every size (contract §10.2, D12)': async ({ store }) => {
    const ids = ['1', '2', '3', '4', '5', '6'];
    for (const id of ids) await store.addRecord(newRecord(id), undefined);
    for (const limit of [1, 2, 3, 5, 6, 7]) {
      const pages = await pagesOf(store, { limit });
      expect(pages.flat()).toEqual(ids);
      expect(pages).toHaveLength(Math.ceil(ids.length / limit));
    }
    expect(await store.listRecords({ ...MEMORIES, userId: 'nobody' })).toEqual({ records: [], more: false });
  },
  'writes between two pages neither repeat nor hide a record (contract §10.2, D12)': async ({ store }) => {
    for (const id of ['1', '2', '3', '4']) await store.addRecord(newRecord(id), undefined);
    const first = await store.listRecords({ ...MEMORIES, limit: 2 });
    await store.deleteRecord('memory', '1');
    await store.updateRecord('memory', '2', { content: { text: 'new', chunks: [] } });
    await store.addRecord(newRecord('5'), undefined);
    const after = first.records.at(-1)?.position;
    expect(await idsOf(store, { after, limit: 10 })).toEqual(['3', '4', '5']);
  },
  'a page ends after four million characters, its first record is always in it': async ({ store }) => {
    const content = 'x'.repeat(2_500_000);
    for (const id of ['1', '2', '3']) await store.addRecord(newRecord(id, { content }), undefined);
    expect(await pagesOf(store, {})).toEqual([['1', '2'], ['3']]);
    await store.updateRecord('memory', '1', { content: { text: content + content, chunks: [] } });
    expect(await pagesOf(store, {})).toEqual([['1'], ['2', '3']]);
  },
  'a list is one round trip': async ({ store, transport }) => {
    await store.addRecord(newRecord('memory', { chunks: [chunkAt(0)] }), undefined);
    const before = transport.roundTrips;
    await store.listRecords({ ...MEMORIES, userId: 'u', agentId: 'a', threadId: 't', status: 'active' });
    expect(transport.roundTrips - before).toBe(1);
  },
};
