import { invalidRequest } from '../../lib/errors/agent-memory-error.ts';
import { createSchemaNames } from '../../lib/schema/schema-names.ts';
import type { ThinConfig, ThinCredentials } from '../../lib/sql/node-oracledb/config.ts';
import type { Environment } from './environment-schema.ts';
import { requiredVariable } from './required-variable.ts';

/** A direct connection to the database. Where tokens come from is a place; a composition root reads it. */
export type ThinConfiguration = Omit<ThinConfig, 'credentials'> & {
  readonly credentials:
    | Extract<ThinCredentials, { readonly kind: 'password' }>
    | { readonly kind: 'token'; readonly location: string };
};

/** The variables of a direct connection. */
export type ThinEnvironment = Pick<
  Environment,
  | 'ORACLE_CONNECT_STRING'
  | 'ORACLE_USER'
  | 'ORACLE_PASSWORD'
  | 'ORACLE_TOKEN_LOCATION'
  | 'ORACLE_WALLET'
  | 'ORACLE_WALLET_PASSWORD'
  | 'ORACLE_POOL_MAX'
  | 'MEMORY_STORE_ID'
  | 'TABLE_NAME_PREFIX'
> &
  Partial<Pick<Environment, 'ROW_ISOLATION'>>;

/** Whether nothing is said of a database of one's own. */
export function namesNoThinDatabase(environment: ThinEnvironment): boolean {
  return [
    environment.ORACLE_CONNECT_STRING,
    environment.ORACLE_USER,
    environment.ORACLE_PASSWORD,
    environment.ORACLE_TOKEN_LOCATION,
    environment.ORACLE_WALLET,
    environment.ORACLE_WALLET_PASSWORD,
  ].every((value) => value === undefined);
}

/** @throws AgentMemoryError `invalid_request` naming the variable */
export function readThinConfiguration(environment: ThinEnvironment): ThinConfiguration {
  return {
    connectString: requiredVariable(environment, 'ORACLE_CONNECT_STRING'),
    credentials: readCredentials(environment),
    wallet: readWallet(environment),
    poolMax: environment.ORACLE_POOL_MAX,
    rowAccessProcedure: readRowAccessProcedure(environment),
  };
}

function readRowAccessProcedure(environment: ThinEnvironment): string | undefined {
  if (environment.ROW_ISOLATION !== 'vpd') return undefined;
  const { MEMORY_STORE_ID: memoryStoreId, TABLE_NAME_PREFIX: tableNamePrefix } = environment;
  return createSchemaNames({ memoryStoreId, tableNamePrefix }).rowAccess;
}

function readCredentials(environment: ThinEnvironment): ThinConfiguration['credentials'] {
  const { ORACLE_TOKEN_LOCATION: location, ORACLE_USER, ORACLE_PASSWORD } = environment;
  if (location === undefined) {
    return {
      kind: 'password',
      user: requiredVariable(environment, 'ORACLE_USER'),
      password: requiredVariable(environment, 'ORACLE_PASSWORD'),
    };
  }
  if (ORACLE_USER !== undefined || ORACLE_PASSWORD !== undefined) {
    const message = 'give ORACLE_TOKEN_LOCATION, or ORACLE_USER and ORACLE_PASSWORD, not both';
    throw invalidRequest('ORACLE_TOKEN_LOCATION', message);
  }
  return { kind: 'token', location };
}

function readWallet({ ORACLE_WALLET, ORACLE_WALLET_PASSWORD }: ThinEnvironment): ThinConfiguration['wallet'] {
  if (ORACLE_WALLET !== undefined) return { content: ORACLE_WALLET, password: ORACLE_WALLET_PASSWORD };
  if (ORACLE_WALLET_PASSWORD === undefined) return undefined;
  throw invalidRequest('ORACLE_WALLET_PASSWORD', 'has no effect without ORACLE_WALLET');
}
