import { describe, expect, it } from 'vitest';
import { createAgentMemoryClient } from '../../lib/client/agent-memory-client.ts';
import { expectError } from '../conformance/memory-stage.ts';

interface Sent {
  readonly url: string;
  readonly init: RequestInit;
}

/** A client whose service gives the answers of a list, the last one again and again. */
function scripted(...answers: readonly (Response | Error)[]) {
  const sent: Sent[] = [];
  const waits: number[] = [];
  const client = createAgentMemoryClient({
    baseUrl: 'https://memory.example.com/',
    apiKey: 'secret-key',
    fetch: (url, init) => {
      const answer = answers[Math.min(sent.length, answers.length - 1)];
      sent.push({ url, init });
      if (answer instanceof Error || answer === undefined) return Promise.reject(answer);
      return answer.clone();
    },
    wait: async (milliseconds) => void waits.push(milliseconds),
  });
  return { client, sent, waits };
}

function keyOf(sent: Sent | undefined): string | null {
  return new Headers(sent?.init.headers).get('Idempotency-Key');
}

function problem(
  status: number,
  code: string,
  more: object = {},
  headers: Record<string, string> = {},
): Response {
  const body = {
    type: 'about:blank',
    title: 'T',
    status,
    detail: 'what happened',
    code,
    requestId: 'r-1',
    ...more,
  };
  return new Response(JSON.stringify(body), { status, headers });
}

const EXTRACTION = {
  extractMemories: false,
  extractionMode: 'background',
  memoryExtractionFrequency: 1,
  memoryExtractionWindow: 1,
  memoryExtractionTokenLimit: 1,
  enableContextSummary: false,
  contextSummaryUpdateFrequency: 1,
  memoryExtractionCustomInstructions: null,
  memoryExtractionInheritMessageMetadata: false,
  backgroundExtractionQueueFullBehavior: 'drop',
  backgroundExtractionQueuePutTimeoutSeconds: 5,
};
const THREAD = {
  threadId: 'a/b',
  userId: 'ana',
  agentId: 'guide',
  metadata: {},
  extraction: EXTRACTION,
  contextCardTokenLimit: 1,
  maxMessageTokenLength: 1,
  messageShorteningInputTokenLimit: 1,
  createdAt: '2026-01-01T00:00:00.000Z',
  updatedAt: '2026-01-01T00:00:00.000Z',
};

describe('the client', () => {
  it('sends ids encoded, the key as a bearer credential and JSON', async () => {
    const { client, sent } = scripted(Response.json(THREAD));
    await client.getThread('a/b 日%2F');
    await client.createThread({ threadId: 'a/b', metadata: null });
    expect(sent[0]?.url).toBe(`https://memory.example.com/v1/threads/${encodeURIComponent('a/b 日%2F')}`);
    expect(new Headers(sent[0]?.init.headers).get('Authorization')).toBe('Bearer secret-key');
    expect(new Headers(sent[0]?.init.headers).get('Content-Type')).toBeNull();
    expect(new Headers(sent[1]?.init.headers).get('Content-Type')).toBe('application/json');
    expect(sent[1]?.init.body).toBe('{"threadId":"a/b","metadata":null}');
  });

  it.each(['nonsense', '', 'memory.example.com', 'ftp://memory.example.com', 'https://'])(
    'refuses %j as the address of a service',
    (baseUrl) => {
      expect(() => createAgentMemoryClient({ baseUrl })).toThrow(/^baseUrl: must be an http or https URL/);
    },
  );

  it('refuses messages that are no list, as the service would, before anything is sent', async () => {
    const { client, sent } = scripted(Response.json(THREAD));
    const thread = await client.getThread('a/b');
    for (const messages of [undefined, { role: 'user', content: 'x' }]) {
      const adding: Promise<unknown> = Reflect.apply(thread.addMessages, thread, [messages]);
      await expect(adding).rejects.toMatchObject({
        code: 'invalid_request',
        issues: [{ path: 'messages', message: expect.stringContaining('expected array') }],
      });
    }
    expect(sent).toHaveLength(1);
  });

  it.each([null, -1])('reads to the end of the thread with end %j', async (end) => {
    const page = Response.json({ messages: [], nextStart: null });
    const { client, sent } = scripted(Response.json(THREAD), page);
    await (await client.getThread('a/b')).getMessages({ start: 3, end });
    expect(new URL(sent[1]?.url ?? '').search).toBe('?start=3&end=-1');
  });

  it('turns a problem into an error with its code, issues, request id and wait', async () => {
    const errors = [{ path: 'messages[0].role', message: 'is wrong' }];
    const { client } = scripted(
      problem(503, 'extraction_queue_full', { errors, ids: ['m1'] }, { 'Retry-After': '7' }),
    );
    await expect(client.addMemory('a')).rejects.toMatchObject({
      code: 'extraction_queue_full',
      message: 'what happened',
      issues: errors,
      retryAfterSeconds: 7,
      details: { requestId: 'r-1', ids: ['m1'] },
    });
  });

  it('repeats a read while the service is away, as long as it asks', async () => {
    const { client, sent, waits } = scripted(
      problem(503, 'unavailable', {}, { 'Retry-After': '3' }),
      new TypeError('fetch failed'),
      Response.json({ results: [] }),
    );
    expect(await client.search('a', { userId: null })).toEqual([]);
    expect(sent).toHaveLength(3);
    expect(waits).toEqual([3_000, 400]);
  });

  it('gives up a read after its attempts', async () => {
    const { client, sent } = scripted(new TypeError('fetch failed'));
    await expect(client.getUser('ana')).rejects.toMatchObject({ code: 'unavailable' });
    expect(sent).toHaveLength(3);
  });

  it('repeats an add under the key of its first attempt, also while that still runs', async () => {
    const { client, sent, waits } = scripted(
      new TypeError('fetch failed'),
      problem(409, 'conflict', {}, { 'Retry-After': '5' }),
      Response.json({ id: 'm' }),
      Response.json({ id: 'n' }),
    );
    expect(await client.addMemory('a')).toBe('m');
    await client.addMemory('a');
    const [first, second, third, other] = sent.map((each) => keyOf(each));
    expect(first).toMatch(/^[\x21-\x7e]{1,255}$/);
    expect([second, third]).toEqual([first, first]);
    expect(other).not.toBe(first);
    expect(waits).toEqual([200, 5_000]);
  });

  it('sends the key that a caller gives, with whatever takes one', async () => {
    const { client, sent } = scripted(Response.json(THREAD));
    const keyed = client.withIdempotencyKey('own-key');
    const thread = await keyed.createThread();
    await keyed.getThread('t');
    const calls = [
      keyed.addMemory('a'),
      keyed.addUser('ana', 'a'),
      keyed.addAgent('guide', 'a'),
      keyed.retryJob('j'),
      keyed.cancelJob('j'),
      keyed.records.add({ recordType: 'fact', contents: ['a'] }),
      keyed.records.addBatches([{ recordType: 'fact', contents: ['a'] }]),
      thread.withIdempotencyKey('own-key').addMessages([{ role: 'user', content: 'a' }]),
      thread.withIdempotencyKey('own-key').addMemory('a'),
      client.records.withIdempotencyKey('own-key').add({ recordType: 'fact', contents: ['a'] }),
    ];
    await Promise.allSettled(calls);
    expect(sent.map((each) => keyOf(each))).toEqual(['own-key', null, ...calls.map(() => 'own-key')]);
    await Promise.allSettled([thread.addMemory('a')]);
    expect(keyOf(sent.at(-1))).not.toBe('own-key');
  });

  it.each(['', 'two words', 'ä', 'x'.repeat(256), 'line\n'])('refuses %j as a key', (key) => {
    const { client } = scripted(Response.json(THREAD));
    for (const target of [client, client.records]) {
      expect(() => target.withIdempotencyKey(key)).toThrow(/^idempotencyKey: /);
    }
  });

  it('repeats neither a change, nor an add that was taken, nor a read that failed for good', async () => {
    const change = scripted(problem(503, 'unavailable'));
    await expect(change.client.updateMemory('m', { content: 'a' })).rejects.toMatchObject({
      code: 'unavailable',
    });
    expect(change.sent).toHaveLength(1);
    for (const code of ['conflict', 'extraction_queue_full', 'timeout']) {
      const add = scripted(problem(409, code));
      await expect(add.client.addMemory('a')).rejects.toMatchObject({ code });
      expect(add.sent).toHaveLength(1);
    }
    const read = scripted(problem(404, 'not_found'));
    await expect(read.client.getMemory('a')).rejects.toMatchObject({ code: 'not_found' });
    expect(read.sent).toHaveLength(1);
  });

  it.each([
    ['an id that no URL can carry', (client: ReturnType<typeof scripted>['client']) => client.getThread('.')],
    [
      'a number that JSON cannot carry',
      (client: ReturnType<typeof scripted>['client']) =>
        client.addMemory('a', { metadata: { n: Number.NaN } }),
    ],
    ['no content', (client: ReturnType<typeof scripted>['client']) => client.addMemory('  ')],
  ])('sends nothing for %s', async (_, call) => {
    const { client, sent } = scripted(Response.json({}));
    await expect(call(client)).rejects.toMatchObject({ code: 'invalid_request' });
    expect(sent).toEqual([]);
  });

  it.each([
    [429, 'rate_limited'],
    [502, 'unavailable'],
    [504, 'timeout'],
    [418, 'internal'],
  ])('reads the status %s of a gateway as %s', async (status, code) => {
    const { client } = scripted(new Response('<html>', { status }));
    await expect(client.addMemory('a')).rejects.toMatchObject({ code });
  });

  it.each(['<html>', '{"id":5}'])('does not pass on a success that it cannot read: %s', async (body) => {
    const { client } = scripted(new Response(body, { status: 201 }));
    await expect(client.addMemory('a')).rejects.toMatchObject({ code: 'internal' });
  });

  it.each<readonly [string, Readonly<Record<string, unknown>>]>([
    ['baseUrl', { baseUrl: 'memory.example.com' }],
    ['baseUrl', { baseUrl: 'ftp://memory.example.com' }],
    ['baseUrl', { baseUrl: 'https://memory.example.com/?key=1' }],
    ['baseUrl', { baseUrl: 'https://ana:secret@memory.example.com' }],
    ['apiKey', { apiKey: 'two\nlines' }],
    ['apiKey', { apiKey: '' }],
    ['fetch', { fetch: 'fetch' }],
    ['retries', { retries: -1 }],
    ['retries', { retries: Number.NaN }],
    ['timeoutMilliseconds', { timeoutMilliseconds: 0 }],
    ['timeout', { timeout: 5 }],
  ])('refuses a wrong %s when it is made: %j', async (path, options) => {
    const make = async () => createAgentMemoryClient({ baseUrl: 'https://memory.example.com', ...options });
    await expectError(make(), 'invalid_request', path);
  });

  it('reads messages on where an answer ends', async () => {
    const page = (ids: readonly string[], nextStart: number | null) =>
      Response.json({
        messages: ids.map((id) => ({
          id,
          role: 'user',
          content: id,
          timestamp: THREAD.createdAt,
          metadata: {},
        })),
        nextStart,
      });
    const { client, sent } = scripted(Response.json(THREAD), page(['m7', 'm8'], 9), page(['m8', 'm9'], null));
    const thread = await client.getThread('a/b');
    expect((await thread.getMessages()).map(({ id }) => id)).toEqual(['m7', 'm8', 'm9']);
    expect(sent.slice(1).map(({ url }) => new URL(url).search)).toEqual(['', '?start=8&end=107']);
    const whole = scripted(Response.json(THREAD), page(['m0'], 1), page(['m0', 'm1'], null));
    await (await whole.client.getThread('a/b')).getMessages({ start: 0, end: -1 });
    expect(whole.sent.slice(1).map(({ url }) => new URL(url).search)).toEqual([
      '?start=0&end=-1',
      '?start=0&end=-1',
    ]);
  });
});
