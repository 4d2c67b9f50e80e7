import { AgentMemoryError, invalidRequest } from '../errors/agent-memory-error.ts';
import { probeDimensions } from '../models/embedding-batches.ts';
import { isOracleDatabaseEmbedder } from '../models/oracle-database-embedder.ts';
import { callWithRetry } from '../models/retry.ts';
import { readModelDimensions } from '../schema/embedding-model.ts';
import { checkIndexSync, ensureSchema, UNUSED_DIMENSIONS } from '../schema/ensure-schema.ts';
import { requireSchema } from '../schema/require-schema.ts';
import { checkRetentionPolicy, type RetentionPolicy } from '../schema/retention-policy.ts';
import { createSchemaNames, type SchemaNames } from '../schema/schema-names.ts';
import type { SchemaState } from '../schema/schema-state.ts';
import type { SqlTransport } from '../sql/sql-transport.ts';
import type { AgentMemoryOptions } from './agent-memory-options.ts';
import { createMemoryContext, type MemoryParts } from './create-memory-context.ts';
import type { MemoryContext } from './memory-context.ts';

/**
 * A context on the tables of a database, once they are what the options ask for.
 *
 * @throws AgentMemoryError as `openAgentMemory` says
 */
export async function openDatabaseContext(
  transport: SqlTransport,
  options: AgentMemoryOptions,
  parts: MemoryParts,
): Promise<MemoryContext> {
  const { embedder, memoryStoreId, tableNamePrefix, scopeBoost: boostFactor } = options;
  const embeddingModel = isOracleDatabaseEmbedder(embedder) ? embedder.modelId : undefined;
  const names = createSchemaNames({ memoryStoreId, tableNamePrefix, embeddingModel });
  const retention = readRetention(options);
  refuseUselessSettings(options);
  const dimensions = await learnDimensions(transport, names, options);
  const state = await openSchema(transport, names, { options, dimensions, retention });
  refuseOtherRetention(options, retention, state.retention);
  return createMemoryContext({ transport, names, state, boostFactor }, parts);
}

interface SchemaWish {
  readonly options: AgentMemoryOptions;
  readonly dimensions: number | undefined;
  readonly retention: RetentionPolicy;
}

/** Without scripts the tables are only looked at; with them they are also held against the scripts, object by object. */
async function openSchema(
  transport: SqlTransport,
  names: SchemaNames,
  { options, dimensions, retention }: SchemaWish,
): Promise<SchemaState> {
  const { schemaPolicy: policy = 'require_existing', migrations, embedder } = options;
  const { searchStrategy = 'vector', searchIndexSync = 'on_commit', confirmRecreate, warn } = options;
  const target = { searchStrategy, searchIndexSync, embedderModel: embedder?.modelId ?? '' };
  const look = () => requireSchema(transport, names, { ...target, vectorDimensions: dimensions });
  if (migrations === undefined) return look();
  const widthOfStore = async () => (await look()).vectorDimensions;
  const unsaid = policy === 'require_existing' ? widthOfStore : () => widthWithoutEmbedder(searchStrategy);
  const vectorDimensions = dimensions ?? (await unsaid());
  return ensureSchema({
    ...target,
    ...(confirmRecreate === undefined ? {} : { confirmRecreate }),
    ...(warn === undefined ? {} : { warn }),
    transport,
    names,
    policy,
    migrations,
    vectorDimensions,
    retention,
  });
}

function widthWithoutEmbedder(searchStrategy: string): number {
  if (searchStrategy === 'keyword') return UNUSED_DIMENSIONS;
  throw invalidRequest('vectorDim', 'must be given when there is no embedder to say how wide vectors are');
}

/** The database is asked for its own model; another embedder is called only when nothing else says its width. */
async function learnDimensions(
  transport: SqlTransport,
  { embeddingModel }: SchemaNames,
  { embedder, vectorDim, clock }: AgentMemoryOptions,
): Promise<number | undefined> {
  const declared = embedder?.dimensions ?? vectorDim;
  if (declared !== undefined && vectorDim !== undefined && declared !== vectorDim) {
    throw invalidRequest('vectorDim', `is ${vectorDim}, and the embedder makes vectors of ${declared}`);
  }
  if (embeddingModel !== undefined) return askDatabase(transport, embeddingModel, declared);
  if (declared !== undefined || embedder === undefined || isOracleDatabaseEmbedder(embedder)) return declared;
  return callWithRetry(() => probeDimensions(embedder), clock && { clock });
}

/** Its errors name the variables of a service; here they are about the embedder. */
async function askDatabase(
  transport: SqlTransport,
  model: string,
  declared: number | undefined,
): Promise<number> {
  try {
    return await readModelDimensions(transport, model, declared);
  } catch (cause) {
    const [issue] = AgentMemoryError.is(cause) && cause.code === 'invalid_request' ? cause.issues : [];
    if (issue === undefined) throw cause;
    throw invalidRequest('embedder', issue.message, cause);
  }
}

function readRetention({ memoryRetentionConfig = {} }: AgentMemoryOptions): RetentionPolicy {
  const { defaultTtlDays = null, maxTtlDays = null } = memoryRetentionConfig;
  const retention = { defaultTtlDays, maxTtlDays };
  checkRetentionPolicy(retention);
  return retention;
}

/** What would have no effect is refused rather than left out. */
function refuseUselessSettings(options: AgentMemoryOptions): void {
  const {
    schemaPolicy = 'require_existing',
    migrations,
    searchStrategy = 'vector',
    searchIndexSync,
  } = options;
  checkIndexSync(searchIndexSync, searchStrategy);
  if (schemaPolicy !== 'require_existing' && migrations === undefined) {
    throw invalidRequest(
      'migrations',
      `must be given for the schema policy ${schemaPolicy}: readMigrations()`,
    );
  }
}

/** A store keeps the retention that it was created with. */
function refuseOtherRetention(
  { memoryRetentionConfig }: AgentMemoryOptions,
  wanted: RetentionPolicy,
  kept: RetentionPolicy,
): void {
  const isSame = wanted.defaultTtlDays === kept.defaultTtlDays && wanted.maxTtlDays === kept.maxTtlDays;
  if (memoryRetentionConfig === undefined || isSame) return;
  const { defaultTtlDays, maxTtlDays } = kept;
  throw invalidRequest(
    'memoryRetentionConfig',
    `the store was created with ${JSON.stringify({ defaultTtlDays, maxTtlDays })}: leave it out, or change the store with npm run schema -- retention`,
  );
}
