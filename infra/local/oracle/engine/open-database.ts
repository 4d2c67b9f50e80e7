import { existsSync } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PGlite, type PGliteOptions } from '@electric-sql/pglite';
import { vector } from '@electric-sql/pglite-pgvector';
import { PRELUDE_SQL } from '../translate/prelude.ts';
import { PRELUDE_VERSION, readBaseImage, writeBaseImage } from './base-image.ts';

/**
 * A commit writes the log before it is answered, so it survives the end of the process (kill -9); without fsync it
 * does not survive a power cut, which a development database need not. Small buffers, because PGlite reserves them at
 * once and the operating system caches the files anyway.
 */
const SERVER_SETTINGS = [
  'shared_buffers=32MB',
  'wal_buffers=1MB',
  'min_wal_size=32MB',
  'max_wal_size=64MB',
  'max_connections=5',
  'jit=off',
];

/**
 * Bind values fold into the plan (`force_custom_plan`): a vector that is parsed once instead of once per row. Statistics
 * come from a small sample, because everyone waits while it is taken: 1,500 rows take about 5 ms.
 */
const SESSION_SETTINGS = `
SET TIME ZONE 'UTC';
SET datestyle = 'ISO, YMD';
SET intervalstyle = 'postgres';
SET bytea_output = 'hex';
SET extra_float_digits = 1;
SET plan_cache_mode = force_custom_plan;
SET work_mem = '16MB';
SET temp_file_limit = '128MB';
SET default_statistics_target = 5;
SET client_min_messages = warning;
SET search_path = public, pg_catalog;
`;

export interface DatabaseOptions {
  readonly dataDirectory?: string | undefined;
  readonly snapshot?: Blob | undefined;
}

/**
 * Starts PGlite on the directory, on the snapshot or empty, with the emulator's functions and session settings. The
 * data is in a directory below `dataDirectory`, because PGlite empties the one that it loads an image into.
 */
export async function openDatabase({ dataDirectory, snapshot }: DatabaseOptions): Promise<PGlite> {
  if (dataDirectory === undefined) {
    return startDatabase(undefined, snapshot, true);
  }
  const directory = join(dataDirectory, 'database');
  // Written last: without it a crash interrupted the first start, when nothing had been acknowledged yet.
  const marker = join(dataDirectory, 'initialized');
  if (existsSync(marker)) {
    return startDatabase(directory, undefined, false);
  }
  await rm(directory, { recursive: true, force: true });
  const database = await startDatabase(directory, snapshot, true);
  await writeFile(marker, '');
  return database;
}

async function startDatabase(
  directory: string | undefined,
  snapshot: Blob | undefined,
  isEmpty: boolean,
): Promise<PGlite> {
  const image = isEmpty ? (snapshot ?? (await readBaseImage())) : undefined;
  const database = await PGlite.create(pgliteOptions(directory, image));
  try {
    await prepare(database, isEmpty && image === undefined);
    return database;
  } catch (error) {
    await database.close();
    throw error;
  }
}

async function prepare(database: PGlite, isNew: boolean): Promise<void> {
  if (isNew) {
    await installPrelude(database);
    await writeBaseImage(await database.dumpDataDir('none'));
  } else if ((await installedPrelude(database)) !== PRELUDE_VERSION) {
    await installPrelude(database);
  }
  await database.exec(SESSION_SETTINGS);
}

function pgliteOptions(dataDirectory: string | undefined, image: Blob | undefined): PGliteOptions {
  return {
    extensions: { vector },
    startParams: [...PGlite.defaultStartParams, ...SERVER_SETTINGS.flatMap((setting) => ['-c', setting])],
    ...(dataDirectory === undefined ? {} : { dataDir: dataDirectory }),
    ...(image === undefined ? {} : { loadDataDir: image }),
  };
}

async function installedPrelude(database: PGlite): Promise<string | undefined> {
  const result = await database.query<{ version: string | null }>(
    "SELECT obj_description(to_regnamespace('ora'), 'pg_namespace') AS version",
  );
  return result.rows[0]?.version ?? undefined;
}

async function installPrelude(database: PGlite): Promise<void> {
  await database.exec(`BEGIN; ${PRELUDE_SQL}; COMMENT ON SCHEMA ora IS '${PRELUDE_VERSION}'; COMMIT;`);
}
