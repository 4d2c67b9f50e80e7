import { json } from '../sql/bind.ts';
import { oracleErrorOf } from '../sql/oracle-database-error.ts';
import type { CallOptions, SqlTransport } from '../sql/sql-transport.ts';
import type { DdlStatement } from './render-migration.ts';

export interface DdlOptions extends CallOptions {
  readonly transport: SqlTransport;
  readonly wait?: (milliseconds: number) => Promise<void>;
}

/** What exists of the objects that were asked for. */
export interface ManagedObjects {
  /** Tables, indexes and jobs. */
  readonly objects: ReadonlySet<string>;
  /** Columns of the tables, as `TABLE.COLUMN`. */
  readonly columns: ReadonlySet<string>;
}

/** Name, index, column, primary key, unique key or constraint exists: another process created it meanwhile. */
const EXISTS: ReadonlySet<number> = new Set([955, 1408, 1430, 2260, 2261, 2264, 2275]);
const DOES_NOT_EXIST: ReadonlySet<number> = new Set([942, 1418]);
/** Resource busy, object locked, or another DDL statement runs on the object. */
const BUSY: ReadonlySet<number> = new Set([54, 4020, 4021, 14411]);
const TEXT_INDEX_FAILED = 29_855;
const MAXIMUM_ATTEMPTS = 6;
const FIRST_WAIT_MILLISECONDS = 200;
const waitFor = (milliseconds: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, milliseconds));

/** Which of the given tables, indexes and jobs the database user has, and the columns of the tables. One round trip. */
export async function readManagedObjects(
  transport: SqlTransport,
  objectNames: readonly string[],
  options: CallOptions = {},
): Promise<ManagedObjects> {
  const named =
    "(SELECT j.object_name FROM JSON_TABLE(:object_names, '$[*]' ERROR ON ERROR NULL ON EMPTY COLUMNS (" +
    "object_name VARCHAR2(128 CHAR) PATH '$')) j)";
  const rows = await transport.query(
    {
      name: 'schema.read_objects',
      sql:
        `WITH wanted AS ${named} ` +
        'SELECT o.object_name AS object_name, NULL AS column_name FROM user_objects o ' +
        "WHERE o.object_type IN ('TABLE', 'INDEX', 'JOB') AND o.object_name IN (SELECT w.object_name FROM wanted w) " +
        'UNION ALL ' +
        'SELECT c.table_name AS object_name, c.column_name AS column_name FROM user_tab_columns c ' +
        'WHERE c.table_name IN (SELECT w.object_name FROM wanted w)',
      binds: { object_names: json(objectNames) },
      shape: { object_name: 'text', column_name: 'text' },
    },
    options,
  );
  const found = rows.map((row) => ({ object: row.object_name ?? '', column: row.column_name }));
  return {
    objects: new Set(found.filter(({ column }) => column === null).map(({ object }) => object)),
    columns: new Set(
      found.filter(({ column }) => column !== null).map(({ object, column }) => `${object}.${column}`),
    ),
  };
}

/**
 * Runs statements in order. One that finds its object or column created counts as done. An Oracle Text index whose build
 * fails stays behind unusable, and would count as created the next time: it is dropped (Text Reference, CREATE INDEX).
 */
export async function runStatements(
  options: DdlOptions,
  statements: readonly Pick<DdlStatement, 'sql' | 'creates'>[],
): Promise<void> {
  for (const { sql, creates } of statements) {
    try {
      await runDdl(options, sql, EXISTS);
    } catch (error) {
      if (creates !== undefined && oracleErrorOf(error)?.number === TEXT_INDEX_FAILED) {
        await runDdl(options, `DROP INDEX ${creates} FORCE`, DOES_NOT_EXIST);
      }
      throw error;
    }
  }
}

/** Drops the tables, with their indexes and rows. One that does not exist counts as dropped. */
export async function dropTables(options: DdlOptions, tables: readonly string[]): Promise<void> {
  for (const table of tables) await runDdl(options, `DROP TABLE ${table} PURGE`, DOES_NOT_EXIST);
}

/** Drops an index that may not exist. */
export async function dropIndex(options: DdlOptions, index: string): Promise<void> {
  await runDdl(options, `DROP INDEX ${index}`, DOES_NOT_EXIST);
}

async function runDdl(options: DdlOptions, sql: string, accepted: ReadonlySet<number>): Promise<void> {
  const { transport, signal, wait = waitFor } = options;
  for (let attempt = 1; ; attempt += 1) {
    try {
      await transport.executeDdl(sql, { signal });
      return;
    } catch (error) {
      const number = oracleErrorOf(error)?.number ?? 0;
      if (accepted.has(number)) return;
      if (!BUSY.has(number) || attempt === MAXIMUM_ATTEMPTS) throw error;
      await wait(FIRST_WAIT_MILLISECONDS * attempt);
    }
  }
}
