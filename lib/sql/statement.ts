import type { Binds } from './bind.ts';

/**
 * How one column of a result is decoded, the same over every transport: `json` is parsed from CLOB text,
 * `timestamp` arrives as ISO-8601 UTC text with milliseconds and stays text, `boolean` arrives as 0 or 1.
 */
export type ColumnType = 'text' | 'number' | 'json' | 'timestamp' | 'boolean';

/** Column aliases in lower_snake_case and their types. Every alias of a statement is unique (ORDS wraps queries). */
export type ResultShape = Readonly<Record<string, ColumnType>>;

type Decoded<Type extends ColumnType> = Type extends 'number'
  ? number
  : Type extends 'boolean'
    ? boolean
    : Type extends 'json'
      ? unknown
      : string;

/** A decoded row. Any column may be NULL; an empty string is NULL in Oracle. */
export type Row<Shape extends ResultShape> = {
  readonly [Alias in keyof Shape]: Decoded<Shape[Alias]> | null;
};

/** One SQL text with named binds (`:name`) and the shape of its result. A query: `SELECT` or `WITH … SELECT`. */
export interface Query<Shape extends ResultShape> {
  /** Stable name for logs, counts and the list of all statements: `records.search_by_vector`. */
  readonly name: string;
  readonly sql: string;
  readonly binds: Binds;
  readonly shape: Shape;
}

/** What a DML statement of an atomic list must have done; otherwise the whole list is rolled back with this error. */
export interface Expectation {
  /** A constant, or the name of a number bind: then the text is the same for any number. */
  readonly rows: number | { readonly bind: string };
  readonly otherwise: 'not_found' | 'conflict';
  /** Shown to the caller: `thread not found`. A constant of the program, never user text. */
  readonly message: string;
}

/** One INSERT, UPDATE, DELETE or MERGE of an atomic list. */
export interface DmlStatement {
  /** Key of its row count in the result. */
  readonly name: string;
  readonly sql: string;
  readonly expect?: Expectation;
}

/**
 * DML statements that are committed together or not at all: one anonymous PL/SQL block, one round trip.
 * All statements share the binds; each bind is assigned to a local variable once. The reserved name `:now` is the
 * block's single timestamp, in milliseconds like every stored time (TIMESTAMP(3) WITH TIME ZONE). Statements run in
 * order.
 */
export interface AtomicList {
  readonly name: string;
  readonly binds: Binds;
  readonly statements: readonly DmlStatement[];
}
