import { describe, expect, it } from 'vitest';
import { AgentMemoryError } from '../../lib/errors/agent-memory-error.ts';
import { clob, number, text } from '../../lib/sql/bind.ts';
import { compileBlock } from '../../lib/sql/block-compiler.ts';
import { statementHash } from '../../lib/sql/fixed-statement.ts';
import { oracleErrorOf } from '../../lib/sql/oracle-database-error.ts';
import { createOrdsTransport } from '../../lib/sql/ords/ords-transport.ts';
import { MAXIMUM_ROW_OWNERS } from '../../lib/sql/row-access.ts';
import { answer, REPLIES, type Reply, type ScriptedOrdsOptions, scriptedOrds } from './scripted-ords.ts';

const QUERY = {
  name: 'notes.get',
  sql: '\n SELECT n.note_id AS note_id FROM note n WHERE n.note_id = :note_id AND n.amount > :amount\n',
  binds: { note_id: text('n1'), amount: number(1e-7) },
  shape: { note_id: 'text' },
} as const;
const LIST = {
  name: 'notes.touch',
  binds: { note_id: text(''), content: clob(null) },
  statements: [{ name: 'note', sql: 'UPDATE note SET content = :content WHERE note_id = :note_id' }],
};
const { rows, done } = REPLIES.module;
const scripted = (replies: readonly Reply[], options: ScriptedOrdsOptions = {}) =>
  scriptedOrds(replies, { ...options, mode: 'module' });

describe('requests for installed statements', () => {
  it('name a query and the hash of its text, and carry its binds and limit but no SQL', async () => {
    const { transport, sent } = scripted([rows(['note_id'], [['n1']])], { maxRows: 500 });
    expect(await transport.query(QUERY)).toEqual([{ note_id: 'n1' }]);
    const hash = await statementHash(QUERY.sql.trim());
    expect(sent[0]?.url).toBe(`https://db.example/ords/memory/agent-memory/call/notes.get/${hash}`);
    expect(JSON.parse(sent[0]?.body ?? '')).toEqual({ binds: { note_id: 'n1', amount: 1e-7 }, limit: 500 });
    expect(transport.capabilities).toEqual({ maxRows: 500, fixedStatements: true });
  });

  it('name a list and the hash of its block, with empty text as NULL', async () => {
    const { transport, sent } = scripted([done]);
    expect(await transport.executeAtomic(LIST)).toEqual({ note: 1 });
    expect(sent[0]?.url).toContain(`/call/notes.touch/${await statementHash(compileBlock(LIST).sql)}`);
    expect(JSON.parse(sent[0]?.body ?? '')).toEqual({ binds: { note_id: null, content: null } });
  });

  it('cannot be DDL', async () => {
    const { transport, sent } = scripted([]);
    await expect(transport.executeDdl('DROP TABLE note')).rejects.toMatchObject({
      code: 'unsupported',
      message: expect.stringContaining('ORDS_MODE=module'),
    });
    expect(sent).toEqual([]);
  });
});

describe('whose rows a call may touch', () => {
  const rowAccess = { userIds: ['ana', "o'brien"], agentIds: [] };

  it('travels with the call where the database isolates rows', async () => {
    const { transport, sent } = scripted([rows(['note_id'], []), done, done], { isolatesRows: true });
    await transport.query(QUERY, { rowAccess });
    await transport.executeAtomic(LIST, { rowAccess: { userIds: [], agentIds: [] } });
    await transport.executeAtomic(LIST);
    const sentAccess = sent.map(({ body }) => JSON.parse(body).rowAccess);
    expect(sentAccess).toEqual([rowAccess, { userIds: [], agentIds: [] }, undefined]);
  });

  it('is refused elsewhere, and for more users than the database takes', async () => {
    const { transport, sent } = scripted([]);
    await expect(transport.query(QUERY, { rowAccess })).rejects.toMatchObject({ code: 'unsupported' });
    const isolated = scripted([], { isolatesRows: true });
    const many = {
      userIds: Array.from({ length: MAXIMUM_ROW_OWNERS + 1 }, (_, index) => `u${index}`),
      agentIds: [],
    };
    const refused = isolated.transport.executeAtomic(LIST, { rowAccess: many });
    await expect(refused).rejects.toMatchObject({ code: 'unsupported' });
    const sql = scriptedOrds([]);
    await expect(sql.transport.executeAtomic(LIST, { rowAccess })).rejects.toMatchObject({
      code: 'unsupported',
    });
    expect([...sent, ...isolated.sent, ...sql.sent]).toEqual([]);
  });

  it('cannot be asked of REST-Enabled SQL', () => {
    const credentials = { kind: 'basic', username: 'u', password: 'p' } as const;
    const create = () =>
      createOrdsTransport({ url: 'https://db.example/x', credentials, isolatesRows: true });
    expect(create).toThrow(/^ROW_ISOLATION/);
  });
});

describe('answers of the module', () => {
  it('say which command installs a statement that is not there', async () => {
    const missing = REPLIES.module.failure(20501, 'ORA-20501: the statement is not installed', 404);
    for (const status of [missing, REPLIES.module.failure(20501, 'ORA-20501: …', 200)]) {
      const error: unknown = await scripted([status])
        .transport.query(QUERY)
        .catch((reason) => reason);
      expect(error).toMatchObject({
        code: 'unavailable',
        retryable: false,
        message: expect.stringContaining('npm run schema -- module'),
      });
      expect(oracleErrorOf(error)?.number).toBe(20501);
    }
  });

  it('say how to install a package that isolates rows', async () => {
    const refused = REPLIES.module.failure(20504, 'ORA-20504: rows are not isolated');
    await expect(scripted([refused]).transport.query(QUERY)).rejects.toMatchObject({
      code: 'unavailable',
      retryable: false,
      message: expect.stringContaining('ROW_ISOLATION=vpd'),
    });
  });

  it('that say a call was wrong are a fault of this program', async () => {
    const wrong = REPLIES.module.failure(20502, 'ORA-20502: bind note_id has no value', 400);
    const error: unknown = await scripted([wrong])
      .transport.query(QUERY)
      .catch((reason) => reason);
    if (!AgentMemoryError.is(error)) throw new Error('no error');
    expect(error.code).toBe('internal');
    expect(error.message).not.toContain('note_id');
  });

  it.each<[string, Reply]>([
    ['a row that is too short', answer({ columns: ['note_id'], rows: [[]], more: false })],
    ['a row that is too long', answer({ columns: ['note_id'], rows: [['a', 'b']], more: false })],
    ['a row that is an object', answer({ columns: ['note_id'], rows: [{ note_id: 'a' }], more: false })],
    ['nothing about more rows', answer({ columns: ['note_id'], rows: [] })],
    ['the same column twice', answer({ columns: ['note_id', 'note_id'], rows: [], more: false })],
  ])('with %s are an internal error', async (_name, reply) => {
    await expect(scripted([reply]).transport.query(QUERY)).rejects.toMatchObject({ code: 'internal' });
  });

  it.each([{}, { rows_1: null }, { rows_1: 1.5 }, { rows_1: 'many' }, { rows_2: 1 }])(
    'without the row count of each statement are an internal error: %j',
    async (outs) => {
      const outcome = scripted([answer({ outs })]).transport.executeAtomic(LIST);
      await expect(outcome).rejects.toMatchObject({ code: 'internal' });
    },
  );
});
