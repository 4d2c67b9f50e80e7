import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Emulator, startEmulator } from '../../infra/local/oracle/start-emulator.ts';
import { type FixedStatement, statementHash } from '../../lib/sql/fixed-statement.ts';
import { MODULE_NUMBERS } from '../../lib/sql/oracle-error.ts';
import { basic, post, send } from './ords-fixture.ts';

const CALLER = { clientId: 'caller', clientSecret: 'one', roles: ['agent-memory.caller'] } as const;
const DEVELOPER = { clientId: 'developer', clientSecret: 'two', roles: ['SQL Developer'] } as const;
let emulator: Emulator;

async function install(
  name: string,
  sql: string,
  binds: FixedStatement['binds'] = {},
  outs: readonly string[] = [],
): Promise<string> {
  const hash = await statementHash(sql);
  const kind = outs.length === 0 ? 'query' : 'atomic';
  emulator.installStatements([{ name, hash, sql, kind, binds, shape: {}, outs }]);
  return `${name}/${hash}`;
}

function request(path: string, init: RequestInit): Promise<Response> {
  const headers = {
    authorization: basic(emulator.username, emulator.password),
    'content-type': 'application/json',
    ...init.headers,
  };
  return emulator.fetch(`${emulator.ordsUrl}/agent-memory/call/${path}`, { ...init, headers });
}

async function call(path: string, body: unknown) {
  const content = typeof body === 'string' ? body : JSON.stringify(body);
  const response = await request(path, { method: 'POST', body: content });
  const answer: unknown = await response.json();
  return { status: response.status, answer };
}

async function tokenOf({ clientId, clientSecret }: typeof CALLER | typeof DEVELOPER): Promise<string> {
  const answer = await emulator.fetch(`${emulator.ordsUrl}/oauth/token`, {
    method: 'POST',
    headers: {
      authorization: basic(clientId, clientSecret),
      'content-type': 'application/x-www-form-urlencoded',
    },
    body: 'grant_type=client_credentials',
  });
  const issued: { readonly access_token: string } = await answer.json();
  return `Bearer ${issued.access_token}`;
}

const failed = (number: number) => ({
  errorCode: number,
  errorDetails: expect.stringMatching(`^ORA-${String(number).padStart(5, '0')}: `),
});

beforeAll(async () => {
  emulator = await startEmulator({ clients: [CALLER, DEVELOPER] });
  await send(emulator, {
    statementText: 'CREATE TABLE hits (id VARCHAR2(10) PRIMARY KEY, note CLOB, n NUMBER)',
  });
});
beforeEach(() => send(emulator, { statementText: 'DELETE FROM hits' }));
afterAll(() => emulator?.close());

const NUMBERED =
  "SELECT j.n AS b, NULL AS a FROM JSON_TABLE(:list, '$[*]' ERROR ON ERROR NULL ON EMPTY COLUMNS (n NUMBER PATH '$')) j ORDER BY j.n";
const numbers = (total: number): string =>
  JSON.stringify(Array.from({ length: total }, (_, index) => index + 1));

describe('a query', () => {
  it('answers its columns, its rows in their order, and whether there are more', async () => {
    const path = await install('q', NUMBERED, { list: 'clob' });
    const all = {
      columns: ['b', 'a'],
      rows: [
        [1, null],
        [2, null],
        [3, null],
      ],
      more: false,
    };
    expect(await call(path, { binds: { list: numbers(3) } })).toEqual({ status: 200, answer: all });
    expect(await call(path, { binds: { list: numbers(3) }, limit: 3 })).toEqual({ status: 200, answer: all });
    const cut = {
      ...all,
      rows: [
        [1, null],
        [2, null],
      ],
      more: true,
    };
    expect(await call(path, { binds: { list: numbers(3) }, limit: 2 })).toEqual({ status: 200, answer: cut });
  });

  it('answers at most 10,000 rows, whatever limit is asked for', async () => {
    const path = await install('q', NUMBERED, { list: 'clob' });
    const { answer } = await call(path, { binds: { list: numbers(10_001) }, limit: 20_000 });
    expect(answer).toMatchObject({ more: true, rows: { length: 10_000 } });
  });

  it('takes text, CLOB, number and NULL, and answers numbers with all digits', async () => {
    const sql = 'SELECT :t AS t, :c AS c, :n + 0.1 AS n, 12345678901234567890 AS big, 1d/3d AS d FROM dual';
    const path = await install('q', sql, { t: 'text', c: 'clob', n: 'number' });
    const long = '🙂'.repeat(20_000);
    const response = await request(path, {
      method: 'POST',
      body: JSON.stringify({ binds: { t: 'é', c: long, n: 0.2 } }),
    });
    expect(await response.text()).toContain(`["é","${long}",0.3,12345678901234567890,0.3333333333333333]`);
    const nulls = await call(path, { binds: { t: null, c: null, n: null } });
    expect(nulls.answer).toMatchObject({ rows: [[null, null, null, expect.anything(), expect.anything()]] });
  });

  it('has no column that is neither text nor a number', async () => {
    const path = await install('q', 'SELECT SYSTIMESTAMP AS now FROM dual');
    expect(await call(path, { binds: {} })).toEqual({
      status: 500,
      answer: failed(MODULE_NUMBERS.columnType),
    });
  });
});

describe('an atomic list', () => {
  const INSERT = 'BEGIN\n  INSERT INTO hits (id, n) VALUES (:id, :n);\n  :rows_1 := SQL%ROWCOUNT;\nEND;';
  const count = async () =>
    (await send(emulator, { statementText: 'SELECT COUNT(*) AS n FROM hits' })).resultSet?.items[0]?.n;

  it('is committed and answers its row counts', async () => {
    const path = await install('l', INSERT, { id: 'text', n: 'number' }, ['rows_1']);
    expect(await call(path, { binds: { id: 'a', n: 1 } })).toEqual({
      status: 200,
      answer: { outs: { rows_1: 1 } },
    });
    expect(await count()).toBe(1);
  });

  it.each([
    [20404, 404],
    [20409, 409],
    [20111, 500],
  ])('is undone when it raises %i, which is status %i', async (number, status) => {
    const sql = `${INSERT.slice(0, -4)}  RAISE_APPLICATION_ERROR(-${number}, 'no');\nEND;`;
    const path = await install('l', sql, { id: 'text', n: 'number' }, ['rows_1']);
    expect(await call(path, { binds: { id: 'a', n: 1 } })).toEqual({ status, answer: failed(number) });
    expect(await count()).toBe(0);
  });

  it('that breaks a constraint is a conflict', async () => {
    const path = await install('l', INSERT, { id: 'text', n: 'number' }, ['rows_1']);
    await call(path, { binds: { id: 'a', n: 1 } });
    expect(await call(path, { binds: { id: 'a', n: 1 } })).toEqual({ status: 409, answer: failed(1) });
  });
});

describe('a call that is refused', () => {
  it.each([
    ['a body that is no JSON', '{"binds":'],
    ['a body that is no object', '[]'],
    ['no binds', {}],
    ['a bind too few', { binds: { t: 'x' } }],
    ['a bind too many', { binds: { t: 'x', n: 1, other: 1 } }],
    ['text for a number', { binds: { t: 'x', n: '1' } }],
    ['a number for text', { binds: { t: 1, n: 1 } }],
    ['a bind that is an object', { binds: { t: {}, n: 1 } }],
    ['no body', ''],
    ['a number that NUMBER has no room for', '{"binds":{"t":"x","n":1e126}}'],
    ['a text that VARCHAR2 has no room for', { binds: { t: 'é'.repeat(16_384), n: 1 } }],
    ['a limit that is no number', { binds: { t: 'x', n: 1 }, limit: '1' }],
    ['a limit of nothing', { binds: { t: 'x', n: 1 }, limit: 0 }],
  ])('has %s', async (_title, body) => {
    const path = await install('q', 'SELECT :t AS t, :n AS n FROM dual', { t: 'text', n: 'number' });
    expect(await call(path, body)).toEqual({ status: 400, answer: failed(MODULE_NUMBERS.badCall) });
  });

  it('names a statement that is not installed, or another hash of one that is', async () => {
    const path = await install('q', 'SELECT 1 AS one FROM dual');
    expect((await call(path, { binds: {} })).status).toBe(200);
    const missing = { status: 404, answer: failed(MODULE_NUMBERS.notInstalled) };
    for (const other of [`${path.slice(0, -1)}_`, path.replace('q/', 'r/')]) {
      expect(await call(other, { binds: {} })).toEqual(missing);
    }
  });

  it('is restricted to rows where rows are not isolated', async () => {
    const path = await install('q', 'SELECT 1 AS one FROM dual');
    const body = { binds: {}, rowAccess: { userIds: ['ana'], agentIds: [] } };
    expect(await call(path, body)).toEqual({ status: 500, answer: failed(MODULE_NUMBERS.notIsolated) });
  });

  it('is no POST, no JSON or has no credentials', async () => {
    const path = await install('q', 'SELECT 1 AS one FROM dual');
    const body = '{"binds":{}}';
    expect((await request(path, { method: 'GET' })).status).toBe(405);
    const asText = { 'content-type': 'text/plain' };
    expect((await request(path, { method: 'POST', body, headers: asText })).status).toBe(415);
    const wrong = { authorization: basic(emulator.username, 'wrong') };
    expect((await request(path, { method: 'POST', body, headers: wrong })).status).toBe(401);
  });
});

it('lets a client of the module call, and send no SQL of its own', async () => {
  const path = await install('q', 'SELECT 1 AS one FROM dual');
  const query = JSON.stringify({ statementText: 'SELECT 1 AS one FROM dual' });
  const statusOf = async (client: typeof CALLER | typeof DEVELOPER) => {
    const authorization = await tokenOf(client);
    const called = await request(path, { method: 'POST', body: '{"binds":{}}', headers: { authorization } });
    return [called.status, (await post(emulator, query, { authorization })).status];
  };
  expect(await statusOf(CALLER)).toEqual([200, 403]);
  expect(await statusOf(DEVELOPER)).toEqual([403, 200]);
});

it('answers with the numbers and statuses of the package', () => {
  const script = readFileSync(new URL('../../infra/ords/call_package.sql', import.meta.url), 'utf8');
  for (const [name, number] of [
    ['c_not_installed', MODULE_NUMBERS.notInstalled],
    ['c_bad_call', MODULE_NUMBERS.badCall],
    ['c_column_type', MODULE_NUMBERS.columnType],
    ['c_not_isolated', MODULE_NUMBERS.notIsolated],
  ] as const) {
    expect(script).toContain(`${name} CONSTANT PLS_INTEGER := -${number};`);
  }
  const statuses = [...script.matchAll(/WHEN (-?\w+) THEN (\d{3})$/gm)].map(([, code, status]) => [
    code,
    status,
  ]);
  expect(statuses).toEqual([
    ['c_bad_call', '400'],
    ['c_not_installed', '404'],
    ['-20404', '404'],
    ['-20409', '409'],
    ['-1', '409'],
  ]);
});
