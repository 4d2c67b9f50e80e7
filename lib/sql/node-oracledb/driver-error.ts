import type { AgentMemoryError } from '../../errors/agent-memory-error.ts';
import type { OracleFacility } from '../oracle-database-error.ts';
import { fromOracleError } from '../oracle-error.ts';
import type { Expectation } from '../statement.ts';
import { statementFault } from '../statement-fault.ts';

/** Facility and number of an error of the driver: of its `code`, such as `ORA-00942` or `NJS-500`. */
interface DriverErrorCode {
  readonly facility: OracleFacility;
  readonly number: number;
}

/** The session is gone, or could not be opened. The driver reports most lost sessions of the server as NJS-500. */
const LOST: Readonly<Record<OracleFacility, ReadonlySet<number>>> = {
  ORA: new Set([28, 1012, 1089, 1092, 3113, 3114, 3135, 12537, 12547, 12570]),
  NJS: new Set([500, 501, 503, 504, 509, 510, 511, 513, 521, 530]),
};
/** What a session kept of a statement does not fit the tables any more: they were changed meanwhile. */
const STALE: ReadonlySet<number> = new Set([932, 1001, 1003, 1007, 4068, 8103]);
/** The pool had no session to give within its waiting time. */
const NO_SESSION = 40;

function codeOf(error: unknown): DriverErrorCode | undefined {
  if (!(error instanceof Error) || !('code' in error) || typeof error.code !== 'string') return undefined;
  const match = /^(ORA|NJS)-(\d+)$/.exec(error.code);
  if (match === null) return undefined;
  return { facility: match[1] === 'ORA' ? 'ORA' : 'NJS', number: Number(match[2]) };
}

/** Whether the connection failed, so that another one may do. */
export function isConnectionLost(error: unknown): boolean {
  const code = codeOf(error);
  return code !== undefined && LOST[code.facility].has(code.number);
}

/** Whether a session remembers a statement of tables that have changed. */
export function isStaleStatement(error: unknown): boolean {
  const code = codeOf(error);
  return code?.facility === 'ORA' && STALE.has(code.number);
}

/** Whether the wait for a session of the pool was too long. */
export function isWithoutSession(error: unknown): boolean {
  const code = codeOf(error);
  return code?.facility === 'NJS' && code.number === NO_SESSION;
}

/**
 * The error of this library for one of the driver, by its number. What is no error of Oracle's is a fault of this
 * program.
 */
export function fromDriverError(
  error: unknown,
  statement: string,
  expectations: readonly Expectation[] = [],
): AgentMemoryError {
  const code = codeOf(error);
  if (code === undefined) return statementFault(statement, String(error));
  return fromOracleError({ ...code, text: textOf(error), statement, expectations });
}

/** Where a token could not be had, the driver keeps the reason only as the stack of its own error. */
function textOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const [reason = ''] = (error.stack ?? '').split('\n');
  return reason.includes(error.message.split('\n')[0] ?? '') ? error.message : `${error.message}\n${reason}`;
}
