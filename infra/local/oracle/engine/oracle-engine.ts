import type { OracleType } from '../sql/oracle-type.ts';

/** A value on its way in or out. JSON and VECTOR values are text; timestamps are ISO-8601 UTC text with microseconds. */
export type OracleValue = string | number | boolean | Uint8Array | null;

export interface EngineBind {
  /** Without the colon, upper case. */
  readonly name: string;
  readonly type: OracleType;
  readonly direction: 'in' | 'out' | 'inout';
  readonly value?: OracleValue;
}

export interface EngineColumn {
  readonly name: string;
  readonly type: OracleType;
  readonly nullable: boolean;
}

export interface EngineResult {
  readonly kind: 'query' | 'dml' | 'ddl' | 'plsql' | 'commit' | 'rollback';
  readonly verb: string;
  readonly columns: readonly EngineColumn[];
  readonly rows: readonly (readonly OracleValue[])[];
  readonly rowsAffected: number;
  /** Values of OUT binds by name; RETURNING INTO outside a block gives one value per row. */
  readonly outBinds: Readonly<Record<string, OracleValue | readonly OracleValue[]>>;
}

/**
 * One database session. Statements run in a transaction that begins with the first and ends with commit, rollback or
 * DDL; while it is open, other sessions wait (one engine session underneath).
 */
export interface OracleSession {
  /** The session has changes or locks that are not committed. */
  readonly hasOpenTransaction: boolean;
  /** Runs one SQL statement, DDL statement or anonymous block. A failed statement is undone alone. Throws `OracleError`. */
  execute(text: string, binds: readonly EngineBind[]): Promise<EngineResult>;
  commit(): Promise<void>;
  rollback(): Promise<void>;
  /**
   * Interrupts the call that runs or waits for its turn: it ends with ORA-01013 before its next statement. Without one
   * nothing happens.
   */
  cancel(): void;
  /** Rolls back what is open and ends the session. */
  close(): Promise<void>;
}

/** The emulated database: Oracle SQL in, Oracle results and errors out. */
export interface OracleEngine {
  openSession(): OracleSession;
  /** Compressed image of the whole database, for `OracleEngineOptions.snapshot`. */
  snapshot(): Promise<Blob>;
  close(): Promise<void>;
}

/** An embedding model as if it had been loaded with DBMS_VECTOR.LOAD_ONNX_MODEL: text in, one vector each. */
export interface EmbeddingModel {
  readonly dimensions: number;
  embed(texts: readonly string[]): Promise<readonly Float32Array[]>;
}

/** Makes statements fail in tests, in place of contention that one engine session cannot produce. */
export interface FaultHooks {
  /** Called before each statement (also inside blocks) with its text; may throw an `OracleError` or wait. */
  beforeStatement?(text: string): void | Promise<void>;
  /** Called after a commit and before the answer leaves; throwing loses the answer, not the work. */
  afterCommit?(): void | Promise<void>;
}

export interface OracleEngineOptions {
  /** Directory that keeps the data; in memory when absent. One process owns it: a second one is refused. */
  readonly dataDirectory?: string | undefined;
  /** Image to start from when the directory is empty or absent. */
  readonly snapshot?: Blob | undefined;
  readonly faults?: FaultHooks | undefined;
  /** What VECTOR_EMBEDDING knows, by model name in upper case; any other name is ORA-40284. None when absent. */
  readonly embeddingModels?: ReadonlyMap<string, EmbeddingModel> | undefined;
  /** Milliseconds that a session may idle inside a transaction before it is rolled back. Default 10,000. */
  readonly idleTransactionMilliseconds?: number | undefined;
}
