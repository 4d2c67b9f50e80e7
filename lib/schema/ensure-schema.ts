import { AgentMemoryError, invalidRequest } from '../errors/agent-memory-error.ts';
import type { CallOptions, SqlTransport } from '../sql/sql-transport.ts';
import { dropTables, type ManagedObjects, readManagedObjects } from './managed-objects.ts';
import { createPurgeJob, replacePurgeJob } from './purge-job.ts';
import { type DdlStatement, type Migration, newestVersion } from './render-migration.ts';
import { checkRetentionPolicy, type RetentionPolicy } from './retention-policy.ts';
import { type SchemaNames, tableNames } from './schema-names.ts';
import { planStatements } from './schema-plan.ts';
import type { SchemaPolicy, SearchIndexSync, SearchStrategy } from './schema-policy.ts';
import { readSchemaState, type SchemaState, type SchemaTarget } from './schema-state.ts';
import { upgradeSchema } from './upgrade-schema.ts';
import { verifyCompleteness } from './verify-completeness.ts';
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
  /** Told what a missing privilege left out: the purge job, the lexer of the text index. */
  readonly warn?: (message: string) => void;
}

/** Width of the embedding column of a store that searches by keyword and has no embedder. */
export const UNUSED_DIMENSIONS = 1536;

/** Contract §12. */
const AUTO_IS_HYBRID = 'auto is for the search strategy hybrid: use on_commit or manual';

/**
 * Brings the schema of a memory store to what the policy allows and verifies it (contract §12). Safe to run from
 * several processes at once: what another one created meanwhile is taken as created. An upgrade that was cut off goes on
 * from the last version that was reached.
 *
 * @returns What the store says about itself
 * @throws AgentMemoryError `invalid_request` when objects are missing and may not be created; `conflict` when the store
 * was made for other settings or is not what its version says, naming the remedy
 */
export async function ensureSchema(options: EnsureSchemaOptions): Promise<SchemaState> {
  checkOptions(options);
  const plan = planStatements(options);
  const target = { ...settingsOf(options), schemaVersion: newestVersion(options.migrations) };
  if (options.policy === 'recreate') await dropTables(options, tableNames(options.names));
  const [state, found] = await Promise.all([
    readSchemaState(options.transport, options.names, options),
    readManagedObjects(options.transport, objectNames(options.names, plan), options),
  ]);
  if (state !== undefined) verifyUnchangeable(state, target);
  const isHybrid = target.searchStrategy === 'hybrid' || state?.searchStrategy === 'hybrid';
  if (target.searchIndexSync === 'auto' && !isHybrid) throw invalidRequest('searchIndexSync', AUTO_IS_HYBRID);
  verifyCompleteness(plan, found, state?.schemaVersion);
  const missing = plan.filter(({ creates }) => creates !== undefined && !found.objects.has(creates));
  const isComplete =
    missing.length === 0 &&
    state !== undefined &&
    pendingUpgrade(state, target) === undefined &&
    !learnsEmbedder(options, state);
  if (!isComplete) {
    refuseUnlessAllowed(options, target, state, found, missing);
    await upgradeSchema({ ...options, plan, found, state, target });
  }
  if (createsObjects(options.policy, isComplete)) await providePurgeJob(options, found, state);
  return isComplete ? state : readBack(options, target);
}

/** A job that is there does what the version of the store said when it was made. */
async function providePurgeJob(
  options: EnsureSchemaOptions,
  { objects }: ManagedObjects,
  state: SchemaState | undefined,
): Promise<void> {
  if (!objects.has(options.names.purgeJob)) return createPurgeJob(options);
  const isOlder = state !== undefined && state.schemaVersion < newestVersion(options.migrations);
  if (isOlder) await replacePurgeJob(options);
}

/** A store that was created without naming its embedder learns it from the first who may change it and has one. */
function learnsEmbedder(options: EnsureSchemaOptions, { embedderModel }: SchemaState): boolean {
  const { policy, searchStrategy } = options;
  const isAllowed = policy === 'create_if_necessary' && searchStrategy !== 'keyword';
  return isAllowed && embedderModel === '' && options.embedderModel !== '';
}

function settingsOf(options: EnsureSchemaOptions): Omit<SchemaTarget, 'schemaVersion'> {
  const { vectorDimensions, searchStrategy, searchIndexSync, embedderModel, retention } = options;
  return { vectorDimensions, searchStrategy, searchIndexSync, embedderModel, retention };
}

function objectNames(names: SchemaNames, plan: readonly DdlStatement[]): readonly string[] {
  return [...plan.flatMap(({ creates }) => creates ?? []), names.purgeJob];
}

/** `create_if_empty` leaves alone what is there, a missing job too. */
function createsObjects(policy: SchemaPolicy, wasComplete: boolean): boolean {
  return policy === 'create_if_empty' ? !wasComplete : policy !== 'require_existing';
}

function refuseUnlessAllowed(
  options: EnsureSchemaOptions,
  target: SchemaTarget,
  state: SchemaState | undefined,
  found: ManagedObjects,
  missing: readonly DdlStatement[],
): void {
  const { policy } = options;
  if (policy === 'create_if_necessary' || policy === 'recreate') return;
  if (policy === 'create_if_empty' && state === undefined && found.objects.size === 0) return;
  const objects = missing.map(({ creates }) => creates).join(', ') || options.names.meta;
  const upgrade = state === undefined ? undefined : pendingUpgrade(state, target);
  const problem = upgrade ?? `required managed objects are missing or not complete (${objects})`;
  throw invalidRequest('schemaPolicy', `${problem}: ${UPGRADE}`);
}

async function readBack(options: EnsureSchemaOptions, target: SchemaTarget): Promise<SchemaState> {
  const state = await readSchemaState(options.transport, options.names, options);
  if (state === undefined)
    throw new AgentMemoryError('conflict', 'the memory store was dropped while it was created');
  verifySchemaState(state, target);
  return state;
}

/** @throws AgentMemoryError `invalid_request` for a sync that the strategy cannot have, as far as no database need be asked */
export function checkIndexSync(sync: SearchIndexSync | undefined, strategy: SearchStrategy): void {
  if (sync === 'auto' && strategy === 'vector') throw invalidRequest('searchIndexSync', AUTO_IS_HYBRID);
}

function checkOptions(options: EnsureSchemaOptions): void {
  checkIndexSync(options.searchIndexSync, options.searchStrategy);
  if (options.policy === 'recreate' && options.confirmRecreate !== true) {
    throw invalidRequest(
      'confirmRecreate',
      'recreate deletes every memory of the store and must be confirmed: npm run schema -- recreate --confirm',
    );
  }
  checkRetentionPolicy(options.retention);
}
