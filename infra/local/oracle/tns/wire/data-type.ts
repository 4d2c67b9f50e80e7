/** Numbers of Oracle's data types on the wire. */
export const DATA_TYPE = {
  varchar: 1,
  number: 2,
  binaryInteger: 3,
  long: 8,
  date: 12,
  raw: 23,
  longRaw: 24,
  char: 96,
  binaryFloat: 100,
  binaryDouble: 101,
  clob: 112,
  blob: 113,
  json: 119,
  vector: 127,
  timestamp: 180,
  timestampWithTimeZone: 181,
  timestampWithLocalTimeZone: 231,
  boolean: 252,
} as const;

/** Form of the characters of a value: the database's character set (UTF-8) or the national one (UTF-16). */
export const CHARACTER_FORM = { implicit: 1, national: 2 } as const;

/** Longest VARCHAR2 of SQL with MAX_STRING_SIZE = STANDARD; anything longer goes as a LONG. */
export const MAXIMUM_STRING_BYTES = 4_000;

/** How a value travels: of a bind, or of a column as it was described or defined. */
export interface WireType {
  /** One of `DATA_TYPE`. */
  readonly type: number;
  readonly form: number;
  /** Bytes that the client has room for. */
  readonly size: number;
}
