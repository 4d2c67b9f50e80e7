import type { OracleType } from './oracle-type.ts';

/** A name as Oracle stores it: upper case unless it was quoted. */
export interface Identifier {
  readonly name: string;
  readonly offset: number;
}

interface Node {
  /** First character in the statement text, for error positions. */
  readonly offset: number;
}

export type ComparisonOperator = '=' | '<>' | '<' | '<=' | '>' | '>=';
export type ArithmeticOperator = '+' | '-' | '*' | '/' | '||' | '<->' | '<=>' | '<#>';

export interface SortKey {
  readonly expression: Expression;
  readonly descending: boolean;
  readonly nulls: 'FIRST' | 'LAST' | undefined;
}

/** `OVER (PARTITION BY … ORDER BY … ROWS …)`; the frame is PostgreSQL's text, which is Oracle's. */
export interface WindowSpecification {
  readonly partitionBy: readonly Expression[];
  readonly orderBy: readonly SortKey[];
  readonly frame: string | undefined;
}

export interface CallExpression extends Node {
  readonly kind: 'call';
  /** Upper case; packages are written with their dot: `DBMS_LOB.SUBSTR`. */
  readonly name: string;
  readonly arguments: readonly Expression[];
  readonly star: boolean;
  readonly distinct: boolean;
  readonly ignoreNulls: boolean;
  readonly withinGroup: readonly SortKey[] | undefined;
  readonly window: WindowSpecification | undefined;
  /** A trailing keyword argument: the metric of VECTOR_DISTANCE, the format of TO_VECTOR. */
  readonly keyword: string | undefined;
}

/** What a JSON function does when a path finds nothing or a value does not fit. */
export type JsonHandling = 'NULL' | 'ERROR' | 'TRUE' | 'FALSE' | 'EMPTY ARRAY' | 'EMPTY OBJECT' | Expression;

export interface JsonPathOptions {
  readonly passing: readonly { readonly name: string; readonly value: Expression }[];
  readonly returning: OracleType | undefined;
  readonly onError: JsonHandling | undefined;
  readonly onEmpty: JsonHandling | undefined;
  readonly wrapper: 'WITHOUT' | 'WITH' | 'WITH CONDITIONAL';
  readonly pretty: boolean;
}

export interface JsonPathExpression extends Node, JsonPathOptions {
  readonly kind: 'json_path';
  readonly function: 'JSON_VALUE' | 'JSON_QUERY' | 'JSON_EXISTS';
  readonly document: Expression;
  readonly path: string;
}

export interface JsonValue {
  readonly value: Expression;
  readonly formatJson: boolean;
}

export interface JsonBuildExpression extends Node {
  readonly kind: 'json_build';
  readonly function: 'JSON_OBJECT' | 'JSON_ARRAY' | 'JSON_OBJECTAGG' | 'JSON_ARRAYAGG';
  /** Keys only for objects. */
  readonly members: readonly (JsonValue & { readonly key: Expression | undefined })[];
  readonly orderBy: readonly SortKey[];
  readonly nulls: 'NULL' | 'ABSENT' | undefined;
  readonly returning: OracleType | undefined;
}

export interface JsonChange {
  readonly operation: 'SET' | 'INSERT' | 'REPLACE' | 'APPEND' | 'REMOVE' | 'RENAME';
  readonly path: string;
  readonly value: JsonValue | undefined;
}

export type Expression =
  | (Node & { readonly kind: 'text'; readonly value: string })
  | (Node & { readonly kind: 'number'; readonly value: string })
  | (Node & { readonly kind: 'time'; readonly type: 'DATE' | 'TIMESTAMP'; readonly value: string })
  | (Node & {
      readonly kind: 'interval';
      readonly value: string;
      readonly from: string;
      readonly to: string | undefined;
    })
  | (Node & { readonly kind: 'null' })
  | (Node & { readonly kind: 'boolean'; readonly value: boolean })
  | (Node & { readonly kind: 'default' })
  | (Node & { readonly kind: 'bind'; readonly name: string })
  | (Node & { readonly kind: 'name'; readonly path: readonly Identifier[] })
  | (Node & { readonly kind: 'sign'; readonly operator: '-' | '+'; readonly operand: Expression })
  | (Node & {
      readonly kind: 'arithmetic';
      readonly operator: ArithmeticOperator;
      readonly left: Expression;
      readonly right: Expression;
    })
  | CallExpression
  | (Node & {
      readonly kind: 'case';
      readonly operand: Expression | undefined;
      readonly branches: readonly { readonly when: Expression; readonly value: Expression }[];
      readonly otherwise: Expression | undefined;
    })
  | (Node & { readonly kind: 'cast'; readonly operand: Expression; readonly type: OracleType })
  | (Node & { readonly kind: 'extract'; readonly field: string; readonly operand: Expression })
  | (Node & {
      readonly kind: 'trim';
      readonly side: 'BOTH' | 'LEADING' | 'TRAILING';
      readonly characters: Expression | undefined;
      readonly operand: Expression;
    })
  | (Node & { readonly kind: 'at_time_zone'; readonly operand: Expression; readonly zone: Expression })
  | (Node & { readonly kind: 'row'; readonly items: readonly Expression[] })
  | (Node & { readonly kind: 'subquery'; readonly query: Query })
  | JsonPathExpression
  | JsonBuildExpression
  | (Node & {
      readonly kind: 'json_serialize';
      readonly operand: Expression;
      readonly returning: OracleType | undefined;
      readonly pretty: boolean;
    })
  | (Node & {
      readonly kind: 'json_merge';
      readonly operand: Expression;
      readonly patch: Expression;
      readonly returning: OracleType | undefined;
    })
  | (Node & {
      readonly kind: 'json_transform';
      readonly operand: Expression;
      readonly changes: readonly JsonChange[];
      readonly returning: OracleType | undefined;
    })
  | Condition;

export type Condition =
  | (Node & {
      readonly kind: 'logical';
      readonly operator: 'AND' | 'OR';
      readonly items: readonly Expression[];
    })
  | (Node & { readonly kind: 'not'; readonly operand: Expression })
  | (Node & {
      readonly kind: 'comparison';
      readonly operator: ComparisonOperator;
      readonly quantifier: 'ANY' | 'ALL' | undefined;
      readonly left: Expression;
      readonly right: Expression;
    })
  | (Node & {
      readonly kind: 'between';
      readonly negated: boolean;
      readonly operand: Expression;
      readonly low: Expression;
      readonly high: Expression;
    })
  | (Node & {
      readonly kind: 'like';
      readonly negated: boolean;
      readonly operand: Expression;
      readonly pattern: Expression;
      readonly escape: Expression | undefined;
    })
  | (Node & {
      readonly kind: 'in';
      readonly negated: boolean;
      readonly operand: Expression;
      readonly items: readonly Expression[];
    })
  | (Node & { readonly kind: 'exists'; readonly query: Query })
  | (Node & { readonly kind: 'is_null'; readonly negated: boolean; readonly operand: Expression })
  | (Node & {
      readonly kind: 'is_boolean';
      readonly negated: boolean;
      readonly value: boolean;
      readonly operand: Expression;
    })
  | (Node & { readonly kind: 'is_json'; readonly negated: boolean; readonly operand: Expression });

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
  | (Node & { readonly kind: 'table'; readonly name: Identifier; readonly alias: Identifier | undefined })
  | (Node & {
      readonly kind: 'derived';
      readonly query: Query;
      readonly lateral: boolean;
      readonly alias: Identifier | undefined;
    })
  | (Node & {
      readonly kind: 'json_table';
      readonly document: Expression;
      readonly path: string;
      readonly onError: JsonHandling | undefined;
      readonly onEmpty: JsonHandling | undefined;
      readonly columns: readonly JsonTableColumn[];
      readonly alias: Identifier | undefined;
    })
  | (Node & {
      readonly kind: 'join';
      readonly type: 'INNER' | 'LEFT' | 'RIGHT' | 'FULL' | 'CROSS';
      readonly left: TableReference;
      readonly right: TableReference;
      readonly on: Expression | undefined;
      /** Columns of USING; `natural` joins on all common names. */
      readonly using: readonly Identifier[] | undefined;
      readonly natural: boolean;
    });

export interface Select extends Node {
  readonly kind: 'select';
  readonly distinct: boolean;
  readonly items: readonly (SelectItem | StarItem)[];
  readonly into: readonly IntoItem[];
  readonly from: readonly TableReference[];
  readonly where: Expression | undefined;
  readonly groupBy: readonly Expression[];
  readonly having: Expression | undefined;
}

export interface SetOperation extends Node {
  readonly kind: 'set';
  readonly operator: 'UNION' | 'UNION ALL' | 'INTERSECT' | 'INTERSECT ALL' | 'MINUS' | 'MINUS ALL';
  readonly left: QueryBody;
  readonly right: QueryBody;
}

export type QueryBody = Select | SetOperation | (Node & { readonly kind: 'query'; readonly query: Query });

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

export interface Query extends Node {
  readonly kind: 'query';
  readonly with: readonly CommonTable[];
  readonly body: QueryBody;
  readonly orderBy: readonly SortKey[];
  readonly skip: Expression | undefined;
  readonly fetch: Fetch | undefined;
  readonly forUpdate: ForUpdate | undefined;
}

export interface Returning {
  readonly items: readonly SelectItem[];
  readonly into: readonly IntoItem[];
}

export interface TargetTable {
  readonly name: Identifier;
  readonly alias: Identifier | undefined;
}

export interface Assignment {
  /** Several columns: `(a, b) = (SELECT …)`. */
  readonly columns: readonly (readonly Identifier[])[];
  readonly value: Expression;
}

export interface Insert extends Node {
  readonly kind: 'insert';
  readonly target: TargetTable;
  readonly columns: readonly (readonly Identifier[])[] | undefined;
  readonly rows: readonly (readonly Expression[])[];
  readonly query: Query | undefined;
  readonly returning: Returning | undefined;
}

export interface Update extends Node {
  readonly kind: 'update';
  readonly target: TargetTable;
  readonly assignments: readonly Assignment[];
  readonly where: Expression | undefined;
  readonly returning: Returning | undefined;
}

export interface Delete extends Node {
  readonly kind: 'delete';
  readonly target: TargetTable;
  readonly where: Expression | undefined;
  readonly returning: Returning | undefined;
}

export interface Merge extends Node {
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

export interface ColumnSyntax {
  readonly name: Identifier;
  readonly type: OracleType | undefined;
  readonly default: Expression | undefined;
  readonly defaultOnNull: boolean;
  readonly identity: 'ALWAYS' | 'BY DEFAULT' | 'BY DEFAULT ON NULL' | undefined;
  readonly nullable: boolean | undefined;
  readonly constraints: readonly ConstraintSyntax[];
}

export interface ConstraintSyntax {
  readonly name: Identifier | undefined;
  readonly kind: 'PRIMARY KEY' | 'UNIQUE' | 'CHECK' | 'FOREIGN KEY';
  readonly columns: readonly Identifier[];
  readonly condition: Expression | undefined;
  /** Text of the condition, for the data dictionary. */
  readonly references:
    | {
        readonly table: Identifier;
        readonly columns: readonly Identifier[];
        readonly onDelete: 'CASCADE' | 'SET NULL' | undefined;
      }
    | undefined;
  readonly deferred: 'DEFERRABLE' | 'INITIALLY DEFERRED' | undefined;
}

export interface CreateTable extends Node {
  readonly kind: 'create_table';
  readonly name: Identifier;
  readonly ifNotExists: boolean;
  readonly columns: readonly ColumnSyntax[];
  readonly constraints: readonly ConstraintSyntax[];
  readonly query: Query | undefined;
}

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

export interface AlterTable extends Node {
  readonly kind: 'alter_table';
  readonly name: Identifier;
  readonly ifExists: boolean;
  readonly changes: readonly TableChange[];
}

export interface CreateIndex extends Node {
  readonly kind: 'create_index';
  readonly name: Identifier;
  readonly ifNotExists: boolean;
  readonly table: Identifier;
  readonly type: 'NORMAL' | 'UNIQUE' | 'VECTOR' | 'TEXT' | 'JSON' | 'SEARCH';
  readonly keys: readonly SortKey[];
}

export interface CreateSequence extends Node {
  readonly kind: 'create_sequence';
  readonly name: Identifier;
  readonly ifNotExists: boolean;
  readonly start: string | undefined;
  readonly increment: string | undefined;
  readonly minimum: string | undefined;
  readonly maximum: string | undefined;
  readonly cycle: boolean;
}

export interface CreateView extends Node {
  readonly kind: 'create_view';
  readonly name: Identifier;
  readonly orReplace: boolean;
  readonly ifNotExists: boolean;
  readonly columns: readonly Identifier[];
  readonly query: Query;
}

export interface Drop extends Node {
  readonly kind: 'drop';
  readonly object: 'TABLE' | 'INDEX' | 'SEQUENCE' | 'VIEW';
  readonly name: Identifier;
  readonly ifExists: boolean;
  readonly cascade: boolean;
}

export type Statement =
  | Query
  | Insert
  | Update
  | Delete
  | Merge
  | CreateTable
  | AlterTable
  | CreateIndex
  | CreateSequence
  | CreateView
  | Drop
  | (Node & { readonly kind: 'truncate'; readonly name: Identifier; readonly cascade: boolean })
  | (Node & {
      readonly kind: 'comment';
      readonly table: Identifier;
      readonly column: Identifier | undefined;
      readonly text: string;
    })
  | (Node & { readonly kind: 'commit' | 'rollback' });
