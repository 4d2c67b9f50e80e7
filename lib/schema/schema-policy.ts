/**
 * What may be done to the database schema at start (contract §12): verify only, create in an empty schema, create or
 * upgrade what is missing, or drop everything and create it again.
 */
export const SCHEMA_POLICIES = [
  'require_existing',
  'create_if_empty',
  'create_if_necessary',
  'recreate',
] as const;
/** One of `SCHEMA_POLICIES`. */
export type SchemaPolicy = (typeof SCHEMA_POLICIES)[number];

/** How a store searches (contract §12). */
export const SEARCH_STRATEGIES = ['vector', 'keyword', 'hybrid'] as const;
/** One of `SEARCH_STRATEGIES`. */
export type SearchStrategy = (typeof SEARCH_STRATEGIES)[number];

/** When a text index takes in new rows; `auto`, Oracle's maintenance in the background, is for the hybrid strategy. */
export const SEARCH_INDEX_SYNCS = ['on_commit', 'manual', 'auto'] as const;
/** One of `SEARCH_INDEX_SYNCS`. */
export type SearchIndexSync = (typeof SEARCH_INDEX_SYNCS)[number];

/** Kinds of the optional vector index: none, in memory, on disk. */
export const VECTOR_INDEXES = ['none', 'hnsw', 'ivf'] as const;
export type VectorIndex = (typeof VECTOR_INDEXES)[number];

/** Kinds of the optional index on metadata. */
export const JSON_INDEXES = ['none', 'search'] as const;
export type JsonIndex = (typeof JSON_INDEXES)[number];
