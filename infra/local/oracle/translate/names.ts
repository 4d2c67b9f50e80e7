import { createHash } from 'node:crypto';

/** Owner of every object of the emulated schema, as error messages and USER show it. */
export const SCHEMA_NAME = 'AGENT_MEMORY';

/** PostgreSQL cuts identifiers at 63 bytes; room is left for the suffix of hidden columns. */
const MAXIMUM_BYTES = 56;

/**
 * The PostgreSQL name of an Oracle name: the same text, or a prefix and a hash when it is too long for PostgreSQL.
 * PostgreSQL's error messages carry this name.
 */
export function postgresName(name: string): string {
  if (Buffer.byteLength(name) <= MAXIMUM_BYTES) {
    return name;
  }
  const hash = createHash('sha256').update(name).digest('hex').slice(0, 16);
  return `${Buffer.from(name)
    .subarray(0, 36)
    .toString('latin1')
    .replace(/[^\w$#]/g, '_')}$${hash}`;
}

/** An Oracle name as a quoted PostgreSQL identifier. */
export function quoteName(name: string): string {
  return `"${postgresName(name).replaceAll('"', '""')}"`;
}

/** A string as a PostgreSQL literal. */
export function quoteText(value: string): string {
  return `'${value.replaceAll("'", "''")}'`;
}

/** Hidden column that keeps the words of a column with an Oracle Text index. */
export function textColumnName(column: string): string {
  return `"${postgresName(column).replaceAll('"', '""')}$ctx"`;
}

/** `"OWNER"."TABLE"."COLUMN"` as Oracle's messages write a column. */
export function columnLabel(table: string, column: string): string {
  return `"${SCHEMA_NAME}"."${table}"."${column}"`;
}

/** The hidden column beside it: the transaction that last wrote the text. */
export function writtenColumnName(column: string): string {
  return `"${postgresName(column).replaceAll('"', '""')}$since"`;
}
