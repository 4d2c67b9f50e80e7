import type { Emulator } from '../infra/local/oracle/start-emulator.ts';
import type { Binds } from '../lib/sql/bind.ts';
import { compileBlock } from '../lib/sql/block-compiler.ts';
import { type FixedStatement, statementHash } from '../lib/sql/fixed-statement.ts';
import type { OrdsConfig } from '../lib/sql/ords/config.ts';
import type { OrdsRuntime } from '../lib/sql/ords/ords-http-client.ts';
import { createOrdsTransport } from '../lib/sql/ords/ords-transport.ts';
import type { SqlTransport } from '../lib/sql/sql-transport.ts';
import type { AtomicList, Query, ResultShape } from '../lib/sql/statement.ts';

export interface ModuleTransportOptions extends Omit<OrdsConfig, 'mode'> {
  readonly runtime?: Partial<OrdsRuntime>;
  /** Names of statements that belong to a test and are installed when they are first called. */
  readonly isOfTest: (name: string) => boolean;
}

/**
 * Installed statements for everything but DDL, which goes to REST-Enabled SQL as the owner's would. What a test makes up
 * is installed just before it is called; a statement of the product that is not in its list fails, as in a deployment.
 */
export function createModuleTransport(
  emulator: Pick<Emulator, 'installStatements'>,
  { runtime, isOfTest, ...config }: ModuleTransportOptions,
): SqlTransport {
  const owner = createOrdsTransport({ ...config, isolatesRows: false, mode: 'rest-sql' }, runtime);
  const module = createOrdsTransport({ ...config, mode: 'module' }, runtime);
  return {
    capabilities: module.capabilities,
    async query(query, options) {
      if (isOfTest(query.name)) emulator.installStatements([await queryStatement(query)]);
      return module.query(query, options);
    },
    async executeAtomic(list, options) {
      if (isOfTest(list.name)) emulator.installStatements([await listStatement(list)]);
      return module.executeAtomic(list, options);
    },
    executeDdl: (sql, options) => owner.executeDdl(sql, options),
    async close() {
      await module.close();
      await owner.close();
    },
  };
}

async function queryStatement({ name, sql, binds, shape }: Query<ResultShape>): Promise<FixedStatement> {
  const text = sql.trim();
  const hash = await statementHash(text);
  return { name, hash, sql: text, kind: 'query', binds: types(binds), shape, outs: [] };
}

async function listStatement(list: AtomicList): Promise<FixedStatement> {
  const { sql, binds, outs } = compileBlock(list);
  const hash = await statementHash(sql);
  const outNames = outs.map((out) => out.name);
  return { name: list.name, hash, sql, kind: 'atomic', binds: types(binds), shape: {}, outs: outNames };
}

function types(binds: Binds): FixedStatement['binds'] {
  return Object.fromEntries(Object.entries(binds).map(([name, { type }]) => [name, type]));
}
