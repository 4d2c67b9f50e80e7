import type { EngineBind, OracleValue } from '../../../infra/local/oracle/engine/oracle-engine.ts';

/** One statement and what Oracle Database 23ai answers, written down from Oracle's documentation. */
export interface StatementCase {
  readonly title: string;
  /** Statements that run first in the same session, without binds. */
  readonly setup?: readonly string[];
  readonly sql: string;
  readonly binds?: readonly EngineBind[];
  /** Column names of the result. */
  readonly columns?: readonly string[];
  /** Rows of the result, in order; a field may be a Vitest matcher. */
  readonly rows?: readonly (readonly unknown[])[];
  /** Rows that were inserted, updated, deleted or merged. */
  readonly affected?: number;
  readonly out?: Readonly<Record<string, unknown>>;
  /** A query that runs next in the same session, and its rows: what the statement left behind. */
  readonly afterwards?: { readonly sql: string; readonly rows: readonly (readonly unknown[])[] };
  /**
   * The ORA number; a case without it must succeed. Several where releases differ: 23ai replaced general syntax errors
   * by ORA-03048 … 03050 and ORA-00932 for large objects by ORA-22848.
   */
  readonly error?: number | readonly number[];
  /** The statement is newer than the grammar behind `checkOracleGrammar`, which therefore refuses it. */
  readonly beyondGrammar?: true;
}

/** Numbers that Oracle gives for a text that is no statement; which one depends on release and position. */
export const SYNTAX_ERRORS: readonly number[] = [
  ...[900, 903, 904, 905, 906, 907, 911, 917, 920, 922, 923, 924, 925, 926, 928, 933, 936],
  ...[1745, 1756, 2000, 3048, 3049, 3050, 3405, 6550],
];
/** A large object where a comparison key is needed. */
export const LARGE_OBJECT_ERRORS: readonly number[] = [932, 22848];

const VARCHAR2 = { kind: 'VARCHAR2', length: 4000, unit: 'BYTE' } as const;

export const inText = (name: string, value: string | null): EngineBind => ({
  name,
  type: VARCHAR2,
  direction: 'in',
  value,
});
export const inNumber = (name: string, value: number | null): EngineBind => ({
  name,
  type: { kind: 'NUMBER' },
  direction: 'in',
  value,
});
export const inClob = (name: string, value: string | null): EngineBind => ({
  name,
  type: { kind: 'CLOB' },
  direction: 'in',
  value,
});
export const inOut = (name: string, value: OracleValue): EngineBind => ({
  name,
  type: typeof value === 'number' ? { kind: 'NUMBER' } : VARCHAR2,
  direction: 'inout',
  value,
});
export const outText = (name: string): EngineBind => ({ name, type: VARCHAR2, direction: 'out' });
export const outNumber = (name: string): EngineBind => ({ name, type: { kind: 'NUMBER' }, direction: 'out' });
export const outClob = (name: string): EngineBind => ({ name, type: { kind: 'CLOB' }, direction: 'out' });
