import { scanSql } from '../sql/sql-scanner.ts';
import type { SchemaNames } from './schema-names.ts';
import type { SearchIndexSync } from './schema-policy.ts';

/** A script of `infra/sql`, as data: this layer reads no files. */
export interface Migration {
  /** Schema version that the script leads to. */
  readonly version: number;
  readonly fileName: string;
  /** Text with SQLcl substitution variables (`&prefix.`). */
  readonly sql: string;
  /** Whether only stores that search by keyword need it. */
  readonly keywordOnly: boolean;
}

/** The schema version that the scripts lead to. */
export function newestVersion(migrations: readonly Migration[]): number {
  return Math.max(...migrations.map((migration) => migration.version));
}

/** One DDL statement, ready to run: no comments, no blank lines, no semicolon. */
export interface DdlStatement {
  readonly sql: string;
  /** Name of the table or index that it creates. */
  readonly creates: string;
}

export interface MigrationValues {
  readonly names: SchemaNames;
  /** Width of the embedding column. */
  readonly vectorDimensions: number;
  readonly searchIndexSync: SearchIndexSync;
}

const MAXIMUM_DIMENSIONS = 65_535;
const INDEX_SYNC: Readonly<Record<SearchIndexSync, string>> = {
  on_commit: 'ON COMMIT',
  manual: 'MANUAL',
  auto: 'AUTO',
};

/** Splits a script into statements and fills in its substitution variables, as SQLcl would. */
export function renderMigration(migration: Migration, values: MigrationValues): readonly DdlStatement[] {
  const variables = substitutions(values);
  const statements: string[] = [''];
  for (const piece of scanSql(migration.sql)) {
    if (piece.kind === 'comment') continue;
    const text = substitute(migration.fileName, piece.text, variables);
    const [first = '', ...others] = piece.kind === 'code' ? text.split(';') : [text];
    statements.push((statements.pop() ?? '') + first, ...others);
  }
  return statements
    .map(withoutBlankLines)
    .filter((sql) => sql !== '')
    .map((sql) => ddlStatement(migration.fileName, sql));
}

function substitutions({
  names,
  vectorDimensions,
  searchIndexSync,
}: MigrationValues): ReadonlyMap<string, string> {
  if (!Number.isInteger(vectorDimensions) || vectorDimensions < 1 || vectorDimensions > MAXIMUM_DIMENSIONS) {
    throw new RangeError(`the width of vectors must be a whole number from 1 to ${MAXIMUM_DIMENSIONS}`);
  }
  return new Map([
    ['prefix', names.prefix],
    ['vector_dimensions', String(vectorDimensions)],
    ['index_sync', INDEX_SYNC[searchIndexSync]],
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

function ddlStatement(fileName: string, sql: string): DdlStatement {
  const creates = /^CREATE\s+(?:TABLE|INDEX)\s+(\w+)/.exec(sql)?.[1];
  if (creates === undefined) throw new Error(`${fileName}: not a CREATE TABLE or CREATE INDEX statement`);
  return { sql, creates };
}
