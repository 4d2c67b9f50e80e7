import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { OracleError } from '../../infra/local/oracle/sql/oracle-error.ts';
import { readMigrations } from '../../infra/schema-migrations.ts';
import { type EnsureSchemaOptions, ensureSchema } from '../../lib/schema/ensure-schema.ts';
import type { Migration } from '../../lib/schema/render-migration.ts';
import { tableNames } from '../../lib/schema/schema-names.ts';
import { readSchemaState, writeSchemaState } from '../../lib/schema/schema-state.ts';
import { createMemoryStore } from '../../lib/store/create-memory-store.ts';
import { chunkAt } from '../conformance/store-fixtures.ts';
import { type EmulatedStore, openEmulatedStore } from '../store/emulated-store.ts';
import { DIMENSIONS, NO_RETENTION, newRecord } from '../store/store-samples.ts';

/** Versions that do not exist, of every kind of statement: a column, its values from what is there, a table, an index. */
const LATER: readonly Migration[] = [
  {
    version: 4,
    fileName: '004.sql',
    part: 'store',
    sql: `ALTER TABLE &prefix.MEMORY_RECORD ADD content_length NUMBER(12);
      UPDATE &prefix.MEMORY_RECORD r SET r.content_length = LENGTH(r.content) WHERE r.content_length IS NULL;
      CREATE TABLE &prefix.MEMORY_NOTE (
  note_id VARCHAR2(10 CHAR) NOT NULL
);`,
  },
  {
    version: 5,
    fileName: '005.sql',
    part: 'store',
    sql: 'CREATE INDEX &prefix.MEMORY_RECORD_LENGTH_IX ON &prefix.MEMORY_RECORD (content_length);',
  },
];
const NEWEST = [...readMigrations(), ...LATER];

let opened: EmulatedStore;
let failAt: RegExp | undefined;
let statements: string[] = [];

beforeAll(async () => {
  opened = await openEmulatedStore({
    beforeStatement: (text) => {
      statements.push(text);
      if (failAt?.test(text)) throw new OracleError(1653, 'unable to extend table');
    },
  });
});
afterAll(() => opened?.transport.close());

function ensure(changes: Partial<EnsureSchemaOptions> = {}) {
  return ensureSchema({
    transport: opened.transport,
    names: opened.names,
    policy: 'create_if_necessary',
    migrations: NEWEST,
    vectorDimensions: DIMENSIONS,
    searchStrategy: 'keyword',
    searchIndexSync: 'on_commit',
    retention: NO_RETENTION,
    embedderModel: 'none',
    ...changes,
  });
}

async function lengths(): Promise<readonly (number | null)[]> {
  const rows = await opened.transport.query({
    name: 'test.lengths',
    sql: `SELECT r.content_length AS content_length FROM ${opened.names.record} r ORDER BY r.order_seq`,
    binds: {},
    shape: { content_length: 'number' },
  });
  return rows.map((row) => row.content_length);
}

beforeEach(async () => {
  failAt = undefined;
  await opened.transport.executeDdl('DROP TABLE IF EXISTS MEMORY_NOTE PURGE');
  await ensure({ policy: 'recreate', confirmRecreate: true, migrations: readMigrations() });
  const { transport, names } = opened;
  const settings = { dimensions: DIMENSIONS, retention: NO_RETENTION };
  const store = createMemoryStore({ transport, names, settings });
  for (const content of ['one', 'three'])
    await store.addRecord(newRecord(content, { content, chunks: [chunkAt(1)] }), undefined);
  statements = [];
});

const ddl = () => statements.filter((text) => /^(?:CREATE|ALTER|DROP|UPDATE MEMORY_RECORD)/.test(text));

describe('a store of an older version', () => {
  it('is brought through every version with its data, once', async () => {
    expect(await ensure()).toMatchObject({ schemaVersion: 5, searchStrategy: 'keyword' });
    expect(await lengths()).toEqual([3, 5]);
    statements = [];
    await ensure();
    expect(ddl()).toEqual([]);
    expect(await ensure({ policy: 'require_existing' })).toMatchObject({ schemaVersion: 5 });
  });

  it.each(['require_existing', 'create_if_empty'] as const)(
    'is refused by %s, which names the remedy',
    async (policy) => {
      await expect(ensure({ policy })).rejects.toMatchObject({
        code: 'invalid_request',
        message: expect.stringMatching(/version 3 and needs 5.*npm run schema -- apply/),
      });
      expect(ddl()).toEqual([]);
    },
  );

  it('goes on from the version that it reached after a failure in the middle', async () => {
    failAt = /^CREATE TABLE MEMORY_NOTE/;
    await expect(ensure()).rejects.toMatchObject({ code: 'unavailable' });
    expect(await readSchemaState(opened.transport, opened.names)).toMatchObject({ schemaVersion: 3 });
    failAt = /^CREATE INDEX MEMORY_RECORD_LENGTH_IX/;
    await expect(ensure()).rejects.toMatchObject({ code: 'unavailable' });
    expect(await readSchemaState(opened.transport, opened.names)).toMatchObject({ schemaVersion: 4 });
    failAt = undefined;
    statements = [];
    expect(await ensure()).toMatchObject({ schemaVersion: 5 });
    expect(ddl()).toEqual([expect.stringMatching(/^CREATE INDEX MEMORY_RECORD_LENGTH_IX/)]);
    expect(await lengths()).toEqual([3, 5]);
  });

  it('is brought up by two at once', async () => {
    const states = await Promise.all([ensure(), ensure()]);
    expect(states.map(({ schemaVersion }) => schemaVersion)).toEqual([5, 5]);
    expect(await lengths()).toEqual([3, 5]);
  });

  it('stays a hybrid store when a program upgrades it that searches by words', async () => {
    const hybrid = { searchStrategy: 'hybrid' } as const;
    await ensure({ policy: 'recreate', confirmRecreate: true, migrations: readMigrations(), ...hybrid });
    expect(await ensure({ searchStrategy: 'keyword' })).toMatchObject({ schemaVersion: 5, ...hybrid });
    expect(await ensure(hybrid)).toMatchObject(hybrid);
  });

  it('does not go back when a slower process records an older version', async () => {
    const state = await ensure();
    await writeSchemaState(opened.transport, opened.names, { ...state, schemaVersion: 4 });
    expect(await readSchemaState(opened.transport, opened.names)).toMatchObject({ schemaVersion: 5 });
  });
});

it('an empty schema gets the newest version at once', async () => {
  for (const table of tableNames(opened.names))
    await opened.transport.executeDdl(`DROP TABLE IF EXISTS ${table} PURGE`);
  expect(await ensure({ policy: 'create_if_empty' })).toMatchObject({ schemaVersion: 5 });
  expect(await lengths()).toEqual([]);
});

it('a store that claims the newest version without its column must be recreated', async () => {
  await ensure();
  await opened.transport.executeDdl('ALTER TABLE MEMORY_RECORD DROP COLUMN content_length');
  await expect(ensure()).rejects.toMatchObject({
    code: 'conflict',
    message: expect.stringMatching(/claims schema version 5.*MEMORY_RECORD\.CONTENT_LENGTH.*recreate/),
  });
});

it('a store of version 2 keeps its data and gets an audit trail and history', async () => {
  const older = readMigrations().filter(({ version }) => version <= 2);
  await opened.transport.executeDdl('DROP TABLE IF EXISTS MEMORY_NOTE PURGE');
  await ensure({ policy: 'recreate', confirmRecreate: true, migrations: older });
  await opened.transport.executeAtomic({
    name: 'test.insert',
    binds: {},
    statements: [
      {
        name: 'insert',
        sql: `INSERT INTO ${opened.names.record} (record_family, record_id, record_type, content, metadata, created_at, updated_at)
VALUES ('memory', 'old', 'memory', 'as it was', JSON('{}'), :now, :now)`,
      },
    ],
  });
  expect(await ensure({ migrations: readMigrations() })).toMatchObject({ schemaVersion: 3 });
  const { transport, names } = opened;
  const store = createMemoryStore({
    transport,
    names,
    settings: { dimensions: DIMENSIONS, retention: NO_RETENTION },
  });
  await store.updateRecord('memory', 'old', { content: { text: 'as it is', chunks: [] } });
  const history = await store.listHistory({ memoryId: 'old', before: undefined, limit: 10 });
  expect(history?.forms).toMatchObject([{ form: { content: 'as it was', operation: 'updateMemory' } }]);
});
