/** Who reported it: the server (`ORA`) or the node-oracledb driver (`NJS`). */
export type OracleFacility = 'ORA' | 'NJS';

/**
 * An error as Oracle Database or its driver reported it. It is only ever the `cause` of an `AgentMemoryError`: its text
 * names tables and columns.
 */
export class OracleDatabaseError extends Error {
  override readonly name = 'OracleDatabaseError';
  readonly facility: OracleFacility;
  /** Positive: 1, 942, 20404. */
  readonly number: number;
  /** The statement or atomic list that failed. */
  readonly statement: string;
  /** Name of the violated constraint, upper case, without its schema (ORA-00001, ORA-02290 to 02292). */
  readonly constraint: string | undefined;

  constructor(facility: OracleFacility, number: number, text: string, statement: string) {
    super(`${statement}: ${withoutCallStack(text)}`);
    this.facility = facility;
    this.number = number;
    this.statement = statement;
    this.constraint = /constraint \("?(?:[^".)]+"?\."?)?([^".)]+)"?\)/.exec(text)?.[1]?.toUpperCase();
  }
}

/** Error text without the lines of the PL/SQL call stack (ORA-06512). */
export function withoutCallStack(text: string): string {
  return text
    .split('\n')
    .filter((line) => !line.includes('ORA-06512'))
    .join('\n')
    .trim();
}

/** The Oracle error under an error of this library, however deep in its causes. */
export function oracleErrorOf(error: unknown): OracleDatabaseError | undefined {
  let current: unknown = error;
  while (current instanceof Error) {
    if (current instanceof OracleDatabaseError) return current;
    current = current.cause;
  }
  return undefined;
}
