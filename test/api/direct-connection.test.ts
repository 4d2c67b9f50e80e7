import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TnsFaults } from '../../infra/local/oracle/tns/tns-faults.ts';
import { type ApiFixture, jsonRequest, startApi } from './api-fixture.ts';
import { post } from './repeated-request.ts';

const faults = new TnsFaults();
const MESSAGES = { messages: [{ role: 'user', content: 'I live in Rome.' }] };
let api: ApiFixture;

beforeAll(async () => {
  api = await startApi({ tnsFaults: faults });
});
afterAll(() => api?.close());

describe('a service over a direct connection', () => {
  it.each(['before', 'after'] as const)('writes once when its session is cut %s the write', async (when) => {
    const { threadId } = await api.client.createThread({ threadId: `cut-${when}` });
    const send = () => post(api.app, `/threads/${threadId}/messages`, MESSAGES, 'key');
    const rows = await api.countRows();
    faults.plan('execute', { kind: 'cut', when });
    const failed = await send();
    expect([failed.status, JSON.parse(failed.text).code, failed.retryAfter]).toEqual([
      503,
      'unavailable',
      '2',
    ]);
    const repeated = await send();
    const again = await send();
    expect([repeated.status, repeated.replayed]).toEqual([201, when === 'after' ? 'true' : null]);
    expect([again.text, again.replayed]).toEqual([repeated.text, 'true']);
    const read = await api.client.getThread(threadId);
    expect((await read.getMessages()).map(({ id }) => id)).toEqual(JSON.parse(repeated.text).ids);
    // The message, its retrieval row, the key and the entry of the audit trail.
    expect(await api.countRows()).toBe(rows + 4);
  });

  it('is of use again to a client that repeats its calls by itself', async () => {
    faults.plan('execute', { kind: 'cut', when: 'after' });
    const id = await api.client.addMemory('Ana rows.', { userId: 'ana' });
    const { items } = await api.client.listMemories({ userId: 'ana' });
    expect(items.map((memory) => memory.id)).toEqual([id]);
  });

  it('takes it for no failure of its own that a caller has gone', async () => {
    const logged = api.logged.length;
    const calls = [
      ['/v1/threads', {}],
      ['/v1/threads', jsonRequest('POST', { threadId: 'of-nobody' })],
      ['/health/ready', {}],
    ] as const;
    for (const [path, init] of calls) {
      const caller = new AbortController();
      const answer = api.app.request(path, { ...init, signal: caller.signal });
      // As the server of Node says it: the reason is a text and no error.
      caller.abort('Client connection prematurely closed.');
      expect((await answer).status).toBe(503);
    }
    const lines = api.logged.slice(logged).map(({ level, event }) => `${level} ${event}`);
    expect(lines).toEqual(calls.map(() => 'warn request_failed'));
    expect((await api.app.request('/v1/threads/of-nobody')).status).toBe(404);
  });

  it('tells nothing of what is inside', async () => {
    faults.plan('execute', {
      kind: 'raise',
      number: 1031,
      text: 'insufficient privileges on SECRET.TABLE_X',
    });
    const refused = await post(api.app, '/threads', {});
    expect([refused.status, refused.text]).toEqual([
      500,
      expect.not.stringMatching(/SECRET|ORA-|NJS-|MEMORY_/),
    ]);
  });
});
