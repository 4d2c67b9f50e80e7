import { expect } from 'vitest';
import type { RecordChange } from '../../lib/store/records/stored-record.ts';
import {
  direction,
  extractionOutcome,
  messageAppend,
  newMessage,
  newMessageRecord,
  newRecord,
  newThread,
  storeSearch,
  threadConfig,
} from '../store/store-samples.ts';
import { chunkAt, EXPIRED } from './store-fixtures.ts';
import { ODD_IDS, ODD_METADATA, readJobs, rowCounts, type StoreCase } from './store-stage.ts';

/** Batches of records, and changes of retrieval rows alone. */
export const BATCH_CASES: Readonly<Record<string, StoreCase>> = {
  'a batch of any types is written in its order, in one round trip (contract §10.2)': async ({
    store,
    transport,
  }) => {
    for (const threadId of ['a', 'b']) await store.createThread(newThread(threadId, { userId: threadId }));
    const before = transport.roundTrips;
    await store.addRecords([
      newRecord('z'),
      newMessageRecord('m3', 'b', { role: 'tool', metadata: ODD_METADATA }),
      newRecord('a', { recordType: 'fact', userId: 'user', chunks: [chunkAt(0), chunkAt(10)] }),
      newMessageRecord('m2', 'a'),
      newMessageRecord('m1', 'b', { userId: null, agentId: 'other', chunks: [chunkAt(20)] }),
      newRecord('id', { family: 'user_profile', recordType: 'user_profile' }),
    ]);
    expect(transport.roundTrips - before).toBe(1);
    const memories = await store.listRecords({ family: 'memory', after: undefined, limit: 10 });
    expect(memories.records.map(({ record }) => record.id)).toEqual(['z', 'a']);
    const ofB = await store.getMessages('b', { limit: 10 });
    expect(ofB?.messages.map(({ id, sequence, role }) => [id, sequence, role])).toEqual([
      ['m3', 1, 'tool'],
      ['m1', 2, 'user'],
    ]);
    expect(await store.getRecord('message', 'm3')).toMatchObject({ userId: 'b', metadata: ODD_METADATA });
    expect(await store.getRecord('message', 'm1')).toMatchObject({ userId: null, agentId: 'other' });
    expect((await store.getThread('b'))?.messageCount).toBe(2);
    expect((await store.getThread('a'))?.messageCount).toBe(1);
    expect((await store.search(storeSearch()))?.map(({ record }) => record.id)).toEqual(['a', 'm1']);
  },
  'messages of a batch start no job; the next append that is due covers them': async (stage) => {
    const { store } = stage;
    const config = threadConfig({ memoryExtractionFrequency: 3, extractionMode: 'background' });
    await store.createThread(newThread('thread', { config }));
    await store.addRecords(['1', '2', '3'].map((id) => newMessageRecord(id, 'thread')));
    expect(await readJobs(stage, 'thread')).toEqual([]);
    await store.appendMessages(messageAppend('thread', [newMessage('4')]));
    expect(await readJobs(stage, 'thread')).toMatchObject([{ from_seq: 1, upto_seq: 4 }]);
  },
  'a batch with a taken id or an unknown thread writes nothing (contract §10.2, D7)': async (stage) => {
    const { store } = stage;
    await store.createThread(newThread('thread'));
    await store.addRecord(newRecord('taken'), undefined);
    const before = await rowCounts(stage);
    const good = [newRecord('new', { chunks: [chunkAt(0)] }), newMessageRecord('message', 'thread')];
    await expect(store.addRecords([...good, newRecord('taken')])).rejects.toMatchObject({
      code: 'conflict',
      message: expect.stringContaining('already exists'),
    });
    await expect(store.addRecords([...good, newMessageRecord('lost', 'none')])).rejects.toMatchObject({
      code: 'not_found',
    });
    expect(await rowCounts(stage)).toEqual(before);
    expect((await store.getThread('thread'))?.messageCount).toBe(0);
    await store.addRecords(good);
    expect((await store.getThread('thread'))?.messageCount).toBe(1);
  },
  'odd ids and a thousand rows survive a batch': async (stage) => {
    const { store } = stage;
    for (const id of ODD_IDS) await store.createThread(newThread(id));
    await store.addRecords(ODD_IDS.map((id) => newMessageRecord(id, id, { userId: id })));
    for (const id of ODD_IDS) {
      expect(await store.getRecord('message', id)).toMatchObject({ threadId: id, userId: id });
    }
    const ids = Array.from({ length: 1_000 }, (_, index) => `record ${index}`);
    await store.addRecords(ids.map((id, index) => newRecord(id, { chunks: [chunkAt(index % 90)] })));
    const listed = await store.listRecords({ family: 'memory', after: undefined, limit: 1_000 });
    expect(listed.records.map(({ record }) => record.id)).toEqual(ids);
    expect(await rowCounts(stage)).toMatchObject({ chunk: 1_000 });
  },
  'no text and text without characters are told apart (contract §10.2)': async ({ store }) => {
    await store.createThread(newThread('thread'));
    await store.addRecords([
      newRecord('none', { content: null }),
      newRecord('empty', { content: '' }),
      newMessageRecord('none', 'thread', { content: null }),
      newMessageRecord('empty', 'thread', { content: '' }),
    ]);
    for (const family of ['memory', 'message'] as const) {
      expect((await store.getRecord(family, 'none'))?.content).toBeNull();
      expect((await store.getRecord(family, 'empty'))?.content).toBe('');
      await store.updateRecord(family, 'none', { content: { text: '', chunks: [] } });
      await store.updateRecord(family, 'empty', { content: { text: null, chunks: [] } });
      expect((await store.getRecord(family, 'none'))?.content).toBe('');
      expect((await store.getRecord(family, 'empty'))?.content).toBeNull();
      await store.updateRecord(family, 'empty', { content: { text: 'text', chunks: [] } });
      expect((await store.getRecord(family, 'empty'))?.content).toBe('text');
    }
    expect((await store.getMessages('thread', { limit: 9 }))?.messages.map(({ content }) => content)).toEqual(
      ['', 'text'],
    );
  },
  'retrieval rows change without the text (contract §10.3)': async (stage) => {
    const { store } = stage;
    const chunks = [chunkAt(0, 'bicycle'), chunkAt(10, 'boat')];
    await store.addRecord(newRecord('memory', { chunks, userId: 'user', recordType: 'fact' }), undefined);
    await store.addRecord(newRecord('other', { chunks: [chunkAt(80, 'wine')] }), undefined);
    const nearest = async () => {
      const hits = await store.search(storeSearch({ recordTypes: ['fact'] }));
      return hits?.map(({ distance }) => distance.toFixed(3));
    };
    const distance = (degrees: number) => (1 - Math.cos((degrees * Math.PI) / 180)).toFixed(3);
    const words = async (text: string) =>
      (await store.search(storeSearch({ query: { strategy: 'keyword', text } })))?.map(
        ({ record }) => record.id,
      );
    const change = (retrieval: RecordChange['retrieval']) =>
      store.updateRecord('memory', 'memory', { retrieval });
    expect(await change({ kind: 'vectors', vectors: [direction(60), direction(45)] })).toBe(true);
    expect([await nearest(), await words('boat')]).toEqual([[distance(45)], ['memory']]);
    for (const vectors of [[direction(1)], [direction(1), direction(2), direction(3)]]) {
      await expect(change({ kind: 'vectors', vectors })).rejects.toMatchObject({
        code: 'invalid_request',
        issues: [{ path: 'embedding' }],
      });
    }
    expect(await nearest()).toEqual([distance(45)]);
    expect(await change({ kind: 'no_vectors' })).toBe(true);
    expect([await nearest(), await words('boat')]).toEqual([[], ['memory']]);
    expect(await change({ kind: 'rows', chunks: [{ text: '', embedding: direction(30) }] })).toBe(true);
    expect([await nearest(), await words('boat')]).toEqual([[distance(30)], []]);
    expect(await change({ kind: 'rows', chunks: [] })).toBe(true);
    expect(await nearest()).toEqual([]);
    expect((await store.getRecord('memory', 'memory'))?.content).toBe('content of memory');
    expect(await words('wine')).toEqual(['other']);
  },
  'vectors for an expired or unknown record are not found (contract §10.3, §11)': async ({ store }) => {
    await store.addRecord(newRecord('expired', { ...EXPIRED, chunks: [chunkAt(0)] }), undefined);
    const change = { retrieval: { kind: 'vectors', vectors: [direction(1)] } } as const;
    expect(await store.updateRecord('memory', 'expired', change)).toBe(false);
    expect(await store.updateRecord('memory', 'unknown', change)).toBe(false);
  },
  'new content of a message makes a summary stale that covers it, metadata does not (D3)': async ({
    store,
  }) => {
    await store.createThread(newThread('thread'));
    await store.appendMessages(messageAppend('thread', [newMessage('covered')]));
    const summary = { text: 'summary', uptoSequence: 1 };
    await store.finishExtraction(extractionOutcome('job-covered', 'lease', { summary }));
    await store.addRecords([newMessageRecord('later', 'thread')]);
    const isStale = async () => (await store.getThread('thread'))?.summaryStale;
    await store.updateRecord('message', 'covered', { metadata: { a: 1 } });
    await store.updateRecord('message', 'later', { content: { text: 'new', chunks: [] } });
    expect(await isStale()).toBe(false);
    await store.updateRecord('message', 'covered', { content: { text: 'new', chunks: [] } });
    expect(await isStale()).toBe(true);
  },
  'an update and a delete find exactly the type that is asked for (contract §10.2, D7)': async (stage) => {
    const { store } = stage;
    await store.addRecord(newRecord('fact', { recordType: 'fact', chunks: [chunkAt(0)] }), undefined);
    const change = { metadata: { changed: true } };
    expect(await store.updateRecord('memory', 'fact', change, { recordType: 'memory' })).toBe(false);
    expect(await store.deleteRecord('memory', 'fact', { recordType: 'memory' })).toBe(0);
    expect(await rowCounts(stage)).toMatchObject({ record: 1, chunk: 1 });
    expect(await store.updateRecord('memory', 'fact', change, { recordType: 'fact' })).toBe(true);
    expect(await store.deleteRecord('memory', 'fact', { recordType: 'fact' })).toBe(1);
    expect(await rowCounts(stage)).toMatchObject({ record: 0, chunk: 0 });
  },
  'a list asks for owners, for none of them, and for metadata (contract §10.2)': async ({
    store,
    transport,
  }) => {
    await store.addRecords([
      newRecord('1', { userId: 'user', metadata: { n: 1 } }),
      newRecord('2', { metadata: { n: 1, tags: ['a'] } }),
      newRecord('3', { metadata: { n: 2, tags: ['a'] } }),
    ]);
    const list = { family: 'memory', after: undefined, limit: 10 } as const;
    const ids = async (conditions: object) =>
      (await store.listRecords({ ...list, ...conditions })).records.map(({ record }) => record.id);
    expect(await ids({ userId: null })).toEqual(['2', '3']);
    expect(await ids({ userId: 'user' })).toEqual(['1']);
    expect(await ids({ metadataFilter: { n: 1 } })).toEqual(['1', '2']);
    expect(await ids({ metadataFilter: { tags: { $array_contains: 'a' } }, userId: null, limit: 1 })).toEqual(
      ['2'],
    );
    expect(await ids({ metadataFilter: {} })).toEqual(['1', '2', '3']);
    const before = transport.roundTrips;
    await expect(ids({ metadataFilter: { n: { $gt: 1 } } })).rejects.toMatchObject({
      code: 'invalid_request',
    });
    expect(transport.roundTrips).toBe(before);
  },
};
