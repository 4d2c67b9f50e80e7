import { changeJsonIndex } from '../../lib/schema/json-index.ts';
import { dropTables, readManagedObjects, runStatements } from '../../lib/schema/managed-objects.ts';
import { createPurgeJob } from '../../lib/schema/purge-job.ts';
import { type SchemaNames, tableNames } from '../../lib/schema/schema-names.ts';
import { planStatements } from '../../lib/schema/schema-plan.ts';
import { writeRetention, writeSchemaState } from '../../lib/schema/schema-state.ts';
import { createTextLexer, maintainTextIndex } from '../../lib/schema/text-index.ts';
import { changeVectorIndex } from '../../lib/schema/vector-index.ts';
import type { RawRow } from '../../lib/sql/result-shape.ts';
import type { SqlTransport } from '../../lib/sql/sql-transport.ts';
import { readMigrations } from '../schema-migrations.ts';

const STATE = {
  schema_version: '1',
  vector_dimensions: '1536',
  search_strategy: 'hybrid',
  search_index_sync: 'on_commit',
  retention: '{"defaultTtlDays":null,"maxTtlDays":null}',
};

/** What a transport must answer by statement name: a store with a text index. */
export const SCHEMA_ANSWERS: Readonly<Record<string, readonly RawRow[]>> = {
  'schema.read_state': Object.entries(STATE).map(([meta_key, meta_value]) => ({ meta_key, meta_value })),
};

/** Sends every text of `npm run schema`, in an empty database. */
export async function sendSchemaStatements(
  transport: SqlTransport,
  names: SchemaNames,
  vectorDimensions: number,
): Promise<void> {
  const values = {
    names,
    vectorDimensions,
    searchIndexSync: 'on_commit',
    migrations: readMigrations(),
  } as const;
  const options = { transport, ...values };
  const plan = planStatements({ ...values, searchStrategy: 'hybrid' });
  await readManagedObjects(transport, tableNames(names));
  await createTextLexer(options);
  await runStatements({ transport }, plan);
  await createPurgeJob(options);
  await writeSchemaState(transport, names, {
    schemaVersion: 1,
    vectorDimensions,
    searchStrategy: 'hybrid',
    searchIndexSync: 'on_commit',
    embedderModel: 'model',
    retention: { defaultTtlDays: null, maxTtlDays: null },
  });
  await writeRetention(transport, names, { defaultTtlDays: 7, maxTtlDays: null });
  for (const vectorIndex of ['hnsw', 'ivf'] as const) await changeVectorIndex({ ...options, vectorIndex });
  await changeJsonIndex({ ...options, jsonIndex: 'search' });
  for (const upkeep of ['sync', 'optimize'] as const) await maintainTextIndex(transport, names, upkeep);
  await dropTables({ transport }, tableNames(names));
}
