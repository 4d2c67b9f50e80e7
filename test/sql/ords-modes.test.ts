import { describe, expect, it } from 'vitest';
import { AgentMemoryError } from '../../lib/errors/agent-memory-error.ts';
import { clob, number, text } from '../../lib/sql/bind.ts';
import { ORDS_MODES } from '../../lib/sql/ords/config.ts';
import type { AtomicList, Query } from '../../lib/sql/statement.ts';
import {
  answer,
  connectionFailure,
  REPLIES,
  type Reply,
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
const page =
  (content: string, status = 200): Reply =>
  () =>
    new Response(content, { status, headers: { 'content-type': 'text/html' } });

async function errorOf(promise: Promise<unknown>): Promise<AgentMemoryError> {
  const error: unknown = await promise.then(
    () => 'no error',
    (reason: unknown) => reason,
  );
  if (!(error instanceof AgentMemoryError)) throw new Error(`not an AgentMemoryError: ${String(error)}`);
  return error;
}

describe.each(ORDS_MODES)('ORDS_MODE %s', (mode) => {
  const { rows, done, failure } = REPLIES[mode];
  const scripted = (replies: readonly Reply[], options: ScriptedOrdsOptions = {}) =>
    scriptedOrds(replies, { ...options, mode });
  const queryError = (reply: Reply, options?: ScriptedOrdsOptions): Promise<AgentMemoryError> =>
    errorOf(scripted([reply], options).transport.query(QUERY));

  describe('answers', () => {
    it('are rows of the declared shape, and row counts', async () => {
      const read = scripted([
        rows(COLUMNS, [
          ['n1', 3],
          ['n2', null],
        ]),
      ]);
      expect(await read.transport.query(QUERY)).toEqual([
        { note_id: 'n1', amount: 3 },
        { note_id: 'n2', amount: null },
      ]);
      const written = scripted([done]);
      expect(await written.transport.executeAtomic(LIST)).toEqual({ note: 1 });
      expect([read.sent.length, written.sent.length]).toEqual([1, 1]);
    });

    it.each<[string, Reply]>([
      ['more rows than the limit', rows(COLUMNS, [], true)],
      ['another column', rows(['note_id', 'total'], [])],
      ['a column too few', rows(['note_id'], [])],
      ['a value of another type', rows(COLUMNS, [['n1', '3']])],
      ['row counts', done],
      ['an empty object', answer({})],
      ['an array', answer([])],
      ['HTML under status 200', page('<html>')],
      [
        'JSON that is none',
        () => new Response('{"items":', { headers: { 'content-type': 'application/json' } }),
      ],
      [
        'JSON of another content type',
        () => new Response('{}', { headers: { 'content-type': 'text/plain' } }),
      ],
      ['no content type', () => new Response(new Uint8Array([123, 125]))],
      [
        'a redirect',
        () => new Response(null, { status: 302, headers: { location: 'https://evil.example/' } }),
      ],
      ['status 400', answer({ title: 'Bad Request' }, 400)],
      ['status 405', page('<h1>no</h1>', 405)],
    ])('that are %s are an internal error', async (_name, reply) => {
      expect(await queryError(reply)).toMatchObject({ code: 'internal', retryable: false });
    });

    it('of a list that are rows are an internal error', async () => {
      const { transport } = scripted([rows(COLUMNS, [])]);
      expect(await errorOf(transport.executeAtomic(LIST))).toMatchObject({
        code: 'internal',
        retryable: false,
      });
    });

    it.each([200, 400, 404, 500, 503])('report a failed statement under status %i', async (status) => {
      const details = 'ORA-00942: table or view "M"."NOTE" does not exist';
      const error = await queryError(failure(942, details, status));
      expect(error).toMatchObject({ code: 'unavailable', retryable: false });
      expect(error.message).toContain('npm run schema');
      expect(error.message).not.toContain('NOTE');
    });

    it.each([200, 404])(
      'give the message of the failed expectation, without the call stack (status %i)',
      async (status) => {
        const details = 'ORA-20404: note not found\nORA-06512: at line 9';
        const error = await errorOf(
          scripted([failure(20404, details, status)]).transport.executeAtomic(LIST),
        );
        expect(error).toMatchObject({ code: 'not_found', message: 'note not found' });
      },
    );

    it.each([
      [401, 'internal', false],
      [403, 'internal', false],
      [404, 'unavailable', false],
      [413, 'payload_too_large', false],
      [429, 'unavailable', true],
      [500, 'unavailable', true],
      [502, 'unavailable', true],
      [503, 'unavailable', true],
      [504, 'timeout', true],
    ])('of status %i are %s and come once', async (status, code, retryable) => {
      const { transport, sent } = scripted([page('<h1>ORDS secret detail</h1>', status)]);
      const error = await errorOf(transport.query(QUERY));
      expect(error).toMatchObject({ code, retryable });
      expect(error.message).not.toMatch(/ORDS|secret|db\.example/);
      expect(sent).toHaveLength(1);
    });

    it('pass Retry-After on', async () => {
      const busy = () => new Response('', { status: 503, headers: { 'retry-after': '17' } });
      expect((await queryError(busy)).retryAfterSeconds).toBe(17);
    });
  });

  describe('retries and time limits', () => {
    it('sends a query again after a lost connection, with growing waits, then gives up', async () => {
      const lost = connectionFailure('ECONNRESET');
      const recovered = scripted([lost, lost, rows(COLUMNS, [])]);
      expect(await recovered.transport.query(QUERY)).toEqual([]);
      expect(recovered.waits).toEqual([50, 100]);
      const given = scripted([lost, lost, lost]);
      expect(await errorOf(given.transport.query(QUERY))).toMatchObject({
        code: 'unavailable',
        retryable: true,
      });
      expect(given.sent).toHaveLength(3);
    });

    it('sends a write once when the connection is lost, because it may have been committed', async () => {
      const { transport, sent } = scripted([connectionFailure('ECONNRESET'), done]);
      expect((await errorOf(transport.executeAtomic(LIST))).code).toBe('unavailable');
      expect(sent).toHaveLength(1);
    });

    it('sends a write again when nothing was sent', async () => {
      const { transport, sent } = scripted([connectionFailure('ECONNREFUSED'), done]);
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
      const { transport, sent } = scripted([broken]);
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
      const { transport } = scripted([silence]);
      const outcome = transport.query(QUERY, { signal: controller.signal }).catch((error: unknown) => error);
      controller.abort('stop');
      expect(await outcome).toBe('stop');
    });

    it('sends nothing for a call that is already aborted', async () => {
      const { transport, sent } = scripted([]);
      const outcome = transport
        .executeAtomic(LIST, { signal: AbortSignal.abort('stop') })
        .catch((error: unknown) => error);
      expect(await outcome).toBe('stop');
      expect(sent).toEqual([]);
    });
  });

  describe('OAuth2 client credentials', () => {
    it('asks for one token for concurrent calls and keeps it until shortly before it expires', async () => {
      const empty = rows(COLUMNS, []);
      const { transport, sent, clock } = scripted([token('t1'), empty, empty, empty, token('t2'), empty], {
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
      const good = scripted([token('t1'), refused, token('t2'), done], { credentials: CLIENT });
      expect(await good.transport.executeAtomic(LIST)).toEqual({ note: 1 });
      const bad = scripted([token('t1'), refused, token('t2'), refused], { credentials: CLIENT });
      expect((await errorOf(bad.transport.query(QUERY))).code).toBe('internal');
      expect(bad.sent).toHaveLength(4);
    });

    it('is an internal error without retry when the client is refused, and asks again at the next call', async () => {
      const refused = answer({ error: 'invalid_client' }, 401);
      const { transport, sent } = scripted([refused, token('t1'), rows(COLUMNS, [])], {
        credentials: CLIENT,
      });
      expect(await errorOf(transport.query(QUERY))).toMatchObject({ code: 'internal', retryable: false });
      expect(sent).toHaveLength(1);
      expect(await transport.query(QUERY)).toEqual([]);
    });
  });
});
