import type { Catalog } from '../engine/catalog.ts';
import { OracleError } from '../sql/oracle-error.ts';
import type { OracleType } from '../sql/oracle-type.ts';
import type { Query } from '../sql/query-syntax.ts';
import type { Identifier } from '../sql/syntax-tree.ts';
import { quoteName } from './names.ts';
import type { TextToEmbed, TranslationContext, TranslationParameter } from './translation.ts';
import { postgresType, type Value } from './value.ts';

/** A column that a source offers. */
export interface ScopeColumn {
  readonly name: string;
  readonly type: OracleType | undefined;
  /** Values keep the length and precision of the type; always so in a table. */
  readonly bounded?: boolean;
}

/** One table, subquery or JSON_TABLE of a FROM list. */
export interface Source {
  readonly alias: string;
  /** Name of the table when the source is one. */
  readonly table: string | undefined;
  readonly columns: readonly ScopeColumn[];
  /** Columns replaced by other values (the new values that MERGE … DELETE WHERE sees). */
  readonly overrides?: ReadonlyMap<string, Value>;
}

/** What names mean inside one query block; `parent` is the block around it. */
export interface Scope {
  readonly parent: Scope | undefined;
  readonly sources: readonly Source[];
  /** Columns of USING and NATURAL joins, which belong to no table any more. */
  readonly merged: ReadonlyMap<string, OracleType | undefined>;
  readonly commonTables: ReadonlyMap<string, readonly ScopeColumn[]>;
}

/** Which expressions may stand outside aggregate functions. */
export interface Grouping {
  readonly keys: ReadonlySet<string>;
  /** False: there is no GROUP BY, only aggregates. */
  readonly explicit: boolean;
}

/** Everything the translation of an expression depends on. */
export interface Environment {
  readonly state: StatementState;
  readonly scope: Scope;
  readonly grouping?: Grouping | undefined;
  /** Aliases of the select list, for ORDER BY. */
  readonly aliases?: ReadonlyMap<string, Value>;
  /** The same for HAVING, where columns come first. */
  readonly lateAliases?: ReadonlyMap<string, Value>;
  /** Inside `CONTAINS(…) > 0`. */
  readonly comparesText?: boolean;
  /** CONTAINS conditions of the query block by label, for SCORE. */
  readonly textQueries?: Map<number, string>;
  /** Inside an aggregate function another one may not stand. */
  readonly insideAggregate?: boolean;
  /** What may not be used here: CHECK conditions and defaults know no subquery and no ROWNUM. */
  readonly restricted?: boolean;
  /** A CHECK condition, where times and sequences may not stand (ORA-02436). */
  readonly inCheck?: boolean;
  /** A query stored by DDL, where binds may not stand (ORA-01027). */
  readonly inDefinition?: boolean;
  /** False outside WHERE, HAVING, ON and CASE, where JSON_EQUAL and CONTAINS may not stand. */
  readonly inCondition?: boolean;
  /** The clause of the query block: only the select list and ORDER BY take window functions. */
  readonly clause?: 'select' | 'where';
  readonly translateQuery: (query: Query, environment: Environment) => TranslatedQuery;
}

/** A query as PostgreSQL text and its columns. */
export interface TranslatedQuery {
  readonly sql: string;
  readonly columns: readonly ScopeColumn[];
}

/** What one statement collects while it is translated. */
export class StatementState {
  readonly context: TranslationContext;
  readonly parameters: TranslationParameter[] = [];

  #textsToEmbed: TextToEmbed[] | undefined;
  #aliases = 0;
  readonly #sequences = new Map<string, 'NEXTVAL' | 'CURRVAL'>();

  constructor(context: TranslationContext) {
    this.context = context;
  }

  /** How many sequences the statement has used so far. */
  get sequencesUsed(): number {
    return this.#sequences.size;
  }

  /** All NEXTVALs of a statement give one number for a row: the first draws it, the others repeat it. */
  sequenceCall(name: string, operation: 'NEXTVAL' | 'CURRVAL', offset: number): 'nextval' | 'currval' {
    const first = !this.#sequences.has(name);
    if (!first && operation === 'NEXTVAL' && this.#sequences.get(name) === 'CURRVAL') {
      throw new OracleError(3001, 'unimplemented feature: CURRVAL before NEXTVAL in one statement', {
        offset,
      });
    }
    if (first) {
      this.#sequences.set(name, operation);
    }
    return first && operation === 'NEXTVAL' ? 'nextval' : 'currval';
  }

  /** A name for a source without an alias; no Oracle name starts with a dollar sign unless quoted. */
  nextAlias(): string {
    this.#aliases += 1;
    return `$${this.#aliases}`;
  }

  get catalog(): Catalog {
    return this.context.catalog;
  }

  /** See `Translation`. */
  get textsToEmbed(): readonly TextToEmbed[] | undefined {
    return this.#textsToEmbed;
  }

  /** Notes a call of VECTOR_EMBEDDING and gives the parameter that holds the known vectors. */
  embeddings(texts: readonly TextToEmbed[]): string {
    this.#textsToEmbed = [...(this.#textsToEmbed ?? []), ...texts];
    return this.parameter('embeddings', '', { kind: 'JSON' }).sql;
  }

  /** A variable of the PL/SQL around the statement, if there is one of this name. */
  variable(name: string): Value | undefined {
    const { variables, routine } = this.context;
    const sql = routine?.variable(name);
    const type = variables.get(name);
    if (type === undefined) {
      return undefined;
    }
    return sql === undefined ? this.parameter('variable', name, type) : { sql, type };
  }

  /** A bind or variable as `($n::type)`; each gets one number however often it is used. */
  parameter(source: TranslationParameter['source'], name: string, type: OracleType): Value {
    let index = this.parameters.findIndex(
      (parameter) => parameter.source === source && parameter.name === name,
    );
    if (index < 0) {
      index = this.parameters.push({ source, name, type }) - 1;
    }
    const cast = type.kind === 'VECTOR' ? 'vector' : postgresType(type);
    return { sql: `($${index + 1}::${cast})`, type };
  }
}

/** The block that starts a statement: no tables. */
export const EMPTY_SCOPE: Scope = {
  parent: undefined,
  sources: [],
  merged: new Map(),
  commonTables: new Map(),
};

/** ORA-00904. */
export function invalidIdentifier(path: readonly Identifier[]): OracleError {
  const name = path.map((part) => `"${part.name}"`).join('.');
  return new OracleError(904, `${name}: invalid identifier`, { offset: path[0]?.offset });
}

/** A column by its name, from the innermost block that has it. ORA-00918 when two tables of a block have it. */
export function resolveColumn(
  scope: Scope,
  path: readonly Identifier[],
): (Value & { readonly local: boolean }) | undefined {
  for (let block: Scope | undefined = scope; block !== undefined; block = block.parent) {
    const found = resolveInBlock(block, path);
    if (found !== undefined) {
      return { ...found, local: block === scope };
    }
  }
  return undefined;
}

function resolveInBlock(block: Scope, path: readonly Identifier[]): Value | undefined {
  const [first, second] = path;
  if (first === undefined || path.length > 2) {
    return undefined;
  }
  const name = second ?? first;
  if (second === undefined && block.merged.has(first.name)) {
    return { sql: quoteName(first.name), type: block.merged.get(first.name) };
  }
  const sources =
    second === undefined ? block.sources : block.sources.filter((source) => source.alias === first.name);
  const matches = sources.flatMap((source) =>
    source.columns.filter((column) => column.name === name.name).map((column) => ({ source, column })),
  );
  if (matches.length > 1) {
    throw new OracleError(918, `${name.name}: column ambiguously specified`, { offset: first.offset });
  }
  const [match] = matches;
  if (match === undefined) {
    return undefined;
  }
  if (second !== undefined && block.merged.has(name.name)) {
    throw new OracleError(25154, 'column part of USING clause cannot have qualifier', {
      offset: first.offset,
    });
  }
  return columnValue(match.source, match.column);
}

/** A column of a source as a value. */
export function columnValue(source: Source, column: ScopeColumn): Value {
  const override = source.overrides?.get(column.name);
  if (override !== undefined) {
    return override;
  }
  return {
    sql: `${quoteName(source.alias)}.${quoteName(column.name)}`,
    type: column.type,
    bounded: source.table !== undefined || column.bounded === true,
    column: { table: source.table, alias: source.alias, name: column.name },
  };
}
