import { describe, expect, it, vi } from 'vitest';
import { clob, number, text } from '../../lib/sql/bind.ts';
import type { DriverResult } from '../../lib/sql/node-oracledb/oracle-driver.ts';
import { createThinTransport } from '../../lib/sql/node-oracledb/thin-transport.ts';
import type { AtomicList, Query } from '../../lib/sql/statement.ts';
import { CONFIG, createScriptedDriver, driverError, scriptedTransport, TYPES } from './scripted-driver.ts';

const QUERY = {
  name: 'notes.one',
  sql: ' SELECT n.id AS id FROM note n WHERE n.id = :id ',
  binds: { id: text('a') },
  shape: { id: 'text' },
} as const satisfies Query<{ readonly id: 'text' }>;
const ROWS: DriverResult = { metaData: [{ name: 'ID' }], rows: [['a']] };
const WRITE: AtomicList = {
  name: 'notes.add',
  binds: { id: text('a'), body: clob('x'.repeat(32_767)), more: clob('ü'.repeat(20_000)), amount: number(1) },
  statements: [{ name: 'note', sql: 'INSERT INTO note VALUES (:id, :body, :more, :amount)' }],
};

describe('what a direct connection asks of the driver', () => {
  it('is nothing before the first call, and one pool for calls at once', async () => {
    const scripted = createScriptedDriver({ execute: async () => ROWS });
    const transport = scriptedTransport(scripted);
    expect(scripted.pools).toHaveLength(0);
    await Promise.all([transport.query(QUERY), transport.query(QUERY)]);
    expect(scripted.pools).toHaveLength(1);
    expect(scripted.pools[0]).toMatchObject({
      user: 'memory',
      password: 'secret',
      poolMin: 0,
      poolMax: 2,
      poolPingInterval: 1,
      poolPingTimeout: 1_000,
      queueTimeout: 5_000,
      connectTimeout: 5,
      transportConnectTimeout: 3,
      maxLifetimeSession: 900,
      homogeneous: true,
    });
    await transport.close();
    expect(scripted.events.filter((event) => event === 'pool closed')).toHaveLength(1);
  });

  it('is a new pool when the last could not be opened', async () => {
    let attempts = 0;
    const scripted = createScriptedDriver({
      async createPool() {
        attempts += 1;
        if (attempts === 1) throw driverError('NJS-530', 'host not found');
      },
      execute: async () => ROWS,
    });
    expect(await scriptedTransport(scripted).query(QUERY)).toEqual([{ id: 'a' }]);
    expect(attempts).toBe(2);
  });

  it('is a wallet, a token instead of a password, and retries that are short', async () => {
    const scripted = createScriptedDriver({ execute: async () => ROWS });
    const accessToken = () => Promise.resolve('a.b.c');
    await scriptedTransport(scripted, {
      connectString:
        '(description=(retry_count=20)(retry_delay=3)(connect_timeout=120)(address=(protocol=tcps)(host=h)(port=1522)))',
      credentials: { kind: 'token', accessToken },
      wallet: { content: 'PEM', password: 'wallet secret' },
      poolMax: 7,
    }).query(QUERY);
    expect(scripted.pools[0]).toMatchObject({
      connectString:
        '(description=(retry_count=1)(retry_delay=1)(connect_timeout=5)(address=(protocol=tcps)(host=h)(port=1522)))',
      accessToken,
      externalAuth: true,
      walletContent: 'PEM',
      walletPassword: 'wallet secret',
      poolMax: 7,
    });
    expect(scripted.pools[0]).not.toHaveProperty('password');
  });

  it('is UTC and binary comparison once a session, before each call with a server pool', async () => {
    const plain = createScriptedDriver({ execute: async () => ROWS });
    await scriptedTransport(plain).query(QUERY);
    expect(plain.settings).toEqual([
      expect.stringMatching(/TIME_ZONE = '\+00:00'.*NLS_SORT = BINARY NLS_COMP = BINARY/),
    ]);
    expect(plain.driver.connectionClass).toBe('');
    for (const connectString of ['h/service:pooled', '(description=(connect_data=(server=POOLED)))']) {
      const pooled = createScriptedDriver({ execute: async () => ROWS });
      const transport = scriptedTransport(pooled, { connectString });
      await transport.query(QUERY);
      await transport.query(QUERY);
      expect(pooled.driver.connectionClass).toBe('AGENT_MEMORY');
      expect(pooled.settings).toHaveLength(2);
    }
  });

  it('is a query with its rows at once, one more than the limit, and CLOBs as text', async () => {
    const scripted = createScriptedDriver({ execute: async () => ROWS });
    expect(await scriptedTransport(scripted, { maxRows: 9 }).query(QUERY)).toEqual([{ id: 'a' }]);
    const [execution] = scripted.executions;
    expect(execution).toMatchObject({
      sql: QUERY.sql.trim(),
      binds: { id: { val: 'a', type: TYPES.varchar } },
      options: { maxRows: 10 },
    });
    const { fetchTypeHandler, prefetchRows } = execution?.options ?? {};
    expect(fetchTypeHandler?.({ name: 'C', dbType: TYPES.clob })).toEqual({ type: TYPES.varchar });
    expect(fetchTypeHandler?.({ name: 'N', dbType: TYPES.number })).toBeUndefined();
    expect(prefetchRows).toBeGreaterThan(1_001);
  });

  it('is a block that commits, with CLOBs as VARCHAR2 as far as PL/SQL takes them', async () => {
    const scripted = createScriptedDriver({ execute: async () => ({ outBinds: { rows_1: 1 } }) });
    expect(await scriptedTransport(scripted).executeAtomic(WRITE)).toEqual({ note: 1 });
    const [execution] = scripted.executions;
    expect(execution?.options).toEqual({ autoCommit: true });
    expect(execution?.binds).toMatchObject({
      body: { type: TYPES.varchar },
      more: { type: TYPES.clob },
      amount: { val: 1, type: TYPES.number },
      rows_1: { dir: 3003, type: TYPES.number },
    });
    const query = { ...QUERY, binds: { id: clob('x'.repeat(4_001)) } };
    const other = createScriptedDriver({ execute: async () => ROWS });
    await scriptedTransport(other).query(query);
    await scriptedTransport(other).query({ ...QUERY, binds: { id: clob('') } });
    expect(other.executions.map(({ binds }) => binds.id)).toEqual([
      { val: 'x'.repeat(4_001), type: TYPES.clob },
      { val: null, type: TYPES.varchar },
    ]);
  });

  it('is a call that takes no longer than the limit', async () => {
    const scripted = createScriptedDriver({ execute: async () => ROWS });
    await scriptedTransport(scripted, { timeoutMilliseconds: 4_000 }).query(QUERY);
    const timeout = scripted.executions[0]?.callTimeout ?? 0;
    expect(timeout > 0 && timeout <= 4_000).toBe(true);
  });
});

describe('what a direct connection makes of the driver’s answers', () => {
  it('is an error for more rows than the limit, and for a row count that is none', async () => {
    const rows = createScriptedDriver({ execute: async () => ({ ...ROWS, rows: [['a'], ['b']] }) });
    await expect(scriptedTransport(rows, { maxRows: 1 }).query(QUERY)).rejects.toMatchObject({
      code: 'internal',
    });
    const counts = createScriptedDriver({ execute: async () => ({ outBinds: { rows_1: null } }) });
    await expect(scriptedTransport(counts).executeAtomic(WRITE)).rejects.toMatchObject({ code: 'internal' });
  });

  it('is an error when DDL created something that does not compile', async () => {
    const scripted = createScriptedDriver({ execute: async () => ({ warning: driverError('NJS-700') }) });
    await expect(scriptedTransport(scripted).executeDdl('CREATE FUNCTION f …')).rejects.toMatchObject({
      code: 'internal',
    });
  });

  it('is new sessions after DDL, but not between two of them', async () => {
    const scripted = createScriptedDriver({ execute: async () => ROWS });
    const transport = scriptedTransport(scripted);
    await transport.executeDdl('CREATE TABLE a (b NUMBER)');
    await transport.executeDdl('CREATE TABLE c (d NUMBER)');
    expect(scripted.pools).toHaveLength(1);
    await transport.query(QUERY);
    expect(scripted.pools).toHaveLength(2);
    await vi.waitFor(() => expect(scripted.events).toContain('pool closed'));
  });

  it('is another pool when a log-in hangs, and the same when sessions are in use', async () => {
    let isHanging = true;
    const scripted = createScriptedDriver({
      async getConnection() {
        if (isHanging) throw driverError('NJS-040', 'connection request timeout');
      },
      execute: async () => ROWS,
    });
    const transport = scriptedTransport(scripted);
    await expect(transport.query(QUERY)).rejects.toMatchObject({ code: 'unavailable', retryAfterSeconds: 5 });
    isHanging = false;
    await transport.query(QUERY);
    expect(scripted.pools).toHaveLength(2);

    const held = Promise.withResolvers<DriverResult>();
    let calls = 0;
    const busy = createScriptedDriver({
      async getConnection() {
        calls += 1;
        if (calls > 1) throw driverError('NJS-040', 'connection request timeout');
      },
      execute: () => held.promise,
    });
    const narrow = scriptedTransport(busy, { poolMax: 1 });
    const first = narrow.query(QUERY);
    await vi.waitFor(() => expect(busy.executions).toHaveLength(1));
    await expect(narrow.query(QUERY)).rejects.toMatchObject({ code: 'unavailable' });
    held.resolve(ROWS);
    await first;
    expect(busy.pools).toHaveLength(1);
  });

  it('is internal, without a second try, when the driver is not there or fails by itself', async () => {
    let loads = 0;
    const missing = createThinTransport(CONFIG, async () => {
      loads += 1;
      throw new Error('Cannot find package SECRET');
    });
    await expect(missing.query(QUERY)).rejects.toMatchObject({
      code: 'internal',
      message: 'the database driver could not be loaded',
    });
    expect(loads).toBe(1);
    const broken = createScriptedDriver({
      execute: () => Promise.reject(new TypeError('SECRET is not a function')),
    });
    const failed: unknown = await scriptedTransport(broken)
      .query(QUERY)
      .catch((error: unknown) => error);
    expect(failed).toMatchObject({ code: 'internal', message: expect.not.stringContaining('SECRET') });
    expect(broken.executions).toHaveLength(1);
  });

  it('is a session given back once its caller has gone', async () => {
    const late = Promise.withResolvers<void>();
    const scripted = createScriptedDriver({ getConnection: () => late.promise });
    const transport = scriptedTransport(scripted);
    const controller = new AbortController();
    const outcome = transport.query(QUERY, { signal: controller.signal });
    await vi.waitFor(() => expect(scripted.pools).toHaveLength(1));
    controller.abort('gone');
    await expect(outcome).rejects.toBe('gone');
    late.resolve();
    await transport.close();
    expect(scripted.events).toEqual(['session closed', 'pool closed']);
    expect(scripted.executions).toEqual([]);
  });

  it('is another pool also when the caller of a log-in that hangs did not wait for it', async () => {
    const hanging = Promise.withResolvers<void>();
    let logins = 0;
    const scripted = createScriptedDriver({
      getConnection: () => {
        logins += 1;
        return logins === 1 ? hanging.promise : Promise.resolve();
      },
      execute: async () => ROWS,
    });
    const transport = scriptedTransport(scripted);
    const controller = new AbortController();
    const outcome = transport.query(QUERY, { signal: controller.signal });
    await vi.waitFor(() => expect(logins).toBe(1));
    controller.abort('gone');
    await expect(outcome).rejects.toBe('gone');
    hanging.reject(driverError('NJS-040', 'connection request timeout'));
    await vi.waitFor(() => expect(scripted.events).toContain('pool closed'));
    expect(await transport.query(QUERY)).toEqual([{ id: 'a' }]);
    expect(scripted.pools).toHaveLength(2);
  });

  it('is another pool when a session cannot be set, of which the driver is not told', async () => {
    const errors = [driverError('ORA-01013', 'cancelled'), driverError('NJS-500', 'closed')];
    const scripted = createScriptedDriver({
      async setSession() {
        const error = errors.shift();
        if (error !== undefined) throw error;
      },
      execute: async () => ROWS,
    });
    const transport = scriptedTransport(scripted);
    await expect(transport.query(QUERY)).rejects.toMatchObject({ code: 'timeout' });
    expect(await transport.query(QUERY)).toEqual([{ id: 'a' }]);
    expect(scripted.pools).toHaveLength(3);
    expect(scripted.settings).toHaveLength(3);
    expect(scripted.executions).toHaveLength(1);
  });

  it('refuses wrong settings by name', () => {
    const open = (change: object) => createThinTransport({ ...CONFIG, ...change }, () => Promise.reject());
    expect(() => open({ connectString: '  ' })).toThrow(/ORACLE_CONNECT_STRING/);
    expect(() => open({ poolMax: 0 })).toThrow(/poolMax/);
    expect(() => open({ timeoutMilliseconds: 0.5 })).toThrow(/timeoutMilliseconds/);
  });
});
