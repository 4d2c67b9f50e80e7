import { AgentMemoryError, invalidRequest } from '../errors/agent-memory-error.ts';
import { oracleErrorOf } from '../sql/oracle-database-error.ts';
import type { CallOptions, SqlTransport } from '../sql/sql-transport.ts';
import { createObjects, dropTables, readManagedObjects } from './managed-objects.ts';
import { type DdlStatement, type Migration, newestVersion, renderMigration } from './render-migration.ts';
import { checkRetentionPolicy, type RetentionPolicy } from './retention-policy.ts';
import { type SchemaNames, tableNames } from './schema-names.ts';
import type { SchemaPolicy, SearchIndexSync, SearchStrategy } from './schema-policy.ts';
import { readSchemaState, type SchemaState, writeSchemaState } from './schema-state.ts';
import { pendingUpgrade, UPGRADE, verifySchemaState, verifyUnchangeable } from './verify-schema-state.ts';

export interface EnsureSchemaOptions extends CallOptions {
  readonly transport: SqlTransport;
  readonly names: SchemaNames;
  readonly policy: SchemaPolicy;
  readonly migrations: readonly Migration[];
  /** Width of the embedder; with the keyword strategy, of the column that stays empty. */
  readonly vectorDimensions: number;
  readonly searchStrategy: SearchStrategy;
  readonly searchIndexSync: SearchIndexSync;
  /** For a store that is created now; a store that exists keeps its own. */
  readonly retention: RetentionPolicy;
  /** Name of the embedder; empty without one. */
  readonly embedderModel: string;
  /** Must be true for the `recreate` policy, which deletes every memory. */
  readonly confirmRecreate?: boolean;
  /** Waits before DDL that met a lock is tried again. */
  readonly wait?: (milliseconds: number) => Promise<void>;
}

const UNIQUE_CONSTRAINT_VIOLATED = 1;

/**
 * Brings the schema of a memory store to what the policy allows and verifies it (contract §12). Safe to run from
 * several processes at once: what another one created meanwhile is taken as created.
 *
 * @returns What the store says about itself
 * @throws AgentMemoryError `invalid_request` when objects are missing and may not be created; `conflict` when the store
 * was made for other settings, naming the remedy; `unsupported` for the hybrid strategy
 */
export async function ensureSchema(options: EnsureSchemaOptions): Promise<SchemaState> {
  checkOptions(options);
  const plan = planStatements(options);
  const target = { ...settingsOf(options), schemaVersion: newestVersion(options.migrations) };
  if (options.policy === 'recreate') await dropTables(options, tableNames(options.names));
  const objectNames = plan.map((statement) => statement.creates);
  const [state, existing] = await Promise.all([
    readSchemaState(options.transport, options.names, options),
    readManagedObjects(options.transport, objectNames, options),
  ]);
  if (state !== undefined) verifyUnchangeable(state, target);
  const missing = plan.filter((statement) => !existing.has(statement.creates));
  if (state !== undefined && missing.length === 0 && pendingUpgrade(state, target) === undefined)
    return state;
  refuseUnlessAllowed(options, target, state, existing, missing);
  await createObjects(options, missing);
  await recordState(options, target);
  return readBack(options, target);
}

function settingsOf(options: EnsureSchemaOptions): Omit<SchemaState, 'schemaVersion'> {
  const { vectorDimensions, searchStrategy, searchIndexSync, embedderModel, retention } = options;
  return { vectorDimensions, searchStrategy, searchIndexSync, embedderModel, retention };
}

function refuseUnlessAllowed(
  options: EnsureSchemaOptions,
  target: SchemaState,
  state: SchemaState | undefined,
  existing: ReadonlySet<string>,
  missing: readonly DdlStatement[],
): void {
  const { policy } = options;
  if (policy === 'create_if_necessary' || policy === 'recreate') return;
  if (policy === 'create_if_empty' && state === undefined && existing.size === 0) return;
  const objects = missing.map((statement) => statement.creates).join(', ') || options.names.meta;
  const upgrade = state === undefined ? undefined : pendingUpgrade(state, target);
  const problem = upgrade ?? `required managed objects are missing or not complete (${objects})`;
  throw invalidRequest('schemaPolicy', `${problem}: ${UPGRADE}`);
}

/** Another process may record the same store first: its row is as good as ours. */
async function recordState(options: EnsureSchemaOptions, target: SchemaState): Promise<void> {
  try {
    await writeSchemaState(options.transport, options.names, target, options);
  } catch (error) {
    if (oracleErrorOf(error)?.number !== UNIQUE_CONSTRAINT_VIOLATED) throw error;
  }
}

async function readBack(options: EnsureSchemaOptions, target: SchemaState): Promise<SchemaState> {
  const state = await readSchemaState(options.transport, options.names, options);
  if (state === undefined)
    throw new AgentMemoryError('conflict', 'the memory store was dropped while it was created');
  verifySchemaState(state, target);
  return state;
}

/** All statements that the store needs, in order: what `apply` would run in an empty schema. */
export function planStatements(
  options: Pick<
    EnsureSchemaOptions,
    'names' | 'migrations' | 'vectorDimensions' | 'searchStrategy' | 'searchIndexSync'
  >,
): readonly DdlStatement[] {
  return [...options.migrations]
    .filter((migration) => !migration.keywordOnly || options.searchStrategy === 'keyword')
    .sort((one, other) => one.version - other.version)
    .flatMap((migration) => renderMigration(migration, options));
}

function checkOptions(options: EnsureSchemaOptions): void {
  if (options.searchStrategy === 'hybrid') {
    throw new AgentMemoryError(
      'unsupported',
      'the search strategy hybrid is not supported: use vector or keyword',
    );
  }
  if (options.searchIndexSync === 'auto') {
    throw invalidRequest('searchIndexSync', 'auto belongs to the hybrid strategy: use on_commit or manual');
  }
  if (options.policy === 'recreate' && options.confirmRecreate !== true) {
    throw invalidRequest(
      'confirmRecreate',
      'recreate deletes every memory of the store and must be confirmed',
    );
  }
  checkRetentionPolicy(options.retention);
}
