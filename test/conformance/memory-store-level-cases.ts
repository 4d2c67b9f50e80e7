import { expect } from 'vitest';
import type { JsonObject } from '../../lib/schemas/metadata.ts';
import type { ListRecordsOptions } from '../../lib/schemas/record-request.ts';
import { axes } from './memory-payload-cases.ts';
import { expectError, type MemoryCase, type MemoryStage, plainThread } from './memory-stage.ts';

async function idsOf({ memory }: MemoryStage, options: ListRecordsOptions): Promise<readonly string[]> {
  const ids: string[] = [];
  for await (const { id } of memory.records.iterate(options)) ids.push(id);
  return ids;
}

/** Lists, searches, reads, updates and deletes at the level of the store (contract §10.2). */
export const STORE_LEVEL_CASES: Readonly<Record<string, MemoryCase>> = {
  'records.list keeps the order of insertion, page by page (contract §10.2, D12)': async (stage) => {
    const { memory, id } = stage;
    const contents = Array.from({ length: 7 }, (_, index) => `fact ${index}`);
    const ids = await memory.records.add({ recordType: 'fact', contents, userIds: id('user') });
    await memory.records.add({ recordType: 'memory', contents: ['other type'], userIds: id('user') });
    for (const limit of [1, 3, 7, 8]) {
      expect(await idsOf(stage, { recordType: 'fact', userId: id('user'), limit })).toEqual(ids);
    }
    const page = await memory.records.list({ recordType: 'fact', userId: id('user'), limit: 3 });
    expect(page.items).toHaveLength(3);
    await memory.records.delete('fact', ids[0] ?? '');
    const cursor = page.nextCursor ?? '';
    const next = await memory.records.list({ recordType: 'fact', userId: id('user'), limit: 3, cursor });
    expect(next.items.map((record) => record.id)).toEqual(ids.slice(3, 6));
    await expectError(
      memory.records.list({ recordType: 'fact', cursor: 'bm90IGEgY3Vyc29y' }),
      'invalid_request',
      'cursor',
    );
  },

  'records.list compares owners by equality, null = only those without; profiles ignore them (contract §5, §10.2)':
    async (stage) => {
      const { memory, id } = stage;
      const [tied = '', free = ''] = await memory.records.add({
        recordType: 'fact',
        contents: ['tied', 'free'],
        userIds: id('user'),
        agentIds: [id('agent'), null],
      });
      const of = (owners: Partial<ListRecordsOptions>) =>
        idsOf(stage, { recordType: 'fact', userId: id('user'), ...owners });
      expect(await of({})).toEqual([tied, free]);
      expect(await of({ agentId: id('agent') })).toEqual([tied]);
      expect(await of({ agentId: null })).toEqual([free]);
      expect(await of({ agentId: id('nobody') })).toEqual([]);
      expect(await of({ threadId: null })).toEqual([tied, free]);
      await memory.addUser(id('profile'), 'A user');
      const profiles = await idsOf(stage, { recordType: 'user_profile', userId: id('nobody') });
      expect(profiles).toContain(id('profile'));
    },

  'listThreadMessages is in order, limited and filtered, and nothing for an unknown thread (contract §10.2)':
    async (stage) => {
      const { memory, id } = stage;
      const thread = await plainThread(stage);
      await thread.addMessages([
        { role: 'user', content: 'one', metadata: { odd: true } },
        { role: 'user', content: 'two' },
        { role: 'user', content: 'three', metadata: { odd: true } },
      ]);
      const contents = async (options?: { limit?: number; metadataFilter?: JsonObject }) =>
        (await memory.records.listThreadMessages(id('thread'), options)).map(({ content }) => content);
      expect(await contents()).toEqual(['one', 'two', 'three']);
      expect(await contents({ limit: 2 })).toEqual(['one', 'two']);
      expect(await contents({ metadataFilter: { odd: true } })).toEqual(['one', 'three']);
      expect(await memory.records.listThreadMessages(id('no such thread'))).toEqual([]);
    },

  'records.search is unfiltered; owners are preferred, or exact when asked (contract §5)': async (stage) => {
    const { memory, id } = stage;
    const axis = await axes(stage);
    const [mine = '', theirs = '', free = ''] = await memory.records.add({
      recordType: 'guideline',
      contents: ['a', 'b', 'c'],
      embeddings: [axis(5), axis(5), axis(5)].map((vector, index) =>
        vector.map((value, place) => value + (place === 0 ? index / 100 : 0)),
      ),
      userIds: [id('me'), id('them'), null],
      metadata: { case: id('case') },
    });
    const search = async (scope: object) =>
      (
        await memory.records.search({
          queryVector: axis(5),
          k: 100,
          metadataFilter: { case: id('case') },
          ...scope,
        })
      ).map((result) => result.id);
    expect(await search({})).toEqual([mine, theirs, free]);
    expect(await search({ userId: id('me') })).toEqual([mine, theirs, free]);
    expect(await search({ userId: null })).toEqual([mine, theirs, free]);
    expect(await search({ exactUserMatch: true })).toEqual([mine, theirs, free]);
    expect(await search({ userId: id('them'), exactUserMatch: true })).toEqual([theirs]);
    expect(await search({ userId: null, exactUserMatch: true })).toEqual([free]);
    expect(await search({ recordTypes: ['fact'] })).toEqual([]);
    expect(await search({ k: 2 })).toEqual([mine, theirs]);
  },

  'a boost at the level of the store scales the distance (contract §5, D6)': async (stage) => {
    const { memory, id } = stage;
    const axis = await axes(stage);
    const other = axis(7);
    const tilted = axis(6).map((value, place) => value + (other[place] ?? 0));
    await memory.records.add({
      recordType: 'fact',
      contents: ['a'],
      embeddings: [tilted],
      userIds: id('user'),
      agentIds: id('agent'),
      metadata: { case: id('case') },
    });
    const distance = async (scope: object) =>
      (
        await memory.records.search({
          queryVector: axis(6),
          k: 1,
          metadataFilter: { case: id('case') },
          ...scope,
        })
      )[0]?.distance;
    const plain = 1 - Math.SQRT1_2;
    expect(await distance({})).toBeCloseTo(plain, 5);
    expect(await distance({ userId: id('user') })).toBeCloseTo(plain * 0.95, 5);
    expect(await distance({ userId: id('user'), agentId: id('agent') })).toBeCloseTo(plain * 0.95 ** 2, 5);
    expect(await distance({ userId: id('user'), exactUserMatch: true })).toBeCloseTo(plain, 5);
  },

  'records.search takes exactly one of a text and a vector, and at least one result (contract §10.2)': async (
    stage,
  ) => {
    const { records } = stage.memory;
    const axis = await axes(stage);
    await expectError(records.search({ k: 1 }), 'invalid_request', 'query');
    await expectError(
      records.search({ query: 'a', queryVector: axis(0), k: 1 }),
      'invalid_request',
      'queryVector',
    );
    for (const k of [0, -1, 1.5, 1_001]) {
      await expectError(records.search({ query: 'a', k }), 'invalid_request', 'k');
    }
    for (const queryVector of [[1], axis(0).map(() => 0), axis(0).map(() => 1e300)]) {
      await expectError(records.search({ queryVector, k: 1 }), 'invalid_request', 'queryVector');
    }
    await expectError(
      records.search({ queryVector: [...axis(0).slice(1), Number.NaN], k: 1 }),
      'invalid_request',
    );
  },

  'as many results come back as there are and were asked for (contract §6.1, §10.2)': async (stage) => {
    const { memory, id } = stage;
    const axis = await axes(stage);
    const total = 300;
    await memory.records.add({
      recordType: 'fact',
      contents: Array.from({ length: total }, (_, index) => `fact ${index}`),
      embeddings: Array.from({ length: total }, () => axis(8)),
      userIds: id('user'),
      metadata: Array.from({ length: total }, (_, index) => ({ even: index % 2 === 0 })),
    });
    const count = async (k: number, metadataFilter: JsonObject | null) => {
      const scope = { userId: id('user'), exactUserMatch: true };
      return (await memory.records.search({ queryVector: axis(8), k, metadataFilter, ...scope })).length;
    };
    expect(await count(200, null)).toBe(200);
    expect(await count(120, { even: true })).toBe(120);
    expect(await count(1_000, { even: true })).toBe(150);
  },

  'the same filter finds the same in search, records.search and records.list (contract §6.1, §7)': async (
    stage,
  ) => {
    const { memory, id } = stage;
    const metadata: readonly JsonObject[] = [
      { tags: ['a,b', 'c'], n: 1 },
      { tags: ['a', 'b'], n: '1' },
      { n: null, deep: { x: { y: [1] } } },
      { 'a.b': 1, $x: { 'it"s': true }, 日本: '🙂' },
      {},
    ];
    await memory.records.add({
      recordType: 'fact',
      contents: metadata.map((_, index) => `green tea ${index}`),
      userIds: id('user'),
      metadata: [...metadata],
    });
    const userId = id('user');
    const filters: readonly [JsonObject, readonly number[]][] = [
      [{}, [0, 1, 2, 3, 4]],
      [{ tags: { $array_contains: 'a,b' } }, [0]],
      [{ tags: { $array_contains_any: ['c', 'b'] } }, [0, 1]],
      [{ n: 1 }, [0]],
      [{ n: { $not: 1 } }, [1, 2, 3, 4]],
      [{ n: null }, [2]],
      [{ deep: { x: {} } }, [2]],
      [{ 'a.b': 1, $x: { 'it"s': true } }, [3]],
      [{ 日本: '🙂' }, [3]],
      [{ n: '*' }, []],
    ];
    for (const [metadataFilter, expected] of filters) {
      const wanted = { query: 'green tea', userId, metadataFilter };
      const results = {
        search: await memory.search('green tea', { userId, metadataFilter }),
        records: await memory.records.search({ ...wanted, exactUserMatch: true, k: 10 }),
        list: (await memory.records.list({ recordType: 'fact', userId, metadataFilter })).items,
      };
      for (const found of Object.values(results)) {
        expect(found.map(({ content }) => Number(content?.at(-1))).toSorted()).toEqual(expected);
      }
    }
  },

  'get, update and delete find a record of exactly this type (contract §10.2, D7)': async (stage) => {
    const { memory, id } = stage;
    await memory.addMemory('likes tea', { memoryId: id('m'), memoryType: 'fact' });
    expect(await memory.records.get('fact', id('m'))).toMatchObject({ content: 'likes tea' });
    for (const type of ['memory', 'message', 'user_profile'] as const) {
      await expectError(memory.records.get(type, id('m')), 'not_found');
      expect(await memory.records.update(type, id('m'), { metadata: { a: 1 } })).toBe(0);
      expect(await memory.records.update(type, id('m'), {})).toBe(0);
      expect(await memory.records.delete(type, id('m'))).toBe(0);
    }
    expect(await memory.records.update('fact', id('m'), {})).toBe(1);
    expect(await memory.records.update('fact', id('m'), { metadata: { a: 1 } })).toBe(1);
    expect(await memory.records.update('fact', id('m'), { metadata: { b: 1 } })).toBe(1);
    expect((await memory.records.get('fact', id('m'))).metadata).toEqual({ b: 1 });
    expect(await memory.records.delete('fact', id('m'))).toBe(1);
    expect(await memory.records.delete('fact', id('m'))).toBe(0);
    await expectError(memory.getMemory(id('m')), 'not_found');
  },

  'only a profile takes along what is its actor’s (contract §3.3, §10.2)': async (stage) => {
    const { memory, id } = stage;
    const thread = await plainThread(stage);
    await thread.addMessages([{ id: id('message'), role: 'user', content: 'hello' }]);
    await memory.addUser(id('user'), 'A user');
    await memory.addMemory('theirs', { memoryId: id('theirs'), userId: id('user') });
    await memory.addMemory('other', { memoryId: id('other'), userId: id('other') });
    await expectError(
      memory.records.delete('memory', id('theirs'), { cascade: true }),
      'invalid_request',
      'cascade',
    );
    expect(await memory.records.delete('user_profile', id('user'), { cascade: true })).toBe(4);
    await expectError(memory.records.get('memory', id('theirs')), 'not_found');
    expect(await memory.records.get('memory', id('other'))).toMatchObject({ content: 'other' });
    await memory.addAgent(id('agent'), 'An agent');
    expect(await memory.records.delete('agent_profile', id('agent'), { cascade: false })).toBe(1);
  },

  'every id that a search gives is taken by get, update and delete (contract §6.2, §10.2)': async (stage) => {
    const { memory, id } = stage;
    const thread = await plainThread(stage);
    await thread.addMessages([{ role: 'user', content: 'green tea' }]);
    await thread.addMemory('green tea', { memoryType: 'preference' });
    const found = await memory.records.search({
      query: 'green tea',
      k: 9,
      userId: id('user'),
      exactUserMatch: true,
    });
    expect(found.map(({ recordType }) => recordType).toSorted()).toEqual(['message', 'preference']);
    for (const { recordType, id: each } of found) {
      expect((await memory.records.get(recordType, each)).id).toBe(each);
      expect(await memory.records.update(recordType, each, { metadata: { seen: true } })).toBe(1);
      expect(await memory.records.delete(recordType, each)).toBe(1);
    }
  },
};
