import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type HttpFault, HttpFaults } from '../../infra/local/oracle/ords/fault-middleware.ts';
import { ORDS_MODES } from '../../lib/sql/ords/config.ts';
import { type ApiFixture, startApi } from './api-fixture.ts';
import { post } from './repeated-request.ts';

const MESSAGES = { messages: [{ role: 'user', content: 'I live in Rome.' }] };
const page = (status: number, headers = {}): HttpFault => ({
  kind: 'answer',
  status,
  body: '<h1>SECRET.TABLE_X of the pool</h1>',
  headers: { 'content-type': 'text/html', ...headers },
});
/** An answer in the form of either mode. */
const failure = (errorCode: number, errorDetails: string): HttpFault => ({
  kind: 'answer',
  status: 200,
  body: JSON.stringify({ errorCode, errorDetails, items: [{ errorCode, errorDetails }] }),
  headers: { 'content-type': 'application/json' },
});

describe.each(ORDS_MODES)('a service over ORDS, %s', (ordsMode) => {
  const faults = new HttpFaults();
  let api: ApiFixture;
  beforeAll(async () => {
    api = await startApi({ middleware: faults.middleware, ordsMode });
  });
  afterAll(() => api?.close());

  it.each(['before', 'after'] as const)(
    'writes once when its connection is cut %s the write',
    async (when) => {
      const { threadId } = await api.client.createThread({ threadId: `cut-${when}` });
      const send = () => post(api.app, `/threads/${threadId}/messages`, MESSAGES, 'key');
      const rows = await api.countRows();
      faults.plan({ kind: 'cut', when });
      const failed = await send();
      expect([failed.status, JSON.parse(failed.text).code, failed.retryAfter]).toEqual([
        503,
        'unavailable',
        '2',
      ]);
      const repeated = await send();
      expect([repeated.status, repeated.replayed]).toEqual([201, when === 'after' ? 'true' : null]);
      // The message, its retrieval row, the key and the entry of the audit trail.
      expect(await api.countRows()).toBe(rows + 4);
    },
  );

  it('is of use again to a client that repeats its calls by itself', async () => {
    faults.plan(page(503, { 'retry-after': '1' }), { kind: 'cut', when: 'after' });
    const id = await api.client.addMemory('Ana rows.', { userId: 'ana' });
    const { items } = await api.client.listMemories({ userId: 'ana' });
    expect(items.map((memory) => memory.id)).toEqual([id]);
  });

  it.each<[string, HttpFault, number, string | null]>([
    ['a busy pool', page(503, { 'retry-after': '7' }), 503, '7'],
    ['HTML of a server error', page(500), 503, '5'],
    ['HTML under status 200', page(200), 500, null],
    ['a gateway that gave up', page(504), 504, '5'],
    ['a role that is missing', page(403), 500, null],
    ['an address that nobody has', page(404), 503, '2'],
    ['a redirect', page(302, { location: 'https://evil.example/' }), 500, null],
    ['a deadlock', failure(60, 'ORA-00060: deadlock on SECRET.TABLE_X'), 503, '1'],
    ['a missing privilege', failure(1031, 'ORA-01031: insufficient privileges on SECRET.TABLE_X'), 500, null],
  ])('answers for %s without telling what is inside', async (_title, fault, status, retryAfter) => {
    const rows = await api.countRows();
    faults.plan(fault);
    const answer = await post(api.app, '/threads', {});
    expect([answer.status, answer.retryAfter]).toEqual([status, retryAfter]);
    expect(answer.text).not.toMatch(/SECRET|ORA-|evil|pool|MEMORY_/);
    expect(await api.countRows()).toBe(rows);
  });
});
