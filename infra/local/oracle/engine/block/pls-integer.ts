import { OracleError } from '../../sql/oracle-error.ts';
import type { OracleType } from '../../sql/oracle-type.ts';

const MAXIMUM = 2_147_483_647;

/** PLS_INTEGER and BINARY_INTEGER; whole literals in its range and loop indexes have it too. */
export const PLS_INTEGER = { kind: 'NUMBER', precision: 10, scale: 0, isPlsInteger: true } as const;

export function isPlsInteger(type: OracleType | undefined): boolean {
  return type?.kind === 'NUMBER' && type.isPlsInteger === true;
}

/** Whether a whole literal has the type. */
export function fitsPlsInteger(value: number): boolean {
  return Number.isInteger(value) && Math.abs(value) <= MAXIMUM;
}

/** The value of an assignment or of an operation on two of the type. ORA-01426 out of range. */
export function plsInteger(value: number): number {
  if (!fitsPlsInteger(value)) {
    throw new OracleError(1426, 'numeric overflow');
  }
  return value;
}
