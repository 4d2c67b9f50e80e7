import { describe, expect, it } from 'vitest';
import type { DriverBind, DriverSession, OracleDriver } from '../../lib/sql/node-oracledb/oracle-driver.ts';
import { createThinTransport } from '../../lib/sql/node-oracledb/thin-transport.ts';
import { createOrdsTransport } from '../../lib/sql/ords/ords-transport.ts';
import { MAXIMUM_ROW_OWNERS, withRowAccess } from '../../lib/sql/row-access.ts';
import type { SqlTransport } from '../../lib/sql/sql-transport.ts';

interface Executed {
  readonly sql: string;
  readonly binds: Readonly<Record<string, DriverBind>>;
}

/** A driver whose sessions keep what they are told, and answer a query with no rows. */
function scriptedDriver(executed: Executed[], failing?: RegExp): OracleDriver {
  const session: DriverSession = {
    callTimeout: 0,
    async execute(sql, binds) {
      executed.push({ sql, binds });
      if (failing?.test(sql)) throw Object.assign(new Error('ORA-06550: PLS-00201'), { errorNum: 6550 });
      return { metaData: [{ name: 'ONE' }], rows: [], outBinds: { rows_1: 1 } };
    },
    async break() {},
    async ping() {},
    async close() {},
  };
  return {
    BIND_OUT: 3003,
    OUT_FORMAT_ARRAY: 4001,
    DB_TYPE_VARCHAR: { name: 'VARCHAR' },
    DB_TYPE_CLOB: { name: 'CLOB' },
    DB_TYPE_NUMBER: { name: 'NUMBER' },
    connectionClass: '',
    createPool: async () => ({ getConnection: async () => session, async close() {} }),
  };
}

function openThin(executed: Executed[], rowAccessProcedure?: string, failing?: RegExp): SqlTransport {
  const credentials = { kind: 'password', user: 'u', password: 'p' } as const;
  const config = { connectString: 'localhost:1521/AGENTMEMORY', credentials, rowAccessProcedure };
  return createThinTransport(config, async () => scriptedDriver(executed, failing));
}

const query = {
  name: 'test.one',
  sql: 'SELECT 1 AS one FROM dual',
  binds: {},
  shape: { one: 'number' },
} as const;
const write = {
  name: 'test.write',
  binds: {},
  statements: [{ name: 'changed', sql: "UPDATE SHOP_MEMORY_THREAD t SET t.user_id = 'x'" }],
};
const PROCEDURE = 'SHOP_MEMORY_ROW_ACCESS';
const values = ({ binds }: Executed) =>
  Object.fromEntries(Object.entries(binds).map(([name, bind]) => [name, 'val' in bind ? bind.val : bind]));

describe('the thin transport with row isolation', () => {
  it('restricts its session before a query and before a write, in a call of its own', async () => {
    const executed: Executed[] = [];
    const transport = withRowAccess(openThin(executed, PROCEDURE), {
      userIds: ['alice', 'b"o\'b'],
      agentIds: [],
    });
    await transport.query(query);
    await transport.executeAtomic(write);
    const [first, second, third, fourth, ...others] = executed;
    for (const access of [first, third]) {
      expect(access?.sql).toBe(`BEGIN\n  ${PROCEDURE}(:row_access, :row_owners);\nEND;`);
      expect(access && values(access)).toEqual({
        row_access: 'USERS',
        row_owners: '{"userIds":["alice","b\\"o\'b"],"agentIds":[]}',
      });
    }
    expect(second?.sql).toBe(query.sql);
    expect(fourth?.sql).toContain('UPDATE SHOP_MEMORY_THREAD');
    expect(others).toEqual([]);
  });

  it('asks for every row when nobody is restricted, for DDL too, because a new session sees none', async () => {
    const executed: Executed[] = [];
    const transport = openThin(executed, PROCEDURE);
    await transport.query(query);
    await transport.executeDdl('DROP TABLE SHOP_MEMORY_META');
    const calls = executed.filter(({ sql }) => sql.includes(PROCEDURE)).map(values);
    const every = { row_access: 'EVERY', row_owners: null };
    expect(calls).toEqual([every, every]);
    expect(executed).toHaveLength(4);
  });

  it('runs nothing on a session that it could not restrict', async () => {
    const executed: Executed[] = [];
    const transport = openThin(executed, PROCEDURE, /ROW_ACCESS/);
    await expect(
      transport.query(query, { rowAccess: { userIds: ['alice'], agentIds: [] } }),
    ).rejects.toThrow();
    expect(executed.map(({ sql }) => sql)).not.toContain(query.sql);
  });

  it('allows nothing for an empty list, and refuses one that is too long', async () => {
    const executed: Executed[] = [];
    const transport = openThin(executed, PROCEDURE);
    await transport.query(query, { rowAccess: { userIds: [], agentIds: [] } });
    expect(executed[0] && values(executed[0])).toEqual({
      row_access: 'USERS',
      row_owners: '{"userIds":[],"agentIds":[]}',
    });
    const userIds = Array.from({ length: MAXIMUM_ROW_OWNERS + 1 }, (_, index) => `user ${index}`);
    await expect(transport.query(query, { rowAccess: { userIds, agentIds: [] } })).rejects.toMatchObject({
      code: 'unsupported',
    });
    expect(executed).toHaveLength(2);
  });
});

describe('a transport without row isolation', () => {
  it.each(['thin', 'rest-sql'])('sends nothing of a restricted call: %s', async (kind) => {
    const executed: Executed[] = [];
    const ords = createOrdsTransport(
      { url: 'https://host/ords/memory', credentials: { kind: 'basic', username: 'u', password: 'p' } },
      { fetch: async () => expect.unreachable('nothing may be sent') },
    );
    const transport = withRowAccess(kind === 'thin' ? openThin(executed) : ords, {
      userIds: ['alice'],
      agentIds: [],
    });
    await expect(transport.query(query)).rejects.toMatchObject({ code: 'unsupported' });
    await expect(transport.executeAtomic(write)).rejects.toMatchObject({ code: 'unsupported' });
    expect(executed).toEqual([]);
  });
});
