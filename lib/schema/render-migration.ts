import { scanSql } from '../sql/sql-scanner.ts';
import type { SchemaNames } from './schema-names.ts';
import type { SearchIndexSync } from './schema-policy.ts';

/**
 * What a script is for. `store` and the text index are statements of the schema, run in the order of their versions;
 * the others are what a database may have on top.
 */
export type MigrationPart =
  | 'store'
  | 'text_lexer'
  | 'text_index'
  | 'vector_index_hnsw'
  | 'vector_index_ivf'
  | 'json_search_index'
  | 'purge_job';

/** A script of `infra/sql`, as data: this layer reads no files. */
export interface Migration {
  /** Schema version that the script leads to. */
  readonly version: number;
  readonly fileName: string;
  /** Text with SQLcl substitution variables (`&prefix.`). */
  readonly sql: string;
  readonly part: MigrationPart;
}

/** One statement, ready to run: no comments, no blank lines, no semicolon. */
export interface DdlStatement {
  readonly sql: string;
  /** Schema version that it belongs to. */
  readonly version: number;
  /** Name of the table or index that it creates; undefined when it changes what exists. */
  readonly creates: string | undefined;
  /** Columns that the table has after it, as `TABLE.COLUMN`. */
  readonly columns: readonly string[];
}

export interface MigrationValues {
  readonly names: SchemaNames;
  /** Width of the embedding column. */
  readonly vectorDimensions: number;
  readonly searchIndexSync: SearchIndexSync;
  /** Whether the text index has the lexer of `text_lexer.sql`. @default true */
  readonly hasTextLexer?: boolean;
}

const MAXIMUM_DIMENSIONS = 65_535;
/**
 * Since 23ai Oracle maintains a text index in the background unless told otherwise, also one with SYNC (MANUAL) (Oracle
 * Text Application Developer's Guide, "Using Automatic Maintenance for an Index").
 */
const INDEX_SYNC: Readonly<Record<SearchIndexSync, string>> = {
  on_commit: 'SYNC (ON COMMIT)',
  manual: 'MAINTENANCE MANUAL SYNC (MANUAL)',
  auto: 'MAINTENANCE AUTO',
};

/** The schema version that the scripts lead to. */
export function newestVersion(migrations: readonly Migration[]): number {
  return Math.max(...migrations.map((migration) => migration.version));
}

/** Splits a script into statements and fills in its substitution variables, as SQLcl would. */
export function renderMigration(migration: Migration, values: MigrationValues): readonly DdlStatement[] {
  const statements: string[] = [''];
  for (const { kind, text } of substituted(migration, values)) {
    const [first = '', ...others] = kind === 'code' ? text.split(';') : [text];
    statements.push((statements.pop() ?? '') + first, ...others);
  }
  return statements
    .map(withoutBlankLines)
    .filter((sql) => sql !== '')
    .map((sql) => describeStatement(migration, sql));
}

/** The PL/SQL block of a script that is one block, with its last semicolon and without the slash that SQLcl needs. */
export function renderBlock(migration: Migration, values: MigrationValues): string {
  const text = substituted(migration, values)
    .map((piece) => piece.text)
    .join('');
  return withoutBlankLines(text).replace(/\n\/$/, '');
}

function substituted(migration: Migration, values: MigrationValues) {
  const variables = substitutions(values);
  return scanSql(migration.sql)
    .filter((piece) => piece.kind !== 'comment')
    .map(({ kind, text }) => ({ kind, text: substitute(migration.fileName, text, variables) }));
}

function substitutions(values: MigrationValues): ReadonlyMap<string, string> {
  const { names, vectorDimensions, searchIndexSync, hasTextLexer = true } = values;
  if (!Number.isInteger(vectorDimensions) || vectorDimensions < 1 || vectorDimensions > MAXIMUM_DIMENSIONS) {
    throw new RangeError(`the width of vectors must be a whole number from 1 to ${MAXIMUM_DIMENSIONS}`);
  }
  return new Map([
    ['prefix', names.prefix],
    ['vector_dimensions', String(vectorDimensions)],
    ['index_sync', INDEX_SYNC[searchIndexSync]],
    ['text_lexer', hasTextLexer ? `LEXER ${names.textLexer} ` : ''],
  ]);
}

function substitute(fileName: string, text: string, variables: ReadonlyMap<string, string>): string {
  return text.replace(/&(\w*)\.?/g, (_match, name: string) => {
    const value = variables.get(name);
    if (value === undefined) throw new Error(`${fileName}: unknown substitution variable ${name}`);
    return value;
  });
}

function withoutBlankLines(sql: string): string {
  return sql
    .split('\n')
    .map((line) => line.trimEnd())
    .filter((line) => line !== '')
    .join('\n')
    .trim();
}

function describeStatement({ fileName, version }: Migration, sql: string): DdlStatement {
  const [, kind, created = ''] = /^CREATE\s+(?:VECTOR\s+|SEARCH\s+)?(TABLE|INDEX)\s+(\w+)/.exec(sql) ?? [];
  if (kind !== undefined) {
    const columns = kind === 'TABLE' ? sql.matchAll(/^ {2}([a-z]\w*) /gm) : [];
    return { sql, version, creates: created, columns: qualified(created, columns) };
  }
  const [, altered = '', list = ''] = /^ALTER\s+TABLE\s+(\w+)\s+ADD\s+\(?([\s\S]*)/.exec(sql) ?? [];
  if (altered !== '') {
    return {
      sql,
      version,
      creates: undefined,
      columns: qualified(altered, list.matchAll(/(?:^|\n {2})([a-z]\w*) /g)),
    };
  }
  if (/^(?:UPDATE|ALTER\s+TABLE)\s/.test(sql)) return { sql, version, creates: undefined, columns: [] };
  throw new Error(`${fileName}: not a CREATE TABLE, CREATE INDEX, ALTER TABLE or UPDATE statement`);
}

function qualified(table: string, names: Iterable<RegExpMatchArray>): readonly string[] {
  return [...names].map(([, name = '']) => `${table}.${name.toUpperCase()}`);
}
