import type { IntoItem, Query, SelectItem, TableReference } from './query-syntax.ts';
import type { Expression, Identifier, SyntaxNode } from './syntax-tree.ts';

/** RETURNING expressions INTO targets. */
export interface Returning {
  readonly items: readonly SelectItem[];
  readonly into: readonly IntoItem[];
}

/** The table that a statement changes. */
export interface TargetTable {
  readonly name: Identifier;
  readonly alias: Identifier | undefined;
}

/** One entry of a SET list. */
export interface Assignment {
  /** Several columns: `(a, b) = (SELECT …)`. */
  readonly columns: readonly (readonly Identifier[])[];
  readonly value: Expression;
}

/** INSERT with VALUES rows or a query. */
export interface Insert extends SyntaxNode {
  readonly kind: 'insert';
  readonly target: TargetTable;
  readonly columns: readonly (readonly Identifier[])[] | undefined;
  readonly rows: readonly (readonly Expression[])[];
  readonly query: Query | undefined;
  readonly returning: Returning | undefined;
}

/** UPDATE. */
export interface Update extends SyntaxNode {
  readonly kind: 'update';
  readonly target: TargetTable;
  readonly assignments: readonly Assignment[];
  readonly where: Expression | undefined;
  readonly returning: Returning | undefined;
}

/** DELETE. */
export interface Delete extends SyntaxNode {
  readonly kind: 'delete';
  readonly target: TargetTable;
  readonly where: Expression | undefined;
  readonly returning: Returning | undefined;
}

/** MERGE. */
export interface Merge extends SyntaxNode {
  readonly kind: 'merge';
  readonly target: TargetTable;
  readonly source: TableReference;
  readonly on: Expression;
  readonly update:
    | {
        readonly assignments: readonly Assignment[];
        readonly where: Expression | undefined;
        readonly deleteWhere: Expression | undefined;
      }
    | undefined;
  readonly insert:
    | {
        readonly columns: readonly (readonly Identifier[])[] | undefined;
        readonly values: readonly Expression[];
        readonly where: Expression | undefined;
      }
    | undefined;
}
