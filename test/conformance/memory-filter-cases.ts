import { expect } from 'vitest';
import type { JsonObject } from '../../lib/schemas/metadata.ts';
import { expectError, type MemoryCase, type MemoryStage } from './memory-stage.ts';

const CONTENT = 'likes green tea';

/** Facts of this case's user, named by the keys, with this metadata. */
async function addFacts(
  { memory, id }: MemoryStage,
  documents: Readonly<Record<string, JsonObject>>,
): Promise<void> {
  for (const [name, metadata] of Object.entries(documents)) {
    await memory.addMemory(CONTENT, {
      memoryId: id(name),
      memoryType: 'fact',
      userId: id('user'),
      metadata,
    });
  }
}

/** Which of the facts a filter finds: the same in a search of the client, a search of the store and a list. */
async function find({ memory, id }: MemoryStage, metadataFilter: JsonObject): Promise<readonly string[]> {
  const userId = id('user');
  const query = 'green tea';
  const client = await memory.search(query, { userId, metadataFilter, maxResults: 100 });
  const store = await memory.records.search({ query, k: 100, userId, exactUserMatch: true, metadataFilter });
  const list = await memory.records.list({ recordType: 'fact', userId, metadataFilter });
  const namesOf = (records: readonly { readonly id: string }[]) =>
    records.map((record) => record.id.slice(id('').length)).toSorted();
  expect([JSON.stringify(metadataFilter), namesOf(store), namesOf(list.items)]).toEqual([
    JSON.stringify(metadataFilter),
    namesOf(client),
    namesOf(client),
  ]);
  return namesOf(client);
}

type Expectation = readonly [filter: JsonObject, names: readonly string[]];

/** A case of facts and of filters with what each of them finds. */
function filters(
  documents: Readonly<Record<string, JsonObject>>,
  expectations: readonly Expectation[],
): MemoryCase {
  return async (stage) => {
    await addFacts(stage, documents);
    for (const [filter, names] of expectations)
      expect([filter, await find(stage, filter)]).toEqual([filter, names]);
  };
}

const TAGS = {
  both: { tags: ['x', 'y'] },
  one: { tags: ['x'] },
  none: { tags: [] },
  text: { tags: 'x' },
  other: {},
};

/** The rules of metadata filters, one by one, with what each must find. */
export const FILTER_CASES: Readonly<Record<string, MemoryCase>> = {
  'entries combine with AND, also several operators of one field (contract §7)': filters(
    { ab: { a: 1, b: 2 }, a: { a: 1 }, b: { b: 2 }, tags: { a: ['x', 'y'], b: 2 } },
    [
      [{ a: 1, b: 2 }, ['ab']],
      [{ a: 1 }, ['a', 'ab']],
      [{ a: { $array_contains: 'x', $not: { $array_contains: 'y' } } }, []],
      [{ a: { $array_contains: 'x', $not: { $array_contains: 'z' } }, b: 2 }, ['tags']],
    ],
  ),
  'a plain value is an exact match of a key that is present (contract §7)': filters(
    {
      text: { a: 'x' },
      longer: { a: 'xy' },
      upper: { a: 'X' },
      empty: { a: '' },
      yes: { a: true },
      other: { b: 'x' },
    },
    [
      [{ a: 'x' }, ['text']],
      [{ a: '' }, ['empty']],
      [{ a: true }, ['yes']],
      [{ a: 'true' }, []],
      [{ c: 'x' }, []],
    ],
  ),
  'objects match recursively, further stored keys are allowed (contract §7)': filters(
    { flat: { a: { b: 1 } }, more: { a: { b: 1, c: 2 } }, deep: { a: { b: { c: 2 } } }, not: { a: 1 } },
    [
      [{ a: { b: 1 } }, ['flat', 'more']],
      [{ a: { b: 1, c: 2 } }, ['more']],
      [{ a: { b: { c: 2 } } }, ['deep']],
    ],
  ),
  'lists are equal by order and length, a scalar is no element (contract §7)': filters(
    { xy: { a: ['x', 'y'] }, yx: { a: ['y', 'x'] }, x: { a: ['x'] }, none: { a: [] }, text: { a: 'x' } },
    [
      [{ a: ['x', 'y'] }, ['xy']],
      [{ a: ['x'] }, ['x']],
      [{ a: [] }, ['none']],
      [{ a: 'x' }, ['text']],
    ],
  ),
  '$array_contains takes one value or all of a list (contract §7)': filters(TAGS, [
    [{ tags: { $array_contains: 'x' } }, ['both', 'one']],
    [{ tags: { $array_contains: ['x', 'y'] } }, ['both']],
    [{ tags: { $array_contains: ['y', 'z'] } }, []],
  ]),
  '$array_contains_any takes at least one of a list (contract §7)': filters(TAGS, [
    [{ tags: { $array_contains_any: ['y', 'z'] } }, ['both']],
    [{ tags: { $array_contains_any: ['x', 'y'] } }, ['both', 'one']],
    [{ tags: { $array_contains_any: [] } }, []],
  ]),
  '$not is true where the positive form fails, a missing field and no array included (contract §7)': filters(
    TAGS,
    [
      [{ tags: { $not: 'x' } }, ['both', 'none', 'one', 'other']],
      [{ tags: { $not: { $array_contains: 'x' } } }, ['none', 'other', 'text']],
      [{ tags: { $not: { $array_contains_any: ['y'] } } }, ['none', 'one', 'other', 'text']],
      [{ tags: { $not: { $not: 'x' } } }, ['text']],
      [{ tags: { $not: {} } }, ['both', 'none', 'one', 'other', 'text']],
    ],
  ),
  'operators stand at any depth of nested keys, and a top key may begin with $ (contract §7)': filters(
    {
      deep: { a: { b: { tags: ['x'] } }, $agent_memory: { importance: 5, entities: ['Ana'] } },
      other: { a: { b: { tags: ['y'] } }, $agent_memory: { importance: 2, entities: [] } },
    },
    [
      [{ a: { b: { tags: { $array_contains: 'x' } } } }, ['deep']],
      [{ a: { b: { tags: { $not: { $array_contains: 'x' } } } } }, ['other']],
      [{ $agent_memory: { importance: 5 } }, ['deep']],
      [{ $agent_memory: { entities: { $array_contains: 'Ana' } } }, ['deep']],
    ],
  ),
  '{} is any object, null is JSON null and never a missing key (contract §7)': filters(
    { object: { a: {} }, filled: { a: { b: 1 } }, none: { a: null }, list: { a: [] }, missing: { b: 1 } },
    [
      [{ a: {} }, ['filled', 'object']],
      [{ a: null }, ['none']],
      [{ a: { $not: null } }, ['filled', 'list', 'missing', 'object']],
      [{}, ['filled', 'list', 'missing', 'none', 'object']],
    ],
  ),
  'numbers compare as numbers, text never equals one (contract §7)': filters(
    {
      one: { a: 1 },
      text: { a: '1' },
      half: { a: 1.5 },
      large: { a: 9_007_199_254_740_991 },
      list: { a: [1] },
    },
    [
      [{ a: 1 }, ['one']],
      [JSON.parse('{"a":1.0}'), ['one']],
      [{ a: '1' }, ['text']],
      [{ a: 1.5 }, ['half']],
      [{ a: 9_007_199_254_740_991 }, ['large']],
      [{ a: { $array_contains: '1' } }, []],
      [{ a: { $array_contains: 1 } }, ['list']],
    ],
  ),
  'text with separators, times, wildcards and other scripts is itself alone (contract §7)': filters(
    {
      comma: { tags: ['a,b', '🙂'] },
      apart: { tags: ['a', 'b'] },
      star: { tags: ['*', '%', ''] },
      time: { at: '2026-01-01T00:00:00.000Z' },
      offset: { at: '2026-01-01T01:00:00.000+01:00' },
    },
    [
      [{ tags: { $array_contains: 'a,b' } }, ['comma']],
      [{ tags: { $array_contains: '🙂' } }, ['comma']],
      [{ tags: { $array_contains_any: ['*', '%'] } }, ['star']],
      [{ tags: { $array_contains: '' } }, ['star']],
      [{ at: '2026-01-01T00:00:00.000Z' }, ['time']],
      [{ at: '*' }, []],
    ],
  ),
  'metadata is never embedded and does not change a distance (contract §7)': async (stage) => {
    const { memory, id } = stage;
    await addFacts(stage, { plain: {}, told: { note: 'green tea', tags: ['green', 'tea'] } });
    const found = await memory.search('green tea', { userId: id('user') });
    expect(found.map((result) => result.id)).toEqual([id('plain'), id('told')]);
    expect(found[0]?.distance).toBe(found[1]?.distance);
    await memory.updateMemory(id('told'), { metadata: { note: 'something else' } });
    expect((await memory.search('green tea', { userId: id('user') }))[1]?.distance).toBe(found[0]?.distance);
  },
  'a filter is an object or null, else it is refused (contract §6.1)': async ({ memory, id }) => {
    const userId = id('user');
    expect(await memory.search('tea', { userId, metadataFilter: null })).toEqual([]);
    for (const metadataFilter of ['color', 1, true, [], [{ a: 1 }]]) {
      const options: object = { userId, metadataFilter };
      await expectError(memory.search('tea', options), 'invalid_request', 'metadataFilter');
      const request = { query: 'tea', k: 1, ...options };
      await expectError(memory.records.search(request), 'invalid_request', 'metadataFilter');
      const list = { recordType: 'fact' as const, ...options };
      await expectError(memory.records.list(list), 'invalid_request', 'metadataFilter');
    }
  },
};
