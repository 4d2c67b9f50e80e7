import oracledb from 'oracledb';
import { readAccessToken } from '../../../functions/runtime/read-access-token.ts';
import type { ThinConfiguration } from '../../../functions/runtime/thin-configuration.ts';
import {
  NotAsked,
  type RawAnswer,
  type RawBind,
  type RawDatabase,
  type RawStatement,
  StatementRefused,
} from './raw-database.ts';

/** How a connection of its own is opened, beside the configuration of the service. */
export interface ThinConnectionChanges {
  readonly password?: string;
  /** Server name indication: one TLS handshake less, from release 23.7 on. */
  readonly useSNI?: boolean;
  /** A pooled server (DRCP). */
  readonly pooledServer?: boolean;
}

/** node-oracledb in Thin mode without the layers of this program. */
export interface RawThin extends RawDatabase {
  readonly transport: 'thin';
  /** False for a user with a token. */
  readonly hasPassword: boolean;
  /** Opens and closes one more connection. Gives the milliseconds until it was open. */
  connect(changes?: ThinConnectionChanges): Promise<number>;
}

const MAXIMUM_ROWS = 10_000;
/** Milliseconds: building an index may take its time. */
const CALL_LIMIT = 300_000;
/** The driver's numbers for connections that fail, end or answer too late. */
const WITHOUT_ANSWER = /^NJS-(?:040|123|5\d\d)$/;

const BIND_TYPES: Readonly<Record<RawBind['dataType'], oracledb.DbType>> = {
  VARCHAR2: oracledb.DB_TYPE_VARCHAR,
  CLOB: oracledb.DB_TYPE_CLOB,
  NUMBER: oracledb.DB_TYPE_NUMBER,
  VECTOR: oracledb.DB_TYPE_VECTOR,
  JSON: oracledb.DB_TYPE_JSON,
};
const OUT_BINDS: Readonly<Record<string, oracledb.BindParameter>> = {
  VARCHAR2: { dir: oracledb.BIND_OUT, type: oracledb.DB_TYPE_VARCHAR, maxSize: 32_767 },
  CLOB: { dir: oracledb.BIND_OUT, type: oracledb.DB_TYPE_CLOB },
  NUMBER: { dir: oracledb.BIND_OUT, type: oracledb.DB_TYPE_NUMBER },
  CURSOR: { dir: oracledb.BIND_OUT, type: oracledb.DB_TYPE_CURSOR },
};

/** Opens a connection at the first question and keeps it. */
export function openRawThin(configuration: ThinConfiguration): RawThin {
  let kept: Promise<oracledb.Connection> | undefined;

  async function ask(statement: RawStatement): Promise<RawAnswer> {
    kept ??= open(configuration, {});
    const connection = await kept.catch((error: unknown) => {
      kept = undefined;
      throw asked(error);
    });
    try {
      return await answerOf(
        await connection.execute(statement.sql, bindsOf(statement), optionsOf(statement)),
      );
    } catch (error) {
      await connection.rollback().catch(() => {
        kept = undefined;
      });
      throw asked(error);
    }
  }

  return {
    transport: 'thin',
    hasPassword: configuration.credentials.kind === 'password',
    ask,
    async connect(changes = {}) {
      const started = performance.now();
      const connection = await open(configuration, changes).catch((error: unknown) => {
        throw asked(error);
      });
      const milliseconds = performance.now() - started;
      await connection.close();
      return milliseconds;
    },
    async close() {
      await (await kept?.catch(() => undefined))?.close();
    },
  };
}

async function open(
  { connectString, credentials, wallet }: ThinConfiguration,
  { password, useSNI, pooledServer = false }: ThinConnectionChanges,
): Promise<oracledb.Connection> {
  const token = credentials.kind === 'token' ? await readAccessToken(credentials.location) : '';
  const connection = await oracledb.getConnection({
    connectString: pooledServer ? toPooledServer(connectString) : connectString,
    connectTimeout: 20,
    ...(useSNI === undefined ? {} : { useSNI }),
    ...(wallet === undefined ? {} : { walletContent: wallet.content }),
    ...(wallet?.password === undefined ? {} : { walletPassword: wallet.password }),
    ...(credentials.kind === 'password'
      ? { user: credentials.user, password: password ?? credentials.password }
      : { externalAuth: true, accessToken: () => token }),
  });
  connection.callTimeout = CALL_LIMIT;
  return connection;
}

/** The connect string of the same service through Database Resident Connection Pooling. */
function toPooledServer(connectString: string): string {
  if (connectString.trimStart().startsWith('(')) {
    return connectString.replace(/\(\s*connect_data\s*=/i, '$&(server=pooled)');
  }
  return connectString.replace(/(?=\?|$)/, ':pooled');
}

function bindsOf({ binds = {}, outs = {} }: RawStatement): oracledb.BindParameters {
  return Object.fromEntries([
    ...Object.entries(binds).map(([name, { dataType, value }]): [string, oracledb.BindParameter] => [
      name,
      { val: value, type: BIND_TYPES[dataType] },
    ]),
    ...Object.entries(outs).map(([name, type]): [string, oracledb.BindParameter] => [
      name,
      OUT_BINDS[type] ?? {},
    ]),
  ]);
}

function optionsOf({ limit = MAXIMUM_ROWS }: RawStatement): oracledb.ExecuteOptions {
  return {
    autoCommit: true,
    outFormat: oracledb.OUT_FORMAT_OBJECT,
    maxRows: limit,
    fetchArraySize: 1_000,
    fetchTypeHandler: ({ dbType }) =>
      dbType === oracledb.DB_TYPE_CLOB ? { type: oracledb.DB_TYPE_VARCHAR } : undefined,
  };
}

async function answerOf({ rows = [], outBinds = {} }: oracledb.Result<unknown>): Promise<RawAnswer> {
  const outs: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(outBinds ?? {})) outs[name.toLowerCase()] = await readOut(value);
  return {
    rows: rows.map((row) =>
      Object.fromEntries(Object.entries(row ?? {}).map(([column, value]) => [column.toLowerCase(), value])),
    ),
    outs,
  };
}

/** Text of a CLOB, rows of a cursor, anything else as it is. */
async function readOut(value: unknown): Promise<unknown> {
  if (isLob(value)) return value.getData();
  if (isCursor(value)) {
    const rows = await value.getRows();
    await value.close();
    return rows;
  }
  return value;
}

function isLob(value: unknown): value is oracledb.Lob {
  return typeof value === 'object' && value !== null && 'getData' in value;
}

function isCursor(value: unknown): value is oracledb.ResultSet<unknown> {
  return typeof value === 'object' && value !== null && 'getRows' in value;
}

/** What a failure of the driver says: that the database refused, or that there was no answer. */
function asked(error: unknown): Error {
  if (!(error instanceof Error)) return new NotAsked(String(error));
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  if (WITHOUT_ANSWER.test(code) || code === '') return new NotAsked(error.message, { cause: error });
  const number = Number(/^ORA-(\d+)$/.exec(code)?.[1] ?? 0);
  return new StatementRefused(number, withoutHelp(error.message), '');
}

/** The driver adds a line with an address of Oracle's documentation. */
const withoutHelp = (message: string): string => message.replace(/\nHelp: \S+$/, '');
