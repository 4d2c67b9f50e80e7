import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { text } from '../../lib/sql/bind.ts';
import { createOrdsTransport } from '../../lib/sql/ords/ords-transport.ts';
import { MAXIMUM_ROW_OWNERS, withRowAccess } from '../../lib/sql/row-access.ts';
import type { SqlTransport } from '../../lib/sql/sql-transport.ts';
import { createMemoryStore } from '../../lib/store/create-memory-store.ts';
import type { MemoryStore } from '../../lib/store/memory-store.ts';
import { createRequestStore } from '../../lib/store/requests/request-store.ts';
import { connectThin } from '../connect-thin.ts';
import { createModuleTransport } from '../module-transport.ts';
import { type EmulatedStore, openEmulatedStore } from './emulated-store.ts';
import { installRowIsolation } from './install-row-isolation.ts';
import {
  DIMENSIONS,
  direction,
  messageAppend,
  NO_RETENTION,
  newMessage,
  newRecord,
  newThread,
  storeSearch,
} from './store-samples.ts';

const USERS = ['alice', 'bob'] as const;
const TABLES = ['MEMORY_THREAD', 'MEMORY_RECORD', 'MEMORY_CHUNK', 'MEMORY_JOB', 'MEMORY_REQUEST'] as const;
const settings = { dimensions: DIMENSIONS, retention: NO_RETENTION };

let opened: EmulatedStore;
/** Sessions that say whose rows they touch, as ROW_ISOLATION=vpd opens them. */
let isolated: SqlTransport;
/** A way to the database that has not been told about row isolation. */
let unaware: SqlTransport;

const restrictedTo = (...userIds: readonly string[]): SqlTransport =>
  withRowAccess(isolated, { userIds, agentIds: [] });
const storeOver = (transport: SqlTransport): MemoryStore =>
  createMemoryStore({ transport, names: opened.names, settings });

/** What a query finds that its author forgot to limit. */
async function countAll(transport: SqlTransport): Promise<Readonly<Record<string, number>>> {
  const counts = TABLES.map(async (table) => {
    const sql = `SELECT COUNT(*) AS n FROM ${table} r`;
    const [row] = await transport.query({ name: 'test.count', sql, binds: {}, shape: { n: 'number' } });
    return [table, row?.n ?? 0] as const;
  });
  return Object.fromEntries(await Promise.all(counts));
}

async function usersIn(transport: SqlTransport, table: string): Promise<readonly (string | null)[]> {
  const sql = `SELECT DISTINCT r.user_id AS user_id FROM ${table} r`;
  const rows = await transport.query({ name: 'test.users', sql, binds: {}, shape: { user_id: 'text' } });
  return rows.map(({ user_id }) => user_id).toSorted();
}

function change(transport: SqlTransport, sql: string): Promise<number> {
  const list = { name: 'test.change', binds: {}, statements: [{ name: 'changed', sql }] };
  return transport.executeAtomic(list).then(({ changed }) => changed ?? 0);
}

/** A thread with a message, a job and a memory, and the record of a request that made it. */
async function fillFor(store: MemoryStore, userId: string, transport: SqlTransport): Promise<void> {
  const request = {
    requestKey: `key of ${userId}`,
    requestHash: 'hash',
    owners: { threadId: `thread of ${userId}`, userId: null, agentId: null },
  };
  const requests = createRequestStore({ transport, names: opened.names, settings });
  await store.createThread(newThread(`thread of ${userId}`, { userId }));
  const chunks = [{ text: `words of ${userId}`, embedding: direction(0) }];
  const message = newMessage(`message of ${userId}`, { chunks });
  await requests.recording(request).appendMessages(messageAppend(`thread of ${userId}`, [message]));
  await store.addRecord(newRecord(`memory of ${userId}`, { userId, chunks }), undefined);
}

async function fillAll(): Promise<void> {
  for (const userId of USERS) await fillFor(storeOver(isolated), userId, isolated);
  await storeOver(isolated).addRecord(newRecord('memory of nobody', { userId: null }), undefined);
}

/** Over the driver the session is told before each statement; the module's package tells it for the call. */
const ENTRANCES = {
  thin({ emulator, names: { rowAccess }, transport }: EmulatedStore) {
    unaware = transport;
    isolated = connectThin(emulator, { rowAccessProcedure: rowAccess });
  },
  module({ emulator, names: { rowAccess } }: EmulatedStore) {
    const { ordsUrl: url, username, password, fetch } = emulator;
    const config = { url, credentials: { kind: 'basic', username, password } } as const;
    unaware = createOrdsTransport(config, { fetch });
    emulator.installStatements([], rowAccess);
    isolated = createModuleTransport(emulator, {
      ...config,
      isolatesRows: true,
      runtime: { fetch },
      isOfTest: (name) => name.startsWith('test.'),
    });
  },
} as const;

describe.each(['thin', 'module'] as const)('row isolation in the database, %s', (entrance) => {
  beforeAll(async () => {
    opened = await openEmulatedStore(undefined, { entrance });
    await installRowIsolation(opened.emulator.engine, '');
    ENTRANCES[entrance](opened);
  });
  beforeEach(async () => {
    for (const table of TABLES) await change(isolated, `DELETE FROM ${table} r`);
    await fillAll();
  });
  afterAll(async () => {
    await isolated?.close();
    await opened?.transport.close();
  });

  it('shows a restricted session rows of its users only, whatever its query says', async () => {
    const alice = restrictedTo('alice');
    for (const table of ['MEMORY_THREAD', 'MEMORY_RECORD', 'MEMORY_CHUNK']) {
      expect([table, await usersIn(alice, table)]).toEqual([table, ['alice']]);
      expect([table, await usersIn(restrictedTo('bob', 'alice'), table)]).toEqual([table, ['alice', 'bob']]);
    }
    const both = await countAll(restrictedTo('alice', 'bob'));
    for (const [table, count] of Object.entries(await countAll(alice))) {
      expect([table, count * 2]).toEqual([table, both[table]]);
      expect(count).toBeGreaterThan(0);
    }
    const sql =
      "SELECT r.record_id AS id FROM MEMORY_RECORD r WHERE r.user_id = 'bob' OR 1 = 1 ORDER BY r.record_id";
    const rows = await alice.query({ name: 'test.wrong', sql, binds: {}, shape: { id: 'text' } });
    expect(rows).toEqual([{ id: 'memory of alice' }, { id: 'message of alice' }]);
  });

  it('shows nothing to a session that does not say whose rows it wants, and to one that is allowed nobody', async () => {
    const nothing = Object.fromEntries(TABLES.map((table) => [table, 0]));
    expect(await countAll(unaware)).toEqual(nothing);
    expect(await countAll(restrictedTo())).toEqual(nothing);
    expect(await countAll(restrictedTo('nobody', "x' OR 'a' = 'a"))).toEqual(nothing);
    expect((await countAll(isolated)).MEMORY_THREAD).toBe(2);
  });

  it('changes rows of its users only', async () => {
    const alice = restrictedTo('alice');
    expect(await change(alice, "UPDATE MEMORY_THREAD t SET t.agent_id = 'changed'")).toBe(1);
    expect(await change(alice, "UPDATE MEMORY_RECORD r SET r.status = 'archived'")).toBe(2);
    expect(await change(alice, "UPDATE MEMORY_JOB j SET j.kind = 'x'")).toBe(1);
    expect(await change(alice, 'DELETE FROM MEMORY_RECORD r')).toBe(2);
    expect(await change(alice, 'DELETE FROM MEMORY_CHUNK c')).toBeGreaterThan(0);
    expect(await usersIn(isolated, 'MEMORY_RECORD')).toEqual(['bob', null].toSorted());
    expect(await usersIn(isolated, 'MEMORY_CHUNK')).toEqual(['bob']);
    const [bob] = await isolated.query({
      name: 'test.bob',
      sql: 'SELECT t.agent_id AS agent_id FROM MEMORY_THREAD t WHERE t.user_id = :user_id',
      binds: { user_id: text('bob') },
      shape: { agent_id: 'text' },
    });
    expect(bob?.agent_id).not.toBe('changed');
  });

  it('lets no row become one of another user, or of nobody', async () => {
    const alice = restrictedTo('alice');
    const store = storeOver(alice);
    const before = await countAll(isolated);
    await expect(change(alice, "UPDATE MEMORY_RECORD r SET r.user_id = 'bob'")).rejects.toThrow();
    await expect(change(alice, 'UPDATE MEMORY_RECORD r SET r.user_id = NULL')).rejects.toThrow();
    await expect(store.addRecord(newRecord('new', { userId: 'bob' }), undefined)).rejects.toThrow();
    await expect(store.addRecord(newRecord('new', { userId: null }), undefined)).rejects.toThrow();
    await expect(store.createThread(newThread('new', { userId: 'bob' }))).rejects.toThrow();
    expect(await countAll(isolated)).toEqual(before);
  });

  it('counts profiles by their own id', async () => {
    const alice = restrictedTo('alice');
    const store = storeOver(alice);
    const profile = (id: string, family: 'user_profile' | 'agent_profile') =>
      newRecord(id, {
        ...{ family, recordType: family, userId: null, agentId: null, threadId: null },
        chunks: [{ text: `profile of ${id}`, embedding: direction(0) }],
      });
    await store.addRecord(profile('alice', 'user_profile'), undefined);
    await expect(store.addRecord(profile('bob', 'user_profile'), undefined)).rejects.toThrow();
    await expect(store.addRecord(profile('alice', 'agent_profile'), undefined)).rejects.toThrow();
    await storeOver(isolated).addRecord(profile('bob', 'user_profile'), undefined);
    await storeOver(isolated).addRecord(profile('alice', 'agent_profile'), undefined);
    const sql =
      'SELECT r.record_family AS family, r.record_id AS id FROM MEMORY_RECORD r WHERE r.user_id IS NULL';
    const shape = { family: 'text', id: 'text' } as const;
    const rows = await alice.query({ name: 'test.profiles', sql, binds: {}, shape });
    expect(rows).toEqual([{ family: 'user_profile', id: 'alice' }]);
    const texts = 'SELECT COUNT(*) AS n FROM MEMORY_CHUNK c WHERE c.user_id IS NULL';
    const counted = await alice.query({ name: 'test.texts', sql: texts, binds: {}, shape: { n: 'number' } });
    expect(counted).toEqual([{ n: 1 }]);
    const withAgents = withRowAccess(isolated, { userIds: ['bob'], agentIds: ['alice'] });
    const both = await withAgents.query({ name: 'test.profiles', sql, binds: {}, shape });
    expect(both.toSorted((one, other) => (one.id ?? '').localeCompare(other.id ?? ''))).toEqual([
      { family: 'agent_profile', id: 'alice' },
      { family: 'user_profile', id: 'bob' },
    ]);
  });

  it('does not stand in the way of what the store does for a user', async () => {
    const alice = restrictedTo('alice');
    const store = storeOver(alice);
    await fillFor(store, 'alice', alice).then(
      () => expect.unreachable('the ids are taken'),
      () => undefined,
    );
    const query = { strategy: 'keyword', text: 'words' } as const;
    expect(await store.search(storeSearch({ query }))).toHaveLength(2);
    expect(await store.getThread('thread of bob')).toBeUndefined();
    await store.createThread(newThread('second', { userId: 'alice' }));
    await store.appendMessages(messageAppend('second', [newMessage('second message')]));
    await store.deleteThread('thread of alice');
    await store.deleteThread('second');
    await store.deleteThread('thread of bob');
    const left = await countAll(isolated);
    expect(left).toMatchObject({ MEMORY_THREAD: 1, MEMORY_JOB: 1 });
    expect(await usersIn(isolated, 'MEMORY_THREAD')).toEqual(['bob']);
  });

  it('has room for as many users as it says', async () => {
    const others = Array.from({ length: MAXIMUM_ROW_OWNERS - 1 }, (_, index) => `user ${index}`);
    const many = restrictedTo(...others, 'alice');
    expect(await usersIn(many, 'MEMORY_RECORD')).toEqual(['alice']);
    expect(await countAll(many)).toEqual(await countAll(restrictedTo('alice')));
  });

  it('keeps nothing of one call for the next, with two sessions for twelve', async () => {
    const alice = restrictedTo('alice');
    const bob = restrictedTo('bob');
    const seen = await Promise.all(
      Array.from({ length: 12 }, (_, index) => usersIn(index % 2 === 0 ? alice : bob, 'MEMORY_THREAD')),
    );
    expect(seen).toEqual(Array.from({ length: 12 }, (_, index) => [index % 2 === 0 ? 'alice' : 'bob']));
  });
});
