import { AgentMemoryError } from '../../errors/agent-memory-error.ts';
import { checkBinds } from '../bind-rules.ts';
import { compileBlock } from '../block-compiler.ts';
import { decodeRows } from '../result-shape.ts';
import { rowAccessCall } from '../row-access.ts';
import { placeholderNames } from '../sql-scanner.ts';
import type { CallOptions, SqlTransport } from '../sql-transport.ts';
import type { AtomicList, Query, ResultShape } from '../statement.ts';
import { statementFault } from '../statement-fault.ts';
import { checkStatementText } from '../statement-text.ts';
import { resolveThinConfig, type ThinConfig } from './config.ts';
import { decodeOuts, encodeBinds } from './driver-binds.ts';
import type { DriverSession, OracleDriver } from './oracle-driver.ts';
import { CONNECTION_CLASS, poolOptions } from './pool-options.ts';
import { queryOptions, rawRows } from './query-result.ts';
import { createSessionPool } from './session-pool.ts';
import { prepareSession } from './session-settings.ts';
import { type CallLimits, callWithRetries, type ThinCall, type ThinRuntime } from './thin-call.ts';

const DEFAULT_RUNTIME: ThinRuntime = {
  random: Math.random,
  wait: (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds)),
};

/**
 * SQL through node-oracledb in Thin mode, with exactly the texts that go over ORDS: each call has a session of the pool
 * for itself and is one transaction. Nothing is loaded or connected before the first call.
 *
 * On the network a call is one round trip, with CLOB columns two (three at the first run on a session), and three more
 * for each CLOB bind that is too long to go as VARCHAR2. A session that was idle for a second is pinged before, and one
 * of a server pool is set up before. With row isolation one more says whose rows the session may touch: before each call,
 * so that nothing of an earlier one counts.
 *
 * @param loadDriver asked at each call; it keeps what it has loaded
 * @throws AgentMemoryError `invalid_request` naming a wrong setting
 */
export function createThinTransport(
  config: ThinConfig,
  loadDriver: () => Promise<OracleDriver>,
  runtime: Partial<ThinRuntime> = {},
): SqlTransport {
  const resolved = resolveThinConfig(config);
  const { maxRows, poolMax, timeoutMilliseconds, usesServerPool, rowAccessProcedure } = resolved;
  /** Sessions remember statements of the tables as they were before. */
  let isSchemaChanged = false;
  const sessions = createSessionPool(async () => {
    const driver = await load(loadDriver);
    if (usesServerPool) driver.connectionClass = CONNECTION_CLASS;
    return driver.createPool(poolOptions(resolved));
  }, poolMax);

  async function call<Result>(
    statement: Omit<ThinCall<Result>, 'run'>,
    { signal, rowAccess }: CallOptions,
    run: (session: DriverSession, driver: OracleDriver) => Promise<Result>,
  ): Promise<Result> {
    const access = rowAccessCall(rowAccessProcedure, rowAccess);
    const driver = await load(loadDriver);
    const limits: CallLimits = { timeoutMilliseconds, signal };
    const onSession = async (session: DriverSession): Promise<Result> => {
      if (usesServerPool) await prepareSession(session);
      if (access !== undefined)
        await session.execute(access.sql, encodeBinds(driver, access.binds, 'plsql', []), {});
      return run(session, driver);
    };
    return callWithRetries(sessions, { ...statement, run: onSession }, limits, {
      ...DEFAULT_RUNTIME,
      ...runtime,
    });
  }

  function useNewSchema(): void {
    if (isSchemaChanged) sessions.renew();
    isSchemaChanged = false;
  }

  return {
    capabilities: Object.freeze({ maxRows, fixedStatements: false }),
    async query<Shape extends ResultShape>(query: Query<Shape>, options: CallOptions = {}) {
      const { name, sql, binds } = query;
      checkBinds(name, binds, placeholderNames(sql));
      checkStatementText(name, sql);
      useNewSchema();
      const statement = { name, isRepeatable: true, expectations: [] };
      const result = await call(statement, options, (session, driver) =>
        session.execute(sql.trim(), encodeBinds(driver, binds, 'sql', []), queryOptions(driver, maxRows)),
      );
      const { columns, rows } = rawRows(name, result, maxRows);
      return decodeRows(query, columns, rows);
    },
    async executeAtomic(list: AtomicList, options: CallOptions = {}) {
      const block = compileBlock(list);
      const outs = block.outs.map((out) => out.name);
      useNewSchema();
      const expectations = list.statements.flatMap((each) => each.expect ?? []);
      const statement = { name: list.name, isRepeatable: false, expectations };
      const { outBinds } = await call(statement, options, (session, driver) =>
        session.execute(block.sql, encodeBinds(driver, block.binds, 'plsql', outs), { autoCommit: true }),
      );
      const counts = decodeOuts(list.name, outs, outBinds);
      return Object.fromEntries(block.outs.map((out) => [out.statement, counts[out.name] ?? 0]));
    },
    async executeDdl(sql: string, options: CallOptions = {}) {
      checkStatementText('ddl', sql);
      const statement = { name: 'ddl', isRepeatable: false, expectations: [] };
      const result = await call(statement, options, (session) =>
        session.execute(sql.trim(), {}, { autoCommit: true }),
      );
      isSchemaChanged = true;
      if (result.warning !== undefined) throw statementFault('ddl', 'what it created does not compile');
    },
    close: () => sessions.close(),
  };
}

async function load(loadDriver: () => Promise<OracleDriver>): Promise<OracleDriver> {
  try {
    return await loadDriver();
  } catch (cause) {
    throw new AgentMemoryError('internal', 'the database driver could not be loaded', { cause });
  }
}
