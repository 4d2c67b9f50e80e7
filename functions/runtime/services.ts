import { type Clock, systemClock } from '../../lib/clock.ts';
import { AgentMemoryError } from '../../lib/errors/agent-memory-error.ts';
import { createMemoryContext } from '../../lib/memory/create-memory-context.ts';
import type { Llm } from '../../lib/models/llm.ts';
import { isOracleDatabaseEmbedder, type MemoryEmbedder } from '../../lib/models/oracle-database-embedder.ts';
import type { Tokenizer } from '../../lib/models/tokenizer.ts';
import type { JobQueue } from '../../lib/queue/job-queue.ts';
import { readModelDimensions } from '../../lib/schema/embedding-model.ts';
import { requireSchema } from '../../lib/schema/require-schema.ts';
import type { SchemaState } from '../../lib/schema/schema-state.ts';
import type { CallerLimits } from '../../lib/schemas/caller-limits.ts';
import { withRowAccess } from '../../lib/sql/row-access.ts';
import type { CallOptions, SqlTransport } from '../../lib/sql/sql-transport.ts';
import { pruneAudit } from '../../lib/store/audit/prune-audit.ts';
import { purgeExpired } from '../../lib/store/records/purge.ts';
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
    async openContext(meter, signal, limits, author) {
      const metered = withMeteredTransport(transport, meter);
      state ??= await requireUsableSchema(metered, parts, { signal });
      tokenizer ??= await parts.loadTokenizer();
      return createMemoryContext(
        {
          transport: ofCaller(metered, configuration, limits),
          names: configuration.names,
          state,
          boostFactor: configuration.boostFactor,
        },
        {
          embedder: parts.embedder && meteredEmbedder(parts.embedder, meter),
          llm: parts.llm && withMeteredLlm(parts.llm, meter),
          tokenizer,
          jobQueue: parts.jobQueue,
          clock,
          limits,
          author,
          settings: configuration.settings,
          signal,
        },
      );
    },
    async checkReadiness(meter, signal) {
      const found = await requireUsableSchema(withMeteredTransport(transport, meter), parts, { signal });
      return {
        transport: transportName(configuration.transport),
        strategy: configuration.settings.searchStrategy,
        schemaVersion: found.schemaVersion,
      };
    },
    async purgeExpired(options = {}) {
      state ??= await requireUsableSchema(transport, parts, options);
      const tables = { transport, names: configuration.names };
      const outcome = await purgeExpired(tables, {}, options);
      return { ...outcome, audit: await pruneAudit(tables, configuration.auditRetentionDays, options) };
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
  { users, agents = [] }: CallerLimits,
): SqlTransport {
  return isolatesRows && users !== undefined
    ? withRowAccess(transport, { userIds: users, agentIds: agents })
    : transport;
}

/** A call is metered; a model in the database is not called. */
function meteredEmbedder(embedder: MemoryEmbedder, meter: RequestMeter): MemoryEmbedder {
  return isOracleDatabaseEmbedder(embedder) ? embedder : withMeteredEmbedder(embedder, meter);
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
async function requireUsableSchema(
  transport: SqlTransport,
  parts: ServiceParts,
  options: CallOptions,
): Promise<SchemaState> {
  const { names, settings, searchIndexSync } = parts.configuration;
  const requirement = {
    searchStrategy: settings.searchStrategy,
    searchIndexSync,
    embedderModel: parts.embedder?.modelId ?? '',
    vectorDimensions: await knownDimensions(transport, parts, options),
  };
  try {
    return await requireSchema(transport, names, requirement, options);
  } catch (cause) {
    throw asUnusable(cause);
  }
}

/** Other failures than those of the schema stay what they are. */
function asUnusable(cause: unknown): unknown {
  if (!AgentMemoryError.is(cause)) return cause;
  if (cause.code === 'invalid_request') {
    const problem = 'the memory schema is not installed or not complete: run npm run schema -- apply';
    return unusable(problem, cause);
  }
  if (cause.code !== 'conflict') return cause;
  return unusable('the memory schema does not fit the configuration of this service', cause);
}

function unusable(message: string, cause?: unknown): AgentMemoryError {
  return new AgentMemoryError('unavailable', message, { retryAfterSeconds: 30, cause });
}
