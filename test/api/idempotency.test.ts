import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ALL_OPERATIONS } from '../../functions/operations.ts';
import { AgentMemoryError } from '../../lib/errors/agent-memory-error.ts';
import { createRulesLlm } from '../../lib/models/rules/rules-llm.ts';
import { takesIdempotencyKey } from '../../lib/schemas/operation-contract.ts';
import { problemSchema } from '../../lib/schemas/problem.ts';
import { type ApiFixture, startApi } from './api-fixture.ts';
import { post } from './repeated-request.ts';

const CANARY = 'canary-4711';
const FAILING = 'the model fails on this';
const KEYS = JSON.stringify(
  ['first', 'second'].map((id) => ({
    id,
    sha256: createHash('sha256').update(id).digest('hex'),
    scopes: ['*'],
  })),
);

let api: ApiFixture;
let failing = true;
const rules = createRulesLlm();

beforeAll(async () => {
  api = await startApi({
    variables: { MAX_TTL_DAYS: '30' },
    llm: {
      modelId: 'rules',
      generate(call) {
        if (failing && JSON.stringify(call).includes(FAILING))
          throw new AgentMemoryError('model_failed', 'the model refused');
        return rules.generate(call);
      },
    },
  });
  await api.client.createThread({ threadId: 'plain', userId: 'ana', agentId: 'guide' });
  await api.client.createThread({
    threadId: 'mined',
    userId: 'ana',
    extraction: { extractMemories: true, enableContextSummary: false },
  });
});
afterAll(() => api.close());

/** A job that failed, of a thread of its own. */
async function failedJob(thread: string): Promise<string> {
  const extraction = { extractMemories: true, enableContextSummary: false };
  const created = await api.client.createThread({ threadId: thread, userId: 'ana', extraction });
  failing = true;
  const answer = await created.addMessages([{ role: 'user', content: `${FAILING}: I live in Rome.` }]);
  return answer.extraction.jobId ?? '';
}

const messages = [
  { role: 'user', content: 'I am allergic to peanuts. I live in Rome.', metadata: { b: 1, a: [2, null] } },
  { role: 'assistant', content: 'Noted.', timestamp: '2026-01-31T09:30:00+02:00' },
];

const IMPORTED = {
  type: 'record',
  recordType: 'fact',
  content: 'Ana rows.',
  metadata: {},
  status: 'active',
  timestamp: null,
  expiresAt: null,
  createdAt: '2026-01-31T09:30:00Z',
  updatedAt: '2026-01-31T09:30:00Z',
};

/** Requests of each operation: their path and body, made when they are sent. */
const REQUESTS: Readonly<
  Record<string, Readonly<Record<string, () => readonly [path: string, body?: unknown]>>>
> = {
  createThread: {
    'with generated ids': () => ['/threads', {}],
    'with ids, metadata and settings': () => [
      '/threads',
      {
        threadId: 'own',
        userId: 'ana',
        metadata: { zulu: 1, alpha: { y: [1.5, 'é'], x: null }, 10: 'ten' },
        extraction: { memoryExtractionFrequency: 3, memoryExtractionCustomInstructions: null },
        contextCardTokenLimit: 5_000,
      },
    ],
  },
  addMessages: {
    'without extraction': () => ['/threads/plain/messages', { messages }],
    'with own ids and warnings': () => [
      '/threads/plain/messages',
      { messages: messages.map((message, index) => ({ ...message, id: `own-${index}` })), ttlDays: 90 },
    ],
    'with inline extraction': () => ['/threads/mined/messages', { messages, metadata: { source: 'chat' } }],
    'with an extraction that fails': () => [
      '/threads/mined/messages',
      { messages: [{ role: 'user', content: FAILING }] },
    ],
  },
  addThreadMemory: {
    'with a generated id': () => ['/threads/plain/memories', { content: 'Ana rows.', ttlDays: 60 }],
    'with its own id': () => ['/threads/plain/memories', { content: 'Ana rows.', memoryId: 'own-thread' }],
  },
  addMemory: {
    'with a generated id': () => ['/memories', { content: 'Ana rows.', userId: 'ana', ttlDays: 60 }],
    'with its own id': () => ['/memories', { content: 'Ana rows.', memoryId: 'own' }],
  },
  addUser: { 'with metadata': () => ['/users', { userId: 'ana', information: 'Ana cooks.', metadata: {} }] },
  addAgent: { 'with information': () => ['/agents', { agentId: 'guide', information: 'Plans meals.' }] },
  addRecords: {
    'with generated and own ids': () => [
      '/records',
      { recordType: 'fact', contents: ['a', 'b', 'c'], recordIds: [null, 'own-fact', null], ttlDays: 90 },
    ],
  },
  addRecordBatches: {
    'with messages and others': () => [
      '/records/batches',
      {
        batches: [
          { recordType: 'message', contents: ['a', 'b'], roles: 'user', threadIds: 'plain' },
          { recordType: 'preference', contents: ['tea'], userIds: 'ana' },
        ],
      },
    ],
  },
  importRecords: {
    'with a record': () => ['/import', { lines: [{ ...IMPORTED, recordId: 'imported' }] }],
  },
  retryJob: {},
  cancelJob: {},
};

const statusOf = (operation: string) =>
  ALL_OPERATIONS.find(({ contract }) => contract.id === operation)?.contract.status;

describe('a request that is repeated with its key', () => {
  it('is tried for every operation that takes one', () => {
    const operations = ALL_OPERATIONS.filter(({ contract }) => takesIdempotencyKey(contract));
    expect(Object.keys(REQUESTS).sort()).toEqual(operations.map(({ contract }) => contract.id).sort());
  });

  const cases = Object.entries(REQUESTS).flatMap(([operation, requests]) =>
    Object.entries(requests).map(([title, request]) => ({ operation, title, request })),
  );
  it.each(cases)(
    '$operation $title answers the same bytes and changes nothing',
    async ({ title, operation, request }) => {
      const [path, body] = request();
      const key = `${operation}-${title.replaceAll(' ', '-')}`;
      const first = await post(api.app, path, body, key);
      expect([first.status, first.replayed]).toEqual([statusOf(operation), null]);
      const rows = await api.countRows();
      const second = await post(api.app, path, body, key);
      expect(second).toMatchObject({
        status: first.status,
        text: first.text,
        replayed: 'true',
        db: 2,
        llm: 0,
      });
      expect(await api.countRows()).toBe(rows);
      const afterRestart = await post(api.openApp(), path, body, key);
      expect([afterRestart.text, afterRestart.replayed]).toEqual([first.text, 'true']);
    },
  );

  it('retryJob and cancelJob answer the job as it was, whatever became of it', async () => {
    const jobId = await failedJob('retried');
    const stillFailing = await post(api.app, `/jobs/${jobId}/retry`, undefined, 'retry');
    expect(JSON.parse(stillFailing.text)).toMatchObject({ status: 'failed', attempt: 2 });
    failing = false;
    const succeeded = await post(api.app, `/jobs/${jobId}/retry`, undefined, 'retry-again');
    expect(JSON.parse(succeeded.text)).toMatchObject({ status: 'succeeded', attempt: 3 });
    expect(await post(api.app, `/jobs/${jobId}/retry`, undefined, 'retry')).toMatchObject({
      text: stillFailing.text,
      replayed: 'true',
      llm: 0,
    });
    expect((await post(api.app, `/jobs/${jobId}/retry`, undefined, 'retry-again')).text).toBe(succeeded.text);
  });

  it('addMessages tells the extraction of its own time after the job was retried', async () => {
    await failedJob('later');
    const body = { messages: [{ role: 'user', content: `${FAILING}: I live in Oslo.` }] };
    const first = await post(api.app, '/threads/later/messages', body, 'later');
    const { jobId, status } = JSON.parse(first.text).extraction;
    expect(status).toBe('failed');
    failing = false;
    expect((await api.client.retryJob(jobId)).status).toBe('succeeded');
    expect((await post(api.app, '/threads/later/messages', body, 'later')).text).toBe(first.text);
  });
});

describe('a key', () => {
  const add = (content: string, key: string, path = '/memories') => post(api.app, path, { content }, key);

  it('costs no database request', async () => {
    for (const [path, body] of [
      ['/memories', { content: 'a' }],
      ['/threads', {}],
      ['/threads/mined/messages', { messages }],
    ] as const) {
      const without = await post(api.app, path, body);
      const keyed = await post(api.app, path, body, `costs ${path}`.replaceAll(' ', '-'));
      expect([keyed.status, keyed.db]).toEqual([201, without.db]);
    }
  });

  it('of another request is refused and its request left as it was', async () => {
    const first = await add('one', 'mismatch');
    const rows = await api.countRows();
    const other = await add('two', 'mismatch');
    expect(problemSchema.parse(JSON.parse(other.text))).toMatchObject({
      status: 422,
      code: 'idempotency_mismatch',
    });
    expect([other.replayed, await api.countRows()]).toEqual([null, rows]);
    expect((await add('one', 'mismatch')).text).toBe(first.text);
  });

  it('counts for one operation and one path', async () => {
    const answers = [
      await add('same', 'paths'),
      await add('same', 'paths', '/threads/plain/memories'),
      await add('same', 'paths', '/threads/mined/memories'),
    ];
    expect(answers.map(({ status, replayed }) => [status, replayed])).toEqual(answers.map(() => [201, null]));
    expect(new Set(answers.map(({ text }) => text)).size).toBe(answers.length);
    expect(await add('same', 'paths', '/threads/%70lain/memories')).toMatchObject({ replayed: 'true' });
  });

  it('takes bodies that differ in the order of their fields or the form of a time for the same', async () => {
    const one = await post(
      api.app,
      '/memories',
      { content: 'a', timestamp: '2026-01-31T09:30:00Z' },
      'forms',
    );
    const same = { timestamp: '2026-01-31T10:30:00.000+01:00', content: 'a' };
    expect(await post(api.app, '/memories', same, 'forms')).toMatchObject({
      text: one.text,
      replayed: 'true',
    });
    const other = { content: 'a', timestamp: null };
    expect((await post(api.app, '/memories', other, 'forms')).status).toBe(422);
  });

  it.each(['!', '~'.repeat(255), '"quoted"', 'a,b', "it's;--", '%00', '{"$ne":null}'])(
    'may be %j',
    async (key) => {
      expect((await add(key, key)).replayed).toBeNull();
      expect((await add(key, key)).replayed).toBe('true');
    },
  );

  it.each(['', 'two words', 'a, b', 'x'.repeat(256), 'tab\there', 'caf\u00e9'])(
    'must not be %j',
    async (key) => {
      const rows = await api.countRows();
      const refused = await add('a', key);
      expect([refused.status, JSON.parse(refused.text).errors?.[0]?.path]).toEqual([400, 'Idempotency-Key']);
      expect(await api.countRows()).toBe(rows);
      const read = await post(api.app, '/search', { query: 'a', userId: null }, key);
      expect([read.status, read.replayed]).toEqual([200, null]);
    },
  );

  it('is not used up by a request that failed', async () => {
    const body = { messages };
    expect((await post(api.app, '/threads/created-later/messages', body, 'failed')).status).toBe(404);
    await api.client.createThread({ threadId: 'created-later' });
    const made = await post(api.app, '/threads/created-later/messages', body, 'failed');
    expect([made.status, made.replayed]).toEqual([201, null]);
    expect((await add(CANARY.repeat(40_000), 'failed')).status).toBe(400);
    await api.client.addMemory('a', { memoryId: 'taken' });
    const taken = { content: 'b', memoryId: 'taken' };
    expect((await post(api.app, '/memories', taken, 'failed')).status).toBe(409);
    await api.client.deleteMemory('taken');
    expect(await post(api.app, '/memories', taken, 'failed')).toMatchObject({ status: 201, replayed: null });
  });

  it('makes one change of twenty requests at once, and all get its answer', async () => {
    const rows = async () => (await api.client.getThread('plain')).getMessages({ start: 0, end: -1 });
    const before = (await rows()).length;
    const body = { messages: [{ role: 'user', content: 'at once' }] };
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => post(api.app, '/threads/plain/messages', body, 'at-once')),
    );
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    expect(answers.filter(({ replayed }) => replayed === null)).toHaveLength(1);
    expect(await rows()).toHaveLength(before + 1);
  });

  it('goes with the thread, the user or the agent of its request, and leaves no text', async () => {
    const thread = { threadId: 'gone', userId: 'zoe', agentId: 'helper' };
    const content = { content: CANARY };
    const requests = [
      ['/threads', thread],
      ['/threads/gone/messages', { messages: [{ role: 'user', content: CANARY }] }],
      ['/threads/gone/memories', content],
      ['/memories', { ...content, userId: 'zoe' }],
      ['/memories', { ...content, agentId: 'helper' }],
      ['/users', { userId: 'zoe', information: CANARY }],
      ['/records', { recordType: 'fact', contents: [CANARY, CANARY], userIds: ['zoe', 'zoe'] }],
    ] as const;
    const before = await requestRows();
    for (const [index, [path, body]] of requests.entries()) {
      expect((await post(api.app, path, body, `gone-${index}`)).status).toBe(201);
    }
    const recorded = await requestRows();
    expect(recorded).toHaveLength(before.length + requests.length);
    expect(JSON.stringify(recorded)).not.toContain(CANARY);
    await api.client.deleteThread('gone');
    expect(await requestRows()).toHaveLength(before.length + 4);
    await api.client.deleteUser('zoe', { cascade: true });
    expect(await requestRows()).toHaveLength(before.length + 1);
    await api.client.deleteAgent('helper', { cascade: true });
    expect(await requestRows()).toHaveLength(before.length);
    const [path, body] = requests[0];
    expect(await post(api.app, path, body, 'gone-0')).toMatchObject({ status: 201, replayed: null });
    await api.client.deleteUser('zoe', { cascade: true });
    expect(await requestRows()).toHaveLength(before.length);
  });
});

it('keeps the keys of callers apart', async () => {
  const guarded = await startApi({ variables: { AUTH_MODE: 'api-key', API_KEYS: KEYS } });
  const add = (caller: string) =>
    post(guarded.app, '/memories', { content: 'a' }, 'shared', { Authorization: `Bearer ${caller}` });
  const answers = [await add('first'), await add('second'), await add('first')];
  await guarded.close();
  expect(answers.map(({ status, replayed }) => [status, replayed])).toEqual([
    [201, null],
    [201, null],
    [201, 'true'],
  ]);
  expect(answers[1]?.text).not.toBe(answers[0]?.text);
  expect(answers[2]?.text).toBe(answers[0]?.text);
});

async function requestRows(): Promise<readonly unknown[]> {
  const session = api.emulator.engine.openSession();
  try {
    return (await session.execute('SELECT q.* FROM memory_request q', [])).rows;
  } finally {
    await session.close();
  }
}
