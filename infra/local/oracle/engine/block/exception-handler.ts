import type { OracleError } from '../../sql/oracle-error.ts';
import type { Block, Handler } from './block-syntax.ts';

/** Predefined exceptions (PL/SQL Language Reference, "Predefined Exceptions") and their numbers. */
export const EXCEPTION_NUMBERS: Readonly<Record<string, number>> = {
  DUP_VAL_ON_INDEX: 1,
  NO_DATA_FOUND: 1403,
  TOO_MANY_ROWS: 1422,
  VALUE_ERROR: 6502,
  INVALID_NUMBER: 1722,
  ZERO_DIVIDE: 1476,
};

/** The end of the engine or of a loop that lasted too long: no handler goes on after it. */
const CANCELLED: ReadonlySet<number> = new Set([1013, 1089]);

/** The handler of a block that takes an error, if any; `OTHERS` takes what no name matches. */
export function findHandler(block: Block, error: OracleError): Handler | undefined {
  if (CANCELLED.has(error.number)) {
    return undefined;
  }
  const named = block.handlers.find((handler) =>
    handler.exceptions.some((name) => EXCEPTION_NUMBERS[name] === error.number),
  );
  return named ?? block.handlers.find((handler) => handler.exceptions.includes('OTHERS'));
}

/** SQLCODE: negative, except 100 for NO_DATA_FOUND. */
export function sqlCode(error: OracleError | undefined): number {
  if (error === undefined) {
    return 0;
  }
  return error.number === EXCEPTION_NUMBERS.NO_DATA_FOUND ? 100 : -error.number;
}

/** SQLERRM: the message without the lines of the call stack. */
export function sqlErrorMessage(error: OracleError | undefined): string {
  return error?.message.split('\nORA-06512: ')[0] ?? 'ORA-0000: normal, successful completion';
}
