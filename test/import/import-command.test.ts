import { createHash } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { runImportCommand } from '../../infra/import-command.ts';
import type { Fetch } from '../../lib/client/http-connection.ts';
import { takeItems } from '../../lib/schemas/page.ts';
import { type ApiFixture, startApi } from '../api/api-fixture.ts';

const MEM0 = 'examples/import/mem0-export.json';
const ZEP = 'examples/import/zep-export.json';

let directory = '';
let api: ApiFixture;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'import-'));
});
afterAll(() => rm(directory, { recursive: true, force: true }));
async function run(...given: readonly string[]) {
  return runWith((url, init) => api.app.request(url, init), ...given);
}

async function runWith(fetch: Fetch, ...given: readonly string[]) {
  let output = '';
  const write = (text: string): void => {
    output += text;
  };
  const code = await runImportCommand(given, { variables: {}, write, fetch });
  return { code, output };
}

async function fileOf(content: unknown): Promise<string> {
  const path = join(directory, 'export.json');
  await writeFile(path, typeof content === 'string' ? content : JSON.stringify(content, null, 2));
  return path;
}

const unreachable: Fetch = () => {
  throw new Error('no request was expected');
};

/** A service of its own for each test of a group. */
function withService(): void {
  beforeEach(async () => {
    api = await startApi();
  });
  afterEach(() => api.close());
}

describe('an export of mem0', () => {
  withService();

  it('becomes memories with their ids, owners, times and expiry, and a second run adds nothing', async () => {
    const first = await run('--from', 'mem0', '--file', MEM0, '--agent-id', 'max');
    expect(first).toEqual({
      code: 0,
      output: [
        'users: 0 added, 0 there already, 0 there with another content',
        'threads: 0 added, 0 there already, 0 there with another content',
        'messages: 0 added, 0 there already, 0 there with another content',
        'memories: 3 added, 0 there already, 0 there with another content',
        'left out: the field hash of a memory: 1',
        'left out: memories that have expired: 1\n',
      ].join('\n'),
    });
    expect(await api.client.getMemory('7f3b1c52-2f0e-4c55-9a53-0d5a1c1f6a01')).toMatchObject({
      recordType: 'memory',
      content: 'Prefers trains over planes',
      userId: 'maya',
      agentId: 'pia',
      threadId: 'lisbon-trip',
      timestamp: '2026-03-02T16:15:30.275Z',
      expiresAt: null,
      metadata: {
        channel: 'chat',
        mem0: { categories: ['travel', 'preferences'], updated_at: '2026-03-02T16:15:30.275Z' },
      },
    });
    expect(await api.client.getMemory('7f3b1c52-2f0e-4c55-9a53-0d5a1c1f6a02')).toMatchObject({
      agentId: 'max',
      threadId: null,
      metadata: { mem0: {} },
    });
    expect(await api.client.getMemory('7f3b1c52-2f0e-4c55-9a53-0d5a1c1f6a03')).toMatchObject({
      expiresAt: '2100-01-01T10:00:00.000Z',
    });
    const [found] = await api.client.search('peanuts', { userId: 'maya' });
    expect(found?.content).toBe('Is allergic to peanuts');

    const rows = await api.countRows();
    const second = await run('--from', 'mem0', '--file', MEM0, '--agent-id', 'max');
    expect(second.output).toContain('memories: 0 added, 3 there already, 0 there with another content');
    expect(await api.countRows()).toBe(rows);
  });

  it('is a list, pages, or one memory or page a line, with the names of either SDK', async () => {
    const memory = (id: string) => ({ id, memory: `memory ${id}`, user_id: 'ana' });
    const typescript = {
      id: 'e',
      memory: 'e',
      userId: 'ana',
      runId: 'r',
      createdAt: '2026-01-01T00:00:00.000Z',
    };
    const forms = [
      [memory('a')],
      [{ results: [memory('a'), memory('b')], relations: [{ source: 'x' }] }, { results: [memory('c')] }],
      `${JSON.stringify(memory('c'))}\n\n${JSON.stringify({ results: [memory('d')] })}\n`,
      { results: [typescript] },
    ];
    for (const form of forms) {
      expect(await run('--from', 'mem0', '--file', await fileOf(form))).toMatchObject({ code: 0 });
    }
    const ids = (await api.client.listMemories({ userId: 'ana' })).items.map(({ id }) => id);
    expect(ids).toEqual(['a', 'b', 'c', 'd', 'e']);
    expect(await api.client.getMemory('e')).toMatchObject({
      threadId: 'r',
      timestamp: '2026-01-01T00:00:00.000Z',
    });
  });

  it('takes what pages repeat once, and says what it leaves out', async () => {
    const memory = { id: 'a', memory: 'one' };
    const pages = [{ results: [memory, { id: 'b', memory: ' ' }], relations: [1, 2] }, { results: [memory] }];
    const { output } = await run('--from', 'mem0', '--file', await fileOf(pages));
    expect(output).toContain('memories: 1 added');
    expect(output.match(/^left out: .*$/gm)).toEqual([
      'left out: relations of a page: 2',
      'left out: memories without text: 1',
      'left out: memories that the export repeats: 1',
    ]);
  });

  it('leaves what was changed here as it is', async () => {
    await run('--from', 'mem0', '--file', MEM0);
    const id = '7f3b1c52-2f0e-4c55-9a53-0d5a1c1f6a02';
    await api.client.updateMemory(id, { content: 'Is allergic to peanuts and sesame' });
    const { code, output } = await run('--from', 'mem0', '--file', MEM0);
    expect([code, output]).toEqual([
      0,
      expect.stringContaining('0 added, 2 there already, 1 there with another'),
    ]);
    expect((await api.client.getMemory(id)).content).toBe('Is allergic to peanuts and sesame');
  });
});

describe('an export of Zep', () => {
  withService();
  const agent = ['--agent-id', 'pia'];

  it('becomes a profile, a thread with its messages, and facts, and a second run adds nothing', async () => {
    const first = await run('--from', 'zep', '--file', ZEP, ...agent);
    expect(first.output.split('\n')).toEqual([
      'users: 1 added, 0 there already, 0 there with another content',
      'threads: 1 added, 0 there already, 0 there with another content',
      'messages: 2 added, 0 there already, 0 there with another content',
      'memories: 1 added, 0 there already, 0 there with another content',
      'left out: the field source_node_uuid of an edge: 2',
      'left out: the field target_node_uuid of an edge: 2',
      'left out: facts that hold no longer: 1',
      '',
    ]);
    expect(await api.client.getUser('noah')).toMatchObject({
      content: 'Name: Noah Berg\nEmail: noah@example.com',
    });
    const thread = await api.client.getThread('noah-support');
    expect(thread).toMatchObject({ userId: 'noah', agentId: 'pia', extraction: { extractMemories: false } });
    expect(await thread.getMessages()).toMatchObject([
      { role: 'user', timestamp: '2026-02-01T09:05:10.000Z', metadata: { zep: { name: 'Noah' } } },
      { role: 'assistant', content: 'I have asked the carrier where it is.' },
    ]);
    expect((await api.client.listMemories()).items).toMatchObject([
      {
        id: '5d0c2ef4-7a3b-4a58-b7a1-9a6d41c3e201',
        recordType: 'fact',
        userId: 'noah',
        agentId: 'pia',
        timestamp: '2026-01-20T00:00:00.000Z',
        metadata: { zep: { relation: 'ORDERED' } },
      },
    ]);

    const rows = await api.countRows();
    const second = await run('--from', 'zep', '--file', ZEP, ...agent);
    expect(second.output).not.toMatch(/[1-9]\d* added|[1-9]\d* there with/);
    expect(await api.countRows()).toBe(rows);
  });

  it('puts its facts into the cards of later threads of the same user and agent', async () => {
    await run('--from', 'zep', '--file', ZEP, ...agent);
    const thread = await api.client.createThread({ userId: 'noah', agentId: 'pia' });
    await thread.addMessages([{ role: 'user', content: 'Where is my blue bicycle?' }]);
    expect((await thread.getContextCard()).content).toContain('Noah ordered a blue bicycle.');
  });

  it('reads sessions with kinds of roles, facts that are texts, and threads that have only a UUID', async () => {
    const message = (content: string, more: object = {}) => ({ content, ...more });
    const user = {
      user_id: 'u2',
      sessions: [
        {
          session_id: 's',
          metadata: { channel: 'web' },
          messages: [message('b', { role_type: 'user', role: 'Ana' }), message(''), message('c')],
          facts: ['Ana likes tea.', ' '],
        },
      ],
    };
    const later = { created_at: '2026-01-02T00:00:00Z', uuid: 'm2' };
    const earlier = { created_at: '2026-01-01T00:00:00Z', uuid: 'm1' };
    const fourth = {
      uuid: 'u4',
      threads: [{ uuid: 't4', messages: [message('2', later), message('1', earlier)] }],
    };
    const lines = [user, fourth].map((each) => JSON.stringify(each)).join('\n');
    const path = await fileOf(lines);
    for (const _ of [1, 2]) expect((await run('--from', 'zep', '--file', path, ...agent)).code).toBe(0);
    const session = await api.client.getThread('s');
    expect(session.metadata).toEqual({ channel: 'web', zep: {} });
    expect(await session.getMessages()).toMatchObject([
      { role: 'user', content: 'b', metadata: { zep: { name: 'Ana' } } },
      { role: 'norole', content: 'c' },
    ]);
    expect((await api.client.listMemories({ threadId: 's' })).items).toMatchObject([
      { content: 'Ana likes tea.', recordType: 'fact' },
    ]);
    const messages = await (await api.client.getThread('t4')).getMessages();
    expect(messages.map(({ content }) => content)).toEqual(['1', '2']);
  });

  it('gives a thread of somebody else no messages', async () => {
    await api.client.createThread({ threadId: 'noah-support', userId: 'noah', agentId: 'other' });
    const { output } = await run('--from', 'zep', '--file', ZEP, ...agent);
    expect(output).toContain('threads: 0 added, 0 there already, 1 there with another content');
    expect(output).toContain('messages: 0 added, 0 there already, 2 there with another content');
    expect(await (await api.client.getThread('noah-support')).getMessages()).toEqual([]);
  });

  it('is completed by a second run, whichever request was the last one', async () => {
    for (const last of [1, 2, 3, 4, 5]) {
      const [userId, threadId] = [`ana-${last}`, `long-${last}`];
      const file = await fileOf(longExport(userId, threadId));
      const given = ['--from', 'zep', '--file', file, '--concurrency', '2', ...agent];
      let count = 0;
      const interrupted = await runWith(
        (url, init) => {
          count += 1;
          return count > last ? new Response('{}', { status: 500 }) : api.app.request(url, init);
        },
        ...given,
      );
      expect(interrupted).toEqual({ code: 1, output: expect.stringContaining('goes on from there') });
      expect(await run(...given)).toMatchObject({ code: 0 });
      const thread = await api.client.getThread(threadId);
      const contents = (await thread.getMessages({ start: 0, end: -1 })).map(({ content }) => content);
      expect(contents).toEqual(Array.from({ length: 250 }, (_, index) => `message ${index}`));
      expect(await takeItems(api.client.iterateMemories({ userId }), 500)).toHaveLength(150);
    }
  });
});

it.each([
  ['mem0', MEM0, ['records:write', 'memories:read']],
  [
    'zep',
    ZEP,
    ['users:read', 'users:write', 'threads:read', 'threads:write', 'records:write', 'memories:read'],
  ],
])('an export of %s needs no scopes but those of the documentation', async (from, file, scopes) => {
  const sha256 = createHash('sha256').update('key').digest('hex');
  const API_KEYS = JSON.stringify([{ id: 'importer', sha256, scopes }]);
  api = await startApi({ variables: { AUTH_MODE: 'api-key', API_KEYS } });
  try {
    const given = ['--from', from, '--file', file, '--agent-id', 'pia', '--api-key', 'key'];
    for (const _ of [1, 2]) expect(await run(...given)).toMatchObject({ code: 0 });
    expect(await run(...given, '--api-key', 'other')).toMatchObject({ code: 1 });
  } finally {
    await api.close();
  }
});

function longExport(userId: string, threadId: string) {
  const messages = Array.from({ length: 250 }, (_, index) => ({ role: 'user', content: `message ${index}` }));
  const edges = Array.from({ length: 150 }, (_, index) => ({
    uuid: `${userId}-${index}`,
    fact: `fact ${index}`,
  }));
  return {
    users: [{ user_id: userId, first_name: 'Ana', threads: [{ thread_id: threadId, messages }], edges }],
  };
}

describe('a command that writes nothing', () => {
  it('counts what would be written and asks no service', async () => {
    const { code, output } = await runWith(
      unreachable,
      ...['--from', 'zep', '--file', ZEP, '--agent-id', 'pia', '--dry-run'],
    );
    expect([code, output]).toEqual([
      0,
      expect.stringMatching(/^users: 1\nthreads: 1\nmessages: 2\nmemories: 1\nleft/),
    ]);
  });

  it('names line and field of everything that is wrong', async () => {
    const wrong = [
      { id: 'a', memory: 'fine' },
      { id: '', memory: 1, created_at: 'yesterday' },
      { id: 'b', memory: 'b', metadata: { mem0: 1 } },
      { id: 'a', memory: 'another' },
    ];
    const result = await runWith(unreachable, '--from', 'mem0', '--file', await fileOf(wrong));
    expect(result).toEqual({
      code: 1,
      output: [
        'line 1: two different memories have the id a',
        'line 7: [1].id: must have at least 1 character',
        'line 8: [1].memory: Invalid input: expected string, received number',
        'line 9: [1].created_at: must be an ISO-8601 time such as 2026-01-31T09:30:00Z',
        'line 15: [2].metadata.mem0: is the key under which the import notes where a record is from\n',
      ].join('\n'),
    });
  });

  it('names the line of a part of Zep, also of JSON Lines', async () => {
    const users = [
      { user_id: 'a' },
      { user_id: 'b', threads: [{ thread_id: 't', user_id: 'c', messages: [{ content: 5 }] }] },
      { email: 'x' },
    ];
    const lines = users.map((user) => JSON.stringify(user)).join('\n\n');
    const { code, output } = await runWith(
      unreachable,
      ...['--from', 'zep', '--file', await fileOf(lines), '--agent-id', 'pia'],
    );
    expect([code, output.trim().split('\n')]).toEqual([
      1,
      [
        'line 3: [1].threads[0].user_id: is another user than the one that has the thread',
        'line 3: [1].threads[0].messages[0].content: Invalid input: expected string, received number',
        'line 5: [2].user_id: is needed',
      ],
    ]);
  });

  it.each([
    ['mem0', '', '--file: is empty'],
    ['mem0', '{\n"results": [\n}', 'line 3 is not JSON'],
    ['mem0', '{"id": "a", "memory": "a"}\n{"id"\n', 'line 2 is not JSON'],
    ['mem0', { full_name: 'Dev' }, 'holds no memories'],
    ['mem0', { results: [] }, 'holds no memories'],
    ['zep', { memories: [] }, 'holds no users'],
  ])('%s: %j', async (from, content, message) => {
    const path = await fileOf(content);
    const result = await runWith(unreachable, '--from', from, '--file', path, '--agent-id', 'pia');
    expect(result).toEqual({ code: 1, output: expect.stringContaining(message) });
  });

  it.each([
    [['--from', 'other', '--file', MEM0], 'from'],
    [['--from', 'mem0'], 'file'],
    [['--from', 'mem0', '--file', MEM0, '--concurrency', '17'], 'concurrency'],
    [['--from', 'mem0', '--file', MEM0, '--frmo'], '--frmo'],
  ])('explains the command line %j', async (given, named) => {
    const { code, output } = await runWith(unreachable, ...given);
    expect([code, output.split('\n\n')[0]]).toEqual([2, expect.stringContaining(named)]);
    expect(output).toContain('--dry-run');
  });

  it('needs an agent for an export of Zep, and a file that is there', async () => {
    expect(await runWith(unreachable, '--from', 'zep', '--file', ZEP)).toEqual({
      code: 1,
      output: '--agent-id: is needed: Zep has no agents, threads here do\n',
    });
    const missing = await runWith(unreachable, '--from', 'mem0', '--file', join(directory, 'missing'));
    expect([missing.code, missing.output]).toEqual([1, expect.stringContaining('cannot be read')]);
  });
});
