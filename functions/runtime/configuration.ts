import { AgentMemoryError, invalidRequest } from '../../lib/errors/agent-memory-error.ts';
import type { MemorySettings } from '../../lib/memory/memory-context.ts';
import type { RetentionPolicy } from '../../lib/schema/retention-policy.ts';
import { createSchemaNames, type SchemaNames } from '../../lib/schema/schema-names.ts';
import type { SchemaPolicy, SearchIndexSync } from '../../lib/schema/schema-policy.ts';
import { parseRequest } from '../../lib/schemas/validation-issues.ts';
import type { OrdsConfig, OrdsCredentials } from '../../lib/sql/ords/config.ts';
import type { LogLevel } from '../http/logger.ts';
import type { ApiKey } from '../middleware/authentication.ts';
import {
  type Environment,
  environmentSchema,
  GENERAL_DEFAULTS,
  UNAVAILABLE_VARIABLES,
} from './environment-schema.ts';

/** `local` is `npm start`, where the emulator and its models are at hand; `deployed` is everything else. */
export type Platform = 'local' | 'deployed';

/** A model behind an API that speaks OpenAI's protocol. */
export interface ModelEndpoint {
  readonly model: string;
  readonly apiBase: string;
  readonly apiKey: string | undefined;
}

/** The configuration of a process, checked as a whole. */
export interface Configuration {
  /** `emulator`: through its own ORDS endpoint when `endpoint` is set, else in the process. */
  readonly transport:
    | { readonly kind: 'emulator'; readonly endpoint: boolean }
    | { readonly kind: 'ords'; readonly config: OrdsConfig };
  readonly names: SchemaNames;
  readonly schemaPolicy: SchemaPolicy;
  readonly searchIndexSync: SearchIndexSync;
  /** For a schema that is created now; a stored policy wins. */
  readonly retention: RetentionPolicy;
  readonly boostFactor: number;
  readonly settings: MemorySettings;
  readonly embedder:
    | { readonly kind: 'none' | 'local' }
    | ({ readonly kind: 'openai-compatible'; readonly dimensions: number | undefined } & ModelEndpoint);
  readonly llm:
    | { readonly kind: 'none' | 'rules' }
    | ({ readonly kind: 'openai-compatible'; readonly timeoutSeconds: number } & ModelEndpoint);
  readonly authentication:
    | { readonly mode: 'none' }
    | { readonly mode: 'api-key'; readonly keys: readonly ApiKey[] };
  readonly requestBudgetSeconds: number | undefined;
  readonly bodyLimitBytes: number;
  readonly corsOrigins: readonly string[];
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
      return typeof entry[1] === 'string' && entry[1] !== '';
    }),
  );
  refuseUnavailable(given);
  const defaults = { ...GENERAL_DEFAULTS, ...PLATFORM_DEFAULTS[platform] };
  const environment = parseRequest(environmentSchema, { ...defaults, ...given });
  if (platform === 'deployed') refuseSchemaChoices(environment);
  const transport = readTransport(environment, platform);
  const host = transport.kind === 'ords' ? new URL(transport.config.url).hostname : 'localhost';
  return {
    transport,
    names: readNames(environment),
    schemaPolicy: environment.SCHEMA_POLICY,
    searchIndexSync: environment.SEARCH_INDEX_SYNC,
    retention: {
      defaultTtlDays: environment.DEFAULT_TTL_DAYS ?? null,
      maxTtlDays: environment.MAX_TTL_DAYS ?? null,
    },
    boostFactor: environment.SCOPE_BOOST,
    settings: readSettings(environment),
    embedder: readEmbedder(environment),
    llm: readLlm(environment),
    authentication: readAuthentication(environment, host),
    requestBudgetSeconds: environment.REQUEST_BUDGET_SECONDS,
    bodyLimitBytes: environment.BODY_LIMIT_BYTES,
    corsOrigins: environment.CORS_ORIGINS ?? [],
    logLevel: environment.LOG_LEVEL,
    server: { host: environment.HOST, port: environment.PORT, dataDirectory: environment.DATA_DIR },
  };
}

function refuseUnavailable(given: Readonly<Record<string, string>>): void {
  const issues = Object.entries(UNAVAILABLE_VARIABLES)
    .filter(([name, harmless]) => name in given && given[name] !== harmless)
    .map(([path]) => ({ path, message: 'is not available yet: remove it' }));
  if (issues.length === 0) return;
  const names = issues.map((issue) => issue.path).join(', ');
  throw new AgentMemoryError('unsupported', `${names}: not available yet`, { issues });
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

function readNames(environment: Environment): SchemaNames {
  return createSchemaNames({
    memoryStoreId: environment.MEMORY_STORE_ID,
    tableNamePrefix: environment.TABLE_NAME_PREFIX,
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
  };
}

function readTransport(environment: Environment, platform: Platform): Configuration['transport'] {
  if (environment.ORACLE_TRANSPORT === 'emulator') return { kind: 'emulator', endpoint: false };
  if (environment.ORDS_URL === undefined && platform === 'local') return { kind: 'emulator', endpoint: true };
  const url = required(environment, 'ORDS_URL');
  return { kind: 'ords', config: { url, credentials: readOrdsCredentials(environment) } };
}

function readOrdsCredentials(environment: Environment): OrdsCredentials {
  const { ORDS_USERNAME: username, ORDS_CLIENT_ID: clientId } = environment;
  if (username !== undefined && clientId !== undefined) {
    throw invalidRequest('ORDS_USERNAME', 'give ORDS_USERNAME or ORDS_CLIENT_ID, not both');
  }
  if (clientId === undefined) {
    return {
      kind: 'basic',
      username: required(environment, 'ORDS_USERNAME'),
      password: required(environment, 'ORDS_PASSWORD'),
    };
  }
  const clientSecret = required(environment, 'ORDS_CLIENT_SECRET');
  return { kind: 'client_credentials', clientId, clientSecret, tokenUrl: environment.ORDS_TOKEN_URL };
}

function readEmbedder(environment: Environment): Configuration['embedder'] {
  if (environment.EMBEDDER === 'local') return { kind: 'local' };
  if (environment.EMBEDDER === undefined && environment.SEARCH_STRATEGY === 'keyword')
    return { kind: 'none' };
  required(environment, 'EMBEDDER');
  return {
    kind: 'openai-compatible',
    model: required(environment, 'EMBEDDING_MODEL'),
    apiBase: required(environment, 'EMBEDDING_API_BASE'),
    apiKey: environment.EMBEDDING_API_KEY,
    dimensions: environment.EMBEDDING_DIMENSION,
  };
}

function readLlm(environment: Environment): Configuration['llm'] {
  if (environment.LLM !== 'openai-compatible') return { kind: environment.LLM };
  return {
    kind: 'openai-compatible',
    model: required(environment, 'LLM_MODEL'),
    apiBase: required(environment, 'LLM_API_BASE'),
    apiKey: environment.LLM_API_KEY,
    timeoutSeconds: environment.LLM_TIMEOUT_SECONDS,
  };
}

function readAuthentication(environment: Environment, databaseHost: string): Configuration['authentication'] {
  if (environment.AUTH_MODE === 'api-key') {
    return { mode: 'api-key', keys: required(environment, 'API_KEYS') };
  }
  if (!isLoopback(databaseHost)) {
    throw invalidRequest('AUTH_MODE', 'none is only for the emulator or a database on this computer');
  }
  if (!isLoopback(environment.HOST)) {
    throw invalidRequest('HOST', 'must be a loopback address while AUTH_MODE is none');
  }
  return { mode: 'none' };
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host.endsWith('.localhost') || /^(?:127(?:\.\d+){3}|\[?::1\]?)$/.test(host);
}

function required<Name extends keyof Environment>(
  environment: Environment,
  name: Name,
): NonNullable<Environment[Name]> {
  const value = environment[name];
  if (value === undefined || value === null) throw invalidRequest(name, 'is required');
  return value;
}
