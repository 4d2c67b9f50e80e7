import type { AtomicList, Query, ResultShape, Row } from './statement.ts';

/**
 * Whose rows a call may see and change. With row isolation in the database nothing else exists for the call, whatever
 * its SQL says (docs/row-isolation.md).
 */
export interface RowAccess {
  /** Rows without a user are outside, and so are rows of anyone else. An empty list allows none. */
  readonly userIds: readonly string[];
  /** Agents whose profiles are not outside. */
  readonly agentIds: readonly string[];
}

/** How one call to the database is made. */
export interface CallOptions {
  readonly signal?: AbortSignal | undefined;
  /** Absent: every row. A transport that was not set up for row isolation refuses a call that has it. */
  readonly rowAccess?: RowAccess | undefined;
}

/** What a transport can do. Callers read flags and never ask for a transport's name. */
export interface TransportCapabilities {
  /** Rows that one query may return. */
  readonly maxRows: number;
  /**
   * True when only the texts of the installed list can run (see `fixed-statement.ts`): what is asked for must come from
   * binds then and may not shape a text.
   */
  readonly fixedStatements: boolean;
}

/**
 * How SQL reaches the database. Each call is one round trip and one transaction: no session outlives a call, so none
 * is ever held while a model is called. Errors are `AgentMemoryError`s (see `oracle-error.ts` for the mapping).
 */
export interface SqlTransport {
  readonly capabilities: TransportCapabilities;
  /** Runs one query. More rows than the transport's limit is an error, never a cut. */
  query<Shape extends ResultShape>(
    query: Query<Shape>,
    options?: CallOptions,
  ): Promise<readonly Row<Shape>[]>;
  /** Runs DML statements atomically and returns the row count of each by its name. */
  executeAtomic(list: AtomicList, options?: CallOptions): Promise<Readonly<Record<string, number>>>;
  /** Runs one DDL statement or administrative block. DDL commits; it is not part of any transaction. */
  executeDdl(sql: string, options?: CallOptions): Promise<void>;
  close(): Promise<void>;
}
