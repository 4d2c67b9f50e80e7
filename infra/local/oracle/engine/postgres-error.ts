import type { messages } from '@electric-sql/pglite';

type ErrorFields = Partial<
  Pick<messages.DatabaseError, 'code' | 'detail' | 'table' | 'column' | 'constraint'>
> & {
  readonly message: string;
};

/** An error that PostgreSQL reported, with the fields that the mapping to Oracle's numbers reads. */
export class PostgresError extends Error {
  override readonly name = 'PostgresError';
  /** Five characters, such as `23505`. */
  readonly sqlState: string;
  readonly detail: string;
  readonly table: string | undefined;
  readonly column: string | undefined;
  readonly constraint: string | undefined;
  /** The PostgreSQL text that failed. */
  readonly sql: string;

  constructor(message: ErrorFields, sql: string) {
    super(message.message);
    this.sqlState = message.code ?? '';
    this.detail = message.detail ?? '';
    this.table = message.table;
    this.column = message.column;
    this.constraint = message.constraint;
    this.sql = sql;
  }
}
