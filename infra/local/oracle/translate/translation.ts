import type { Catalog, CatalogChange, FunctionDefinition } from '../engine/catalog.ts';
import type { OracleType } from '../sql/oracle-type.ts';

/** What the translator must know about the names in a statement. */
export interface TranslationContext {
  readonly catalog: Catalog;
  /** Declared types of the binds (`:name`, without the colon, upper case). A bind that is not here: ORA-01008. */
  readonly binds: ReadonlyMap<string, OracleType>;
  /** Variables of the PL/SQL block around the statement (upper case); a column of the same name wins. */
  readonly variables: ReadonlyMap<string, OracleType>;
  /** Present while the body of a stored function is translated: its expressions become text of PostgreSQL's function. */
  readonly routine?: RoutineNames;
}

/** What the names in a stored function are in PostgreSQL's text. */
export interface RoutineNames {
  /** A variable or parameter; undefined: there is none of this name. ORA-03001: the function around this one has it. */
  variable(name: string): string | undefined;
  /** The function itself and those declared in it. */
  localFunction(name: string): FunctionDefinition | undefined;
  /** How deep the call is that runs: an argument of each call that it makes. */
  readonly depth: string;
}

/** A value that PostgreSQL takes as `$n`: one entry per occurrence, in order. */
export interface TranslationParameter {
  /** `embeddings`: the vectors that are known already, see `TextToEmbed`. */
  readonly source: 'bind' | 'variable' | 'embeddings';
  readonly name: string;
  readonly type: OracleType;
}

/** A text whose vector a statement asks for, as far as the text shows that before it runs. */
export interface TextToEmbed {
  readonly model: string;
  readonly text: string | TranslationParameter;
}

export interface TranslationColumn {
  /** As Oracle reports it: upper case unless quoted. */
  readonly name: string;
  /** The Oracle type where the translator can tell; otherwise derived from the PostgreSQL result. */
  readonly type: OracleType | undefined;
}

/** Where a value goes: `SELECT … INTO` or `RETURNING … INTO`. */
export interface IntoTarget {
  readonly target: 'bind' | 'variable';
  readonly name: string;
}

/** One Oracle statement as PostgreSQL text that does the same, or as steps when it takes several. */
export interface Translation {
  readonly kind: 'query' | 'dml' | 'ddl' | 'commit' | 'rollback';
  /** The verb for messages such as `1 row inserted.`: INSERT, UPDATE, CREATE TABLE, … */
  readonly verb: string;
  /** PostgreSQL statements to run in order; empty when there is nothing to do (an index that is only recorded). */
  readonly steps: readonly { readonly sql: string; readonly parameters: readonly TranslationParameter[] }[];
  /** Columns of a query, or of the RETURNING list of a DML statement. */
  readonly columns: readonly TranslationColumn[];
  readonly into: readonly IntoTarget[];
  readonly changes: readonly CatalogChange[];
  /** Present when the statement calls VECTOR_EMBEDDING; those over values of rows show when it runs. */
  readonly textsToEmbed?: readonly TextToEmbed[] | undefined;
}

/** Translates one SQL statement (no PL/SQL block, no trailing semicolon) or throws an `OracleError`. */
export type Translate = (text: string, context: TranslationContext) => Translation;
