import type * as z from 'zod';
import { environmentSchema, GENERAL_DEFAULTS } from '../functions/runtime/environment-schema.ts';
import { requiredVariable } from '../functions/runtime/required-variable.ts';
import { readThinConfiguration } from '../functions/runtime/thin-configuration.ts';
import { readOrdsConfig } from '../functions/runtime/transport-configuration.ts';
import { invalidRequest } from '../lib/errors/agent-memory-error.ts';
import { readModelDimensions } from '../lib/schema/embedding-model.ts';
import { type EnsureSchemaOptions, UNUSED_DIMENSIONS } from '../lib/schema/ensure-schema.ts';
import { createSchemaNames, type SchemaNames } from '../lib/schema/schema-names.ts';
import { parseRequest } from '../lib/schemas/validation-issues.ts';
import type { SqlTransport } from '../lib/sql/sql-transport.ts';
import type { ExternalDatabase } from './open-database.ts';

/** The variables that describe a schema and the way to it; a deployment has more, and refuses some of these. */
const schemaEnvironment = environmentSchema.pick({
  ORACLE_TRANSPORT: true,
  ORDS_URL: true,
  ORDS_USERNAME: true,
  ORDS_PASSWORD: true,
  ORDS_CLIENT_ID: true,
  ORDS_CLIENT_SECRET: true,
  ORDS_TOKEN_URL: true,
  ORDS_MODE: true,
  ROW_ISOLATION: true,
  ORACLE_CONNECT_STRING: true,
  ORACLE_USER: true,
  ORACLE_PASSWORD: true,
  ORACLE_TOKEN_LOCATION: true,
  ORACLE_WALLET: true,
  ORACLE_WALLET_PASSWORD: true,
  ORACLE_POOL_MAX: true,
  MEMORY_STORE_ID: true,
  TABLE_NAME_PREFIX: true,
  SEARCH_STRATEGY: true,
  SEARCH_INDEX_SYNC: true,
  DEFAULT_TTL_DAYS: true,
  MAX_TTL_DAYS: true,
  EMBEDDER: true,
  EMBEDDING_MODEL: true,
  EMBEDDING_DIMENSION: true,
});

type SchemaEnvironment = z.infer<typeof schemaEnvironment>;

export type Variables = Readonly<Record<string, string | undefined>>;

/** What `ensureSchema` needs to know about the store. */
export type SchemaSettings = Pick<
  EnsureSchemaOptions,
  'names' | 'searchStrategy' | 'searchIndexSync' | 'vectorDimensions' | 'embedderModel' | 'retention'
>;

/**
 * What the store is to be. The width of a model in the database need not be given: the database is asked.
 *
 * @param transport without one no database is asked
 * @throws AgentMemoryError `invalid_request` naming the variable
 */
export async function readSchemaSettings(
  variables: Variables,
  transport?: SqlTransport,
): Promise<SchemaSettings> {
  const environment = parse(variables);
  const names = namesOf(environment);
  const dimensions = await dimensionsOf(environment, names, transport);
  if (dimensions === undefined && environment.SEARCH_STRATEGY !== 'keyword') {
    throw invalidRequest(
      'EMBEDDING_DIMENSION',
      'is required: the width of vectors is fixed when the schema is created',
    );
  }
  return {
    names,
    searchStrategy: environment.SEARCH_STRATEGY,
    searchIndexSync: environment.SEARCH_INDEX_SYNC,
    vectorDimensions: dimensions ?? UNUSED_DIMENSIONS,
    embedderModel:
      dimensions === undefined ? '' : (names.embeddingModel ?? environment.EMBEDDING_MODEL ?? ''),
    retention: {
      defaultTtlDays: environment.DEFAULT_TTL_DAYS ?? null,
      maxTtlDays: environment.MAX_TTL_DAYS ?? null,
    },
  };
}

async function dimensionsOf(
  { EMBEDDING_DIMENSION: given }: SchemaEnvironment,
  { embeddingModel }: SchemaNames,
  transport: SqlTransport | undefined,
): Promise<number | undefined> {
  if (embeddingModel === undefined || transport === undefined) return given;
  return readModelDimensions(transport, embeddingModel, given);
}

function namesOf(environment: SchemaEnvironment): SchemaNames {
  const inDatabase = environment.EMBEDDER === 'oracle-database';
  return createSchemaNames({
    memoryStoreId: environment.MEMORY_STORE_ID,
    tableNamePrefix: environment.TABLE_NAME_PREFIX,
    embeddingModel: inDatabase ? requiredVariable(environment, 'EMBEDDING_MODEL') : undefined,
  });
}

/** The names of the store alone. */
export function readSchemaNames(variables: Variables): SchemaNames {
  return namesOf(parse(variables));
}

/**
 * The way to the database: `ORACLE_TRANSPORT`, or a direct connection when only that is described, else ORDS.
 *
 * @throws AgentMemoryError `invalid_request` naming the variable
 */
export function readSchemaDatabase(variables: Variables): ExternalDatabase {
  const environment = parse(variables);
  if (environment.ORACLE_TRANSPORT === 'emulator') {
    throw invalidRequest('ORACLE_TRANSPORT', 'emulator has its schema from npm start: use ords or thin');
  }
  return environment.ORACLE_TRANSPORT === 'thin'
    ? { kind: 'thin', config: readThinConfiguration(environment) }
    : { kind: 'ords', config: readOrdsConfig(environment) };
}

/** Whether the database limits the rows of a call. */
export function readRowIsolation(variables: Variables): boolean {
  return parse(variables).ROW_ISOLATION === 'vpd';
}

function parse(variables: Variables) {
  const given = Object.fromEntries(
    Object.entries(variables).filter(([, value]) => value !== undefined && value !== ''),
  );
  const isDirect = given.ORACLE_CONNECT_STRING !== undefined && given.ORDS_URL === undefined;
  const defaults = { ...GENERAL_DEFAULTS, ORACLE_TRANSPORT: isDirect ? 'thin' : 'ords' };
  return parseRequest(schemaEnvironment, { ...defaults, ...given });
}
