import { checkBinds } from '../bind-rules.ts';
import { compileBlock } from '../block-compiler.ts';
import { decodeRows } from '../result-shape.ts';
import { placeholderNames } from '../sql-scanner.ts';
import type { CallOptions, SqlTransport } from '../sql-transport.ts';
import type { AtomicList, Query, ResultShape } from '../statement.ts';
import { checkStatementText } from '../statement-text.ts';
import { type OrdsConfig, resolveOrdsConfig } from './config.ts';
import { createOrdsHttpClient, type OrdsRuntime } from './ords-http-client.ts';
import { decodeResponse, encodeRequest, type OrdsResult, type OrdsStatement } from './ords-message.ts';

const DEFAULT_RUNTIME: OrdsRuntime = {
  fetch: (input, init) => fetch(input, init),
  now: Date.now,
  random: Math.random,
  wait: (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds)),
};

/**
 * SQL over ORDS REST-Enabled SQL: each call is one HTTPS request, one session, one transaction. Uses nothing but
 * `fetch`, so it runs in Node and in Workers.
 *
 * @throws AgentMemoryError `invalid_request` naming a wrong setting
 */
export function createOrdsTransport(config: OrdsConfig, runtime: Partial<OrdsRuntime> = {}): SqlTransport {
  const resolved = resolveOrdsConfig(config);
  const send = createOrdsHttpClient(resolved, { ...DEFAULT_RUNTIME, ...runtime });

  async function run(
    statement: OrdsStatement,
    repeatable: boolean,
    options: CallOptions,
  ): Promise<OrdsResult> {
    checkStatementText(statement.name, statement.sql);
    const body = encodeRequest(statement, resolved.maxRows);
    return decodeResponse(statement, await send({ body, repeatable, signal: options.signal }));
  }

  return {
    capabilities: Object.freeze({ maxRows: resolved.maxRows, fixedStatements: false }),
    async query<Shape extends ResultShape>(query: Query<Shape>, options: CallOptions = {}) {
      checkBinds(query.name, query.binds, placeholderNames(query.sql));
      const statement = { ...NOTHING_ELSE, name: query.name, sql: query.sql.trim(), binds: query.binds };
      const result = await run(statement, true, options);
      return decodeRows(query, result.columns, result.rows);
    },
    async executeAtomic(list: AtomicList, options: CallOptions = {}) {
      const block = compileBlock(list);
      const outs = block.outs.map((out) => out.name);
      const expectations = list.statements.flatMap((each) => each.expect ?? []);
      const statement = { name: list.name, sql: block.sql, binds: block.binds, outs, expectations };
      const result = await run(statement, false, options);
      return Object.fromEntries(block.outs.map((out) => [out.statement, result.outs[out.name] ?? 0]));
    },
    async executeDdl(sql: string, options: CallOptions = {}) {
      await run({ ...NOTHING_ELSE, name: 'ddl', sql: sql.trim() }, false, options);
    },
    async close() {},
  };
}

const NOTHING_ELSE = { binds: {}, outs: [], expectations: [] } as const;
