import type { OracleType } from '../../sql/oracle-type.ts';
import type { Expression } from '../../sql/syntax-tree.ts';
import type { FunctionParameter, RowPolicy } from '../catalog.ts';

/** Text of a PL/SQL expression and its syntax tree. `SQL%ROWCOUNT` is the name `SQL$ROWCOUNT`, `r.id` is `r$id`. */
export interface BlockExpression {
  readonly text: string;
  readonly tree: Expression;
  readonly offset: number;
}

export interface Declaration {
  readonly name: string;
  readonly type: OracleType;
  readonly initial: BlockExpression | undefined;
  readonly constant: boolean;
  readonly offset: number;
}

/** A variable or an OUT bind. */
export interface Target {
  readonly source: 'bind' | 'variable';
  readonly name: string;
}

export interface Branch {
  readonly condition: BlockExpression;
  readonly body: readonly BlockStatement[];
}

export interface Handler {
  /** Names of predefined exceptions, or `OTHERS` alone. */
  readonly exceptions: readonly string[];
  readonly body: readonly BlockStatement[];
}

/** SQL inside a block: DML or `SELECT … INTO`, or the query of a loop. */
export interface EmbeddedSql {
  readonly text: string;
  readonly offset: number;
}

/** A function: a stored one, or one that is declared in it. */
export interface FunctionSyntax extends Node {
  readonly name: string;
  readonly parameters: readonly FunctionParameter[];
  readonly returns: OracleType;
  readonly deterministic: boolean;
  readonly parallel: boolean;
  /** Undefined: only announced, so that functions before it can call it. */
  readonly block: Block | undefined;
}

interface Node {
  /** First character in the text of the block. */
  readonly offset: number;
}

export interface Block extends Node {
  readonly kind: 'block';
  readonly declarations: readonly Declaration[];
  /** Only in a stored function. */
  readonly functions: readonly FunctionSyntax[];
  readonly body: readonly BlockStatement[];
  readonly handlers: readonly Handler[];
}

export type BlockStatement =
  | Block
  | (Node & { readonly kind: 'null' | 'raise' | 'case_not_found' })
  /** The value is that of a function. */
  | (Node & { readonly kind: 'return'; readonly value: BlockExpression | undefined })
  | (Node & { readonly kind: 'sql'; readonly sql: EmbeddedSql })
  | (Node & { readonly kind: 'assign'; readonly target: Target; readonly value: BlockExpression })
  | (Node & {
      readonly kind: 'if';
      readonly branches: readonly Branch[];
      readonly otherwise: readonly BlockStatement[];
    })
  | (Node & {
      readonly kind: 'raise_application_error';
      readonly number: BlockExpression;
      readonly message: BlockExpression;
    })
  | (Node & { readonly kind: 'execute_immediate'; readonly text: string })
  | (Node & { readonly kind: 'sync_index' | 'optimize_index'; readonly index: BlockExpression })
  /** Call of a stored procedure, with its arguments in order. */
  | (Node & {
      readonly kind: 'call';
      readonly procedure: string;
      readonly values: readonly BlockExpression[];
    })
  /** DBMS_SESSION.SET_CONTEXT and CLEAR_ALL_CONTEXT: the values are namespace, attribute and value, or the namespace. */
  | (Node & { readonly kind: 'set_context' | 'clear_context'; readonly values: readonly BlockExpression[] })
  | (Node & { readonly kind: 'add_policy'; readonly policy: RowPolicy })
  | (Node & { readonly kind: 'drop_policy'; readonly table: string; readonly name: string })
  | (Node & { readonly kind: 'exit' | 'continue'; readonly when: BlockExpression | undefined })
  | (Node & {
      readonly kind: 'while';
      /** Undefined: a plain LOOP. */
      readonly condition: BlockExpression | undefined;
      readonly body: readonly BlockStatement[];
    })
  | (Node & {
      readonly kind: 'for_query';
      readonly record: string;
      readonly query: EmbeddedSql;
      readonly body: readonly BlockStatement[];
    })
  | (Node & {
      readonly kind: 'for_range';
      readonly index: string;
      readonly low: BlockExpression;
      readonly high: BlockExpression;
      readonly body: readonly BlockStatement[];
    });

/** Names that every expression of a block may use: cursor attributes of the last statement and the current error. */
export const PSEUDO_VARIABLES: ReadonlyMap<string, OracleType> = new Map<string, OracleType>([
  ['SQL$ROWCOUNT', { kind: 'NUMBER' }],
  ['SQL$FOUND', { kind: 'BOOLEAN' }],
  ['SQL$NOTFOUND', { kind: 'BOOLEAN' }],
  ['SQLCODE', { kind: 'NUMBER' }],
  ['SQLERRM', { kind: 'VARCHAR2', length: 4000, unit: 'BYTE' }],
]);
