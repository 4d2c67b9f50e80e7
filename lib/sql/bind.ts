/**
 * What may cross the boundary to the database: text, numbers and NULL (Oracle platform facts: everything else is
 * encoded differently by ORDS, JDBC and the thin driver). JSON and vectors travel as CLOB text, times as
 * ISO-8601 text, booleans as 0 or 1.
 */
export type Bind =
  /** VARCHAR2. At most 4,000 bytes in UTF-8; use `clob` for anything that may be longer. An empty string is NULL in Oracle. */
  | { readonly type: 'text'; readonly value: string | null }
  /** CLOB: any length. */
  | { readonly type: 'clob'; readonly value: string | null }
  /** NUMBER: a finite JavaScript number, integers below 2^53. */
  | { readonly type: 'number'; readonly value: number | null };

/** Binds by name, without the colon. */
export type Binds = Readonly<Record<string, Bind>>;

export const text = (value: string | null): Bind => ({ type: 'text', value });
export const clob = (value: string | null): Bind => ({ type: 'clob', value });
export const number = (value: number | null): Bind => ({ type: 'number', value });
/** 0 or 1. */
export const flag = (value: boolean): Bind => ({ type: 'number', value: value ? 1 : 0 });
/** A value as JSON text in a CLOB, for `JSON(:name)` and `JSON_TABLE(:name, …)`. */
export const json = (value: unknown): Bind => ({ type: 'clob', value: JSON.stringify(value) });
