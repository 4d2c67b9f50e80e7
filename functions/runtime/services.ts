import { type Clock, systemClock } from '../../lib/clock.ts';
import { AgentMemoryError } from '../../lib/errors/agent-memory-error.ts';
import { withBatches } from '../../lib/models/embedding-batches.ts';
import type { Llm } from '../../lib/models/llm.ts';
import { isOracleDatabaseEmbedder, type MemoryEmbedder } from '../../lib/models/oracle-database-embedder.ts';
import { withRetry } from '../../lib/models/retry.ts';
import type { Tokenizer } from '../../lib/models/tokenizer.ts';
import type { JobQueue } from '../../lib/queue/job-queue.ts';
import { readModelDimensions } from '../../lib/schema/embedding-model.ts';
import { readSchemaState, type SchemaState } from '../../lib/schema/schema-state.ts';
import { verifySchemaState } from '../../lib/schema/verify-schema-state.ts';
import type { CallerLimits } from '../../lib/schemas/caller-limits.ts';
import { withRowAccess } from '../../lib/sql/row-access.ts';
import type { CallOptions, SqlTransport } from '../../lib/sql/sql-transport.ts';
import { createMemoryStore } from '../../lib/store/create-memory-store.ts';
import { purgeExpired } from '../../lib/store/records/purge.ts';
import { createRequestStore } from '../../lib/store/requests/request-store.ts';
import type { Logger } from '../http/logger.ts';
import {
  type RequestMeter,
  withMeteredEmbedder,
  withMeteredLlm,
  withMeteredTransport,
} from '../http/request-meter.ts';
import { type Authenticate, allowAnyone, authenticateApiKeys } from '../middleware/authentication.ts';
import { authenticateJwts } from '../middleware/jwt-authentication.ts';
import {
  createTokenBuckets,
  type RateLimitBinding,
  type UseRate,
  withRateLimitBindings,
} from '../middleware/rate-limit.ts';
import type { Services } from '../services.ts';
import type { Configuration } from './configuration.ts';
import { transportName } from './transport-configuration.ts';

/** Schema version that the statements of this program are written for. */
export const REQUIRED_SCHEMA_VERSION = 2;

/** What a composition root chose, beside the configuration. */
export interface ServiceParts {
  readonly configuration: Configuration;
  readonly transport: SqlTransport;
  readonly embedder: MemoryEmbedder | undefined;
  readonly llm: Llm | undefined;
  /** Asked until it succeeds once, and only by the first request: ranks and WebAssembly cost start-up time. */
  readonly loadTokenizer: () => Promise<Tokenizer>;
  /** Where wake-ups go; absent: nothing runs in the background. Closed with the services. */
  readonly jobQueue?: JobQueue | undefined;
  /** What counts the requests of callers with a rate beyond this process, by rate. Absent: nothing does. */
  readonly findRateLimit?: ((ratePerMinute: number) => RateLimitBinding | undefined) | undefined;
  readonly logger: Logger;
  /** What the store says about itself, when the composition root has just verified it; else the first request asks. */
  readonly schemaState?: SchemaState;
  /** @default systemClock */
  readonly clock?: Clock;
  /** Aborts when requests have to end because the process will. */
  readonly ending?: AbortSignal;
}

/**
 * Joins the parts to the services of an app. Nothing connects here. The state of the schema and the tokenizer are kept
 * as values once they are there, never as pending promises: on Workers a promise belongs to the request that made it.
 */
export function createServices(parts: ServiceParts): Services {
  const { configuration, transport, logger, clock = systemClock } = parts;
  let state = parts.schemaState;
  let tokenizer: Tokenizer | undefined;
  return {
    async openContext(meter, signal, limits) {
      const metered = withMeteredTransport(transport, meter);
      state ??= await requireSchema(metered, parts, { signal });
      tokenizer ??= await parts.loadTokenizer();
      const storeContext = {
        transport: ofCaller(metered, configuration, limits),
        limits,
        names: configuration.names,
        settings: {
          dimensions: state.vectorDimensions,
          retention: state.retention,
          vectorIndex: state.vectorIndex,
          boostFactor: configuration.boostFactor,
        },
      };
      return {
        store: createMemoryStore(storeContext),
        requests: createRequestStore(storeContext),
        embedder: requestEmbedder(parts, state, tokenizer, meter, clock),
        llm: parts.llm && withRetry(withMeteredLlm(parts.llm, meter), { clock }),
        tokenizer,
        jobQueue: parts.jobQueue,
        clock,
        limits,
        newId: () => crypto.randomUUID(),
        settings: configuration.settings,
        signal,
      };
    },
    async checkReadiness(meter, signal) {
      const found = await requireSchema(withMeteredTransport(transport, meter), parts, { signal });
      return {
        transport: transportName(configuration.transport),
        strategy: configuration.settings.searchStrategy,
        schemaVersion: found.schemaVersion,
      };
    },
    async purgeExpired(options = {}) {
      state ??= await requireSchema(transport, parts, options);
      return purgeExpired({ transport, names: configuration.names }, {}, options);
    },
    authenticate: createAuthentication(configuration, clock),
    useRate: createRate(parts, clock),
    logger,
    diagnostics: configuration.authentication.mode === 'none',
    requestBudgetSeconds: configuration.requestBudgetSeconds,
    ending: parts.ending,
    bodyLimitBytes: configuration.bodyLimitBytes,
    corsOrigins: configuration.corsOrigins,
    mcpTools: configuration.mcpTools,
    async close() {
      await parts.jobQueue?.close();
      await transport.close();
    },
  };
}

function createRate({ findRateLimit }: ServiceParts, clock: Clock): UseRate {
  const buckets = createTokenBuckets(() => clock.now().getTime());
  return findRateLimit === undefined ? buckets : withRateLimitBindings(findRateLimit, buckets);
}

function createAuthentication({ authentication }: Configuration, clock: Clock): Authenticate {
  const now = () => clock.now().getTime();
  switch (authentication.mode) {
    case 'none':
      return allowAnyone;
    case 'api-key':
      return authenticateApiKeys(authentication.keys, now);
    case 'jwt':
      return authenticateJwts(authentication, now);
  }
}

/** With row isolation the database sees to it too that a caller that is limited to users gets no rows of others. */
function ofCaller(
  transport: SqlTransport,
  { isolatesRows }: Configuration,
  { users }: CallerLimits,
): SqlTransport {
  return isolatesRows && users !== undefined ? withRowAccess(transport, { userIds: users }) : transport;
}

/** A model that is called is metered and called in batches; one in the database needs neither. */
function requestEmbedder(
  { embedder }: ServiceParts,
  { vectorDimensions }: SchemaState,
  tokenizer: Tokenizer,
  meter: RequestMeter,
  clock: Clock,
): MemoryEmbedder | undefined {
  if (embedder === undefined || isOracleDatabaseEmbedder(embedder)) return embedder;
  const dimensions = embedder.dimensions ?? vectorDimensions;
  return withBatches(withMeteredEmbedder(embedder, meter), { tokenizer, dimensions, clock });
}

/** Width of the vectors that will be written, as far as it is known; a model in the database is asked, every time. */
async function knownDimensions(
  transport: SqlTransport,
  { embedder, configuration }: ServiceParts,
  options: CallOptions,
): Promise<number | undefined> {
  const { embeddingModel } = configuration.names;
  if (embeddingModel === undefined) return embedder?.dimensions;
  try {
    return await readModelDimensions(transport, embeddingModel, embedder?.dimensions, options);
  } catch (cause) {
    if (!AgentMemoryError.is(cause) || cause.code !== 'invalid_request') throw cause;
    throw unusable('the embedding model does not fit the configuration of this service', cause);
  }
}

/**
 * One round trip, two with a model in the database. A schema that does not fit is the operator's matter: to a caller the
 * service is unavailable.
 */
async function requireSchema(
  transport: SqlTransport,
  parts: ServiceParts,
  options: CallOptions,
): Promise<SchemaState> {
  const { configuration, embedder } = parts;
  const state = await readSchemaState(transport, configuration.names, options);
  if (state === undefined || state.schemaVersion < REQUIRED_SCHEMA_VERSION) {
    throw unusable('the memory schema is not installed or not complete: run npm run schema -- apply');
  }
  const dimensions = await knownDimensions(transport, parts, options);
  try {
    verifySchemaState(state, {
      ...state,
      schemaVersion: REQUIRED_SCHEMA_VERSION,
      searchStrategy: configuration.settings.searchStrategy,
      searchIndexSync: configuration.searchIndexSync,
      vectorDimensions: dimensions ?? state.vectorDimensions,
      embedderModel: embedder?.modelId ?? '',
    });
  } catch (cause) {
    throw unusable('the memory schema does not fit the configuration of this service', cause);
  }
  return state;
}

function unusable(message: string, cause?: unknown): AgentMemoryError {
  return new AgentMemoryError('unavailable', message, { retryAfterSeconds: 30, cause });
}
