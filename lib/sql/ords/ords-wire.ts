import type { Binds } from '../bind.ts';
import type { RawRow } from '../result-shape.ts';
import type { RowAccess } from '../sql-transport.ts';
import type { Expectation } from '../statement.ts';

/** What is sent in one request: one statement or block. */
export interface OrdsStatement {
  readonly kind: 'query' | 'atomic' | 'ddl';
  /** Name for errors and logs; with installed statements also a part of their identity. */
  readonly name: string;
  readonly sql: string;
  readonly binds: Binds;
  /** Names of NUMBER out binds. */
  readonly outs: readonly string[];
  readonly expectations: readonly Expectation[];
  readonly rowAccess: RowAccess | undefined;
}

/** Where a statement goes and in what form. */
export interface OrdsMessage {
  readonly url: string;
  /** JSON text. */
  readonly body: string;
}

/** One answer without errors. */
export interface OrdsResult {
  readonly columns: readonly string[] | undefined;
  readonly rows: readonly RawRow[];
  /** Values of the out binds by name. */
  readonly outs: Readonly<Record<string, number>>;
}

/** How a statement and its outcome look in HTTP: REST-Enabled SQL, or the module of installed statements. */
export interface OrdsWire {
  encode(statement: OrdsStatement, maxRows: number): Promise<OrdsMessage>;
  /** True for a body that reports a failed statement, whatever the HTTP status is. */
  reportsError(body: unknown): boolean;
  /**
   * Reads the parsed body of an answer.
   *
   * @throws AgentMemoryError by the Oracle error number; `internal` when the answer is not this statement's result or
   * there are more rows than the limit
   */
  decode(statement: OrdsStatement, body: unknown): OrdsResult;
}
