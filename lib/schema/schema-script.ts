import type { EnsureSchemaOptions } from './ensure-schema.ts';
import { type MigrationPart, newestVersion, renderBlock, renderMigration } from './render-migration.ts';
import { planStatements, scriptOf } from './schema-plan.ts';
import type { JsonIndex, VectorIndex } from './schema-policy.ts';
import { stateEntries } from './schema-state.ts';

export interface SchemaScriptOptions
  extends Pick<
    EnsureSchemaOptions,
    | 'names'
    | 'migrations'
    | 'vectorDimensions'
    | 'searchStrategy'
    | 'searchIndexSync'
    | 'embedderModel'
    | 'retention'
  > {
  /** @default 'none' */
  readonly vectorIndex?: VectorIndex | undefined;
  /** @default 'none' */
  readonly jsonIndex?: JsonIndex | undefined;
}

const HEAD = `-- What apply runs in an empty schema. Run it with SQLcl as the owner of the tables.
SET DEFINE OFF
WHENEVER SQLERROR EXIT FAILURE ROLLBACK`;

const PURGE_HEAD = `-- Needs CREATE JOB. Without it records expire all the same, and the scheduled purge of the service removes them.
WHENEVER SQLERROR CONTINUE`;

const VECTOR_PARTS = { hnsw: 'vector_index_hnsw', ivf: 'vector_index_ivf' } as const;

/**
 * A script for SQLcl that makes what `ensureSchema` makes in an empty schema, for those who do not let a program run DDL:
 * lexer, tables, indexes, the rows that say what the store is, the purge job. Values are literals; a quote is doubled.
 */
export function renderSchemaScript(options: SchemaScriptOptions): string {
  const { vectorIndex = 'none', jsonIndex = 'none', searchStrategy } = options;
  const sections = [
    HEAD,
    ...(searchStrategy === 'vector' ? [] : blockOf(options, 'text_lexer')),
    ...planStatements(options).map(({ sql }) => `${sql};`),
    ...(vectorIndex === 'none' ? [] : statementsOf(options, VECTOR_PARTS[vectorIndex])),
    ...(jsonIndex === 'none' ? [] : statementsOf(options, 'json_search_index')),
    ...stateRows(options),
    'COMMIT;',
    PURGE_HEAD,
    ...blockOf(options, 'purge_job'),
  ];
  return `${sections.join('\n\n')}\n`;
}

function blockOf(options: SchemaScriptOptions, part: MigrationPart): readonly string[] {
  const script = scriptOf(options.migrations, part);
  return script === undefined ? [] : [`${renderBlock(script, options)}\n/`];
}

function statementsOf(options: SchemaScriptOptions, part: MigrationPart): readonly string[] {
  const script = scriptOf(options.migrations, part);
  return script === undefined ? [] : renderMigration(script, options).map(({ sql }) => `${sql};`);
}

/** The version last: a store without it is not complete. */
function stateRows(options: SchemaScriptOptions): readonly string[] {
  const { names, vectorIndex = 'none', jsonIndex = 'none' } = options;
  const entries = [
    ...(vectorIndex === 'none' ? [] : [{ key: 'vector_index', value: vectorIndex }]),
    ...(jsonIndex === 'none' ? [] : [{ key: 'json_index', value: jsonIndex }]),
    ...stateEntries({ ...options, schemaVersion: newestVersion(options.migrations) }),
  ];
  return entries.map(
    ({ key, value }) =>
      `INSERT INTO ${names.meta} (meta_key, meta_value, updated_at)\nVALUES ('${key}', '${value.replaceAll("'", "''")}', SYSTIMESTAMP);`,
  );
}
