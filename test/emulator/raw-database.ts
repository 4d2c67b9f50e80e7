import { PGlite } from '@electric-sql/pglite';
import { vector } from '@electric-sql/pglite-pgvector';
import type { CatalogChange } from '../../infra/local/oracle/engine/catalog.ts';
import { StoredCatalog } from '../../infra/local/oracle/engine/stored-catalog.ts';
import { OracleError } from '../../infra/local/oracle/sql/oracle-error.ts';
import type { OracleType } from '../../infra/local/oracle/sql/oracle-type.ts';
import { PRELUDE_SQL } from '../../infra/local/oracle/translate/prelude.ts';
import { translate } from '../../infra/local/oracle/translate/translate.ts';
import type { Translation } from '../../infra/local/oracle/translate/translation.ts';

export type TestBind = string | number | null | { readonly type: OracleType; readonly value: string | null };

/** Types that PGlite would otherwise turn into JavaScript values: boolean, bytea, numbers, JSON and times. */
const AS_TEXT = Object.fromEntries(
  [16, 17, 20, 21, 23, 114, 700, 701, 1114, 1184, 1700, 3802].map((id) => [id, (value: string) => value]),
);

/** The translator on a plain PGlite: no engine, so that a failure here is one of the translation. */
export class RawDatabase {
  readonly catalog = new StoredCatalog();
  readonly #database: PGlite;

  private constructor(database: PGlite) {
    this.#database = database;
  }

  static async open(): Promise<RawDatabase> {
    const database = await PGlite.create({ extensions: { vector } });
    await database.exec(PRELUDE_SQL);
    return new RawDatabase(database);
  }

  /** What a newer version of the emulator does with a directory of an older one. */
  async installPrelude(): Promise<void> {
    await this.#database.exec(PRELUDE_SQL);
  }

  /** Runs PostgreSQL's SQL, to make what an older version would have left. */
  async execute(sql: string): Promise<void> {
    await this.#database.exec(sql);
  }

  translate(text: string, binds: Readonly<Record<string, TestBind>> = {}): Translation {
    const types = new Map(Object.entries(binds).map(([name, bind]) => [name.toUpperCase(), bindType(bind)]));
    return translate(text, { catalog: this.catalog, binds: types, variables: new Map() });
  }

  /** Runs a statement; rows as arrays of text. Errors that the prelude raises become `OracleError`s. */
  async run(
    text: string,
    binds: Readonly<Record<string, TestBind>> = {},
  ): Promise<readonly (readonly (string | null)[])[]> {
    const translation = this.translate(text, binds);
    const values = new Map(
      Object.entries(binds).map(([name, bind]) => [name.toUpperCase(), bindValue(bind)]),
    );
    let rows: readonly (readonly (string | null)[])[] = [];
    for (const { sql, parameters } of translation.steps) {
      rows = await this.#runStep(
        sql,
        parameters.map((parameter) => values.get(parameter.name) ?? null),
      );
    }
    this.catalog.apply(translation.changes);
    await this.#store(translation.changes);
    return rows;
  }

  async #store(changes: readonly CatalogChange[]): Promise<void> {
    for (const change of changes) {
      await this.#database.query('SELECT ora.record_change($1::jsonb)', [JSON.stringify(change)]);
    }
  }

  async #runStep(
    sql: string,
    parameters: readonly (string | null)[],
  ): Promise<readonly (readonly (string | null)[])[]> {
    try {
      const result = await this.#database.query<(string | null)[]>(sql, [...parameters], {
        rowMode: 'array',
        parsers: AS_TEXT,
        serializers: AS_TEXT,
      });
      return result.rows;
    } catch (error) {
      throw toOracleError(error, sql);
    }
  }

  close(): Promise<void> {
    return this.#database.close();
  }
}

function toOracleError(error: unknown, sql: string): unknown {
  if (error instanceof Error && 'code' in error) {
    const number = /^ORA-(\d+): ([\s\S]*)/.exec(error.message);
    if (error.code === 'OR001' && number !== null) {
      return new OracleError(Number(number[1]), number[2] ?? '');
    }
    return new Error(`${error.code}: ${error.message}\n${sql}`, { cause: error });
  }
  return error;
}

function bindType(bind: TestBind): OracleType {
  if (typeof bind === 'number') {
    return { kind: 'NUMBER' };
  }
  return typeof bind === 'object' && bind !== null
    ? bind.type
    : { kind: 'VARCHAR2', length: 4000, unit: 'BYTE' };
}

function bindValue(bind: TestBind): string | null {
  const value = typeof bind === 'object' && bind !== null ? bind.value : bind;
  return value === null || value === '' ? null : String(value);
}

/** A CLOB bind. */
export const clob = (value: string | null): TestBind => ({ type: { kind: 'CLOB' }, value });
