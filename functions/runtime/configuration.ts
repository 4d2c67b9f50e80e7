import { AgentMemoryError, invalidRequest } from '../../lib/errors/agent-memory-error.ts';
import { JOB_DEFAULTS, type MemorySettings } from '../../lib/memory/memory-context.ts';
import type { RetentionPolicy } from '../../lib/schema/retention-policy.ts';
import { createSchemaNames, type SchemaNames } from '../../lib/schema/schema-names.ts';
import type { SchemaPolicy, SearchIndexSync } from '../../lib/schema/schema-policy.ts';
import { parseRequest } from '../../lib/schemas/validation-issues.ts';
import { MAXIMUM_ROW_OWNERS } from '../../lib/sql/row-access.ts';
import type { LogLevel } from '../http/logger.ts';
import { MCP_TOOL_NAMES, type McpToolName } from '../mcp/mcp-tool-names.ts';
import { type AuthenticationConfiguration, readAuthentication } from './authentication-configuration.ts';
import { EMULATED_MODEL } from './emulated-model.ts';
import { type Environment, environmentSchema, GENERAL_DEFAULTS } from './environment-schema.ts';
import {
  type EmbedderConfiguration,
  type LlmConfiguration,
  readEmbedder,
  readLlm,
} from './model-configuration.ts';
import { type QueueConfiguration, readQueue, runsInBackground } from './queue-configuration.ts';
import {
  databaseHosts,
  type Platform,
  readTransport,
  type TransportConfiguration,
} from './transport-configuration.ts';

/** The configuration of a process, checked as a whole. */
export interface Configuration {
  readonly transport: TransportConfiguration;
  readonly names: SchemaNames;
  /** Whether the database itself limits the rows of a limited caller (ROW_ISOLATION=vpd). */
  readonly isolatesRows: boolean;
  readonly schemaPolicy: SchemaPolicy;
  readonly searchIndexSync: SearchIndexSync;
  /** For a schema that is created now; a stored policy wins. */
  readonly retention: RetentionPolicy;
  /** Days that entries of the audit trail are kept. */
  readonly auditRetentionDays: number;
  readonly boostFactor: number;
  readonly settings: MemorySettings;
  readonly embedder: EmbedderConfiguration;
  readonly llm: LlmConfiguration;
  readonly queue: QueueConfiguration;
  readonly authentication: AuthenticationConfiguration;
  readonly requestBudgetSeconds: number | undefined;
  readonly bodyLimitBytes: number;
  readonly corsOrigins: readonly string[];
  /** Tools that the MCP endpoint offers. */
  readonly mcpTools: readonly McpToolName[];
  readonly logLevel: LogLevel;
  /** Of `npm start`. */
  readonly server: { readonly host: string; readonly port: number; readonly dataDirectory: string };
}

const PLATFORM_DEFAULTS: Readonly<Record<Platform, Readonly<Record<string, string>>>> = {
  local: {
    ORACLE_TRANSPORT: 'emulator',
    SCHEMA_POLICY: 'create_if_necessary',
    EMBEDDER: 'local',
    LLM: 'rules',
    AUTH_MODE: 'none',
  },
  deployed: {
    SCHEMA_POLICY: 'require_existing',
    LLM: 'none',
    AUTH_MODE: 'api-key',
    REQUEST_BUDGET_SECONDS: '20',
  },
};

/**
 * Reads the configuration. Empty variables count as absent; variables that are not of the contract are ignored.
 *
 * @throws AgentMemoryError `invalid_request` or `unsupported` naming the variables, never their values
 */
export function readConfiguration(
  variables: Readonly<Record<string, unknown>>,
  platform: Platform,
): Configuration {
  const given = Object.fromEntries(
    Object.entries(variables).filter((entry): entry is [string, string] => {
      return typeof entry[1] === 'string' && entry[1] !== '' && !isOfAnotherPlatform(entry[0], platform);
    }),
  );
  const defaults = {
    ...GENERAL_DEFAULTS,
    ...PLATFORM_DEFAULTS[platform],
    ...emulatorDefaults(given, platform),
    ...moduleDefaults(given),
  };
  const environment = parseRequest(environmentSchema, { ...defaults, ...given });
  if (platform === 'deployed') refuseSchemaChoices(environment);
  if (environment.SEARCH_INDEX_SYNC === 'auto' && environment.SEARCH_STRATEGY === 'vector') {
    throw invalidRequest('SEARCH_INDEX_SYNC', 'auto is for the search strategy hybrid');
  }
  const transport = readTransport(environment, platform);
  if (transport.kind === 'ords' && transport.config.mode === 'module') refuseSchemaChoices(environment);
  if (environment.ROW_ISOLATION === 'vpd') refuseLongLists(environment);
  const queue = readQueue(environment, platform);
  if (!runsInBackground(queue, platform)) refuseBackground(environment);
  return {
    transport,
    names: readNames(environment),
    isolatesRows: environment.ROW_ISOLATION === 'vpd',
    schemaPolicy: environment.SCHEMA_POLICY,
    searchIndexSync: environment.SEARCH_INDEX_SYNC,
    retention: {
      defaultTtlDays: environment.DEFAULT_TTL_DAYS ?? null,
      maxTtlDays: environment.MAX_TTL_DAYS ?? null,
    },
    auditRetentionDays: environment.AUDIT_RETENTION_DAYS,
    boostFactor: environment.SCOPE_BOOST,
    settings: readSettings(environment),
    embedder: readEmbedder(environment),
    llm: readLlm(environment),
    queue,
    authentication: readAuthentication(environment, databaseHosts(transport)),
    requestBudgetSeconds: environment.REQUEST_BUDGET_SECONDS,
    bodyLimitBytes: environment.BODY_LIMIT_BYTES,
    corsOrigins: environment.CORS_ORIGINS ?? [],
    mcpTools: environment.MCP_TOOLS ?? MCP_TOOL_NAMES,
    logLevel: environment.LOG_LEVEL,
    server: { host: environment.HOST, port: environment.PORT, dataDirectory: environment.DATA_DIR },
  };
}

/** Without an address of its own `npm start` has the emulator, whose one model need not be named. */
function emulatorDefaults(
  given: Readonly<Record<string, string>>,
  platform: Platform,
): Readonly<Record<string, string>> {
  const address = given.ORACLE_TRANSPORT === 'thin' ? given.ORACLE_CONNECT_STRING : given.ORDS_URL;
  const isEmulated = platform === 'local' && address === undefined;
  return isEmulated && given.EMBEDDER === 'oracle-database' ? { EMBEDDING_MODEL: EMULATED_MODEL } : {};
}

/** A module runs installed statements only, so a process that is led to one cannot create its schema. */
function moduleDefaults(given: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const isModule = given.ORDS_MODE === 'module' && given.ORDS_URL !== undefined;
  return isModule ? { SCHEMA_POLICY: 'require_existing' } : {};
}

/** Names as common as these mean something else where nothing listens. */
function isOfAnotherPlatform(name: string, platform: Platform): boolean {
  return platform === 'deployed' && ['HOST', 'PORT', 'DATA_DIR'].includes(name);
}

/** What only a process that creates its schema uses. */
function refuseSchemaChoices(environment: Environment): void {
  if (environment.SCHEMA_POLICY !== 'require_existing') {
    throw invalidRequest('SCHEMA_POLICY', 'must be require_existing: create the schema with npm run schema');
  }
  for (const name of ['DEFAULT_TTL_DAYS', 'MAX_TTL_DAYS'] as const) {
    if (environment[name] !== undefined) {
      throw invalidRequest(name, 'has no effect here: set it with npm run schema -- retention');
    }
  }
}

/** Each user and agent of a limited caller has a place in the condition of the row policies. */
function refuseLongLists({ API_KEYS: keys = [] }: Environment): void {
  const index = keys.findIndex(
    ({ users, agents = [] }) => users !== undefined && users.length + agents.length > MAXIMUM_ROW_OWNERS,
  );
  if (index === -1) return;
  const message = `holds, with agents, at most ${MAXIMUM_ROW_OWNERS} ids with ROW_ISOLATION=vpd`;
  throw invalidRequest(`API_KEYS[${index}].users`, message);
}

function refuseBackground(environment: Environment): void {
  if (environment.MEMORY_EXTRACTION.extractionMode !== 'background') return;
  const path = 'MEMORY_EXTRACTION.extractionMode';
  const message = 'background needs a queue: set JOB_QUEUE to sqs or cloudflare-queue';
  throw new AgentMemoryError('unsupported', `${path}: ${message}`, { issues: [{ path, message }] });
}

function readNames(environment: Environment): SchemaNames {
  return createSchemaNames({
    memoryStoreId: environment.MEMORY_STORE_ID,
    tableNamePrefix: environment.TABLE_NAME_PREFIX,
    embeddingModel: environment.EMBEDDER === 'oracle-database' ? environment.EMBEDDING_MODEL : undefined,
  });
}

function readSettings(environment: Environment): MemorySettings {
  if (environment.CHUNK_OVERLAP >= environment.CHUNK_TOKENS) {
    throw invalidRequest('CHUNK_OVERLAP', 'must be below CHUNK_TOKENS');
  }
  return {
    searchStrategy: environment.SEARCH_STRATEGY,
    chunkTokens: environment.CHUNK_TOKENS,
    chunkOverlap: environment.CHUNK_OVERLAP,
    extraction: environment.MEMORY_EXTRACTION,
    jobMaxAttempts: environment.JOB_MAX_ATTEMPTS,
    jobLeaseSeconds: environment.JOB_LEASE_SECONDS,
    jobRetrySeconds: JOB_DEFAULTS.jobRetrySeconds,
    jobUserLimit: environment.JOB_USER_LIMIT,
    queueCapacity: environment.QUEUE_CAPACITY,
  };
}
