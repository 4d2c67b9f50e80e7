import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readProjectFile } from '../../infra/docs/documentation-pages.ts';
import type { OracleSession } from '../../infra/local/oracle/engine/oracle-engine.ts';
import { createHashEmbedder } from '../../lib/testing/hash-embedder.ts';
import { type ApiFixture, startApi } from '../api/api-fixture.ts';
import { readSqlclScript } from '../schema/sqlcl-script.ts';
import { oracleAgentMemoryTables } from './oracleagentmemory-tables.ts';

const embedder = createHashEmbedder();
const DIMENSIONS = embedder.dimensions ?? 64;
const CREATED = "TIMESTAMP '2026-03-01 10:00:00 +00:00'";

let api: ApiFixture;
let session: OracleSession;
beforeAll(async () => {
  api = await startApi();
  session = api.emulator.engine.openSession();
  await execute(...oracleAgentMemoryTables('AGENT_'));
});
afterAll(async () => {
  await session?.close();
  await api?.close();
});

async function execute(...texts: readonly string[]): Promise<void> {
  for (const text of texts) await session.execute(text, []);
  await session.commit();
}

/** Runs the script as SQLcl does; returns the rows of its report. */
async function runScript(given: Readonly<Record<string, string>> = {}) {
  const steps = readSqlclScript(readProjectFile('infra/sql/import-oracleagentmemory.sql'), {
    given: {
      ...{ source_prefix: 'AGENT_', prefix: '', vector_dimensions: `${DIMENSIONS}`, take_embeddings: 'yes' },
      ...given,
    },
  });
  let report: readonly unknown[] = [];
  try {
    for (const { kind, text } of steps) {
      if (kind === 'command') continue;
      const { rows } = await session.execute(text, []);
      if (text.startsWith('SELECT')) report = rows.map(([name, ...counts]) => [name, ...counts.map(Number)]);
    }
  } catch (error) {
    await session.rollback();
    throw error;
  }
  return report;
}

interface SourceRecord {
  readonly id: string;
  readonly kind: string;
  readonly content: string;
  readonly threadId?: string;
  readonly timestamp?: string;
  readonly metadata?: string;
  readonly expires?: string;
  readonly chunks?: readonly string[];
}

const literal = (value: string | undefined): string =>
  value === undefined ? 'NULL' : `'${value.replaceAll("'", "''")}'`;

async function addSource(table: 'MESSAGE' | 'MEMORY', record: SourceRecord): Promise<void> {
  const type = table === 'MESSAGE' ? 'message_role' : 'memory_type';
  const { id, kind, content, threadId, timestamp, metadata, expires = 'NULL', chunks = [content] } = record;
  await execute(`INSERT INTO AGENT_${table} (record_id, thread_id, user_id, agent_id, ${type}, content, timestamp,
  metadata, expires_at, created_at)
VALUES (${literal(id)}, ${literal(threadId)}, 'ana', 'pia', ${literal(kind)}, ${literal(content)}, ${literal(timestamp)},
  ${literal(metadata)}, ${expires}, ${CREATED})`);
  await addChunks(id, table === 'MESSAGE' ? 'message' : kind, chunks);
}

async function addChunks(id: string, type: string, chunks: readonly string[]): Promise<void> {
  const vectors = await embedder.embed({ texts: chunks, purpose: 'document' });
  for (const [index, chunk] of chunks.entries()) {
    await execute(`INSERT INTO AGENT_RECORD_CHUNKS (source_id, source_record_type, source_emb_column, chunk_seq, chunk_text,
  embedding)
VALUES (${literal(id)}, ${literal(type)}, 'content', ${index + 1}, ${literal(chunk)}, '[${vectors[index]?.join(', ')}]')`);
  }
}

describe('import-oracleagentmemory.sql', () => {
  beforeAll(async () => {
    await execute(
      `INSERT INTO AGENT_THREAD (record_id, user_id, agent_id, metadata, created_at)
VALUES ('trip', 'ana', 'pia', '{"channel": "web"}', ${CREATED})`,
      `INSERT INTO AGENT_THREAD (record_id, created_at) VALUES ('alone', ${CREATED})`,
      `INSERT INTO AGENT_ACTOR_PROFILE (actor_id, actor_type, information, metadata, created_at)
VALUES ('ana', 'user', 'Ana is a designer.', '{"team": "blue"}', ${CREATED})`,
      `INSERT INTO AGENT_ACTOR_PROFILE (actor_id, actor_type, information, created_at)
VALUES ('pia', 'agent', 'Pia plans trips.', ${CREATED})`,
    );
    await addChunks('ana', 'user_profile', ['Ana is a designer.']);
    await addChunks('trip', 'thread', ['a text about the thread']);
    const messages = [
      { id: 'm1', kind: 'user', content: 'I live in Porto.', timestamp: '2026-02-28T09:00:00.123456+01:00' },
      { id: 'm2', kind: 'assistant', content: 'Noted.', timestamp: '2026-02-28T08:00:01Z' },
      { id: 'm3', kind: 'user', content: 'Thanks!', timestamp: '2026-02-28 08:00:02' },
      { id: 'm4', kind: 'user', content: 'When?', timestamp: 'last Tuesday', metadata: '{"a": 1}' },
      { id: 'm5', kind: 'user', content: 'Impossible.', timestamp: '2026-02-30T08:00:00' },
      { id: 'm6', kind: 'user', content: 'Gone.', expires: "TIMESTAMP '2026-03-02 00:00:00 +00:00'" },
    ];
    for (const message of messages) await addSource('MESSAGE', { ...message, threadId: 'trip' });
    await addSource('MEMORY', {
      ...{ id: 'f1', kind: 'fact', content: 'Ana lives in Porto near the river.', threadId: 'trip' },
      metadata: '{"$agent_memory": {"importance": 4}}',
      chunks: ['Ana lives in Porto', 'near the river.'],
    });
    await addSource('MEMORY', { id: 'p1', kind: 'preference', content: 'Prefers trains.' });
    await addSource('MEMORY', { id: 'i1', kind: 'image', content: 'A picture.' });
  });

  it('stops before it writes when the tables are of another version', async () => {
    const [meta, rows] = ['AGENT_ORACLEAGENTMEMORY_SCHEMA_META', await api.countRows()];
    await execute(`UPDATE ${meta} SET metadata_value = '13' WHERE metadata_key = 'schema_version'`);
    await expect(runScript()).rejects.toThrow('another schema version than 12');
    await execute(`UPDATE ${meta} SET metadata_value = '12' WHERE metadata_key = 'schema_version'`);
    expect(await api.countRows()).toBe(rows);
  });

  it('copies what the API then reads, and says what it left out', async () => {
    expect(await runScript()).toEqual([
      ['threads', 2, 2, 0],
      ['messages', 6, 5, 0],
      ['memories', 3, 2, 0],
      ['profiles', 2, 2, 1],
    ]);
    const created = await api.client.createThread({ extraction: { extractMemories: false } });
    const thread = await api.client.getThread('trip');
    expect(thread).toMatchObject({
      userId: 'ana',
      agentId: 'pia',
      metadata: { channel: 'web' },
      extraction: created.extraction,
      contextCardTokenLimit: created.contextCardTokenLimit,
      maxMessageTokenLength: created.maxMessageTokenLength,
      messageShorteningInputTokenLimit: created.messageShorteningInputTokenLimit,
      createdAt: '2026-03-01T10:00:00.000Z',
    });
    expect(await api.client.getThread('alone')).toMatchObject({ userId: 'alone', agentId: 'alone' });
    const created_at = '2026-03-01T10:00:00.000Z';
    expect(await thread.getMessages()).toEqual([
      {
        id: 'm1',
        role: 'user',
        content: 'I live in Porto.',
        timestamp: '2026-02-28T08:00:00.123Z',
        metadata: {},
      },
      { id: 'm2', role: 'assistant', content: 'Noted.', timestamp: '2026-02-28T08:00:01.000Z', metadata: {} },
      { id: 'm3', role: 'user', content: 'Thanks!', timestamp: '2026-02-28T08:00:02.000Z', metadata: {} },
      {
        ...{ id: 'm4', role: 'user', content: 'When?', timestamp: created_at },
        metadata: { a: 1, sdk_timestamp: 'last Tuesday' },
      },
      {
        ...{ id: 'm5', role: 'user', content: 'Impossible.', timestamp: created_at },
        metadata: { sdk_timestamp: '2026-02-30T08:00:00' },
      },
    ]);
    expect(await api.client.getMemory('f1')).toMatchObject({
      ...{ recordType: 'fact', content: 'Ana lives in Porto near the river.', threadId: 'trip' },
      metadata: { $agent_memory: { importance: 4 } },
    });
    expect(await api.client.getMemory('p1')).toMatchObject({ recordType: 'preference', threadId: null });
    expect(await api.client.getUser('ana')).toMatchObject({
      content: 'Ana is a designer.',
      metadata: { team: 'blue' },
    });
    expect(await api.client.getAgent('pia')).toMatchObject({ content: 'Pia plans trips.' });
  });

  it('takes the vectors along, so that what was copied is found', async () => {
    const [river] = await api.client.search('near the river.', { userId: 'ana', recordTypes: ['fact'] });
    expect(river).toMatchObject({ id: 'f1', content: 'Ana lives in Porto near the river.' });
    expect(river?.distance).toBeLessThan(0.01);
    const [message] = await api.client.search('I live in Porto.', {
      userId: 'ana',
      recordTypes: ['message'],
    });
    expect(message?.id).toBe('m1');
    const [profile] = await api.client.records.search({
      query: 'designer',
      k: 1,
      recordTypes: ['user_profile'],
    });
    expect(profile?.id).toBe('ana');
  });

  it('changes nothing the second time, and later takes what has come since', async () => {
    const rows = await api.countRows();
    await runScript();
    expect(await api.countRows()).toBe(rows);
    await (await api.client.getThread('trip')).addMessages([
      { id: 'own', role: 'user', content: 'Written here.' },
    ]);
    await addSource('MESSAGE', { id: 'm7', kind: 'user', content: 'Written there.', threadId: 'trip' });
    await runScript();
    const thread = await api.client.getThread('trip');
    await thread.addMessages([{ id: 'last', role: 'user', content: 'And here.' }]);
    const ids = (await thread.getMessages()).map(({ id }) => id);
    expect(ids).toEqual(['m1', 'm2', 'm3', 'm4', 'm5', 'own', 'm7', 'last']);
  });

  it.each([
    ['of another model', 'in kilometres', { take_embeddings: 'no' }, 1],
    ['of another width', 'in miles', {}, 2],
  ])('leaves vectors %s to be embedded', async (_case, content, given, without) => {
    await addSource('MEMORY', { id: content, kind: 'guideline', content });
    if (without === 2) {
      await execute(
        `UPDATE AGENT_RECORD_CHUNKS SET embedding = '[1, 2, 3]' WHERE source_id = ${literal(content)}`,
      );
    }
    expect((await runScript(given))[2]).toEqual(['memories', 3 + without, 2 + without, 1]);
    const search = () => api.client.search(content, { userId: 'ana', recordTypes: ['guideline'] });
    expect((await search()).map(({ id }) => id)).not.toContain(content);
    await api.client.records.update('guideline', content, { indexText: content });
    expect((await search())[0]?.id).toBe(content);
  });
});
