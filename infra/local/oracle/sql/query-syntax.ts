import type { OracleType } from './oracle-type.ts';
import type {
  Expression,
  Identifier,
  JsonHandling,
  JsonPathOptions,
  SortKey,
  SyntaxNode,
} from './syntax-tree.ts';

/** One expression of a select list or RETURNING. */
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

/** One target of INTO. */
export interface IntoItem {
  readonly source: 'bind' | 'variable';
  readonly name: string;
  readonly offset: number;
}

/** One column of a JSON_TABLE; `nested` ones only hold others. */
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

/** One entry of a FROM list. */
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

/** A query block: SELECT … FROM … WHERE … GROUP BY … HAVING. */
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

/** Two queries joined by UNION, INTERSECT or MINUS. */
export interface SetOperation extends SyntaxNode {
  readonly kind: 'set';
  readonly operator: 'UNION' | 'UNION ALL' | 'INTERSECT' | 'INTERSECT ALL' | 'MINUS' | 'MINUS ALL';
  readonly left: QueryBody;
  readonly right: QueryBody;
}

/** A query without WITH, ORDER BY and FETCH. */
export type QueryBody =
  | Select
  | SetOperation
  | (SyntaxNode & { readonly kind: 'query'; readonly query: Query });

/** One named query of WITH. */
export interface CommonTable {
  readonly name: Identifier;
  readonly columns: readonly Identifier[];
  readonly query: Query;
}

/** FETCH FIRST; APPROX and EXACT are the same here. */
export interface Fetch {
  /** Undefined: one row. */
  readonly count: Expression | undefined;
  readonly percent: boolean;
  readonly withTies: boolean;
}

/** FOR UPDATE with the columns of OF. */
export interface ForUpdate {
  readonly columns: readonly (readonly Identifier[])[];
  readonly wait: 'WAIT' | 'NOWAIT' | 'SKIP LOCKED';
}

/** A query with all its clauses. */
export interface Query extends SyntaxNode {
  readonly kind: 'query';
  readonly with: readonly CommonTable[];
  readonly body: QueryBody;
  readonly orderBy: readonly SortKey[];
  readonly skip: Expression | undefined;
  readonly fetch: Fetch | undefined;
  readonly forUpdate: ForUpdate | undefined;
}
