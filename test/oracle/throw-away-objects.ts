import { randomBytes } from 'node:crypto';
import { createSchemaNames, type SchemaNames } from '../../lib/schema/schema-names.ts';
import { type RawDatabase, rawText, StatementRefused, type TransportName } from './raw/raw-database.ts';

/** What a run creates objects for. The letters are in their names. */
const PURPOSES = { notes: 'N', store: 'S', memory: 'M', schema: 'C', probes: 'P' } as const;
export type Purpose = keyof typeof PURPOSES;

const PREFIX = /^[A-Z][A-Z0-9]{5,11}$/;
const TABLE_DOES_NOT_EXIST = 942;
const PREFERENCE = 'PREFERENCE';

/** How each kind of object is dropped, in the order in which they can be. */
const DROPS: Readonly<Record<string, (name: string) => string>> = {
  JOB: (name) => `BEGIN\n  DBMS_SCHEDULER.DROP_JOB('${name}', TRUE);\nEND;`,
  TABLE: (name) => `DROP TABLE ${name} CASCADE CONSTRAINTS PURGE`,
  VIEW: (name) => `DROP VIEW ${name}`,
  PACKAGE: (name) => `DROP PACKAGE ${name}`,
  PROCEDURE: (name) => `DROP PROCEDURE ${name}`,
  FUNCTION: (name) => `DROP FUNCTION ${name}`,
  [PREFERENCE]: (name) => `BEGIN\n  CTX_DDL.DROP_PREFERENCE('${name}');\nEND;`,
};

/** An object of the database user whose name begins like those of a run. */
export interface ThrowAwayObject {
  readonly type: string;
  readonly name: string;
}

/** `LIVE` and six digits: a name that no other run has. */
export function newPrefix(): string {
  return `LIVE${randomBytes(3).toString('hex').toUpperCase()}`;
}

/** @throws RangeError for one that is too short to be a run's own, or no identifier */
export function checkPrefix(prefix: string): string {
  if (!PREFIX.test(prefix)) {
    throw new RangeError('a prefix is 6 to 12 capital letters and digits, a letter first');
  }
  return prefix;
}

/** Names of the store that a run creates for a purpose over a transport. */
export function throwAwayNames(prefix: string, purpose: Purpose, transport: TransportName): SchemaNames {
  const letters = `${PURPOSES[purpose]}${transport === 'thin' ? 'T' : 'O'}`;
  return createSchemaNames({ memoryStoreId: `${prefix}${letters}` });
}

/** What the transport cases put before the name of their table. */
export function notePrefix(prefix: string): string {
  return `${prefix}${PURPOSES.notes}_`;
}

/** What the database user has under a prefix, what belongs to a table left out: it goes with it. */
export async function findObjects(
  database: RawDatabase,
  prefix: string,
): Promise<readonly ThrowAwayObject[]> {
  const objects = await named(
    database,
    prefix,
    "SELECT o.object_type AS type_name, o.object_name AS own_name FROM user_objects o WHERE o.object_name LIKE :name_start AND o.object_type NOT IN ('INDEX', 'LOB', 'SEQUENCE', 'PACKAGE BODY')",
  );
  const preferences = await named(
    database,
    prefix,
    `SELECT '${PREFERENCE}' AS type_name, p.pre_name AS own_name FROM ctx_user_preferences p WHERE p.pre_name LIKE :name_start`,
  ).catch((error: unknown) => {
    // Without Oracle Text there are no preferences.
    if (error instanceof StatementRefused && error.number === TABLE_DOES_NOT_EXIST) return [];
    throw error;
  });
  return [...objects, ...preferences];
}

async function named(
  database: RawDatabase,
  prefix: string,
  sql: string,
): Promise<readonly ThrowAwayObject[]> {
  const { rows } = await database.ask({ sql, binds: { name_start: rawText(`${prefix}%`) } });
  return rows.map((row) => ({ type: String(row.type_name), name: String(row.own_name) }));
}

/** An object may be in use for a moment: a text index that is synced, a job that runs. */
const DROP_ROUNDS = 3;

/**
 * Drops what a run has created, and nothing else: only names of its form. What cannot be dropped does not keep the rest.
 *
 * @returns What is still there
 */
export async function dropObjects(
  database: RawDatabase,
  prefix: string,
): Promise<readonly ThrowAwayObject[]> {
  const letters = Object.values(PURPOSES).join('');
  const ours = new RegExp(`^${checkPrefix(prefix)}[${letters}][TO]?2?_[A-Z0-9_]+$`);
  let found = await findObjects(database, prefix);
  for (let round = 1; round <= DROP_ROUNDS && found.some(({ name }) => ours.test(name)); round += 1) {
    await dropOnce(
      database,
      found.filter(({ name }) => ours.test(name)),
    );
    found = await findObjects(database, prefix);
  }
  return found;
}

async function dropOnce(database: RawDatabase, objects: readonly ThrowAwayObject[]): Promise<void> {
  for (const [type, drop] of Object.entries(DROPS)) {
    for (const { name } of objects.filter((object) => object.type === type)) {
      await database.ask({ sql: drop(name) }).catch((error: unknown) => {
        if (!(error instanceof StatementRefused)) throw error;
      });
    }
  }
}
