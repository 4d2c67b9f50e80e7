import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PROJECT_ROOT } from '../../infra/docs/documentation-pages.ts';
import { createOracleEngine } from '../../infra/local/oracle/engine/create-oracle-engine.ts';
import type {
  EngineBind,
  OracleEngine,
  OracleSession,
} from '../../infra/local/oracle/engine/oracle-engine.ts';
import { readSqlclScript } from '../schema/sqlcl-script.ts';

const SETUP = [
  'CREATE TABLE notes (id NUMBER(9) NOT NULL, owner_id VARCHAR2(20 CHAR), body VARCHAR2(20 CHAR), CONSTRAINT notes_pk PRIMARY KEY (id))',
  "INSERT INTO notes (id, owner_id, body) VALUES (1, 'alice', 'one'), (2, 'bob', 'two'), (3, NULL, 'three')",
  'CREATE TABLE links (note_id NUMBER(9) NOT NULL)',
  'INSERT INTO links (note_id) VALUES (1), (2), (3)',
  'COMMIT',
  'CREATE CONTEXT note_context USING choose_owner',
  `CREATE OR REPLACE PROCEDURE choose_owner(p_kind IN VARCHAR2, p_owner IN VARCHAR2) AUTHID DEFINER IS
  BEGIN
    DBMS_SESSION.CLEAR_ALL_CONTEXT('NOTE_CONTEXT');
    IF p_kind IS NOT NULL THEN
      DBMS_SESSION.SET_CONTEXT('note_context', 'KIND', p_kind);
      DBMS_SESSION.SET_CONTEXT('note_context', 'OWNER', p_owner);
    END IF;
  END;`,
  `CREATE OR REPLACE FUNCTION note_condition(p_schema IN VARCHAR2, p_table IN VARCHAR2) RETURN VARCHAR2 IS
  BEGIN
    IF SYS_CONTEXT('NOTE_CONTEXT', 'KIND') = 'every' THEN
      RETURN NULL;
    END IF;
    IF SYS_CONTEXT('NOTE_CONTEXT', 'KIND') = 'broken' THEN
      RETURN 'no_such_column = 1';
    END IF;
    IF p_table = 'LINKS' THEN
      RETURN 'note_id IN (SELECT n.id FROM notes n)';
    END IF;
    RETURN 'owner_id = SYS_CONTEXT(''NOTE_CONTEXT'', ''OWNER'', 80)';
  END;`,
];

const addPolicy = (table: string): string => `BEGIN
  DBMS_RLS.ADD_POLICY(object_schema => 'AGENT_MEMORY', object_name => '${table}', policy_name => 'OWN',
    policy_function => 'NOTE_CONDITION', update_check => TRUE, policy_type => DBMS_RLS.CONTEXT_SENSITIVE);
END;`;
const text = (name: string, value: string | null): EngineBind => ({
  name,
  value,
  type: { kind: 'VARCHAR2', length: 4000, unit: 'BYTE' },
  direction: 'in',
});

let engine: OracleEngine;

async function sessionOf(kind: string | null, owner: string | null = null): Promise<OracleSession> {
  const session = engine.openSession();
  await session.execute('BEGIN choose_owner(:kind, :owner); END;', [
    text('KIND', kind),
    text('OWNER', owner),
  ]);
  return session;
}

async function rowsOf(session: OracleSession, sql: string): Promise<readonly unknown[]> {
  return (await session.execute(sql, [])).rows.map(([first]) => first);
}

beforeAll(async () => {
  engine = await createOracleEngine();
  const session = engine.openSession();
  for (const statement of [...SETUP, addPolicy('NOTES'), addPolicy('LINKS')]) {
    await session.execute(statement, []);
  }
  await session.close();
});
afterAll(() => engine?.close());

describe('row policies of the emulator', () => {
  it('show what the session may see, in turns of several sessions', async () => {
    const [alice, bob, every] = await Promise.all([
      sessionOf('own', 'alice'),
      sessionOf('own', 'bob'),
      sessionOf('every'),
    ]);
    const ids = 'SELECT n.id AS id FROM notes n ORDER BY n.id';
    expect(await rowsOf(alice, ids)).toEqual([1]);
    expect(await rowsOf(bob, ids)).toEqual([2]);
    expect(await rowsOf(every, ids)).toEqual([1, 2, 3]);
    expect(
      await rowsOf(alice, 'SELECT l.note_id AS id FROM links l JOIN notes n ON n.id = l.note_id'),
    ).toEqual([1]);
    expect(await rowsOf(alice, 'SELECT COUNT(*) AS n FROM links l')).toEqual([1]);
    expect(await rowsOf(engine.openSession(), ids)).toEqual([]);
    expect(await rowsOf(await sessionOf(null), ids)).toEqual([]);
  });

  it('change what the session may see, and let in nothing that it may not (ORA-28115)', async () => {
    const alice = await sessionOf('own', 'alice');
    const change = async (sql: string) => (await alice.execute(sql, [])).rowsAffected;
    expect(await change("UPDATE notes n SET n.body = 'mine'")).toBe(1);
    expect(await change('DELETE FROM notes n WHERE n.id = 2')).toBe(0);
    expect(await change("INSERT INTO notes (id, owner_id) VALUES (4, 'alice')")).toBe(1);
    const refused = { number: 28115 };
    await expect(change("INSERT INTO notes (id, owner_id) VALUES (5, 'bob')")).rejects.toMatchObject(refused);
    await expect(change('INSERT INTO notes (id) VALUES (5)')).rejects.toMatchObject(refused);
    await expect(change("UPDATE notes n SET n.owner_id = 'bob'")).rejects.toMatchObject(refused);
    const merge = (id: number) =>
      change(
        `MERGE INTO notes n USING (SELECT ${id} AS id FROM dual) s ON (n.id = s.id) ` +
          "WHEN MATCHED THEN UPDATE SET n.body = 'merged' " +
          "WHEN NOT MATCHED THEN INSERT (id, owner_id) VALUES (s.id, 'bob')",
      );
    expect(await merge(1)).toBe(1);
    await expect(merge(2)).rejects.toMatchObject({ number: expect.any(Number) });
    expect(await rowsOf(alice, 'SELECT n.id AS id FROM notes n ORDER BY n.id')).toEqual([1, 4]);
    await alice.rollback();
    const every = await sessionOf('every');
    expect(await rowsOf(every, "SELECT n.id AS id FROM notes n WHERE n.body = 'two'")).toEqual([2]);
    expect(
      await rowsOf(every, "SELECT COUNT(*) AS n FROM notes n WHERE n.body IN ('mine', 'merged')"),
    ).toEqual([0]);
  });

  it('hold inside blocks, after handlers and after a rollback', async () => {
    const alice = await sessionOf('own', 'alice');
    const { outBinds } = await alice.execute(
      `DECLARE
         l_total NUMBER;
       BEGIN
         BEGIN
           INSERT INTO notes (id, owner_id) VALUES (9, 'bob');
         EXCEPTION WHEN OTHERS THEN NULL;
         END;
         UPDATE notes n SET n.body = 'from a block';
         SELECT COUNT(*) INTO l_total FROM notes n;
         :total := l_total;
       END;`,
      [{ name: 'TOTAL', type: { kind: 'NUMBER' }, direction: 'out' }],
    );
    expect(outBinds.TOTAL).toBe(1);
    await alice.rollback();
    expect(await rowsOf(alice, 'SELECT n.id AS id FROM notes n')).toEqual([1]);
  });

  it('take the context from its procedure alone (ORA-01031)', async () => {
    const alice = await sessionOf('own', 'alice');
    const set = "BEGIN DBMS_SESSION.SET_CONTEXT('NOTE_CONTEXT', 'KIND', 'every'); END;";
    await expect(alice.execute(set, [])).rejects.toMatchObject({ number: 1031 });
    await alice.execute(`CREATE PROCEDURE other IS ${set}`, []);
    await expect(alice.execute('BEGIN other(); END;', [])).rejects.toMatchObject({ number: 6550 });
    const clear = "BEGIN DBMS_SESSION.CLEAR_ALL_CONTEXT('NOTE_CONTEXT'); END;";
    await expect(alice.execute(clear, [])).rejects.toMatchObject({ number: 1031 });
    expect(await rowsOf(alice, "SELECT SYS_CONTEXT('note_context', 'owner') AS o FROM dual")).toEqual([
      'alice',
    ]);
  });

  it('give a context value cut to its length, and 256 bytes unless told otherwise', async () => {
    const long = await sessionOf('own', 'é'.repeat(300));
    const lengthOf = (argument: string) =>
      rowsOf(long, `SELECT LENGTHB(SYS_CONTEXT('NOTE_CONTEXT', 'OWNER'${argument})) AS n FROM dual`);
    expect(await lengthOf('')).toEqual([256]);
    expect(await lengthOf(', 600')).toEqual([600]);
    expect(await lengthOf(', 5')).toEqual([4]);
  });

  it('fail when their condition is none (ORA-28113)', async () => {
    const broken = await sessionOf('broken');
    await expect(broken.execute('SELECT n.id AS id FROM notes n', [])).rejects.toMatchObject({
      number: 28113,
    });
  });

  it.each([
    [addPolicy('NOTES'), 28101],
    [addPolicy('NOWHERE'), 942],
    ["BEGIN DBMS_RLS.DROP_POLICY(object_name => 'NOTES', policy_name => 'OTHER'); END;", 28102],
    ['BEGIN choose_owner(:kind); END;', 6550],
    ['BEGIN no_such_procedure(:kind); END;', 6550],
    ['CREATE CONTEXT note_context USING choose_owner', 955],
    ['DROP PROCEDURE no_such_procedure', 4043],
  ])('refuse what Oracle refuses: %s', async (sql, number) => {
    const binds = sql.includes(':kind') ? [text('KIND', 'x')] : [];
    await expect(engine.openSession().execute(sql, binds)).rejects.toMatchObject({ number });
  });

  it('are for the kinds of statements that they name', async () => {
    const session = engine.openSession();
    await session.execute('CREATE TABLE entries (id NUMBER(9), owner_id VARCHAR2(20 CHAR))', []);
    const policy = addPolicy('ENTRIES').replace(
      'update_check',
      "statement_types => 'select, DELETE', update_check",
    );
    await session.execute(policy, []);
    const alice = await sessionOf('own', 'alice');
    await alice.execute("INSERT INTO entries (id, owner_id) VALUES (1, 'bob'), (2, 'alice')", []);
    expect((await alice.execute("UPDATE entries e SET e.owner_id = 'bob'", [])).rowsAffected).toBe(2);
    expect(await rowsOf(alice, 'SELECT e.id AS id FROM entries e')).toEqual([]);
    expect((await alice.execute('DELETE FROM entries e', [])).rowsAffected).toBe(0);
    await alice.commit();
    expect(await rowsOf(await sessionOf('every'), 'SELECT COUNT(*) AS n FROM entries e')).toEqual([2]);
  });

  it('are gone when they are dropped', async () => {
    const session = engine.openSession();
    await session.execute('CREATE TABLE loose (id NUMBER(9))', []);
    await session.execute('INSERT INTO loose (id) VALUES (1)', []);
    const policy = addPolicy('LOOSE').replace('NOTE_CONDITION', 'NO_SUCH_FUNCTION');
    await session.execute(policy, []);
    await expect(rowsOf(session, 'SELECT l.id AS id FROM loose l')).rejects.toMatchObject({ number: 28112 });
    const drop = "BEGIN DBMS_RLS.DROP_POLICY(object_name => 'LOOSE', policy_name => 'OWN'); END;";
    await session.execute(drop, []);
    expect(await rowsOf(session, 'SELECT l.id AS id FROM loose l')).toEqual([1]);
  });
});

describe('infra/sql/admin', () => {
  it('has a script that the emulator runs as it is, but for the owners of objects, of which it has one', async () => {
    const folder = join(PROJECT_ROOT, 'infra/sql/admin');
    const read = (name: string): string => readFileSync(join(folder, name), 'utf8');
    const given = { owner: 'AGENT_MEMORY', policy_admin: 'AGENT_MEMORY', runtime: 'AGENT_MEMORY' };
    const scripts = ['settings.sql', 'row_access_procedure.sql', 'row_predicate_function.sql'];
    const steps = readSqlclScript(scripts.map(read).join('\n'), { read, given });
    const session = engine.openSession();
    for (const step of steps.filter(({ kind }) => kind !== 'command')) {
      await session.execute(step.text.replaceAll('AGENT_MEMORY.', ''), []);
    }
    const predicate = async (table: string) =>
      (await rowsOf(session, `SELECT MEMORY_ROW_PREDICATE('AGENT_MEMORY', '${table}') AS p FROM dual`))[0];
    expect(await predicate('MEMORY_THREAD')).toBe('1 = 0');
    const access = 'BEGIN MEMORY_ROW_ACCESS(:row_access, :ids); END;';
    await session.execute(access, [
      text('ROW_ACCESS', 'USERS'),
      text('IDS', '{"userIds":["alice","b\\"ob"],"agentIds":["guide"]}'),
    ]);
    const users =
      "user_id IN (NULL,SYS_CONTEXT('AGENT_MEMORY_ROWS','U1',512),SYS_CONTEXT('AGENT_MEMORY_ROWS','U2',512))";
    expect(await predicate('MEMORY_THREAD')).toBe(users);
    const threads = `thread_id IN (SELECT t.thread_id FROM MEMORY_THREAD t WHERE t.${users})`;
    const owner = "CASE record_family WHEN 'user_profile' THEN record_id ELSE user_id END";
    const agents = "record_id IN (NULL,SYS_CONTEXT('AGENT_MEMORY_ROWS','A1',512))";
    expect(await predicate('MEMORY_CHUNK')).toBe(
      `(${users.replace('user_id', owner)} OR (record_family = 'agent_profile' AND ${agents}))`,
    );
    expect(await predicate('MEMORY_JOB')).toBe(threads);
    expect(await predicate('MEMORY_REQUEST')).toBe(
      `(${users} OR (user_id IS NULL AND (thread_id IS NULL OR ${threads})))`,
    );
    expect(await rowsOf(session, "SELECT SYS_CONTEXT('AGENT_MEMORY_ROWS', 'U2') AS u FROM dual")).toEqual([
      'b"ob',
    ]);
    await session.execute(access, [text('ROW_ACCESS', 'USERS'), text('IDS', '{"userIds":[],"agentIds":[]}')]);
    expect(await predicate('MEMORY_THREAD')).toBe('user_id IN (NULL)');
    await session.execute(access, [text('ROW_ACCESS', 'EVERY'), text('IDS', null)]);
    expect(await predicate('MEMORY_THREAD')).toBeNull();
    for (const [kind, ids] of [
      ['every', null],
      [null, null],
      ['USERS', 'no array'],
      ['USERS', '["alice"]'],
      ['USERS', null],
      ['USERS', JSON.stringify({ userIds: Array.from({ length: 201 }, String), agentIds: [] })],
    ] as const) {
      await session.execute(access, [text('ROW_ACCESS', 'EVERY'), text('IDS', null)]);
      await session.execute(access, [text('ROW_ACCESS', kind), text('IDS', ids)]).catch(() => undefined);
      expect([kind, ids, await predicate('MEMORY_THREAD')]).not.toEqual([kind, ids, null]);
    }
    await session.execute(access, [text('ROW_ACCESS', 'NONE'), text('IDS', null)]);
    expect(await predicate('MEMORY_THREAD')).toBe('1 = 0');
  });
});
