import * as z from 'zod';
import { AgentMemoryError } from '../errors/agent-memory-error.ts';
import { json, text } from '../sql/bind.ts';
import { oracleErrorOf } from '../sql/oracle-database-error.ts';
import type { CallOptions, SqlTransport } from '../sql/sql-transport.ts';
import type { RetentionPolicy } from './retention-policy.ts';
import type { SchemaNames } from './schema-names.ts';
import {
  JSON_INDEXES,
  type JsonIndex,
  SEARCH_INDEX_SYNCS,
  SEARCH_STRATEGIES,
  type SearchIndexSync,
  type SearchStrategy,
  VECTOR_INDEXES,
  type VectorIndex,
} from './schema-policy.ts';

/** What a store is for: what it is created with, and checked against. */
export interface SchemaTarget {
  readonly schemaVersion: number;
  readonly vectorDimensions: number;
  readonly searchStrategy: SearchStrategy;
  readonly searchIndexSync: SearchIndexSync;
  /** The embedder that made the stored vectors; empty when there was none. */
  readonly embedderModel: string;
  readonly retention: RetentionPolicy;
}

/** What a complete store says about itself. */
export interface SchemaState extends SchemaTarget {
  readonly vectorIndex: VectorIndex;
  readonly jsonIndex: JsonIndex;
}

const TABLE_DOES_NOT_EXIST = 942;
const days = z.int().min(1).nullable();
/** Parses JSON text; text that is none fails the check instead of throwing. */
const jsonText = z.string().transform((value, context) => {
  try {
    const parsed: unknown = JSON.parse(value);
    return parsed;
  } catch {
    context.addIssue({ code: 'custom', message: 'is not JSON' });
    return z.NEVER;
  }
});
const storedState = z.object({
  schema_version: z.coerce.number().int(),
  vector_dimensions: z.coerce.number().int(),
  search_strategy: z.enum(SEARCH_STRATEGIES),
  search_index_sync: z.enum(SEARCH_INDEX_SYNCS),
  embedder_model: z.string().default(''),
  retention: jsonText.pipe(z.object({ defaultTtlDays: days, maxTtlDays: days })),
  vector_index: z.enum(VECTOR_INDEXES).default('none'),
  json_index: z.enum(JSON_INDEXES).default('none'),
});

/**
 * What the store was created with, in one round trip; nothing when it is not installed or its creation did not end.
 *
 * @throws AgentMemoryError `unavailable` and others when the database cannot be asked; `conflict` when what is stored
 * is not from this program
 */
export async function readSchemaState(
  transport: SqlTransport,
  names: SchemaNames,
  options: CallOptions = {},
): Promise<SchemaState | undefined> {
  const stored = await readMeta(transport, names, options);
  if (!stored.has('schema_version')) return undefined;
  const parsed = storedState.safeParse(Object.fromEntries(stored));
  if (!parsed.success) {
    throw new AgentMemoryError('conflict', 'the settings kept in the memory store are not readable', {
      cause: parsed.error,
    });
  }
  return {
    schemaVersion: parsed.data.schema_version,
    vectorDimensions: parsed.data.vector_dimensions,
    searchStrategy: parsed.data.search_strategy,
    searchIndexSync: parsed.data.search_index_sync,
    embedderModel: parsed.data.embedder_model,
    retention: parsed.data.retention,
    vectorIndex: parsed.data.vector_index,
    jsonIndex: parsed.data.json_index,
  };
}

async function readMeta(
  transport: SqlTransport,
  names: SchemaNames,
  options: CallOptions,
): Promise<ReadonlyMap<string, string>> {
  const query = {
    name: 'schema.read_state',
    sql: `SELECT m.meta_key AS meta_key, m.meta_value AS meta_value FROM ${names.meta} m`,
    binds: {},
    shape: { meta_key: 'text', meta_value: 'text' },
  } as const;
  try {
    const rows = await transport.query(query, options);
    return new Map(rows.map((row) => [row.meta_key ?? '', row.meta_value ?? '']));
  } catch (error) {
    if (oracleErrorOf(error)?.number === TABLE_DOES_NOT_EXIST) return new Map();
    throw error;
  }
}

/** The rows of a store that say what it is, the version last; an embedder without a name has none. */
export function stateEntries(
  state: SchemaTarget,
): readonly { readonly key: string; readonly value: string }[] {
  return [
    { key: 'vector_dimensions', value: String(state.vectorDimensions) },
    { key: 'retention', value: JSON.stringify(state.retention) },
    { key: 'embedder_model', value: state.embedderModel },
    { key: 'search_strategy', value: state.searchStrategy },
    { key: 'search_index_sync', value: state.searchIndexSync },
    { key: 'schema_version', value: String(state.schemaVersion) },
  ].filter(({ value }) => value !== '');
}

/**
 * Records that a store has reached a version. Width, embedder and retention of an earlier call stay; strategy and sync
 * are those of this call, and so is the version unless another process has gone further.
 */
export async function writeSchemaState(
  transport: SqlTransport,
  names: SchemaNames,
  state: SchemaTarget,
  options: CallOptions = {},
): Promise<void> {
  await transport.executeAtomic(
    {
      name: 'schema.write_state',
      binds: {
        entries: json(stateEntries(state)),
        schema_version: text(String(state.schemaVersion)),
        search_strategy: text(state.searchStrategy),
        search_index_sync: text(state.searchIndexSync),
      },
      statements: [
        {
          name: 'added',
          sql:
            `INSERT INTO ${names.meta} (meta_key, meta_value, updated_at) ` +
            'SELECT j.meta_key, j.meta_value, :now ' +
            "FROM JSON_TABLE(:entries, '$[*]' ERROR ON ERROR NULL ON EMPTY COLUMNS (" +
            "meta_key VARCHAR2(64 CHAR) PATH '$.key', meta_value VARCHAR2(4000 CHAR) PATH '$.value')) j " +
            `WHERE NOT EXISTS (SELECT 1 FROM ${names.meta} m WHERE m.meta_key = j.meta_key)`,
        },
        {
          name: 'changed',
          sql:
            `UPDATE ${names.meta} m SET m.updated_at = :now, m.meta_value = CASE m.meta_key ` +
            "WHEN 'schema_version' THEN TO_CHAR(GREATEST(TO_NUMBER(m.meta_value), TO_NUMBER(:schema_version))) " +
            "WHEN 'search_strategy' THEN :search_strategy " +
            'ELSE :search_index_sync END ' +
            "WHERE m.meta_key IN ('schema_version', 'search_strategy', 'search_index_sync')",
          expect: {
            rows: 3,
            otherwise: 'conflict',
            message: 'the memory store is being changed by another process',
          },
        },
      ],
    },
    options,
  );
}

/** Replaces the retention policy of a store. Records keep the expiry that they have. */
export async function writeRetention(
  transport: SqlTransport,
  names: SchemaNames,
  retention: RetentionPolicy,
  options: CallOptions = {},
): Promise<void> {
  await transport.executeAtomic(
    {
      name: 'schema.write_retention',
      binds: { retention: text(JSON.stringify(retention)) },
      statements: [
        {
          name: 'retention',
          sql: `UPDATE ${names.meta} m SET m.meta_value = :retention, m.updated_at = :now WHERE m.meta_key = 'retention'`,
          expect: { rows: 1, otherwise: 'not_found', message: 'the memory store is not installed' },
        },
      ],
    },
    options,
  );
}
