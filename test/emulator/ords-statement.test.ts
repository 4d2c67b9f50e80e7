import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Emulator, startEmulator } from '../../infra/local/oracle/start-emulator.ts';
import { emulatorSnapshot } from '../emulator-snapshot.ts';
import { post, send } from './ords-fixture.ts';

let emulator: Emulator;

beforeAll(async () => {
  const snapshot = await emulatorSnapshot([
    'CREATE TABLE items (item_id NUMBER(6) PRIMARY KEY, label VARCHAR2(20 CHAR), made_at TIMESTAMP(6) WITH TIME ZONE)',
    "INSERT INTO items VALUES (1, 'one', TIMESTAMP '2026-05-01 10:00:00.25 UTC')",
    'INSERT INTO items VALUES (2, NULL, NULL)',
  ]);
  emulator = await startEmulator({ snapshot });
});
afterAll(() => emulator.close());

test('a query answers rows with lower-case keys and metadata', async () => {
  const item = await send(emulator, {
    statementText: 'SELECT i.item_id, i.label, i.made_at FROM items i ORDER BY i.item_id',
  });
  expect(item.statementType).toBe('query');
  expect(item.resultSet).toMatchObject({
    items: [
      { item_id: 1, label: 'one', made_at: '2026-05-01T10:00:00.25Z' },
      { item_id: 2, label: null, made_at: null },
    ],
    hasMore: false,
    limit: 10_000,
    offset: 0,
    count: 2,
  });
  expect(item.resultSet?.metadata?.[0]).toMatchObject({
    columnName: 'ITEM_ID',
    jsonColumnName: 'item_id',
    columnTypeName: 'NUMBER',
  });
});

test('limit and offset page, and hasMore says that rows are left', async () => {
  const statementText = 'SELECT i.item_id FROM items i ORDER BY i.item_id';
  const first = await send(emulator, { statementText, limit: 1 });
  expect(first.resultSet).toMatchObject({ items: [{ item_id: 1 }], hasMore: true, count: 1 });
  const second = await send(emulator, { statementText, limit: 1, offset: 1 });
  expect(second.resultSet).toMatchObject({ items: [{ item_id: 2 }], hasMore: false, offset: 1 });
});

test('binds go by name or by index', async () => {
  const named = await send(emulator, {
    statementText: 'SELECT :a AS a, :b AS b, :c AS c FROM dual',
    binds: [
      { name: 'a', data_type: 'NUMBER', value: 7 },
      { name: 'b', data_type: 'VARCHAR2', value: 'x' },
      { name: 'c', data_type: 'CLOB', value: 'long' },
    ],
  });
  expect(named.resultSet?.items).toEqual([{ a: 7, b: 'x', c: 'long' }]);
  const indexed = await send(emulator, {
    statementText: "SELECT ? AS a, '?' AS b, ? AS c FROM dual",
    binds: [
      { index: 1, data_type: 'NUMBER', value: 7 },
      { index: 2, data_type: 'VARCHAR2', value: 'x' },
    ],
  });
  expect(indexed.resultSet?.items).toEqual([{ a: 7, b: '?', c: 'x' }]);
});

test('a block gives its OUT binds back', async () => {
  const item = await send(emulator, {
    statementText: "DECLARE l_n NUMBER := :n; BEGIN :twice := l_n * 2; :word := :word || '!'; END;",
    binds: [
      { name: 'n', data_type: 'NUMBER', value: 21 },
      { name: 'twice', data_type: 'NUMBER', mode: 'out' },
      { name: 'word', data_type: 'VARCHAR2', mode: 'inout', value: 'hi' },
    ],
  });
  expect(item).toMatchObject({ statementType: 'plsql', result: 0 });
  expect(item.binds?.[1]).toMatchObject({ name: 'twice', mode: 'out', result: 42 });
  expect(item.binds?.[2]).toMatchObject({ name: 'word', mode: 'inout', result: 'hi!' });
});

test('a statement is committed, and undone when it fails', async () => {
  const insert = await send(emulator, {
    statementText: "INSERT INTO items (item_id, label) VALUES (3, 'three')",
  });
  expect(insert).toMatchObject({ statementType: 'dml', result: 1, response: ['\n1 row inserted.\n\n'] });
  const failing = await send(emulator, {
    statementText:
      "BEGIN INSERT INTO items (item_id) VALUES (4); RAISE_APPLICATION_ERROR(-20404, 'gone'); END;",
  });
  expect(failing).toMatchObject({ errorCode: 20404, errorDetails: 'ORA-20404: gone\nORA-06512: at line 1' });
  const count = await send(emulator, { statementText: 'SELECT COUNT(*) AS n FROM items WHERE item_id > 2' });
  expect(count.resultSet?.items).toEqual([{ n: 1 }]);
  await send(emulator, { statementText: 'DELETE FROM items WHERE item_id > 2' });
});

test('a failed statement is reported inside the item with its position', async () => {
  const item = await send(emulator, {
    statementText: 'SELECT i.item_id\n  FROM items i\n WHERE i.nothing = 1',
  });
  expect(item).toMatchObject({ statementType: 'query', errorCode: 904, errorLine: 3, errorColumn: 7 });
  expect(item.errorDetails).toMatch(/^ORA-00904: /);
  expect(item.resultSet).toBeUndefined();
});

test('queries are wrapped, so names are unique and rows are not locked', async () => {
  const twice = await send(emulator, { statementText: 'SELECT i.item_id AS x, i.label AS x FROM items i' });
  expect(twice.errorCode).toBe(918);
  const locking = await send(emulator, { statementText: 'SELECT i.item_id FROM items i FOR UPDATE' });
  expect(locking.errorCode).toBe(907);
});

test('a script body is one statement', async () => {
  const headers = { 'content-type': 'application/sql' };
  const response = await post(emulator, 'SELECT 1 AS one FROM dual;\n', headers);
  expect(await response.json()).toMatchObject({ items: [{ resultSet: { items: [{ one: 1 }] } }] });
  const script = await post(emulator, 'SELECT 1 AS one FROM dual; SELECT 2 AS two FROM dual;', headers);
  expect(script.status).toBe(400);
});

test('responseFormat leaves parts out', async () => {
  const item = await send(emulator, {
    statementText: 'SELECT 1 AS one FROM dual',
    responseFormat: {
      resultSetMetaData: false,
      statementText: false,
      response: false,
      statementInformation: false,
    },
  });
  expect(Object.keys(item).sort()).toEqual(['result', 'resultSet', 'statementType']);
  expect(item.resultSet?.metadata).toBeUndefined();
});

test.each([
  [
    'a type that cannot be bound',
    { statementText: 'SELECT :v AS v FROM dual', binds: [{ name: 'v', data_type: 'VECTOR', value: '[1]' }] },
  ],
  [
    'names and indexes mixed',
    {
      statementText: 'SELECT :v, ? FROM dual',
      binds: [
        { name: 'v', value: '1' },
        { index: 1, value: '1' },
      ],
    },
  ],
  [
    'a batch',
    {
      statementText: 'DELETE FROM items WHERE item_id = :v',
      binds: [{ name: 'v', batch: true, value: [1] }],
    },
  ],
  [
    'a bind twice',
    {
      statementText: 'SELECT :v AS v FROM dual',
      binds: [
        { name: 'v', value: '1' },
        { name: 'V', value: '2' },
      ],
    },
  ],
  ['no statement', { limit: 5 }],
])('%s is a bad request', async (_title, body) => {
  expect((await post(emulator, JSON.stringify(body))).status).toBe(400);
});

test('text of more than 4,000 bytes needs a CLOB bind in SQL', async () => {
  const statementText = 'SELECT LENGTH(:v) AS n FROM dual';
  const value = 'x'.repeat(4001);
  const asText = await send(emulator, {
    statementText,
    binds: [{ name: 'v', data_type: 'VARCHAR2', value }],
  });
  expect(asText.errorCode).toBe(1461);
  const asClob = await send(emulator, { statementText, binds: [{ name: 'v', data_type: 'CLOB', value }] });
  expect(asClob.resultSet?.items).toEqual([{ n: 4001 }]);
});

test('numbers keep all their digits on the way in and out', async () => {
  const digits = '12345678901234567890123456789012345678';
  const body = `{"statementText":"SELECT :whole AS whole, :part AS part, :small AS small, :text AS text FROM dual",
    "binds":[{"name":"whole","data_type":"NUMBER","value":${digits}},
      {"name":"part","data_type":"NUMBER","value":-0.${digits}},
      {"name":"small","data_type":"NUMBER","value":12.50},
      {"name":"text","data_type":"NUMBER","value":"${digits}"}]}`;
  const answer = await (await post(emulator, body)).text();
  expect(answer).toContain(`"items":[{"whole":${digits},"part":-0.${digits},"small":12.5,"text":${digits}}]`);
});

test.each(['1e126', '-1e300', '"1e400"'])('%s is no NUMBER', async (value) => {
  const body = `{"statementText":"SELECT :v AS v FROM dual","binds":[{"name":"v","data_type":"NUMBER","value":${value}}]}`;
  expect(await (await post(emulator, body)).text()).toContain('"errorCode":1426');
});
