import { environmentSchema, GENERAL_DEFAULTS } from '../functions/runtime/environment-schema.ts';
import { readOrdsConfig } from '../functions/runtime/transport-configuration.ts';
import { invalidRequest } from '../lib/errors/agent-memory-error.ts';
import type { EnsureSchemaOptions } from '../lib/schema/ensure-schema.ts';
import { createSchemaNames } from '../lib/schema/schema-names.ts';
import { parseRequest } from '../lib/schemas/validation-issues.ts';
import type { OrdsConfig } from '../lib/sql/ords/config.ts';

/** The variables that describe a schema and the way to it; a deployment has more, and refuses some of these. */
const schemaEnvironment = environmentSchema.pick({
  ORDS_URL: true,
  ORDS_USERNAME: true,
  ORDS_PASSWORD: true,
  ORDS_CLIENT_ID: true,
  ORDS_CLIENT_SECRET: true,
  ORDS_TOKEN_URL: true,
  MEMORY_STORE_ID: true,
  TABLE_NAME_PREFIX: true,
  SEARCH_STRATEGY: true,
  SEARCH_INDEX_SYNC: true,
  DEFAULT_TTL_DAYS: true,
  MAX_TTL_DAYS: true,
  EMBEDDING_MODEL: true,
  EMBEDDING_DIMENSION: true,
});

export type Variables = Readonly<Record<string, string | undefined>>;

/** What `ensureSchema` needs to know about the store. */
export type SchemaSettings = Pick<
  EnsureSchemaOptions,
  'names' | 'searchStrategy' | 'searchIndexSync' | 'vectorDimensions' | 'embedderModel' | 'retention'
>;

/** Width of the embedding column of a store that searches by keyword and has no embedder. */
export const UNUSED_DIMENSIONS = 1536;

/** @throws AgentMemoryError `invalid_request` naming the variable */
export function readSchemaSettings(variables: Variables): SchemaSettings {
  const environment = parse(variables);
  const { SEARCH_STRATEGY: searchStrategy, EMBEDDING_DIMENSION: dimensions } = environment;
  if (dimensions === undefined && searchStrategy !== 'keyword') {
    throw invalidRequest(
      'EMBEDDING_DIMENSION',
      'is required: the width of vectors is fixed when the schema is created',
    );
  }
  return {
    names: createSchemaNames({
      memoryStoreId: environment.MEMORY_STORE_ID,
      tableNamePrefix: environment.TABLE_NAME_PREFIX,
    }),
    searchStrategy,
    searchIndexSync: environment.SEARCH_INDEX_SYNC,
    vectorDimensions: dimensions ?? UNUSED_DIMENSIONS,
    embedderModel: environment.EMBEDDING_MODEL ?? '',
    retention: {
      defaultTtlDays: environment.DEFAULT_TTL_DAYS ?? null,
      maxTtlDays: environment.MAX_TTL_DAYS ?? null,
    },
  };
}

/** The names of the store alone. */
export function readSchemaNames(variables: Variables): SchemaSettings['names'] {
  const environment = parse(variables);
  return createSchemaNames({
    memoryStoreId: environment.MEMORY_STORE_ID,
    tableNamePrefix: environment.TABLE_NAME_PREFIX,
  });
}

/** The way to the database. @throws AgentMemoryError `invalid_request` naming the variable */
export function readSchemaDatabase(variables: Variables): OrdsConfig {
  return readOrdsConfig(parse(variables));
}

function parse(variables: Variables) {
  const given = Object.entries(variables).filter(([, value]) => value !== undefined && value !== '');
  return parseRequest(schemaEnvironment, { ...GENERAL_DEFAULTS, ...Object.fromEntries(given) });
}
