import { AgentMemoryError } from '../../errors/agent-memory-error.ts';
import { checkBinds } from '../bind-rules.ts';
import { compileBlock } from '../block-compiler.ts';
import { decodeRows } from '../result-shape.ts';
import { checkRowAccess, refuseRowAccess } from '../row-access.ts';
import { placeholderNames } from '../sql-scanner.ts';
import type { CallOptions, SqlTransport } from '../sql-transport.ts';
import type { AtomicList, Query, ResultShape } from '../statement.ts';
import { checkStatementText } from '../statement-text.ts';
import { type OrdsConfig, resolveOrdsConfig } from './config.ts';
import { createModuleWire } from './module-wire.ts';
import { createOrdsHttpClient, type OrdsRuntime } from './ords-http-client.ts';
import type { OrdsResult, OrdsStatement } from './ords-wire.ts';
import { createRestSqlWire } from './rest-sql-wire.ts';

const DEFAULT_RUNTIME: OrdsRuntime = {
  fetch: (input, init) => fetch(input, init),
  now: Date.now,
  random: Math.random,
  wait: (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds)),
};

/**
 * SQL over ORDS: each call is one HTTPS request, one session, one transaction. In the mode `rest-sql` the text is sent
 * to REST-Enabled SQL; in the mode `module` the database has the texts, and only installed statements run. Uses nothing
 * but `fetch` and WebCrypto, so it runs in Node and in Workers.
 *
 * @throws AgentMemoryError `invalid_request` naming a wrong setting
 */
export function createOrdsTransport(config: OrdsConfig, runtime: Partial<OrdsRuntime> = {}): SqlTransport {
  const resolved = resolveOrdsConfig(config);
  const send = createOrdsHttpClient(resolved, { ...DEFAULT_RUNTIME, ...runtime });
  const fixedStatements = resolved.mode === 'module';
  const wire = (fixedStatements ? createModuleWire : createRestSqlWire)(resolved.schemaUrl);

  async function run(
    what: Omit<OrdsStatement, 'rowAccess'>,
    { signal, rowAccess }: CallOptions,
  ): Promise<OrdsResult> {
    const statement = { ...what, rowAccess };
    checkStatementText(statement.name, statement.sql);
    if (resolved.isolatesRows) checkRowAccess(statement);
    else refuseRowAccess(statement);
    const message = await wire.encode(statement, resolved.maxRows);
    const repeatable = statement.kind === 'query';
    const answer = await send({ ...message, repeatable, reportsError: wire.reportsError, signal });
    return wire.decode(statement, answer);
  }

  return {
    capabilities: Object.freeze({ maxRows: resolved.maxRows, fixedStatements }),
    async query<Shape extends ResultShape>(query: Query<Shape>, options: CallOptions = {}) {
      const { name, sql, binds } = query;
      checkBinds(name, binds, placeholderNames(sql));
      const result = await run({ ...NOTHING_ELSE, kind: 'query', name, sql: sql.trim(), binds }, options);
      return decodeRows(query, result.columns, result.rows);
    },
    async executeAtomic(list: AtomicList, options: CallOptions = {}) {
      const { sql, binds, outs: blockOuts } = compileBlock(list);
      const outs = blockOuts.map((out) => out.name);
      const expectations = list.statements.flatMap((each) => each.expect ?? []);
      const result = await run({ kind: 'atomic', name: list.name, sql, binds, outs, expectations }, options);
      return Object.fromEntries(blockOuts.map((out) => [out.statement, result.outs[out.name] ?? 0]));
    },
    async executeDdl(sql: string, options: CallOptions = {}) {
      if (fixedStatements) throw noDdl();
      await run({ ...NOTHING_ELSE, kind: 'ddl', name: 'ddl', sql: sql.trim(), binds: {} }, options);
    },
    async close() {},
  };
}

const NOTHING_ELSE = { outs: [], expectations: [] } as const;

function noDdl(): AgentMemoryError {
  return new AgentMemoryError(
    'unsupported',
    'ORDS_MODE=module runs installed statements only: change the schema as its owner, with ORDS_MODE=rest-sql or the script of npm run schema -- plan',
  );
}
