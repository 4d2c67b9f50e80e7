import { AgentMemoryError } from '../errors/agent-memory-error.ts';
import { type Binds, clob, json, text } from './bind.ts';
import type { CallOptions, RowAccess, SqlTransport } from './sql-transport.ts';
import type { AtomicList, Query, ResultShape } from './statement.ts';

/** Users and agents that one call may be restricted to: each has a place in the condition of every statement. */
export const MAXIMUM_ROW_OWNERS = 200;

/** What says whose rows the session may touch from now on, see `infra/sql/admin/row_access_procedure.sql`. */
export interface RowAccessCall {
  readonly sql: string;
  readonly binds: Binds;
}

/**
 * The call that restricts a session, or lets it touch every row. A session that never made it sees nothing.
 *
 * @param procedure as in `SchemaNames.rowAccess`; undefined where the database does not isolate rows
 * @returns Undefined when there is nothing to say
 * @throws AgentMemoryError `unsupported` for more than `MAXIMUM_ROW_OWNERS`, and for a restriction without isolation
 */
export function rowAccessCall(
  procedure: string | undefined,
  access: RowAccess | undefined,
): RowAccessCall | undefined {
  if (procedure === undefined) {
    refuseRowAccess({ rowAccess: access });
    return undefined;
  }
  checkRowAccess({ rowAccess: access });
  return {
    sql: `BEGIN\n  ${procedure}(:row_access, :row_owners);\nEND;`,
    binds: {
      row_access: text(access === undefined ? 'EVERY' : 'USERS'),
      row_owners: access === undefined ? clob(null) : json(access),
    },
  };
}

/** @throws AgentMemoryError `unsupported` for more than `MAXIMUM_ROW_OWNERS` */
export function checkRowAccess({ rowAccess }: Pick<CallOptions, 'rowAccess'>): void {
  if (rowAccess === undefined || isShort(rowAccess)) return;
  throw new AgentMemoryError(
    'unsupported',
    `row isolation in the database is for callers that are limited to at most ${MAXIMUM_ROW_OWNERS} users and agents`,
  );
}

function isShort({ userIds, agentIds }: RowAccess): boolean {
  return userIds.length + agentIds.length <= MAXIMUM_ROW_OWNERS;
}

/**
 * For a way to the database that cannot restrict a session.
 *
 * @throws AgentMemoryError `unsupported` for a restricted call, which must not run without its restriction
 */
export function refuseRowAccess({ rowAccess }: Pick<CallOptions, 'rowAccess'>): void {
  if (rowAccess === undefined) return;
  throw new AgentMemoryError(
    'unsupported',
    'this way to the database cannot restrict the rows of a call: ROW_ISOLATION=vpd is for ORACLE_TRANSPORT=thin, and for ORDS_MODE=module',
  );
}

/** The transport of one caller: every query and every write is restricted to the rows of these users. */
export function withRowAccess(transport: SqlTransport, rowAccess: RowAccess): SqlTransport {
  return {
    capabilities: transport.capabilities,
    query: <Shape extends ResultShape>(query: Query<Shape>, options?: CallOptions) =>
      transport.query(query, { ...options, rowAccess }),
    executeAtomic: (list: AtomicList, options?: CallOptions) =>
      transport.executeAtomic(list, { ...options, rowAccess }),
    executeDdl: (sql: string, options?: CallOptions) => transport.executeDdl(sql, { ...options, rowAccess }),
    close: () => transport.close(),
  };
}
