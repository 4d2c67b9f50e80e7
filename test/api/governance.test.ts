import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { NDJSON } from '../../lib/schemas/ndjson.ts';
import { takeItems } from '../../lib/schemas/page.ts';
import { type ApiFixture, startApi } from './api-fixture.ts';

const CANARY = 'canary-4711';
const MEBIBYTE = 1024 * 1024;

let api: ApiFixture;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.close());

/** Every value of every row of every table of the store. */
async function everythingStored(): Promise<string> {
  const session = api.emulator.engine.openSession();
  try {
    const { rows: tables } = await session.execute(
      'SELECT t.table_name AS table_name FROM user_tables t',
      [],
    );
    const contents: string[] = [];
    for (const [table] of tables) {
      const { rows } = await session.execute(`SELECT * FROM ${String(table)}`, []);
      contents.push(`${String(table)} ${JSON.stringify(rows)}`);
    }
    return contents.join('\n');
  } finally {
    await session.close();
  }
}

describe('the deletion of a user', () => {
  it('leaves nothing of the user in any table but that it was done', async () => {
    const { client } = api;
    const thread = await client.createThread({ threadId: 'gone', userId: 'eva', metadata: { note: CANARY } });
    await client.addUser('eva', `${CANARY} profile`);
    const keyed = thread.withIdempotencyKey('a-key');
    const { ids } = await keyed.addMessages([{ role: 'user', content: `${CANARY} message` }]);
    await thread.updateMessage(ids[0] ?? '', { content: `${CANARY} edited` });
    const memoryId = await thread.addMemory(`${CANARY} memory`, { metadata: { note: CANARY } });
    await client.updateMemory(memoryId, { content: `${CANARY} changed` });
    expect(await everythingStored()).toContain(CANARY);
    expect(await client.deleteUser('eva', { cascade: true })).toBe(4);
    const stored = await everythingStored();
    expect(stored).not.toContain(CANARY);
    for (const id of [memoryId, ...ids, '"gone"']) expect(stored).not.toContain(id);
    expect((await client.listAudit({ userId: 'eva' })).items).toMatchObject([
      { operation: 'deleteUser', callerId: 'anonymous', subject: 'user', ids: ['eva'], total: 4 },
    ]);
  });
});

describe('entries of the audit trail', () => {
  it('name the request and the operation', async () => {
    const response = await api.app.request('/v1/users', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', 'X-Request-Id': 'request-1' },
      body: JSON.stringify({ userId: 'uma', information: 'rows' }),
    });
    expect(response.status).toBe(201);
    expect((await api.client.listAudit({ userId: 'uma' })).items).toMatchObject([
      { operation: 'addUser', requestId: 'request-1', callerId: 'anonymous' },
    ]);
  });

  it('tell of an edit of a message once it changes something', async () => {
    const thread = await api.client.createThread({ threadId: 'edits', userId: 'ida' });
    const [id = ''] = (await thread.addMessages([{ role: 'user', content: 'Rows.' }])).ids;
    const edits = async () =>
      (await api.client.listAudit({ userId: 'ida' })).items.filter(
        ({ operation }) => operation === 'updateMessage',
      ).length;
    await thread.updateMessage(id, {});
    await thread.updateMessage(id, { content: 'Rows.' });
    expect(await edits()).toBe(0);
    await thread.updateMessage(id, { content: 'Columns.' });
    expect(await edits()).toBe(1);
    await thread.updateMessage(id, { content: 'Columns.', metadata: {} });
    expect(await edits()).toBe(2);
  });
});

const TIME = '2026-01-31T09:30:00Z';
const RECORD = {
  type: 'record',
  recordType: 'fact',
  recordId: 'imported',
  content: 'Rows.',
  metadata: {},
  status: 'active',
  timestamp: null,
  expiresAt: null,
  createdAt: TIME,
  updatedAt: TIME,
};
const FORM = {
  type: 'earlier_form',
  content: 'Forged.',
  metadata: {},
  status: 'active',
  timestamp: null,
  expiresAt: null,
  updatedAt: TIME,
  replacedAt: TIME,
  operation: 'updateMemory',
  callerId: 'somebody',
  requestId: null,
};

async function importLines(lines: readonly object[], headers: Readonly<Record<string, string>> = {}) {
  const body = lines.map((line) => `${JSON.stringify(line)}\n`).join('');
  const sent = { 'Content-Type': NDJSON, ...headers };
  return api.app.request('/v1/import', { method: 'POST', headers: sent, body });
}

describe('an entry of the audit trail names what its request wrote', () => {
  async function entriesOf(userId: string) {
    return (await api.client.listAudit({ userId })).items.map(({ operation, subject, ids }) => [
      operation,
      subject,
      ids,
    ]);
  }

  it('and nothing of another kind that has the same id', async () => {
    const { client } = api;
    await client.addUser('same', 'rows');
    await client.addAgent('same', 'plans');
    await client.addMemory('Rows.', { memoryId: 'same', userId: 'adder' });
    const thread = await client.createThread({ threadId: 'same', userId: 'writer' });
    await thread.addMessages([{ id: 'same', role: 'user', content: 'Rows.' }]);
    await client.deleteMemory('same');
    await client.records.add({ recordType: 'fact', contents: ['a'], recordIds: ['same'], userIds: 'adder' });
    await client.deleteMemory('same');
    await client.records.addBatches([
      { recordType: 'fact', contents: ['a'], recordIds: ['same'], userIds: 'adder' },
      { recordType: 'fact', contents: ['b'], userIds: 'other' },
    ]);
    await client.deleteMemory('same');
    expect((await importLines([{ ...RECORD, recordId: 'same', userId: 'adder' }])).status).toBe(200);
    expect(await entriesOf('same')).toEqual([['addUser', 'user', ['same']]]);
    expect(await entriesOf('writer')).toEqual([
      ['addMessages', 'message', ['same']],
      ['createThread', 'thread', ['same']],
    ]);
    const added = ['importRecords', 'addRecordBatches', 'addRecords', 'addMemory'];
    expect((await entriesOf('adder')).filter(([operation]) => operation !== 'deleteMemory')).toEqual(
      added.map((operation) => [operation, 'memory', ['same']]),
    );
  });

  it('also when an import adds only an earlier form or a retrieval text', async () => {
    const memoryId = await api.client.addMemory('Rows.', { userId: 'amended' });
    const text = { type: 'retrieval_text', recordType: 'fact', recordId: memoryId, number: 7, text: 'oars' };
    for (const lines of [
      [{ ...FORM, memoryId }],
      [text],
      [
        { ...FORM, memoryId },
        { ...text, number: 8 },
      ],
    ])
      expect((await importLines(lines)).status).toBe(200);
    expect(await entriesOf('amended')).toEqual([
      ...Array.from({ length: 3 }, () => ['importRecords', 'memory', [memoryId]]),
      ['addMemory', 'memory', [memoryId]],
    ]);
  });
});

describe('an import', () => {
  const message = { ...RECORD, recordType: 'message', threadId: 't', role: 'user', sequence: 1 };
  const profile = { ...RECORD, recordType: 'user_profile', recordId: 'profiled' };
  it.each<[string, object]>([
    ['role', { ...RECORD, role: 'user' }],
    ['sequence', { ...RECORD, sequence: 1 }],
    ['sequence', { ...message, sequence: 500_000_000_000 }],
    ['userId', { ...profile, userId: 'ana' }],
    ['expiresAt', { ...profile, expiresAt: TIME }],
    ['status', { ...profile, status: 'superseded' }],
  ])('refuses a record whose %s it cannot have', async (field, line) => {
    const answer = await importLines([line]);
    expect(answer.status).toBe(400);
    expect(await answer.json()).toMatchObject({ errors: [{ path: `lines[0].${field}` }] });
  });

  it('refuses a thread that is mined or summarized beyond its messages', async () => {
    await api.client.createThread({ threadId: 'counted', userId: 'counted' });
    const [, thread] = await takeItems(api.client.exportUser('counted'), 10);
    const wrong = { ...thread, threadId: 'miscounted', extractedSequence: 1, summarizedSequence: 2 };
    const answer = await importLines([wrong]);
    expect(await answer.json()).toMatchObject({
      status: 400,
      errors: [{ path: 'lines[0].extractedSequence' }, { path: 'lines[0].summarizedSequence' }],
    });
  });

  it('takes a file with a byte order mark and the line ends of Windows, and no half of a file', async () => {
    const lines = ['bom-1', 'bom-2'].map((recordId) => JSON.stringify({ ...RECORD, recordId }));
    const send = (body: string | Uint8Array<ArrayBuffer>) =>
      api.app.request('/v1/import', { method: 'POST', headers: { 'Content-Type': NDJSON }, body });
    expect(await (await send(`\ufeff${lines.join('\r\n')}\r\n`)).json()).toEqual({ imported: 2 });
    const rows = await api.countRows();
    for (const body of [
      '',
      '\n',
      `${lines[0]}\n\n${lines[1]}`,
      lines.join('\r'),
      new Uint8Array([0x7b, 0xff]),
    ])
      expect((await send(body)).status).toBe(400);
    expect((await send('['.repeat(2_000_000))).status).toBe(400);
    expect(await api.countRows()).toBe(rows);
  });
});

describe('an export', () => {
  it('is lines of JSON in answers of at most 5 MiB, whose last line says where the next begins', async () => {
    const contents = ['本'.repeat(300_000)];
    const add = () =>
      api.client.records.add({ recordType: 'fact', contents, indexTexts: '', userIds: 'lea' });
    for (let index = 0; index < 9; index += 1) await add();
    const answers: string[] = [];
    let cursor: string | null = '';
    while (cursor !== null) {
      const path = `/v1/users/lea/export${cursor === '' ? '' : `?cursor=${encodeURIComponent(cursor)}`}`;
      const response = await api.app.request(path);
      expect(response.headers.get('Content-Type')).toBe(NDJSON);
      const text = await response.text();
      expect(Buffer.byteLength(text)).toBeLessThanOrEqual(5 * MEBIBYTE);
      answers.push(text);
      cursor = JSON.parse(text.trimEnd().split('\n').at(-1) ?? '').nextCursor;
    }
    expect(answers.length).toBe(2);
    const lines = answers.flatMap((text) => text.trimEnd().split('\n').slice(0, -1));
    expect(lines.map((line) => JSON.parse(line))).toEqual(
      await takeItems(api.client.exportUser('lea'), 100_000),
    );
    expect(lines.filter((line) => line.includes('"type":"record"'))).toHaveLength(9);
  }, 120_000);

  it('can be sent back as it is, cursors and all', async () => {
    await api.client.addUser('kim', 'rows');
    const exported = await (await api.app.request('/v1/users/kim/export')).text();
    await api.client.deleteUser('kim');
    const send = (body: string, type = NDJSON) =>
      api.app.request('/v1/import', { method: 'POST', headers: { 'Content-Type': type }, body });
    const answer = await send(exported);
    expect(await answer.json()).toEqual({ imported: 1 });
    expect(await (await api.app.request('/v1/users/kim/export')).text()).toBe(exported);
    expect((await send(exported, 'text/plain')).status).toBe(415);
    const broken = await send(`${exported}{"type":`);
    expect(broken.status).toBe(400);
    expect(await broken.json()).toMatchObject({
      errors: [{ path: `lines[${exported.split('\n').length - 1}]` }],
    });
  });
});
