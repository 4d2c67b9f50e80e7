import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { clob, json } from '../../lib/sql/bind.ts';
import { createFilterFunction } from '../ords/create-filter-function.ts';
import { type EmulatedStore, openEmulatedStore } from './emulated-store.ts';
import { matchesFilter } from './evaluate-metadata-filter.ts';
import { filtersOf, metadata } from './metadata-samples.ts';

/** Raised by the nightly run. */
const FILTERS = Number(process.env.METADATA_FILTER_RUNS ?? 2_000);
const DOCUMENTS = fc.sample(metadata, { seed: 20_261_130, numRuns: 120 });

let opened: EmulatedStore;

beforeAll(async () => {
  opened = await openEmulatedStore();
  await createFilterFunction(opened.transport, opened.names);
  await opened.transport.executeDdl('CREATE TABLE documents (id NUMBER PRIMARY KEY, body JSON NOT NULL)');
  await opened.transport.executeAtomic({
    name: 'test.documents',
    binds: { documents: json(DOCUMENTS.map((body, id) => ({ id, body: JSON.stringify(body) }))) },
    statements: [
      {
        name: 'documents',
        sql:
          "INSERT INTO documents (id, body) SELECT j.id, j.body FROM JSON_TABLE(:documents, '$[*]' ERROR ON ERROR " +
          "NULL ON EMPTY COLUMNS (id NUMBER PATH '$.id', body CLOB PATH '$.body')) j",
      },
    ],
  });
});
afterAll(() => opened?.transport.close());

async function matching(filter: string | null): Promise<readonly number[]> {
  const { transport, names } = opened;
  const rows = await transport.query({
    name: 'test.matching',
    sql: `SELECT d.id AS id FROM documents d WHERE ${names.filterFunction}(d.body, :metadata_filter) = 1 ORDER BY d.id`,
    binds: { metadata_filter: clob(filter) },
    shape: { id: 'number' },
  });
  return rows.map(({ id }) => id ?? -1);
}

async function result(document: string, filter: string | null): Promise<number | null | undefined> {
  const { transport, names } = opened;
  const [row] = await transport.query({
    name: 'test.matches',
    sql: `SELECT ${names.filterFunction}(JSON(:document), :metadata_filter) AS matches FROM dual`,
    binds: { document: clob(document), metadata_filter: clob(filter) },
    shape: { matches: 'number' },
  });
  return row?.matches;
}

describe('the stored function for metadata filters (contract §7)', () => {
  it('selects what the plain meaning of a filter selects', async () => {
    await fc.assert(
      fc.asyncProperty(filtersOf(DOCUMENTS), async (filter) => {
        const expected = [...DOCUMENTS.keys()].filter((id) => matchesFilter(filter, DOCUMENTS[id] ?? {}));
        expect(await matching(JSON.stringify(filter))).toEqual(expected);
      }),
      { numRuns: FILTERS, seed: 1 },
    );
  }, 300_000);

  it('takes everything without a filter, or with an empty one', async () => {
    expect(await matching(null)).toHaveLength(DOCUMENTS.length);
    expect(await matching('{}')).toHaveLength(DOCUMENTS.length);
  });

  it.each([
    ['numbers by their value', '{"a":1.0}', '{"a":1}', 1],
    ['numbers with an exponent', '{"a":1e2}', '{"a":100}', 1],
    ['negative zero', '{"a":0}', '{"a":-0}', 1],
    ['many digits', '{"a":0.1234567890123456789}', '{"a":0.1234567890123456788}', 0],
    ['a number and a text', '{"a":1}', '{"a":"1"}', 0],
    ['true and the text of it', '{"a":true}', '{"a":"true"}', 0],
    ['text with escapes', '{"a":"\\u00e9\\n\\"\\/"}', '{"a":"é\\u000a\\u0022/"}', 1],
    ['text by its case', '{"a":"Porto"}', '{"a":"porto"}', 0],
    ['text with a trailing blank', '{"a":"x "}', '{"a":"x"}', 0],
    ['the empty text', '{"a":""}', '{"a":""}', 1],
    ['the empty text and null', '{"a":""}', '{"a":null}', 0],
    ['a stored null', '{"a":null}', '{"a":null}', 1],
    ['a missing field and null', '{}', '{"a":null}', 0],
    ['a stored null and another value', '{"a":null}', '{"a":{"$not":1}}', 1],
    ['members in another order, in a list', '{"a":[{"x":1,"y":2}]}', '{"a":[{"y":2,"x":1}]}', 1],
    ['further members, in a list', '{"a":[{"x":1,"y":2}]}', '{"a":[{"x":1}]}', 0],
    ['further members, in an object', '{"a":{"x":1,"y":2}}', '{"a":{"x":1}}', 1],
    ['lists in another order', '{"a":[1,2]}', '{"a":[2,1]}', 0],
    ['an empty list', '{"a":[]}', '{"a":[]}', 1],
    ['any object', '{"a":{"x":1}}', '{"a":{}}', 1],
    ['a list is no object', '{"a":[]}', '{"a":{}}', 0],
    ['a field through a list', '{"a":[{"b":1}]}', '{"a":{"b":1}}', 0],
    ['an element of a list', '{"a":["x","y"]}', '{"a":"x"}', 0],
    ['the element null', '{"a":[null]}', '{"a":{"$array_contains":null}}', 1],
    ['an element that is a list', '{"a":[[1,2]]}', '{"a":{"$array_contains":[[1,2]]}}', 1],
    ['an element that is an object', '{"a":[{"x":1}]}', '{"a":{"$array_contains":{"x":1.0}}}', 1],
    ['all of nothing, in a list', '{"a":[]}', '{"a":{"$array_contains":[]}}', 1],
    ['all of nothing, without a list', '{"a":"x"}', '{"a":{"$array_contains":[]}}', 0],
    ['any of nothing', '{"a":[1]}', '{"a":{"$array_contains_any":[]}}', 0],
    ['no list, negated', '{}', '{"a":{"$not":{"$array_contains":1}}}', 1],
    ['two operators', '{"a":[1,2]}', '{"a":{"$array_contains":1,"$not":[1]}}', 1],
    ['a name that is an operator, at the top', '{"$not":{"x":1}}', '{"$not":{"x":1}}', 1],
    ['a name with a dot', '{"a.b":1,"a":{"b":2}}', '{"a.b":1}', 1],
    ['a name with quotes', '{"x\\"y\'z":1}', '{"x\\"y\'z":1}', 1],
    ['a name by its case', '{"a":1}', '{"A":1}', 0],
    ['a name of other characters', '{"日本 🙂":1}', '{"日本 🙂":1}', 1],
    ['the name of a property of every object', '{}', '{"constructor":{}}', 0],
    ['an empty name that is stored', '{"":1,"a":2}', '{"a":2}', 1],
  ])('compares %s', async (_title, document, filter, expected) => {
    expect(await result(document, filter)).toBe(expected);
  });

  it('compares long texts and eight levels', async () => {
    const long = 'long text '.repeat(6_000);
    expect(await result(JSON.stringify({ a: long }), JSON.stringify({ a: long }))).toBe(1);
    expect(await result(JSON.stringify({ a: long }), JSON.stringify({ a: `${long}.` }))).toBe(0);
    const deep = `${'{"a":'.repeat(8)}[1]${'}'.repeat(8)}`;
    expect(await result(deep, deep)).toBe(1);
    const negated = `{"a":${'{"$not":'.repeat(7)}1${'}'.repeat(7)}}`;
    expect(await result('{"a":2}', negated)).toBe(1);
  });

  it.each([
    ['an unknown operator', '{"a":{"$gt":1}}', 'ORA-20400'],
    ['the empty name', '{"":1}', 'ORA-20400'],
    ['text that is not JSON', '{', 'ORA-40441'],
    ['a filter that is no object', '[]', 'ORA-40587'],
  ])('refuses %s', async (_title, filter, number) => {
    const cause = expect.objectContaining({ message: expect.stringContaining(number) });
    await expect(result('{"a":1}', filter)).rejects.toMatchObject({ cause });
  });
});
