import { expect } from 'vitest';
import { MEMORY_TYPES, RECORD_TYPES } from '../../lib/schemas/record.ts';
import type { NewRecord } from '../../lib/store/records/stored-record.ts';
import type { SearchHit, StoreSearch } from '../../lib/store/search/store-search.ts';
import { messageAppend, newMessage, newRecord, newThread, storeSearch } from '../store/store-samples.ts';
import { chunkAt, distanceAt, EXPIRED } from './store-fixtures.ts';
import { ODD_METADATA, type StoreCase, type StoreStage } from './store-stage.ts';

const ids = (hits: readonly SearchHit[] | undefined) => hits?.map((hit) => hit.record.id);
const keyword = (text: string): StoreSearch['query'] => ({ strategy: 'keyword', text });

function addAll({ store }: StoreStage, records: readonly NewRecord[]): Promise<unknown> {
  return Promise.all(records.map((record) => store.addRecord(record, undefined)));
}

const atAngle = (id: string, degrees: number, overrides: Partial<NewRecord> = {}) =>
  newRecord(id, { chunks: [chunkAt(degrees)], ...overrides });

/** Ranking, types, limits and both strategies. */
export const SEARCH_CASES: Readonly<Record<string, StoreCase>> = {
  'distances are cosine distances, in order, ties by id (contract §6.1, §6.2)': async (stage) => {
    await addAll(stage, [
      atAngle('c', 45),
      atAngle('b', 90),
      atAngle('a', 45),
      atAngle('d', 0),
      atAngle('e', 180),
    ]);
    const hits = await stage.store.search(storeSearch());
    expect(ids(hits)).toEqual(['d', 'a', 'c', 'b', 'e']);
    for (const [index, degrees] of [0, 45, 45, 90, 180].entries()) {
      expect(hits?.[index]?.distance).toBeCloseTo(distanceAt(degrees), 6);
    }
    expect(hits?.[0]?.distance).toBeGreaterThanOrEqual(0);
  },
  'a record of many chunks is one hit, by its nearest, with all of its content (contract §6.1)': async (
    stage,
  ) => {
    const content = 'needle '.repeat(20_000);
    const chunks = [chunkAt(80, 'needle one'), chunkAt(20, 'needle two'), chunkAt(50, 'needle three')];
    await addAll(stage, [
      newRecord('long', { content, chunks, metadata: ODD_METADATA }),
      atAngle('short', 40),
    ]);
    const hits = await stage.store.search(storeSearch());
    expect(ids(hits)).toEqual(['long', 'short']);
    expect(hits?.[0]?.record).toEqual(await stage.store.getRecord('memory', 'long'));
    expect(hits?.[0]?.record.content).toBe(content);
    expect(hits?.[0]?.distance).toBeCloseTo(distanceAt(20), 6);
    expect(ids(await stage.store.search(storeSearch({ query: keyword('needle') })))).toEqual(['long']);
  },
  'the number of results is exact (contract §6.1)': async (stage) => {
    const { store } = stage;
    await store.createThread(newThread('thread'));
    const messages = Array.from({ length: 500 }, (_, index) =>
      newMessage(`m${String(index).padStart(3, '0')}`, {
        chunks: [chunkAt(index / 4, 'bicycle'), chunkAt(index / 3, 'bicycle')],
      }),
    );
    await store.appendMessages(messageAppend('thread', messages));
    for (const maxResults of [1, 200, 500, 501]) {
      const hits = await store.search(storeSearch({ maxResults }));
      expect(ids(hits)).toEqual(messages.slice(0, maxResults).map((message) => message.id));
      expect(await store.search(storeSearch({ maxResults, query: keyword('bicycle') }))).toHaveLength(
        hits?.length ?? 0,
      );
    }
  },
  'each type is found alone and all together (contract §6.1, §6.3)': async (stage) => {
    const { store } = stage;
    await store.createThread(newThread('thread'));
    await store.appendMessages(messageAppend('thread', [newMessage('message', { chunks: [chunkAt(10)] })]));
    await addAll(stage, [
      ...MEMORY_TYPES.map((recordType) => atAngle(recordType, 10, { recordType })),
      atAngle('user_profile', 10, { family: 'user_profile', recordType: 'user_profile' }),
      atAngle('agent_profile', 10, { family: 'agent_profile', recordType: 'agent_profile' }),
    ]);
    for (const recordType of RECORD_TYPES) {
      expect(ids(await store.search(storeSearch({ recordTypes: [recordType] })))).toEqual([recordType]);
    }
    expect(ids(await store.search(storeSearch()))).toEqual([...RECORD_TYPES].sort());
    expect(await store.search(storeSearch({ recordTypes: [] }))).toEqual([]);
    const [message] = (await store.search(storeSearch({ recordTypes: ['message'] }))) ?? [];
    expect(message?.record).toMatchObject({
      role: 'user',
      userId: 'user',
      agentId: 'agent',
      threadId: 'thread',
    });
  },
  'records of one id in different families are different hits': async (stage) => {
    await addAll(stage, [
      atAngle('id', 10),
      atAngle('id', 20, { family: 'user_profile', recordType: 'user_profile' }),
    ]);
    const hits = await stage.store.search(storeSearch());
    expect(hits?.map((hit) => hit.record.recordType)).toEqual(['memory', 'user_profile']);
  },
  'expired and deleted records are not found by either strategy (contract §6.1, §11)': async (stage) => {
    await addAll(stage, [
      atAngle('expired', 0, { ...EXPIRED, chunks: [chunkAt(0, 'bicycle')] }),
      atAngle('deleted', 0, { chunks: [chunkAt(0, 'bicycle')] }),
      atAngle('kept', 30, { chunks: [chunkAt(30, 'bicycle')] }),
    ]);
    await stage.store.deleteRecord('memory', 'deleted');
    for (const query of [storeSearch().query, keyword('bicycle')]) {
      expect(ids(await stage.store.search(storeSearch({ query, maxResults: 1 })))).toEqual(['kept']);
    }
  },
  'an unknown thread is undefined, a known one without hits is empty': async ({ store }) => {
    await store.createThread(newThread('thread'));
    for (const query of [storeSearch().query, keyword('bicycle'), keyword('???')]) {
      expect(await store.search(storeSearch({ query, threadId: 'thread' }))).toEqual([]);
      expect(await store.search(storeSearch({ query, threadId: 'thread2' }))).toBeUndefined();
    }
  },
  'minimums by type fill first, the rest by distance, the total holds (contract §9.1)': async (stage) => {
    await addAll(stage, [
      ...[1, 2, 3, 4, 5].map((number) => atAngle(`memory ${number}`, number * 2)),
      ...[1, 2, 3].map((number) => atAngle(`fact ${number}`, 60 + number, { recordType: 'fact' })),
      atAngle('guideline 1', 80, { recordType: 'guideline' }),
    ]);
    const find = async (minimums: StoreSearch['minimums'], maxResults = 5) =>
      ids(await stage.store.search(storeSearch({ minimums, maxResults })));
    expect(await find({})).toEqual([1, 2, 3, 4, 5].map((number) => `memory ${number}`));
    expect(await find({ fact: 2, guideline: 1 })).toEqual([
      'memory 1',
      'memory 2',
      'fact 1',
      'fact 2',
      'guideline 1',
    ]);
    expect(await find({ preference: 3, fact: 1 })).toEqual([
      'memory 1',
      'memory 2',
      'memory 3',
      'memory 4',
      'fact 1',
    ]);
    expect(await find({ fact: 3, guideline: 1 }, 2)).toEqual(['fact 1', 'fact 2']);
  },
  'a chunk without a vector is found by its words only (contract §12)': async (stage) => {
    const chunks = [{ text: 'bicycle', embedding: null }];
    const zero = [{ text: 'tricycle', embedding: new Float32Array(4) }];
    await addAll(stage, [
      newRecord('text', { chunks }),
      newRecord('zero', { chunks: zero }),
      newRecord('nothing'),
    ]);
    expect(await stage.store.search(storeSearch())).toEqual([]);
    expect(ids(await stage.store.search(storeSearch({ query: keyword('bicycle') })))).toEqual(['text']);
    expect(ids(await stage.store.search(storeSearch({ query: keyword('tricycle') })))).toEqual(['zero']);
  },
  'a query without direction or words finds nothing (contract §12)': async (stage) => {
    await addAll(stage, [atAngle('memory', 0, { chunks: [chunkAt(0, 'the of a bicycle 50 percent')] })]);
    const vector: StoreSearch['query'] = { strategy: 'vector', vector: new Float32Array(4) };
    expect(await stage.store.search(storeSearch({ query: vector }))).toEqual([]);
    for (const text of ['', '   ', '`', '"', '?', '&|-{}', '🙂']) {
      expect(await stage.store.search(storeSearch({ query: keyword(text) }))).toEqual([]);
    }
    for (const text of [
      'the of',
      'a AND',
      'C++ bicycle',
      '50%',
      'NEAR(({the},{bicycle}),10)',
      '{bicycle',
      `${'word '.repeat(2_000)}bicycle`,
    ]) {
      const hits = await stage.store.search(storeSearch({ query: keyword(text) }));
      expect([text, ids(hits)]).toEqual([text, ['memory']]);
    }
  },
  'keyword distances are between 0 and 1 and rank what matches more first (contract §12)': async (stage) => {
    await addAll(stage, [
      newRecord('both', { chunks: [{ text: 'a red bicycle', embedding: null }] }),
      newRecord('one', { chunks: [{ text: 'a blue bicycle', embedding: null }] }),
      newRecord('none', { chunks: [{ text: 'a green car', embedding: null }] }),
    ]);
    const hits = await stage.store.search(storeSearch({ query: keyword('red bicycle') }));
    expect(ids(hits)).toEqual(['both', 'one']);
    for (const hit of hits ?? []) {
      expect(hit.distance).toBeGreaterThan(0);
      expect(hit.distance).toBeLessThanOrEqual(1);
    }
  },
  'words of any script are found (contract §12)': async (stage) => {
    const texts = {
      chinese: '我对花生过敏',
      japanese: '東京タワーへ行く',
      hindi: 'हिन्दी भाषा',
      accents: 'café crème',
      digits: '2026 x',
      turkish: 'İstanbul’da',
      greek: 'ΣΊΣΥΦΟΣ',
      german: 'große Straße',
    };
    await addAll(
      stage,
      Object.entries(texts).map(([id, text]) => newRecord(id, { chunks: [{ text, embedding: null }] })),
    );
    for (const [id, text] of [
      ['chinese', '花生'],
      ['japanese', 'タワー'],
      ['hindi', 'भाषा'],
      ['accents', 'CAFÉ'],
      ['digits', '2026'],
      ['turkish', 'İstanbul'],
      ['greek', 'σίσυφος'],
      ['greek', 'ΣΊΣΥΦΟΣ'],
      ['german', 'straße'],
    ] as const) {
      expect([text, ids(await stage.store.search(storeSearch({ query: keyword(text) })))]).toEqual([
        text,
        [id],
      ]);
    }
  },
  'a long word, and one that begins like a number, is found as it is (contract §12)': async (stage) => {
    const long = '3a7bd3e2360a3d29eea436fcfb7e44c735d117c42d1c1835420b6b9942dd4f1b';
    const texts = [long, `${long}0`, '5e3abc', '5e3', '1e400x', '0x1f', `a${'b'.repeat(300)}`];
    await addAll(
      stage,
      texts.map((text) =>
        newRecord(text.slice(0, 99), { chunks: [{ text: `the key ${text}`, embedding: null }] }),
      ),
    );
    for (const text of texts) {
      const found = await stage.store.search(storeSearch({ query: keyword(text) }));
      expect(ids(found)).toEqual([text.slice(0, 99)]);
    }
  },
  'each search is one round trip': async ({ store, transport }) => {
    await store.createThread(newThread('thread'));
    const before = transport.roundTrips;
    await store.search(storeSearch({ threadId: 'thread', metadataFilter: { a: 1 } }));
    await store.search(storeSearch({ minimums: { fact: 1 } }));
    await store.search(storeSearch({ query: keyword('bicycle') }));
    expect(transport.roundTrips - before).toBe(3);
  },
  'vectors of another width are refused (contract §12)': async ({ store, transport }) => {
    const query: StoreSearch['query'] = { strategy: 'vector', vector: Float32Array.of(1, 0) };
    await expect(store.search(storeSearch({ query }))).rejects.toMatchObject({ code: 'invalid_request' });
    const chunks = [{ text: 'text', embedding: Float32Array.of(1, 0) }];
    await expect(store.addRecord(newRecord('memory', { chunks }), undefined)).rejects.toMatchObject({
      code: 'invalid_request',
    });
    expect(transport.roundTrips).toBe(0);
  },
};
