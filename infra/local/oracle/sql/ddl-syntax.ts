import type { OracleType } from './oracle-type.ts';
import type { Query } from './query-syntax.ts';
import type { Expression, Identifier, SortKey, SyntaxNode } from './syntax-tree.ts';

/** A column as CREATE or ALTER TABLE declares it. */
export interface ColumnSyntax {
  readonly name: Identifier;
  readonly type: OracleType | undefined;
  readonly default: Expression | undefined;
  readonly defaultOnNull: boolean;
  readonly identity: 'ALWAYS' | 'BY DEFAULT' | 'BY DEFAULT ON NULL' | undefined;
  readonly nullable: boolean | undefined;
  readonly constraints: readonly ConstraintSyntax[];
}

/** A constraint of a column or table; inline ones name their column. */
export interface ConstraintSyntax {
  readonly name: Identifier | undefined;
  readonly kind: 'PRIMARY KEY' | 'UNIQUE' | 'CHECK' | 'FOREIGN KEY';
  readonly columns: readonly Identifier[];
  readonly condition: Expression | undefined;
  readonly references:
    | {
        readonly table: Identifier;
        readonly columns: readonly Identifier[];
        readonly onDelete: 'CASCADE' | 'SET NULL' | undefined;
      }
    | undefined;
  readonly deferred: 'DEFERRABLE' | 'INITIALLY DEFERRED' | undefined;
}

/** CREATE TABLE with columns or AS SELECT. */
export interface CreateTable extends SyntaxNode {
  readonly kind: 'create_table';
  readonly name: Identifier;
  readonly ifNotExists: boolean;
  readonly columns: readonly ColumnSyntax[];
  readonly constraints: readonly ConstraintSyntax[];
  readonly query: Query | undefined;
}

/** One clause of ALTER TABLE. */
export type TableChange =
  | {
      readonly kind: 'add_columns';
      readonly columns: readonly ColumnSyntax[];
      readonly constraints: readonly ConstraintSyntax[];
    }
  | { readonly kind: 'modify'; readonly columns: readonly ColumnSyntax[] }
  | { readonly kind: 'drop_columns'; readonly columns: readonly Identifier[] }
  | { readonly kind: 'drop_constraint'; readonly name: Identifier | 'PRIMARY KEY'; readonly cascade: boolean }
  | { readonly kind: 'rename_column'; readonly from: Identifier; readonly to: Identifier }
  | { readonly kind: 'rename_table'; readonly to: Identifier };

/** ALTER TABLE. */
export interface AlterTable extends SyntaxNode {
  readonly kind: 'alter_table';
  readonly name: Identifier;
  readonly ifExists: boolean;
  readonly changes: readonly TableChange[];
}

/** CREATE INDEX of any kind; `SEARCH` takes its kind from the column. */
export interface CreateIndex extends SyntaxNode {
  readonly kind: 'create_index';
  readonly name: Identifier;
  readonly ifNotExists: boolean;
  readonly table: Identifier;
  readonly type: 'NORMAL' | 'UNIQUE' | 'VECTOR' | 'TEXT' | 'JSON' | 'SEARCH';
  readonly keys: readonly SortKey[];
  /** The text in PARAMETERS of a text or search index. */
  readonly parameters?: string;
}

/** CREATE SEQUENCE; numbers as written. */
export interface CreateSequence extends SyntaxNode {
  readonly kind: 'create_sequence';
  readonly name: Identifier;
  readonly ifNotExists: boolean;
  readonly start: string | undefined;
  readonly increment: string | undefined;
  readonly minimum: string | undefined;
  readonly maximum: string | undefined;
  readonly cycle: boolean;
}

/** CREATE [OR REPLACE] VIEW. */
export interface CreateView extends SyntaxNode {
  readonly kind: 'create_view';
  readonly name: Identifier;
  readonly orReplace: boolean;
  readonly ifNotExists: boolean;
  readonly columns: readonly Identifier[];
  readonly query: Query;
}

/** DROP of a table, index, sequence, view or function. */
export interface Drop extends SyntaxNode {
  readonly kind: 'drop';
  readonly object: 'TABLE' | 'INDEX' | 'SEQUENCE' | 'VIEW' | 'FUNCTION';
  readonly name: Identifier;
  readonly ifExists: boolean;
  readonly cascade: boolean;
}
