import { json } from '../sql/bind.ts';
import { oracleErrorOf } from '../sql/oracle-database-error.ts';
import type { CallOptions, SqlTransport } from '../sql/sql-transport.ts';
import type { DdlStatement } from './render-migration.ts';

export interface DdlOptions extends CallOptions {
  readonly transport: SqlTransport;
  readonly wait?: (milliseconds: number) => Promise<void>;
}

/** Name, index, column, primary key, unique key or constraint exists: another process created it meanwhile. */
const EXISTS: ReadonlySet<number> = new Set([955, 1408, 1430, 2260, 2261, 2264, 2275]);
const DOES_NOT_EXIST: ReadonlySet<number> = new Set([942]);
/** Resource busy, object locked, or another DDL statement runs on the object. */
const BUSY: ReadonlySet<number> = new Set([54, 4020, 4021, 14411]);
const MAXIMUM_ATTEMPTS = 6;
const FIRST_WAIT_MILLISECONDS = 200;
const waitFor = (milliseconds: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, milliseconds));

/** Which of the given tables and indexes exist in the schema of the database user. One round trip. */
export async function readManagedObjects(
  transport: SqlTransport,
  objectNames: readonly string[],
  options: CallOptions = {},
): Promise<ReadonlySet<string>> {
  const rows = await transport.query(
    {
      name: 'schema.read_objects',
      sql:
        'SELECT o.object_name AS object_name FROM user_objects o ' +
        "WHERE o.object_type IN ('TABLE', 'INDEX') AND o.object_name IN (" +
        "SELECT j.object_name FROM JSON_TABLE(:object_names, '$[*]' ERROR ON ERROR NULL ON EMPTY COLUMNS (" +
        "object_name VARCHAR2(128 CHAR) PATH '$')) j)",
      binds: { object_names: json(objectNames) },
      shape: { object_name: 'text' },
    },
    options,
  );
  return new Set(rows.flatMap((row) => row.object_name ?? []));
}

/** Runs the statements in order. One that finds its object created counts as done. */
export async function createObjects(options: DdlOptions, statements: readonly DdlStatement[]): Promise<void> {
  for (const { sql } of statements) await runDdl(options, sql, EXISTS);
}

/** Drops the tables, with their indexes and rows. One that does not exist counts as dropped. */
export async function dropTables(options: DdlOptions, tables: readonly string[]): Promise<void> {
  for (const table of tables) await runDdl(options, `DROP TABLE ${table} PURGE`, DOES_NOT_EXIST);
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
