import type { OracleType } from '../sql/oracle-type.ts';

/** A column as declared. Names are upper case unless they were quoted. */
export interface ColumnDefinition {
  readonly name: string;
  readonly type: OracleType;
  readonly nullable: boolean;
  readonly identity: boolean;
  /** How an identity column takes given values; ALWAYS when absent. */
  readonly identityKind?: 'ALWAYS' | 'BY DEFAULT' | 'BY DEFAULT ON NULL';
}

export interface ConstraintDefinition {
  readonly name: string;
  readonly kind: 'PRIMARY KEY' | 'UNIQUE' | 'CHECK' | 'FOREIGN KEY';
  readonly columns: readonly string[];
  /** The parent table of a foreign key. */
  readonly references?: string;
}

/** When an index takes in new rows: at the commit, when it is told to, or in the background, which here is when it is told to. */
export type IndexSync = 'on_commit' | 'manual' | 'auto';

export interface IndexDefinition {
  readonly name: string;
  readonly table: string;
  readonly columns: readonly string[];
  /** `VECTOR` and `TEXT` indexes are recorded; only TEXT builds something in the engine. */
  readonly kind: 'NORMAL' | 'UNIQUE' | 'VECTOR' | 'TEXT' | 'JSON';
  /** Of a TEXT index; `on_commit` when absent. */
  readonly sync?: IndexSync;
}

export interface TableDefinition {
  readonly name: string;
  readonly columns: readonly ColumnDefinition[];
  readonly constraints: readonly ConstraintDefinition[];
  /** A view: read like a table, listed apart. */
  readonly isView?: true;
}

/** What a function takes. */
export interface FunctionParameter {
  readonly name: string;
  /** Unconstrained, as PL/SQL declares parameters. */
  readonly type: OracleType;
}

/** A stored function, or one that is declared inside another. */
export interface FunctionDefinition {
  readonly name: string;
  readonly parameters: readonly FunctionParameter[];
  readonly returns: OracleType;
  readonly deterministic: boolean;
  readonly parallel: boolean;
  /** Name of PostgreSQL's function, quoted. */
  readonly postgresName: string;
  /** Signatures of the functions that PostgreSQL has for those declared inside. */
  readonly inner: readonly string[];
}

/** A stored procedure with IN parameters. */
export interface ProcedureDefinition {
  readonly name: string;
  readonly parameters: readonly {
    readonly name: string;
    readonly type: OracleType;
    /** The type as a declaration writes it. */
    readonly declared: string;
  }[];
  /** What a call runs: a block that binds the parameters by their names. */
  readonly block: string;
}

/** Kinds of statements that a policy can be for. */
export const POLICY_STATEMENTS = ['SELECT', 'INSERT', 'UPDATE', 'DELETE'] as const;
export type PolicyStatement = (typeof POLICY_STATEMENTS)[number];

/** A policy of DBMS_RLS. */
export interface RowPolicy {
  readonly table: string;
  readonly name: string;
  /** Schema of the table, which the policy function is told. */
  readonly schema: string;
  readonly functionName: string;
  readonly statements: readonly PolicyStatement[];
  /** Whether INSERT and UPDATE may leave only rows that the policy lets see (ORA-28115). */
  readonly updateCheck: boolean;
  readonly longPredicate: boolean;
  /** Whether the function is asked again only for another context (`DBMS_RLS.CONTEXT_SENSITIVE`). */
  readonly contextSensitive: boolean;
}

/** What the emulated schema contains: read by the translator, written by the engine when DDL has run. */
export interface Catalog {
  table(name: string): TableDefinition | undefined;
  index(name: string): IndexDefinition | undefined;
  sequence(name: string): boolean;
  storedFunction(name: string): FunctionDefinition | undefined;
  procedure(name: string): ProcedureDefinition | undefined;
  /** The procedure that alone may set a context. */
  contextProcedure(name: string): string | undefined;
  policies(): readonly RowPolicy[];
  /** The Oracle Text index on a column, if any: CONTAINS needs one. */
  textIndex(table: string, column: string): IndexDefinition | undefined;
  /** An embedding model that is loaded into the database. */
  embeddingModel(name: string): { readonly dimensions: number } | undefined;
  tables(): readonly TableDefinition[];
  indexes(): readonly IndexDefinition[];
}

/** What a DDL statement changes in the catalog, once PostgreSQL has run it. */
export type CatalogChange =
  | { readonly kind: 'table'; readonly table: TableDefinition }
  | { readonly kind: 'drop_table'; readonly name: string }
  | { readonly kind: 'index'; readonly index: IndexDefinition }
  | { readonly kind: 'drop_index'; readonly name: string }
  | { readonly kind: 'sequence'; readonly name: string }
  | { readonly kind: 'drop_sequence'; readonly name: string }
  | { readonly kind: 'function'; readonly function: FunctionDefinition }
  | { readonly kind: 'drop_function'; readonly name: string }
  | { readonly kind: 'procedure'; readonly procedure: ProcedureDefinition }
  | { readonly kind: 'drop_procedure'; readonly name: string }
  | { readonly kind: 'context'; readonly name: string; readonly procedure: string }
  | { readonly kind: 'drop_context'; readonly name: string }
  | { readonly kind: 'policy'; readonly policy: RowPolicy }
  | { readonly kind: 'drop_policy'; readonly table: string; readonly name: string };
