import { describe, expect, it } from 'vitest';
import { AgentMemoryError } from '../../lib/errors/agent-memory-error.ts';
import { clob, number, text } from '../../lib/sql/bind.ts';
import { createOrdsTransport } from '../../lib/sql/ords/ords-transport.ts';
import type { AtomicList, Query } from '../../lib/sql/statement.ts';
import {
  answer,
  connectionFailure,
  failure,
  type Reply,
  rows,
  type ScriptedOrdsOptions,
  scriptedOrds,
  silence,
} from './scripted-ords.ts';

const QUERY = {
  name: 'notes.get',
  sql: 'SELECT n.note_id AS note_id, n.amount AS amount FROM note n WHERE n.note_id = :note_id',
  binds: { note_id: text('n1') },
  shape: { note_id: 'text', amount: 'number' },
} satisfies Query<{ note_id: 'text'; amount: 'number' }>;

const LIST: AtomicList = {
  name: 'notes.touch',
  binds: { note_id: text(''), content: clob(''), amount: number(7) },
  statements: [
    {
      name: 'note',
      sql: 'UPDATE note SET content = :content, amount = :amount WHERE note_id = :note_id',
      expect: { rows: 1, otherwise: 'not_found', message: 'note not found' },
    },
  ],
};
const COLUMNS = ['note_id', 'amount'];
const CLIENT = { kind: 'client_credentials', clientId: 'id', clientSecret: 'secret' } as const;
const token = (value: string, seconds = 3600): Reply => answer({ access_token: value, expires_in: seconds });

async function errorOf(promise: Promise<unknown>): Promise<AgentMemoryError> {
  const error: unknown = await promise.then(
    () => 'no error',
    (reason: unknown) => reason,
  );
  if (!(error instanceof AgentMemoryError)) throw new Error(`not an AgentMemoryError: ${String(error)}`);
  return error;
}

const queryError = (reply: Reply, options?: ScriptedOrdsOptions): Promise<AgentMemoryError> =>
  errorOf(scriptedOrds([reply], options).transport.query(QUERY));

describe('ORDS requests', () => {
  it('sends a query with named binds, its own limit and Basic credentials in UTF-8', async () => {
    const { transport, sent } = scriptedOrds([rows(COLUMNS, [{ note_id: 'n1', amount: 3 }])], {
      maxRows: 500,
    });
    expect(await transport.query(QUERY)).toEqual([{ note_id: 'n1', amount: 3 }]);
    expect(sent[0]?.url).toBe('https://db.example/ords/memory/_/sql');
    expect(Buffer.from(sent[0]?.authorization.slice(6) ?? '', 'base64').toString()).toBe('memory:pässword');
    expect(JSON.parse(sent[0]?.body ?? '')).toMatchObject({
      statementText: QUERY.sql,
      limit: 500,
      binds: [{ name: 'note_id', data_type: 'VARCHAR2', value: 'n1' }],
      responseFormat: { resultSetMetaData: true, result: true, binds: true },
    });
    expect(transport.capabilities.maxRows).toBe(500);
  });

  it('sends an atomic list as one block, empty text as NULL, and reads row counts from result or value', async () => {
    for (const key of ['result', 'value']) {
      const out = answer({ items: [{ statementId: 1, result: 0, binds: [{ name: 'ROWS_1', [key]: 1 }] }] });
      const { transport, sent } = scriptedOrds([out]);
      expect(await transport.executeAtomic(LIST)).toEqual({ note: 1 });
      expect(sent).toHaveLength(1);
      expect(JSON.parse(sent[0]?.body ?? '').binds).toEqual([
        { name: 'note_id', data_type: 'VARCHAR2', value: null },
        { name: 'content', data_type: 'CLOB', value: null },
        { name: 'amount', data_type: 'NUMBER', value: 7 },
        { name: 'rows_1', data_type: 'NUMBER', mode: 'out' },
      ]);
    }
  });

  it('refuses an address that would show credentials', () => {
    const credentials = { kind: 'basic', username: 'u', password: 'p' } as const;
    for (const url of ['http://db.example/ords/memory', 'https://u:p@db.example/ords/memory', 'db.example']) {
      expect(() => createOrdsTransport({ url, credentials })).toThrow(/^ORDS_URL/);
    }
    createOrdsTransport({ url: 'http://127.0.0.1:9999/ords/memory', credentials });
  });

  it.each([
    ['&', "SELECT 'a&b' AS note_id, 1 AS amount FROM dual"],
    ['a comment', 'SELECT n.note_id /* x */ AS note_id FROM note n'],
    ['a blank line', 'SELECT 1 AS note_id\n \nFROM dual'],
    ['a command line', 'SELECT 1 AS note_id FROM dual\n@x'],
    ['a continuation', 'SELECT 2 -\n 1 AS note_id FROM dual'],
  ])('sends no text with %s', async (_name, sql) => {
    const { transport, sent } = scriptedOrds([]);
    expect((await errorOf(transport.query({ ...QUERY, sql, binds: {} }))).code).toBe('internal');
    expect(sent).toEqual([]);
  });

  it('sends nothing when a bind is missing or not used', async () => {
    const { transport, sent } = scriptedOrds([]);
    expect((await errorOf(transport.query({ ...QUERY, binds: {} }))).code).toBe('internal');
    const binds = { ...QUERY.binds, other: text('x') };
    expect((await errorOf(transport.query({ ...QUERY, binds }))).code).toBe('internal');
    expect(sent).toEqual([]);
  });
});

describe('ORDS answers', () => {
  it('treats a missing key as NULL', async () => {
    const { transport } = scriptedOrds([rows(COLUMNS, [{ note_id: 'n1' }])]);
    expect(await transport.query(QUERY)).toEqual([{ note_id: 'n1', amount: null }]);
  });

  it.each<[string, Reply]>([
    ['more rows than the limit', rows(COLUMNS, [], { hasMore: true })],
    ['another column', rows(['note_id', 'total'], [])],
    ['a column too few', rows(['note_id'], [])],
    ['a value of another type', rows(COLUMNS, [{ note_id: 'n1', amount: '3' }])],
    ['two statements', answer({ items: [{ result: 1 }, { result: 1 }] })],
    ['no statement', answer({ items: [] })],
    ['another body', answer({ rows: [] })],
    ['HTML under status 200', () => new Response('<html>', { headers: { 'content-type': 'text/html' } })],
    ['a redirect', () => new Response(null, { status: 302, headers: { location: 'https://evil.example/' } })],
    ['status 400', answer({ title: 'Bad Request' }, 400)],
  ])('is an internal error for %s', async (_name, reply) => {
    expect(await queryError(reply)).toMatchObject({ code: 'internal', retryable: false });
  });

  it('reads an error reported under HTTP 200, and under another status', async () => {
    for (const status of [200, 500]) {
      const error = await queryError(
        failure(942, 'ORA-00942: table or view "M"."NOTE" does not exist', status),
      );
      expect(error).toMatchObject({ code: 'unavailable', retryable: false });
      expect(error.message).toContain('npm run schema');
      expect(error.message).not.toContain('NOTE');
    }
  });

  it('takes the first ORA number of the details when there is no code', async () => {
    const details = 'ORA-12899: value too large for column\nORA-06512: at line 4';
    expect((await queryError(failure(undefined, details))).code).toBe('invalid_request');
  });

  it('gives the message of the failed expectation, without the call stack', async () => {
    const details = 'ORA-20404: note not found\nORA-06512: at line 9';
    const error = await errorOf(scriptedOrds([failure(20404, details)]).transport.executeAtomic(LIST));
    expect(error).toMatchObject({ code: 'not_found', message: 'note not found' });
  });

  it.each([
    [401, 'internal', false],
    [403, 'internal', false],
    [404, 'unavailable', false],
    [413, 'payload_too_large', false],
    [500, 'unavailable', true],
    [503, 'unavailable', true],
    [504, 'timeout', true],
  ])('maps status %i to %s and sends it once', async (status, code, retryable) => {
    const html = () =>
      new Response('<h1>ORDS secret detail</h1>', { status, headers: { 'content-type': 'text/html' } });
    const { transport, sent } = scriptedOrds([html]);
    const error = await errorOf(transport.query(QUERY));
    expect(error).toMatchObject({ code, retryable });
    expect(error.message).not.toMatch(/ORDS|secret|db\.example/);
    expect(sent).toHaveLength(1);
  });

  it('passes Retry-After on', async () => {
    const busy = () => new Response('', { status: 503, headers: { 'retry-after': '17' } });
    expect((await queryError(busy)).retryAfterSeconds).toBe(17);
  });
});

describe('ORDS retries and time limits', () => {
  const done = answer({ items: [{ binds: [{ name: 'rows_1', result: 1 }] }] });

  it('sends a query again after a lost connection, with growing waits, then gives up', async () => {
    const lost = connectionFailure('ECONNRESET');
    const recovered = scriptedOrds([lost, lost, rows(COLUMNS, [])]);
    expect(await recovered.transport.query(QUERY)).toEqual([]);
    expect(recovered.waits).toEqual([50, 100]);
    const given = scriptedOrds([lost, lost, lost]);
    expect(await errorOf(given.transport.query(QUERY))).toMatchObject({
      code: 'unavailable',
      retryable: true,
    });
    expect(given.sent).toHaveLength(3);
  });

  it('sends a write once when the connection is lost, because it may have been committed', async () => {
    const { transport, sent } = scriptedOrds([connectionFailure('ECONNRESET'), done]);
    expect((await errorOf(transport.executeAtomic(LIST))).code).toBe('unavailable');
    expect(sent).toHaveLength(1);
  });

  it('sends a write again when nothing was sent', async () => {
    const { transport, sent } = scriptedOrds([connectionFailure('ECONNREFUSED'), done]);
    expect(await transport.executeAtomic(LIST)).toEqual({ note: 1 });
    expect(sent).toHaveLength(2);
  });

  it('does not send a query again when the answer breaks off', async () => {
    const broken = () =>
      new Response(
        new ReadableStream({ start: (controller) => controller.error(new TypeError('terminated')) }),
        {
          headers: { 'content-type': 'application/json' },
        },
      );
    const { transport, sent } = scriptedOrds([broken]);
    expect((await errorOf(transport.query(QUERY))).code).toBe('unavailable');
    expect(sent).toHaveLength(1);
  });

  it('ends a call that takes too long', async () => {
    expect(await queryError(silence, { timeoutMilliseconds: 5 })).toMatchObject({
      code: 'timeout',
      retryable: true,
    });
  });

  it("throws the caller's own abort as it is", async () => {
    const controller = new AbortController();
    const { transport } = scriptedOrds([silence]);
    const outcome = transport.query(QUERY, { signal: controller.signal }).catch((error: unknown) => error);
    controller.abort('stop');
    expect(await outcome).toBe('stop');
  });

  it('sends nothing for a call that is already aborted', async () => {
    const { transport, sent } = scriptedOrds([]);
    const outcome = transport
      .executeAtomic(LIST, { signal: AbortSignal.abort('stop') })
      .catch((error: unknown) => error);
    expect(await outcome).toBe('stop');
    expect(sent).toEqual([]);
  });
});

describe('ORDS OAuth2 client credentials', () => {
  it('asks for one token for concurrent calls and keeps it until shortly before it expires', async () => {
    const empty = rows(COLUMNS, []);
    const { transport, sent, clock } = scriptedOrds([token('t1'), empty, empty, empty, token('t2'), empty], {
      credentials: CLIENT,
    });
    await Promise.all([transport.query(QUERY), transport.query(QUERY)]);
    clock.now = 3_539_999;
    await transport.query(QUERY);
    clock.now = 3_540_000;
    await transport.query(QUERY);
    expect(sent.map((request) => request.authorization)).toEqual([
      `Basic ${btoa('id:secret')}`,
      'Bearer t1',
      'Bearer t1',
      'Bearer t1',
      `Basic ${btoa('id:secret')}`,
      'Bearer t2',
    ]);
    expect(sent[0]).toMatchObject({
      url: 'https://db.example/ords/memory/oauth/token',
      body: 'grant_type=client_credentials',
    });
  });

  it('takes a new token once after a 401, also for a write', async () => {
    const refused = () => new Response('', { status: 401 });
    const done = answer({ items: [{ binds: [{ name: 'rows_1', result: 1 }] }] });
    const good = scriptedOrds([token('t1'), refused, token('t2'), done], { credentials: CLIENT });
    expect(await good.transport.executeAtomic(LIST)).toEqual({ note: 1 });
    const bad = scriptedOrds([token('t1'), refused, token('t2'), refused], { credentials: CLIENT });
    expect((await errorOf(bad.transport.query(QUERY))).code).toBe('internal');
    expect(bad.sent).toHaveLength(4);
  });

  it('is an internal error without retry when the client is refused, and asks again at the next call', async () => {
    const refused = answer({ error: 'invalid_client' }, 401);
    const { transport, sent } = scriptedOrds([refused, token('t1'), rows(COLUMNS, [])], {
      credentials: CLIENT,
    });
    expect(await errorOf(transport.query(QUERY))).toMatchObject({ code: 'internal', retryable: false });
    expect(sent).toHaveLength(1);
    expect(await transport.query(QUERY)).toEqual([]);
  });
});
