import { EXPECTATION_NUMBERS } from '../../../../lib/sql/block-compiler.ts';
import type { FixedStatement } from '../../../../lib/sql/fixed-statement.ts';
import { MODULE_NUMBERS } from '../../../../lib/sql/oracle-error.ts';
import { rowAccessCall } from '../../../../lib/sql/row-access.ts';
import type { EngineColumn, EngineResult, OracleEngine, OracleSession } from '../engine/oracle-engine.ts';
import { OracleError } from '../sql/oracle-error.ts';
import { type CallRequest, declaredEngineBinds, readCall } from './call-request.ts';
import { commitSession } from './commit-session.ts';
import type { InstalledStatements } from './installed-statements.ts';
import { refuseWhenClosed } from './ords-http-error.ts';
import { MAXIMUM_ROWS } from './ords-request.ts';
import { encodeResult } from './result-encoding.ts';

type CallStatus = 200 | 400 | 404 | 409 | 500;

/** What the package of the module answers. */
export interface CallResponse {
  readonly status: CallStatus;
  readonly body: Readonly<Record<string, unknown>>;
}

/** Status by error number, as in `infra/ords/call_package.sql`; 500 for any other. */
const STATUSES: ReadonlyMap<number, CallStatus> = new Map([
  [MODULE_NUMBERS.badCall, 400],
  [MODULE_NUMBERS.notInstalled, 404],
  [EXPECTATION_NUMBERS.not_found, 404],
  [EXPECTATION_NUMBERS.conflict, 409],
  [1, 409],
]);
const RETURNED_TYPES: ReadonlySet<string> = new Set([
  'VARCHAR2',
  'CLOB',
  'NUMBER',
  'BINARY_FLOAT',
  'BINARY_DOUBLE',
]);

/** Which statement is called. */
export interface CallTarget {
  readonly name: string;
  readonly hash: string;
}

/**
 * Runs an installed statement as the package of the module does on Oracle: binds by their declared types, rows as
 * arrays in the order of the select list, a commit at the end, and errors as `errorCode` with a fitting status.
 */
export async function answerCall(
  engine: OracleEngine,
  installed: InstalledStatements,
  { name, hash }: CallTarget,
  body: string,
): Promise<CallResponse> {
  const session = engine.openSession();
  try {
    const request = readCall(body);
    await restrictRows(session, installed.rowAccessProcedure, request);
    const statement = installed.find(name, hash);
    if (statement === undefined) {
      throw new OracleError(MODULE_NUMBERS.notInstalled, 'the statement is not installed');
    }
    const answer = await run(session, statement, request);
    await commitSession(session);
    return { status: 200, body: answer };
  } catch (error) {
    if (!(error instanceof OracleError)) {
      throw error;
    }
    refuseWhenClosed(error);
    const status = STATUSES.get(error.number) ?? 500;
    return { status, body: { errorCode: error.number, errorDetails: error.message } };
  } finally {
    await session.close();
  }
}

async function restrictRows(
  session: OracleSession,
  procedure: string | undefined,
  { rowAccess }: CallRequest,
): Promise<void> {
  if (procedure === undefined && rowAccess !== undefined) {
    throw new OracleError(MODULE_NUMBERS.notIsolated, 'rows are not isolated');
  }
  const call = rowAccessCall(procedure, rowAccess);
  if (call === undefined) {
    return;
  }
  const types = Object.entries(call.binds).map(([name, { type }]) => [name, type] as const);
  const values = Object.entries(call.binds).map(([name, { value }]) => [name, value] as const);
  const shape = { kind: 'atomic', binds: Object.fromEntries(types), outs: [] } as const;
  await session.execute(call.sql, declaredEngineBinds(shape, Object.fromEntries(values)));
}

async function run(
  session: OracleSession,
  statement: FixedStatement,
  request: CallRequest,
): Promise<CallResponse['body']> {
  const result = await session.execute(statement.sql, declaredEngineBinds(statement, request.binds));
  return statement.kind === 'query'
    ? rowsAnswer(result, Math.min(request.limit, MAXIMUM_ROWS))
    : { outs: Object.fromEntries(statement.outs.map((out) => [out, result.outBinds[out.toUpperCase()]])) };
}

function rowsAnswer({ columns, rows }: EngineResult, limit: number): CallResponse['body'] {
  columns.forEach(checkColumn);
  return {
    columns: columns.map((column) => column.name.toLowerCase()),
    rows: rows
      .slice(0, limit)
      .map((row) => columns.map((column, index) => encodeResult(row[index] ?? null, column.type))),
    more: rows.length > limit,
  };
}

function checkColumn({ name, type }: EngineColumn): void {
  if (!RETURNED_TYPES.has(type.kind)) {
    throw new OracleError(MODULE_NUMBERS.columnType, `column ${name} is neither text nor a number`);
  }
}
