import * as z from 'zod';
import { SCHEMA_POLICIES, SEARCH_INDEX_SYNCS, SEARCH_STRATEGIES } from '../../lib/schema/schema-policy.ts';
import { memoryExtractionConfigSchema } from '../../lib/schemas/extraction.ts';
import { ORDS_MODES } from '../../lib/sql/ords/config.ts';
import { LOG_LEVELS } from '../http/logger.ts';
import { MCP_TOOL_NAMES } from '../mcp/mcp-tool-names.ts';
import { apiKeysSchema } from './api-keys.ts';

/** A whole number as an environment variable writes it. */
function integer(minimum: number, maximum: number) {
  return z
    .string()
    .regex(/^\d{1,12}$/, 'must be a whole number')
    .transform(Number)
    .pipe(z.int().min(minimum).max(maximum));
}

/** A value of a closed list, of which some members are known and cannot be used: those say why. */
function choice<const Usable extends readonly string[]>(
  usable: Usable,
  unusable: Readonly<Record<string, string>> = {},
) {
  return z
    .string('is required')
    .refine((value) => !Object.hasOwn(unusable, value), {
      error: (issue) => unusable[String(issue.input)] ?? 'cannot be used',
      abort: true,
    })
    .pipe(z.enum(usable));
}

const NOT_YET = 'is not available yet';

/** Parses JSON without repeating any of it in the error: the value may hold secrets. */
const jsonText = z.string().transform((value, context) => {
  try {
    const parsed: unknown = JSON.parse(value);
    return parsed;
  } catch {
    context.addIssue({ code: 'custom', message: 'is not valid JSON' });
    return z.NEVER;
  }
});

const url = z.url({ protocol: /^https?$/, error: 'must be an http or https URL' });

/**
 * The environment variables of the service (HTTP API contract, Configuration). All optional: which ones are needed depends on
 * others.
 */
export const environmentSchema = z.object({
  ORACLE_TRANSPORT: choice(['ords', 'thin', 'emulator']),
  ORDS_URL: url.optional(),
  ORDS_USERNAME: z.string().optional(),
  ORDS_PASSWORD: z.string().optional(),
  ORDS_CLIENT_ID: z.string().optional(),
  ORDS_CLIENT_SECRET: z.string().optional(),
  ORDS_TOKEN_URL: url.optional(),
  ORDS_MODE: z.enum(ORDS_MODES),
  ROW_ISOLATION: z.enum(['none', 'vpd']),
  ORACLE_CONNECT_STRING: z.string().optional(),
  ORACLE_USER: z.string().optional(),
  ORACLE_PASSWORD: z.string().optional(),
  ORACLE_TOKEN_LOCATION: z.string().optional(),
  ORACLE_WALLET: z.string().includes('-----BEGIN', 'must be the text of ewallet.pem').optional(),
  ORACLE_WALLET_PASSWORD: z.string().optional(),
  ORACLE_POOL_MAX: integer(1, 1_000),
  MEMORY_STORE_ID: z.string().optional(),
  TABLE_NAME_PREFIX: z.string().optional(),
  SCHEMA_POLICY: z.enum(SCHEMA_POLICIES),
  SEARCH_STRATEGY: z.enum(SEARCH_STRATEGIES),
  SEARCH_INDEX_SYNC: z.enum(SEARCH_INDEX_SYNCS),
  DEFAULT_TTL_DAYS: integer(1, 36_500).optional(),
  MAX_TTL_DAYS: integer(1, 36_500).optional(),
  AUDIT_RETENTION_DAYS: integer(1, 36_500),
  CHUNK_TOKENS: integer(16, 100_000),
  CHUNK_OVERLAP: integer(0, 50_000),
  SCOPE_BOOST: z
    .string()
    .regex(/^[01](?:\.\d{1,6})?$/, 'must be a number above 0 and at most 1')
    .transform(Number)
    .pipe(z.number().gt(0).max(1)),
  TOKENIZER_ENCODING: z.enum(['o200k_base']),
  EMBEDDER: choice(['local', 'openai-compatible', 'oracle-database'], {
    'workers-ai': `workers-ai ${NOT_YET}: use openai-compatible`,
    bedrock: `bedrock ${NOT_YET}: use openai-compatible`,
  }).optional(),
  EMBEDDING_MODEL: z.string().optional(),
  EMBEDDING_API_BASE: url.optional(),
  EMBEDDING_API_KEY: z.string().optional(),
  EMBEDDING_DIMENSION: integer(1, 65_535).optional(),
  EMBEDDING_MAX_INPUT_TOKENS: integer(16, 1_000_000).optional(),
  LLM: choice(['none', 'rules', 'openai-compatible'], {
    'workers-ai': `workers-ai ${NOT_YET}: use openai-compatible`,
    bedrock: `bedrock ${NOT_YET}: use openai-compatible`,
    anthropic: `anthropic ${NOT_YET}: use openai-compatible`,
  }),
  LLM_MODEL: z.string().optional(),
  LLM_API_BASE: url.optional(),
  LLM_API_KEY: z.string().optional(),
  LLM_TIMEOUT_SECONDS: integer(1, 600),
  MEMORY_EXTRACTION: jsonText.pipe(memoryExtractionConfigSchema),
  JOB_QUEUE: z.enum(['sqs', 'cloudflare-queue', 'inline']),
  SQS_QUEUE_URL: url
    .refine((value) => !value.endsWith('.fifo'), 'must be of a standard queue')
    .refine((value) => !URL.canParse(value) || new URL(value).pathname.length > 1, 'must name a queue')
    .optional(),
  SQS_ENDPOINT: url.optional(),
  AWS_REGION: z.string().optional(),
  AWS_ACCESS_KEY_ID: z.string().optional(),
  AWS_SECRET_ACCESS_KEY: z.string().optional(),
  AWS_SESSION_TOKEN: z.string().optional(),
  QUEUE_CAPACITY: integer(1, 100_000),
  JOB_USER_LIMIT: integer(1, 1_000),
  JOB_MAX_ATTEMPTS: integer(1, 100),
  JOB_LEASE_SECONDS: integer(5, 3_600),
  AUTH_MODE: z.enum(['none', 'api-key', 'jwt']),
  API_KEYS: jsonText.pipe(apiKeysSchema).optional(),
  JWT_JWKS_URL: url.optional(),
  JWT_ISSUER: z.string().optional(),
  JWT_AUDIENCE: z.string().optional(),
  JWT_CLOCK_SKEW_SECONDS: integer(0, 300),
  REQUEST_BUDGET_SECONDS: integer(1, 900).optional(),
  BODY_LIMIT_BYTES: integer(1_024, 10_485_760),
  CORS_ORIGINS: z
    .string()
    .transform((value) => value.split(',').map((origin) => origin.trim()))
    .pipe(z.array(z.union([z.literal('*'), url])))
    .optional(),
  MCP_TOOLS: z
    .string()
    .transform((value) => value.split(',').map((name) => name.trim()))
    .pipe(z.array(z.enum(MCP_TOOL_NAMES)))
    .optional(),
  LOG_LEVEL: z.enum(LOG_LEVELS),
  HOST: z.string(),
  PORT: integer(0, 65_535),
  DATA_DIR: z.string(),
});
export type Environment = z.infer<typeof environmentSchema>;

/** Defaults that hold everywhere. */
export const GENERAL_DEFAULTS = {
  ORDS_MODE: 'rest-sql',
  ROW_ISOLATION: 'none',
  SEARCH_STRATEGY: 'vector',
  SEARCH_INDEX_SYNC: 'on_commit',
  AUDIT_RETENTION_DAYS: '365',
  CHUNK_TOKENS: '400',
  CHUNK_OVERLAP: '50',
  SCOPE_BOOST: '0.95',
  TOKENIZER_ENCODING: 'o200k_base',
  LLM_TIMEOUT_SECONDS: '60',
  MEMORY_EXTRACTION: '{}',
  ORACLE_POOL_MAX: '2',
  JOB_QUEUE: 'sqs',
  QUEUE_CAPACITY: '1000',
  JOB_USER_LIMIT: '4',
  JOB_MAX_ATTEMPTS: '5',
  JOB_LEASE_SECONDS: '45',
  JWT_CLOCK_SKEW_SECONDS: '60',
  BODY_LIMIT_BYTES: '1048576',
  LOG_LEVEL: 'info',
  HOST: '127.0.0.1',
  PORT: '8787',
  DATA_DIR: '.data',
} as const;
