import type { AlterTable, CreateIndex, CreateSequence, CreateTable, CreateView, Drop } from './ddl-syntax.ts';
import type { Delete, Insert, Merge, Update } from './dml-syntax.ts';
import type { OracleType } from './oracle-type.ts';
import type { Query } from './query-syntax.ts';

/** A name as Oracle stores it: upper case unless it was quoted. */
export interface Identifier {
  readonly name: string;
  readonly offset: number;
}

/** What every node has. */
export interface SyntaxNode {
  /** First character in the statement text, for error positions. */
  readonly offset: number;
}

/** Comparison operators; the variants of `<>` are one. */
export type ComparisonOperator = '=' | '<>' | '<' | '<=' | '>' | '>=';
/** Operators on values, with concatenation and the distances between vectors. */
export type ArithmeticOperator = '+' | '-' | '*' | '/' | '||' | '<->' | '<=>' | '<#>';

/** One key of an ORDER BY. */
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

/** A function call, also of aggregates and analytic functions. */
export interface CallExpression extends SyntaxNode {
  readonly kind: 'call';
  /** Upper case; packages are written with their dot: `DBMS_LOB.SUBSTR`. */
  readonly name: string;
  readonly arguments: readonly Expression[];
  readonly star: boolean;
  readonly distinct: boolean;
  readonly ignoreNulls: boolean;
  readonly withinGroup: readonly SortKey[] | undefined;
  readonly window: WindowSpecification | undefined;
  /** A trailing keyword argument: the metric of VECTOR_DISTANCE, the format of TO_VECTOR, the model of VECTOR_EMBEDDING. */
  readonly keyword: string | undefined;
}

/** What a JSON function does when a path finds nothing or a value does not fit. */
export type JsonHandling = 'NULL' | 'ERROR' | 'TRUE' | 'FALSE' | 'EMPTY ARRAY' | 'EMPTY OBJECT' | Expression;

/** What JSON_VALUE, JSON_QUERY and JSON_EXISTS have in common. */
export interface JsonPathOptions {
  readonly passing: readonly { readonly name: string; readonly value: Expression }[];
  readonly returning: OracleType | undefined;
  readonly onError: JsonHandling | undefined;
  readonly onEmpty: JsonHandling | undefined;
  readonly wrapper: 'WITHOUT' | 'WITH' | 'WITH CONDITIONAL';
  readonly pretty: boolean;
}

/** A function that follows a path through a JSON document. */
export interface JsonPathExpression extends SyntaxNode, JsonPathOptions {
  readonly kind: 'json_path';
  readonly function: 'JSON_VALUE' | 'JSON_QUERY' | 'JSON_EXISTS';
  readonly document: Expression;
  readonly path: string;
}

interface JsonValue {
  readonly value: Expression;
  readonly formatJson: boolean;
}

/** A function that builds a JSON object or array. */
export interface JsonBuildExpression extends SyntaxNode {
  readonly kind: 'json_build';
  readonly function: 'JSON_OBJECT' | 'JSON_ARRAY' | 'JSON_OBJECTAGG' | 'JSON_ARRAYAGG';
  /** Keys only for objects. */
  readonly members: readonly (JsonValue & { readonly key: Expression | undefined })[];
  readonly orderBy: readonly SortKey[];
  readonly nulls: 'NULL' | 'ABSENT' | undefined;
  readonly returning: OracleType | undefined;
}

/** One operation of JSON_TRANSFORM. */
export interface JsonChange {
  readonly operation: 'SET' | 'INSERT' | 'REPLACE' | 'APPEND' | 'REMOVE' | 'RENAME';
  readonly path: string;
  readonly value: JsonValue | undefined;
}

/** A value or a condition. */
export type Expression =
  | (SyntaxNode & { readonly kind: 'text'; readonly value: string })
  | (SyntaxNode & { readonly kind: 'number'; readonly value: string })
  | (SyntaxNode & { readonly kind: 'time'; readonly type: 'DATE' | 'TIMESTAMP'; readonly value: string })
  | (SyntaxNode & {
      readonly kind: 'interval';
      readonly value: string;
      readonly from: string;
      readonly to: string | undefined;
    })
  | (SyntaxNode & { readonly kind: 'null' })
  | (SyntaxNode & { readonly kind: 'boolean'; readonly value: boolean })
  | (SyntaxNode & { readonly kind: 'default' })
  | (SyntaxNode & { readonly kind: 'bind'; readonly name: string })
  | (SyntaxNode & { readonly kind: 'name'; readonly path: readonly Identifier[] })
  | (SyntaxNode & { readonly kind: 'sign'; readonly operator: '-' | '+'; readonly operand: Expression })
  | (SyntaxNode & {
      readonly kind: 'arithmetic';
      readonly operator: ArithmeticOperator;
      readonly left: Expression;
      readonly right: Expression;
    })
  | CallExpression
  | (SyntaxNode & {
      readonly kind: 'case';
      readonly operand: Expression | undefined;
      readonly branches: readonly { readonly when: Expression; readonly value: Expression }[];
      readonly otherwise: Expression | undefined;
    })
  | (SyntaxNode & { readonly kind: 'cast'; readonly operand: Expression; readonly type: OracleType })
  | (SyntaxNode & { readonly kind: 'treat'; readonly operand: Expression; readonly type: Identifier })
  /** A method of what a call gives: `f(x).name` or `f(x).name(y)`. */
  | (SyntaxNode & {
      readonly kind: 'method';
      readonly operand: Expression;
      readonly name: string;
      readonly arguments: readonly Expression[];
    })
  | (SyntaxNode & { readonly kind: 'extract'; readonly field: string; readonly operand: Expression })
  | (SyntaxNode & {
      readonly kind: 'trim';
      readonly side: 'BOTH' | 'LEADING' | 'TRAILING';
      readonly characters: Expression | undefined;
      readonly operand: Expression;
    })
  | (SyntaxNode & { readonly kind: 'at_time_zone'; readonly operand: Expression; readonly zone: Expression })
  | (SyntaxNode & { readonly kind: 'row'; readonly items: readonly Expression[] })
  | (SyntaxNode & { readonly kind: 'subquery'; readonly query: Query })
  | JsonPathExpression
  | JsonBuildExpression
  | (SyntaxNode & {
      readonly kind: 'json_serialize';
      readonly operand: Expression;
      readonly returning: OracleType | undefined;
      readonly pretty: boolean;
    })
  | (SyntaxNode & {
      readonly kind: 'json_merge';
      readonly operand: Expression;
      readonly patch: Expression;
      readonly returning: OracleType | undefined;
    })
  | (SyntaxNode & {
      readonly kind: 'json_transform';
      readonly operand: Expression;
      readonly changes: readonly JsonChange[];
      readonly returning: OracleType | undefined;
    })
  | Condition;

/** An expression that is true, false or unknown. */
export type Condition =
  | (SyntaxNode & {
      readonly kind: 'logical';
      readonly operator: 'AND' | 'OR';
      readonly items: readonly Expression[];
    })
  | (SyntaxNode & { readonly kind: 'not'; readonly operand: Expression })
  | (SyntaxNode & {
      readonly kind: 'comparison';
      readonly operator: ComparisonOperator;
      readonly quantifier: 'ANY' | 'ALL' | undefined;
      readonly left: Expression;
      readonly right: Expression;
    })
  | (SyntaxNode & {
      readonly kind: 'between';
      readonly negated: boolean;
      readonly operand: Expression;
      readonly low: Expression;
      readonly high: Expression;
    })
  | (SyntaxNode & {
      readonly kind: 'like';
      readonly negated: boolean;
      readonly operand: Expression;
      readonly pattern: Expression;
      readonly escape: Expression | undefined;
    })
  | (SyntaxNode & {
      readonly kind: 'in';
      readonly negated: boolean;
      readonly operand: Expression;
      readonly items: readonly Expression[];
    })
  | (SyntaxNode & { readonly kind: 'exists'; readonly query: Query })
  | (SyntaxNode & { readonly kind: 'is_null'; readonly negated: boolean; readonly operand: Expression })
  | (SyntaxNode & {
      readonly kind: 'is_boolean';
      readonly negated: boolean;
      readonly value: boolean;
      readonly operand: Expression;
    })
  | (SyntaxNode & { readonly kind: 'is_json'; readonly negated: boolean; readonly operand: Expression });

/** One SQL statement. */
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
  | (SyntaxNode & { readonly kind: 'truncate'; readonly name: Identifier; readonly cascade: boolean })
  | (SyntaxNode & {
      readonly kind: 'comment';
      readonly table: Identifier;
      readonly column: Identifier | undefined;
      readonly text: string;
    })
  | (SyntaxNode & { readonly kind: 'commit' | 'rollback' });
