import { describe, expect, it } from 'vitest';
import { AgentMemoryError } from '../../lib/errors/agent-memory-error.ts';
import { clob, number, text } from '../../lib/sql/bind.ts';
import { createOrdsTransport } from '../../lib/sql/ords/ords-transport.ts';
import type { AtomicList, Query } from '../../lib/sql/statement.ts';
import { answer, REPLIES, type Reply, type ScriptedOrdsOptions, scriptedOrds } from './scripted-ords.ts';

const QUERY = {
  name: 'notes.get',
  sql: 'SELECT n.note_id AS note_id, n.amount AS amount FROM note n WHERE n.note_id = :note_id',
  binds: { note_id: text('n1') },
  shape: { note_id: 'text', amount: 'number' },
} satisfies Query<{ note_id: 'text'; amount: 'number' }>;

const LIST: AtomicList = {
  name: 'notes.touch',
  binds: { note_id: text(''), content: clob(''), amount: number(7) },
  statements: [
    {
      name: 'note',
      sql: 'UPDATE note SET content = :content, amount = :amount WHERE note_id = :note_id',
      expect: { rows: 1, otherwise: 'not_found', message: 'note not found' },
    },
  ],
};
const COLUMNS = ['note_id', 'amount'];

async function errorOf(promise: Promise<unknown>): Promise<AgentMemoryError> {
  const error: unknown = await promise.then(
    () => 'no error',
    (reason: unknown) => reason,
  );
  if (!(error instanceof AgentMemoryError)) throw new Error(`not an AgentMemoryError: ${String(error)}`);
  return error;
}

const queryError = (reply: Reply, options?: ScriptedOrdsOptions): Promise<AgentMemoryError> =>
  errorOf(scriptedOrds([reply], options).transport.query(QUERY));

const { rows } = REPLIES['rest-sql'];

describe('REST-Enabled SQL requests', () => {
  it('sends a query with named binds, its own limit and Basic credentials in UTF-8', async () => {
    const { transport, sent } = scriptedOrds([rows(COLUMNS, [['n1', 3]])], {
      maxRows: 500,
    });
    expect(await transport.query(QUERY)).toEqual([{ note_id: 'n1', amount: 3 }]);
    expect(sent[0]?.url).toBe('https://db.example/ords/memory/_/sql');
    expect(Buffer.from(sent[0]?.authorization.slice(6) ?? '', 'base64').toString()).toBe('memory:pässword');
    expect(JSON.parse(sent[0]?.body ?? '')).toMatchObject({
      statementText: QUERY.sql,
      limit: 500,
      binds: [{ name: 'note_id', data_type: 'VARCHAR2', value: 'n1' }],
      responseFormat: { resultSetMetaData: true, result: true, binds: true },
    });
    expect(transport.capabilities.maxRows).toBe(500);
  });

  it('sends an atomic list as one block, empty text as NULL, and reads row counts from result or value', async () => {
    for (const key of ['result', 'value']) {
      const out = answer({ items: [{ statementId: 1, result: 0, binds: [{ name: 'ROWS_1', [key]: 1 }] }] });
      const { transport, sent } = scriptedOrds([out]);
      expect(await transport.executeAtomic(LIST)).toEqual({ note: 1 });
      expect(sent).toHaveLength(1);
      expect(JSON.parse(sent[0]?.body ?? '').binds).toEqual([
        { name: 'note_id', data_type: 'VARCHAR2', value: null },
        { name: 'content', data_type: 'CLOB', value: null },
        { name: 'amount', data_type: 'NUMBER', value: 7 },
        { name: 'rows_1', data_type: 'NUMBER', mode: 'out' },
      ]);
    }
  });

  it('refuses an address that would show credentials', () => {
    const credentials = { kind: 'basic', username: 'u', password: 'p' } as const;
    for (const url of ['http://db.example/ords/memory', 'https://u:p@db.example/ords/memory', 'db.example']) {
      expect(() => createOrdsTransport({ url, credentials })).toThrow(/^ORDS_URL/);
    }
    createOrdsTransport({ url: 'http://127.0.0.1:9999/ords/memory', credentials });
  });

  it.each([
    ['&', "SELECT 'a&b' AS note_id, 1 AS amount FROM dual"],
    ['a comment', 'SELECT n.note_id /* x */ AS note_id FROM note n'],
    ['a blank line', 'SELECT 1 AS note_id\n \nFROM dual'],
    ['a command line', 'SELECT 1 AS note_id FROM dual\n@x'],
    ['a continuation', 'SELECT 2 -\n 1 AS note_id FROM dual'],
  ])('sends no text with %s', async (_name, sql) => {
    const { transport, sent } = scriptedOrds([]);
    expect((await errorOf(transport.query({ ...QUERY, sql, binds: {} }))).code).toBe('internal');
    expect(sent).toEqual([]);
  });

  it('sends nothing when a bind is missing or not used', async () => {
    const { transport, sent } = scriptedOrds([]);
    expect((await errorOf(transport.query({ ...QUERY, binds: {} }))).code).toBe('internal');
    const binds = { ...QUERY.binds, other: text('x') };
    expect((await errorOf(transport.query({ ...QUERY, binds }))).code).toBe('internal');
    expect(sent).toEqual([]);
  });
});

describe('REST-Enabled SQL answers', () => {
  it('treats a missing key as NULL', async () => {
    const items = [{ resultSet: { items: [{ note_id: 'n1' }], hasMore: false } }];
    const { transport } = scriptedOrds([answer({ items })]);
    expect(await transport.query(QUERY)).toEqual([{ note_id: 'n1', amount: null }]);
  });

  it.each<[string, Reply]>([
    ['two statements', answer({ items: [{ result: 1 }, { result: 1 }] })],
    ['no statement', answer({ items: [] })],
    ['another body', answer({ rows: [] })],
  ])('is an internal error for %s', async (_name, reply) => {
    expect(await queryError(reply)).toMatchObject({ code: 'internal', retryable: false });
  });

  it('takes the first ORA number of the details when there is no code', async () => {
    const errorDetails = 'ORA-12899: value too large for column\nORA-06512: at line 4';
    const reply = answer({ items: [{ statementId: 1, errorDetails }] });
    expect((await queryError(reply)).code).toBe('invalid_request');
  });
});
