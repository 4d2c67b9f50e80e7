import { Duplex } from 'node:stream';
import oracledb, { type Connection, type ConnectionAttributes, type Lob } from 'oracledb';
import {
  type Emulator,
  type EmulatorOptions,
  startEmulator,
} from '../../infra/local/oracle/start-emulator.ts';
import { emulatorSnapshot } from '../emulator-snapshot.ts';

/** The driver takes the time zone of a session from here, and the emulator has UTC only. */
process.env.ORA_SDTZ = 'UTC';

const SCHEMA = [
  'CREATE TABLE notes (note_id NUMBER CONSTRAINT notes_pk PRIMARY KEY, title VARCHAR2(100), body CLOB)',
  `CREATE TABLE kinds (
     id NUMBER, amount NUMBER, name VARCHAR2(4000), body CLOB, bytes RAW(2000), picture BLOB, day DATE,
     at TIMESTAMP(6), at_zone TIMESTAMP(6) WITH TIME ZONE, ratio BINARY_DOUBLE, small BINARY_FLOAT, flag BOOLEAN,
     document JSON, embedding VECTOR(3, FLOAT32), any_vector VECTOR)`,
];

/** An emulator with a listener and the empty tables NOTES and KINDS (a column of each type). */
export async function startTnsEmulator(options: EmulatorOptions = {}): Promise<Emulator> {
  return startEmulator({ tnsPort: 0, snapshot: await emulatorSnapshot(SCHEMA), ...options });
}

export function attributesOf({ connectString = '', username, password }: Emulator): ConnectionAttributes {
  return { connectString, user: username, password };
}

export function connect(emulator: Emulator, attributes: ConnectionAttributes = {}): Promise<Connection> {
  return oracledb.getConnection({ ...attributesOf(emulator), ...attributes });
}

/** What the driver reports of a failure. */
export interface DriverError {
  readonly code: string;
  readonly number: number | undefined;
  readonly offset: number | undefined;
  readonly message: string;
}

/** The error that a call of the driver ends with. */
export async function driverError(work: Promise<unknown>): Promise<DriverError> {
  try {
    await work;
  } catch (error) {
    if (error instanceof Error && 'code' in error) {
      const number = 'errorNum' in error && typeof error.errorNum === 'number' ? error.errorNum : undefined;
      const offset = 'offset' in error && typeof error.offset === 'number' ? error.offset : undefined;
      return { code: String(error.code), number, offset, message: error.message };
    }
    throw error;
  }
  throw new Error('the call succeeded');
}

/** The rows of a query as arrays. */
export async function rowsOf(
  connection: Connection,
  sql: string,
  binds: oracledb.BindParameters = {},
  options: oracledb.ExecuteOptions = {},
): Promise<readonly (readonly unknown[])[]> {
  const { rows = [] } = await connection.execute<unknown[]>(sql, binds, options);
  return rows;
}

/** The first value of the first row. */
export async function firstValue(
  connection: Connection,
  sql: string,
  binds: oracledb.BindParameters = {},
  options: oracledb.ExecuteOptions = {},
): Promise<unknown> {
  const [row] = await rowsOf(connection, sql, binds, options);
  return row?.[0];
}

/** CLOB columns come as text. */
export const CLOB_AS_TEXT: oracledb.ExecuteOptions = {
  fetchTypeHandler: ({ dbType }) =>
    dbType === oracledb.DB_TYPE_CLOB ? { type: oracledb.STRING } : undefined,
};

/** The value of a CLOB or BLOB column that was fetched as it is. Throws when it is none. */
export function lobOf(value: unknown): Lob {
  if (!isLob(value)) {
    throw new TypeError('the value is no LOB');
  }
  return value;
}

/** The types of the driver have no class to compare with. */
function isLob(value: unknown): value is Lob {
  return value instanceof Duplex && 'getData' in value;
}
