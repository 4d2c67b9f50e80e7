import type { OracleType } from './oracle-type.ts';
import type {
  Expression,
  Identifier,
  JsonHandling,
  JsonPathOptions,
  SortKey,
  SyntaxNode,
} from './syntax-tree.ts';

export interface SelectItem {
  readonly expression: Expression;
  readonly alias: Identifier | undefined;
  /** Name of the column when it has no alias: the text without white space, upper case. */
  readonly text: string;
}

/** `*` or `t.*`. */
export interface StarItem {
  readonly star: true;
  readonly table: Identifier | undefined;
}

export interface IntoItem {
  readonly source: 'bind' | 'variable';
  readonly name: string;
  readonly offset: number;
}

export interface JsonTableColumn {
  readonly kind: 'value' | 'ordinality' | 'exists' | 'nested';
  readonly name: string;
  readonly type: OracleType | undefined;
  readonly formatJson: boolean;
  readonly path: string | undefined;
  readonly onError: JsonHandling | undefined;
  readonly onEmpty: JsonHandling | undefined;
  readonly wrapper: JsonPathOptions['wrapper'];
  readonly columns: readonly JsonTableColumn[];
}

export type TableReference =
  | (SyntaxNode & {
      readonly kind: 'table';
      readonly name: Identifier;
      readonly alias: Identifier | undefined;
    })
  | (SyntaxNode & {
      readonly kind: 'derived';
      readonly query: Query;
      readonly lateral: boolean;
      readonly alias: Identifier | undefined;
    })
  | (SyntaxNode & {
      readonly kind: 'json_table';
      readonly document: Expression;
      readonly path: string;
      readonly onError: JsonHandling | undefined;
      readonly onEmpty: JsonHandling | undefined;
      readonly columns: readonly JsonTableColumn[];
      readonly alias: Identifier | undefined;
    })
  | (SyntaxNode & {
      readonly kind: 'join';
      readonly type: 'INNER' | 'LEFT' | 'RIGHT' | 'FULL' | 'CROSS';
      readonly left: TableReference;
      readonly right: TableReference;
      readonly on: Expression | undefined;
      /** Columns of USING; `natural` joins on all common names. */
      readonly using: readonly Identifier[] | undefined;
      readonly natural: boolean;
    });

export interface Select extends SyntaxNode {
  readonly kind: 'select';
  readonly distinct: boolean;
  readonly items: readonly (SelectItem | StarItem)[];
  readonly into: readonly IntoItem[];
  readonly from: readonly TableReference[];
  readonly where: Expression | undefined;
  readonly groupBy: readonly Expression[];
  readonly having: Expression | undefined;
}

export interface SetOperation extends SyntaxNode {
  readonly kind: 'set';
  readonly operator: 'UNION' | 'UNION ALL' | 'INTERSECT' | 'INTERSECT ALL' | 'MINUS' | 'MINUS ALL';
  readonly left: QueryBody;
  readonly right: QueryBody;
}

export type QueryBody =
  | Select
  | SetOperation
  | (SyntaxNode & { readonly kind: 'query'; readonly query: Query });

export interface CommonTable {
  readonly name: Identifier;
  readonly columns: readonly Identifier[];
  readonly query: Query;
}

export interface Fetch {
  /** Undefined: one row. */
  readonly count: Expression | undefined;
  readonly percent: boolean;
  readonly withTies: boolean;
}

export interface ForUpdate {
  readonly columns: readonly (readonly Identifier[])[];
  readonly wait: 'WAIT' | 'NOWAIT' | 'SKIP LOCKED';
}

export interface Query extends SyntaxNode {
  readonly kind: 'query';
  readonly with: readonly CommonTable[];
  readonly body: QueryBody;
  readonly orderBy: readonly SortKey[];
  readonly skip: Expression | undefined;
  readonly fetch: Fetch | undefined;
  readonly forUpdate: ForUpdate | undefined;
}
