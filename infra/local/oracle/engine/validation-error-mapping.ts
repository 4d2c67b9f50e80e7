import { OracleError } from '../sql/oracle-error.ts';
import { SCHEMA_NAME } from '../translate/names.ts';
import type { PostgresError } from './postgres-error.ts';

/** The error of DDL that rows in the table contradict; undefined for any other failure. */
export function toValidationError(error: PostgresError, verb: string): OracleError | undefined {
  const name = qualified(error.constraint);
  const fail = (number: number, text: string) => new OracleError(number, text, { cause: error });
  switch (error.sqlState) {
    case '23502':
      return /\bADD COLUMN\b/.test(error.sql)
        ? fail(1758, 'table must be empty to add mandatory (NOT NULL) column')
        : fail(2296, `cannot enable (${SCHEMA_NAME}.) - null values found`);
    case '23503':
      return fail(2298, `cannot validate (${name}) - parent keys not found`);
    case '23505':
      if (/\bINDEX$/.test(verb)) {
        return fail(1452, 'cannot CREATE UNIQUE INDEX; duplicate keys found');
      }
      return /\bPRIMARY KEY\b/.test(error.sql)
        ? fail(2437, `cannot validate (${name}) - primary key violated`)
        : fail(2299, `cannot validate (${name}) - duplicate keys found`);
    case '23514':
      return fail(2293, `cannot validate (${name}) - check constraint violated`);
    default:
      return undefined;
  }
}

/** A constraint as Oracle's messages name it: `OWNER.NAME`. */
export function qualified(name: string | undefined): string {
  return `${SCHEMA_NAME}.${name ?? ''}`;
}
