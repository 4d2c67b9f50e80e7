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
