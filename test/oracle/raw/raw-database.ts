/** The two ways to the database that a probe asks over. */
export const TRANSPORT_NAMES = ['thin', 'ords'] as const;
export type TransportName = (typeof TRANSPORT_NAMES)[number];

/** A bind as it is sent: the type by Oracle's name, and a value that nothing has checked. */
export interface RawBind {
  readonly dataType: 'VARCHAR2' | 'CLOB' | 'NUMBER' | 'VECTOR' | 'JSON';
  readonly value: unknown;
}

/** One SQL statement or PL/SQL block, as it is. */
export interface RawStatement {
  readonly sql: string;
  readonly binds?: Readonly<Record<string, RawBind>>;
  readonly outs?: Readonly<Record<string, 'VARCHAR2' | 'CLOB' | 'NUMBER' | 'CURSOR'>>;
  /** Rows that the answer may have. @default 10,000 */
  readonly limit?: number;
}

/** What came back for a statement that succeeded. */
export interface RawAnswer {
  /** Values as the transport gave them, keys in lower case; a column may be missing. */
  readonly rows: readonly Readonly<Record<string, unknown>>[];
  /** Whether there are more rows than the limit, where the transport says so. */
  readonly hasMore?: boolean | undefined;
  readonly outs: Readonly<Record<string, unknown>>;
}

/** The database refused a statement. */
export class StatementRefused extends Error {
  override readonly name = 'StatementRefused';
  /** Oracle's number without sign; 0 when there was none. */
  readonly number: number;
  /** What else the answer says, HTTP status and sign of the number; empty where there is nothing else. */
  readonly circumstances: string;

  constructor(number: number, text: string, circumstances: string) {
    super(text);
    this.number = number;
    this.circumstances = circumstances;
  }

  /** Everything that the answer says. */
  get told(): string {
    return this.circumstances === '' ? this.message : `${this.circumstances}: ${this.message}`;
  }
}

/** There was no answer of the database: nothing can be concluded. */
export class NotAsked extends Error {
  override readonly name = 'NotAsked';
}

/** A database without the layers of this program in between. Each statement is a transaction of its own. */
export interface RawDatabase {
  readonly transport: TransportName;
  /**
   * @throws StatementRefused when the database refused the statement
   * @throws NotAsked when it gave no answer
   */
  ask(statement: RawStatement): Promise<RawAnswer>;
  close(): Promise<void>;
}

export const rawText = (value: string | null): RawBind => ({ dataType: 'VARCHAR2', value });
export const rawClob = (value: string | null): RawBind => ({ dataType: 'CLOB', value });
export const rawNumber = (value: number): RawBind => ({ dataType: 'NUMBER', value });
/** A value as JSON text. */
export const rawJson = (value: unknown): RawBind => rawClob(JSON.stringify(value));
