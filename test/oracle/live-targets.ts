import { openThinTransport } from '../../functions/runtime/open-thin-transport.ts';
import { readSchemaDatabase, type Variables } from '../../infra/schema-environment.ts';
import { invalidRequest } from '../../lib/errors/agent-memory-error.ts';
import { createOrdsTransport } from '../../lib/sql/ords/ords-transport.ts';
import type { SqlTransport } from '../../lib/sql/sql-transport.ts';
import { TRANSPORT_NAMES, type TransportName } from './raw/raw-database.ts';
import { openRawOrds, type RawOrds } from './raw/raw-ords.ts';
import { openRawThin, type RawThin } from './raw/raw-thin.ts';

/** A way to a database that the environment names. */
export interface LiveTarget {
  readonly name: TransportName;
  /** This program's transport. */
  openTransport(options?: { readonly maxRows?: number }): SqlTransport;
  /** The same way without the layers of this program. */
  openRaw(): RawOrds | RawThin;
}

/** How the environment names one. */
interface TargetKind {
  /** The variables of which one makes it wanted. */
  readonly variables: readonly string[];
  /** What it takes, for people. */
  readonly needs: string;
  /** @throws AgentMemoryError `invalid_request` naming a variable that is missing or wrong */
  read(variables: Variables): LiveTarget;
}

/** The stores of a run have names of their own and no row policies. */
const ALONE = { MEMORY_STORE_ID: undefined, TABLE_NAME_PREFIX: undefined, ROW_ISOLATION: 'none' };

const KINDS: Readonly<Record<TransportName, TargetKind>> = {
  thin: {
    variables: [
      'ORACLE_CONNECT_STRING',
      'ORACLE_USER',
      'ORACLE_PASSWORD',
      'ORACLE_TOKEN_LOCATION',
      'ORACLE_WALLET',
      'ORACLE_WALLET_PASSWORD',
    ],
    needs: 'ORACLE_CONNECT_STRING with ORACLE_USER and ORACLE_PASSWORD, or with ORACLE_TOKEN_LOCATION',
    read: readThin,
  },
  ords: {
    variables: [
      'ORDS_URL',
      'ORDS_USERNAME',
      'ORDS_PASSWORD',
      'ORDS_CLIENT_ID',
      'ORDS_CLIENT_SECRET',
      'ORDS_TOKEN_URL',
    ],
    needs: 'ORDS_URL with ORDS_USERNAME and ORDS_PASSWORD, or with ORDS_CLIENT_ID and ORDS_CLIENT_SECRET',
    read: readOrds,
  },
};

/** What the environment names, and what it takes for the rest. */
export interface LiveTargets {
  readonly targets: readonly LiveTarget[];
  readonly missing: readonly { readonly name: TransportName; readonly needs: string }[];
}

/** @throws AgentMemoryError `invalid_request` for a target that is named by half */
export function readLiveTargets(variables: Variables): LiveTargets {
  const isNamed = (name: TransportName): boolean =>
    KINDS[name].variables.some((variable) => (variables[variable] ?? '') !== '');
  return {
    targets: TRANSPORT_NAMES.filter(isNamed).map((name) => KINDS[name].read(variables)),
    missing: TRANSPORT_NAMES.filter((name) => !isNamed(name)).map((name) => ({
      name,
      needs: KINDS[name].needs,
    })),
  };
}

function readOrds(variables: Variables): LiveTarget {
  const database = readSchemaDatabase({ ...variables, ...ALONE, ORACLE_TRANSPORT: 'ords' });
  if (database.kind !== 'ords') throw invalidRequest('ORACLE_TRANSPORT', 'is not ords');
  const { config } = database;
  if (config.mode === 'module') {
    throw invalidRequest(
      'ORDS_MODE',
      'must be rest-sql: the live suite creates tables of its own, which installed statements cannot',
    );
  }
  return {
    name: 'ords',
    openTransport: (options = {}) => createOrdsTransport({ ...config, ...options }),
    openRaw: () => openRawOrds(config),
  };
}

function readThin(variables: Variables): LiveTarget {
  const database = readSchemaDatabase({ ...variables, ...ALONE, ORACLE_TRANSPORT: 'thin' });
  if (database.kind !== 'thin') throw invalidRequest('ORACLE_TRANSPORT', 'is not thin');
  const { config } = database;
  return {
    name: 'thin',
    openTransport: (options = {}) => openThinTransport({ ...config, ...options }),
    openRaw: () => openRawThin(config),
  };
}
