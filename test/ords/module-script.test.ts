import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Emulator, startEmulator } from '../../infra/local/oracle/start-emulator.ts';
import { listModuleStatements } from '../../infra/ords/list-module-statements.ts';
import { renderModuleScript, renderRemovalScript } from '../../infra/ords/render-module-script.ts';
import { createSchemaNames } from '../../lib/schema/schema-names.ts';
import type { FixedStatement } from '../../lib/sql/fixed-statement.ts';
import { createOrdsTransport } from '../../lib/sql/ords/ords-transport.ts';
import type { SqlTransport } from '../../lib/sql/sql-transport.ts';
import { readSqlclScript } from '../schema/sqlcl-script.ts';
import { readLiteral } from './read-literal.ts';
import { sampleStatements } from './sample-statements.ts';

const names = createSchemaNames({ memoryStoreId: 'shop' });
let statements: readonly FixedStatement[] = [];
let script = '';
const render = (hasRowIsolation = false): string =>
  renderModuleScript({ names, statements, runtimeUser: 'agent_memory_runtime', hasRowIsolation });
/** SQL of a script: what begins with this verb. */
const steps = (text: string, verb: string): readonly string[] =>
  readSqlclScript(text).flatMap((step) => (step.text.startsWith(verb) ? [step.text] : []));

beforeAll(async () => {
  statements = await sampleStatements();
  script = render();
});

describe('the script of installed statements', () => {
  it('has every text once, with its name, hash, kind and binds', () => {
    const found = steps(script, 'MERGE').map((text) => {
      const [, name = '', hash = ''] =
        /SELECT '(.*)' AS statement_name, '(.*)' AS statement_hash/.exec(text) ?? [];
      const values = /n\.statement_hash, '(\w+)',\n([\s\S]*),\n {4}SYSTIMESTAMP\)$/.exec(text);
      const [sql = '', length, binds = '', outs = ''] = (values?.[2] ?? '').split(
        /,\n {4}(?=TO_CLOB|REPLACE|\d+,)/,
      );
      expect(length).toBe(String(readLiteral(sql).length));
      const [bindTypes, outNames] = [binds, outs].map((value) => JSON.parse(readLiteral(value)));
      return { name, hash, kind: values?.[1], sql: readLiteral(sql), binds: bindTypes, outs: outNames };
    });
    expect(found).toEqual(statements.map(({ shape: _shape, ...statement }) => statement));
  });

  it('is ASCII without variables, in lines that SQLcl takes', () => {
    expect(script).toMatch(/^[\n -~]*$/);
    expect(script).not.toMatch(/&\w+\./);
    for (const line of script.split('\n')) expect(line.length).toBeLessThan(2_499);
    expect(steps(script, 'SET DEFINE OFF')).toHaveLength(1);
  });

  it('makes table, function and package before the texts, checks them, and lets the runtime user call', () => {
    const heads = readSqlclScript(script).map(({ text }) => text.split(/[\n(]/)[0]?.trim());
    expect(heads.filter((head) => !head?.startsWith('MERGE'))).toEqual([
      'SET DEFINE OFF',
      'SET FEEDBACK OFF',
      'WHENEVER SQLERROR EXIT FAILURE ROLLBACK',
      'CREATE TABLE IF NOT EXISTS SHOP_MEMORY_STATEMENT',
      'CREATE OR REPLACE FUNCTION SHOP_MEMORY_METADATA_MATCHES',
      'CREATE OR REPLACE PACKAGE SHOP_MEMORY_CALL',
      'CREATE OR REPLACE PACKAGE BODY SHOP_MEMORY_CALL',
      'DECLARE',
      'DECLARE',
      'COMMIT',
      'GRANT EXECUTE ON SHOP_MEMORY_CALL TO AGENT_MEMORY_RUNTIME',
      `PROMPT ${statements.length} statements are installed`,
    ]);
  });

  it('says whose rows a call may touch only where the database isolates rows', () => {
    expect(script).not.toContain('MEMORY_ROW_ACCESS');
    expect(script).toContain(
      "IF p_request.has('rowAccess') THEN\n      RAISE_APPLICATION_ERROR(c_not_isolated,",
    );
    const isolated = render(true);
    for (const access of ["('EVERY', NULL)", "('USERS', ", "('NONE', NULL)"]) {
      expect(isolated).toContain(`SHOP_MEMORY_ROW_ACCESS${access}`);
    }
    expect(isolated).not.toMatch(/&\w+\./);
  });

  it('grants to a user by a plain name alone', () => {
    const grantTo = (runtimeUser: string) => () =>
      renderModuleScript({ names, statements, runtimeUser, hasRowIsolation: false });
    for (const name of ['', 'a b', 'a;', '"a"', 'PUBLIC, x']) expect(grantTo(name)).toThrow(/runtime-user/);
  });
});

describe('the table of installed statements', () => {
  let emulator: Emulator;
  let transport: SqlTransport;
  beforeAll(async () => {
    emulator = await startEmulator();
    const { ordsUrl: url, username, password, fetch } = emulator;
    transport = createOrdsTransport({ url, credentials: { kind: 'basic', username, password } }, { fetch });
    await install(script);
  });
  afterAll(() => emulator?.close());

  const install = async (text: string): Promise<void> => {
    for (const verb of ['CREATE TABLE', 'MERGE']) {
      for (const sql of steps(text, verb)) await transport.executeDdl(sql);
    }
  };
  const installed = () =>
    transport.query({
      name: 'statements.list',
      sql: 'SELECT s.statement_hash AS hash, s.statement_text AS sql_text, s.bind_types AS binds, DBMS_LOB.GETLENGTH(s.statement_text) - s.text_length AS difference FROM shop_memory_statement s',
      binds: {},
      shape: { hash: 'text', sql_text: 'text', binds: 'json', difference: 'number' },
    });
  const expected = (list: readonly FixedStatement[]) =>
    list.map(({ hash, sql, binds }) => ({ hash, sql_text: sql, binds, difference: 0 }));

  it('holds each text as it is', async () => {
    expect(await installed()).toEqual(expect.arrayContaining(expected(statements)));
    expect(await installed()).toHaveLength(statements.length);
  });

  it('holds each text of the product as it is', async () => {
    const product = await listModuleStatements(names, 384);
    await install(
      renderModuleScript({ names, statements: product, runtimeUser: 'x', hasRowIsolation: false }),
    );
    const byHash = new Map((await installed()).map((row) => [row.hash, row]));
    for (const each of product) expect(byHash.get(each.hash)).toEqual(expected([each])[0]);
    for (const sql of steps(renderRemovalScript(names, statements), 'DELETE'))
      await transport.executeDdl(sql);
    expect(await installed()).toHaveLength(statements.length);
  }, 120_000);

  it('takes the binds of the program that was installed last, when a text of both is the same', async () => {
    const [statement] = statements;
    if (statement === undefined) throw new Error('no statement to install');
    const changed = { ...statement, binds: { other: 'clob' } as const };
    const options = { names, runtimeUser: 'x', hasRowIsolation: false };
    await install(renderModuleScript({ ...options, statements: [changed] }));
    expect(await installed()).toEqual(expect.arrayContaining(expected([changed])));
    await install(renderModuleScript({ ...options, statements: [statement] }));
    expect(await installed()).toEqual(expect.arrayContaining(expected(statements)));
  });

  it('keeps what an older program runs, until it is removed', async () => {
    const [newer] = statements;
    if (newer === undefined) throw new Error('there are no sample statements');
    await install(
      renderModuleScript({ names, statements: [newer], runtimeUser: 'x', hasRowIsolation: false }),
    );
    expect(await installed()).toHaveLength(statements.length);
    for (const sql of steps(renderRemovalScript(names, [newer]), 'DELETE')) await transport.executeDdl(sql);
    expect(await installed()).toEqual(expected([newer]));
  });
});
