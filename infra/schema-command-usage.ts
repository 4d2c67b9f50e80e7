/** What `npm run schema` says of itself. */
export const SCHEMA_COMMAND_USAGE = `npm run schema -- <command>
  plan [--vector-index hnsw|ivf|none] [--json-index search|none]
                         print what apply would run in an empty schema, as a script for SQLcl; asks no database
  module [--runtime-user <name>] [--remove-old]
                         print what installs the statements of this program for ORDS_MODE=module, as a script for SQLcl,
                         or what removes those of older programs; asks no database
  status                 print what is installed
  apply [--vector-index hnsw|ivf|none] [--json-index search|none]
                         create or upgrade what is missing (create_if_necessary); build or drop the index on vectors or
                         on metadata
  recreate --confirm     delete every memory of the store and create it again
  sync-index             take new rows into the text index, for SEARCH_INDEX_SYNC manual or auto
  optimize-index         make the text index compact after many writes
  retention [--default-ttl-days <days>|none] [--max-ttl-days <days>|none]
                         print or change the retention policy of new records
Reads ORDS_* or ORACLE_*, MEMORY_STORE_ID, TABLE_NAME_PREFIX, SEARCH_STRATEGY, SEARCH_INDEX_SYNC, EMBEDDER,
EMBEDDING_MODEL, EMBEDDING_DIMENSION, DEFAULT_TTL_DAYS, MAX_TTL_DAYS and, for module, ROW_ISOLATION from the environment.
`;
