import { describe, expect, it } from 'vitest';
import { readConfiguration } from '../../functions/runtime/configuration.ts';
import { AgentMemoryError } from '../../lib/errors/agent-memory-error.ts';
import { createOrdsTransport } from '../../lib/sql/ords/ords-transport.ts';

const SECRET = 'canary-secret-4711';
const DIGEST = 'a'.repeat(64);
const DEPLOYED = {
  ORACLE_TRANSPORT: 'ords',
  ORDS_URL: 'https://db.example.com/ords/memory',
  ORDS_USERNAME: 'memory',
  ORDS_PASSWORD: SECRET,
  EMBEDDER: 'openai-compatible',
  EMBEDDING_MODEL: 'text-embedding-3-small',
  EMBEDDING_API_BASE: 'https://models.example.com/v1',
  EMBEDDING_API_KEY: SECRET,
  API_KEYS: JSON.stringify([{ id: 'one', sha256: DIGEST, scopes: ['*'] }]),
  SQS_QUEUE_URL: 'https://sqs.eu-central-1.amazonaws.com/123456789012/jobs',
};

const THIN = {
  ...DEPLOYED,
  ORACLE_TRANSPORT: 'thin',
  ORACLE_CONNECT_STRING: 'db.example.com:1521/memory',
  ORACLE_USER: 'memory',
  ORACLE_PASSWORD: SECRET,
};

function refusal(change: Readonly<Record<string, string | undefined>>): AgentMemoryError {
  try {
    readConfiguration({ ...DEPLOYED, ...change }, 'deployed');
  } catch (error) {
    if (AgentMemoryError.is(error)) return error;
    throw error;
  }
  throw new Error('the configuration was accepted');
}

describe('the configuration', () => {
  it('has a default for everything under npm start', () => {
    const configuration = readConfiguration({}, 'local');
    expect(configuration.transport).toEqual({ kind: 'emulator', entrance: 'process', ordsMode: 'rest-sql' });
    expect(configuration.embedder).toEqual({ kind: 'local' });
    expect(configuration.llm).toEqual({ kind: 'rules' });
    expect(configuration.queue).toEqual({ kind: 'local-sqs' });
    expect(configuration.authentication).toEqual({ mode: 'none' });
    expect(configuration.schemaPolicy).toBe('create_if_necessary');
    expect(configuration.requestBudgetSeconds).toBeUndefined();
    expect(configuration.server).toEqual({ host: '127.0.0.1', port: 8787, dataDirectory: '.data' });
  });

  it('has the deployed defaults of the contract', () => {
    const configuration = readConfiguration(DEPLOYED, 'deployed');
    expect(configuration.llm).toEqual({ kind: 'none' });
    expect(configuration.authentication.mode).toBe('api-key');
    expect(configuration.schemaPolicy).toBe('require_existing');
    expect(configuration.requestBudgetSeconds).toBe(20);
    expect(configuration.bodyLimitBytes).toBe(1_048_576);
    expect(configuration.boostFactor).toBe(0.95);
    expect(configuration.settings).toMatchObject({
      searchStrategy: 'vector',
      chunkTokens: 400,
      chunkOverlap: 50,
    });
  });

  it('takes the limits of jobs', () => {
    const given = { ...DEPLOYED, QUEUE_CAPACITY: '7', JOB_MAX_ATTEMPTS: '3', JOB_LEASE_SECONDS: '20' };
    const expected = { queueCapacity: 7, jobMaxAttempts: 3, jobLeaseSeconds: 20 };
    expect(readConfiguration(given, 'deployed').settings).toMatchObject(expected);
  });

  it('sends npm start with ords but no URL through the emulator’s endpoint', () => {
    const { transport } = readConfiguration({ ORACLE_TRANSPORT: 'ords' }, 'local');
    expect(transport).toEqual({ kind: 'emulator', entrance: 'ords', ordsMode: 'rest-sql' });
  });

  it('sends npm start with thin but no connect string through the emulator’s listener', () => {
    const { transport } = readConfiguration({ ORACLE_TRANSPORT: 'thin' }, 'local');
    expect(transport).toMatchObject({ kind: 'emulator', entrance: 'thin' });
    const half = () => readConfiguration({ ORACLE_TRANSPORT: 'thin', ORACLE_USER: 'memory' }, 'local');
    expect(half).toThrow(/ORACLE_CONNECT_STRING/);
  });

  it('takes a direct connection with a password or a token', () => {
    const { transport } = readConfiguration(THIN, 'deployed');
    expect(transport).toEqual({
      kind: 'thin',
      config: {
        connectString: 'db.example.com:1521/memory',
        credentials: { kind: 'password', user: 'memory', password: SECRET },
        wallet: undefined,
        poolMax: 2,
      },
    });
    const wallet = '-----BEGIN CERTIFICATE-----';
    const secure = { ...THIN, ORACLE_WALLET: wallet, ORACLE_WALLET_PASSWORD: SECRET, ORACLE_POOL_MAX: '5' };
    expect(readConfiguration(secure, 'deployed').transport).toMatchObject({
      config: { wallet: { content: wallet, password: SECRET }, poolMax: 5 },
    });
    const token = { ORACLE_USER: undefined, ORACLE_PASSWORD: undefined, ORACLE_TOKEN_LOCATION: '/run/token' };
    expect(readConfiguration({ ...THIN, ...token }, 'deployed').transport).toMatchObject({
      config: { credentials: { kind: 'token', location: '/run/token' } },
    });
  });

  it.each([
    ['ORACLE_CONNECT_STRING', undefined],
    ['ORACLE_USER', undefined],
    ['ORACLE_PASSWORD', undefined],
    ['ORACLE_TOKEN_LOCATION', SECRET],
    ['ORACLE_WALLET', SECRET],
    ['ORACLE_WALLET_PASSWORD', SECRET],
    ['ORACLE_POOL_MAX', '0'],
    ['ORACLE_POOL_MAX', SECRET],
    ['AUTH_MODE', 'none'],
  ])('refuses %s = %s of a direct connection by name', (name, value) => {
    const error = refusal({ ...THIN, [name]: value });
    expect(error.issues.map((issue) => issue.path)).toContain(name);
    expect(JSON.stringify([error.message, error.issues])).not.toContain(SECRET);
  });

  it('lets the database isolate rows over a direct connection and in module mode', () => {
    const direct = readConfiguration({ ...THIN, MEMORY_STORE_ID: 'shop', ROW_ISOLATION: 'vpd' }, 'deployed');
    expect(direct.isolatesRows).toBe(true);
    expect(direct.transport).toMatchObject({ config: { rowAccessProcedure: 'SHOP_MEMORY_ROW_ACCESS' } });
    const module = { ...DEPLOYED, ORDS_MODE: 'module', ROW_ISOLATION: 'vpd' };
    const { transport } = readConfiguration(module, 'deployed');
    expect(transport).toMatchObject({ config: { mode: 'module', isolatesRows: true } });
    const off = readConfiguration(THIN, 'deployed');
    expect([off.isolatesRows, off.transport]).toEqual([
      false,
      expect.objectContaining({ config: expect.objectContaining({ rowAccessProcedure: undefined }) }),
    ]);
  });

  it('refuses row isolation where nothing can isolate rows, and lists that have no room', () => {
    const restSql = readConfiguration({ ...DEPLOYED, ROW_ISOLATION: 'vpd' }, 'deployed').transport;
    if (restSql.kind !== 'ords') throw new Error('not over ORDS');
    expect(() => createOrdsTransport(restSql.config)).toThrow(/ROW_ISOLATION/);
    for (const transport of ['emulator', 'thin', 'ords']) {
      const local = { ORACLE_TRANSPORT: transport, ROW_ISOLATION: 'vpd' };
      expect(() => readConfiguration(local, 'local')).toThrow(/ROW_ISOLATION/);
    }
    const users = Array.from({ length: 201 }, (_, index) => `user ${index}`);
    const API_KEYS = JSON.stringify([{ id: 'one', sha256: DIGEST, scopes: ['*'], users }]);
    const isolated = { ...THIN, ROW_ISOLATION: 'vpd', API_KEYS };
    expect(() => readConfiguration(isolated, 'deployed')).toThrow(/API_KEYS\[0\]\.users/);
    expect(readConfiguration({ ...THIN, API_KEYS }, 'deployed').isolatesRows).toBe(false);
  });

  it('runs installed statements with ORDS_MODE module, and creates no schema there', () => {
    const deployed = readConfiguration({ ...DEPLOYED, ORDS_MODE: 'module' }, 'deployed').transport;
    expect(deployed).toMatchObject({ kind: 'ords', config: { mode: 'module' } });
    const emulated = readConfiguration({ ORACLE_TRANSPORT: 'ords', ORDS_MODE: 'module' }, 'local');
    expect(emulated).toMatchObject({
      transport: { kind: 'emulator', ordsMode: 'module' },
      schemaPolicy: 'create_if_necessary',
    });
    const outside = { ...DEPLOYED, AUTH_MODE: 'api-key', ORDS_MODE: 'module' };
    expect(readConfiguration(outside, 'local').schemaPolicy).toBe('require_existing');
    const creating = () => readConfiguration({ ...outside, SCHEMA_POLICY: 'create_if_necessary' }, 'local');
    expect(creating).toThrow(/SCHEMA_POLICY/);
  });

  it('takes an empty variable as absent and ignores variables that are not its own', () => {
    const given = { ...DEPLOYED, LLM_API_BASE: '', PATH: '/usr/bin', PORT: 'tcp://10.0.0.1:80' };
    expect(readConfiguration(given, 'deployed').llm).toEqual({ kind: 'none' });
  });

  it('needs no embedder to search by keyword', () => {
    const given = { ...DEPLOYED, EMBEDDER: undefined, SEARCH_STRATEGY: 'keyword' };
    expect(readConfiguration(given, 'deployed').embedder).toEqual({ kind: 'none' });
  });

  it.each([
    ['ORACLE_TRANSPORT', undefined],
    ['ORACLE_TRANSPORT', 'odbc'],
    ['ORDS_URL', undefined],
    ['ORDS_URL', SECRET],
    ['ORDS_PASSWORD', undefined],
    ['ORDS_TOKEN_URL', SECRET],
    ['ORDS_MODE', SECRET],
    ['SCHEMA_POLICY', 'recreate'],
    ['SCHEMA_POLICY', SECRET],
    ['SEARCH_STRATEGY', 'fuzzy'],
    ['SEARCH_INDEX_SYNC', 'auto'],
    ['DEFAULT_TTL_DAYS', '30'],
    ['CHUNK_TOKENS', '1e3'],
    ['CHUNK_OVERLAP', '400'],
    ['SCOPE_BOOST', '0'],
    ['TOKENIZER_ENCODING', 'cl100k_base'],
    ['EMBEDDER', undefined],
    ['EMBEDDER', 'bedrock'],
    ['EMBEDDING_MODEL', undefined],
    ['EMBEDDING_API_BASE', SECRET],
    ['LLM', 'anthropic'],
    ['LLM', SECRET],
    ['MEMORY_EXTRACTION', `{"${SECRET}`],
    ['JOB_QUEUE', 'kafka'],
    ['SQS_QUEUE_URL', undefined],
    ['SQS_QUEUE_URL', SECRET],
    ['SQS_QUEUE_URL', 'https://sqs.eu-central-1.amazonaws.com/123456789012/jobs.fifo'],
    ['SQS_ENDPOINT', SECRET],
    ['QUEUE_CAPACITY', '0'],
    ['JOB_LEASE_SECONDS', '1'],
    ['AUTH_MODE', 'oauth'],
    ['AUTH_MODE', 'none'],
    ['API_KEYS', undefined],
    ['API_KEYS', SECRET],
    ['JWT_JWKS_URL', SECRET],
    ['JWT_CLOCK_SKEW_SECONDS', '301'],
    ['REQUEST_BUDGET_SECONDS', '0'],
    ['BODY_LIMIT_BYTES', '12'],
    ['CORS_ORIGINS', SECRET],
    ['LOG_LEVEL', SECRET],
  ])('refuses %s = %s by name and never shows a value', (name, value) => {
    const error = refusal({ [name]: value });
    expect(error.issues.map((issue) => issue.path.split(/[.[]/)[0])).toContain(name);
    expect(error.message).toContain(name);
    expect(JSON.stringify([error.message, error.issues])).not.toContain(SECRET);
  });

  it('names the field of an extraction setting that is unknown', () => {
    const error = refusal({ MEMORY_EXTRACTION: '{"extractMemory":true}' });
    expect(error.issues[0]?.path).toBe('MEMORY_EXTRACTION.extractMemory');
  });

  it('takes background extraction for all threads where jobs outlive a request', () => {
    const background = { MEMORY_EXTRACTION: '{"extractionMode":"background"}' };
    const error = refusal({ ...background, JOB_QUEUE: 'inline' });
    expect(error.code).toBe('unsupported');
    expect(error.message).toContain('MEMORY_EXTRACTION.extractionMode');
    const modes = [
      readConfiguration({ ...DEPLOYED, ...background }, 'deployed'),
      readConfiguration({ ...DEPLOYED, ...background, JOB_QUEUE: 'cloudflare-queue' }, 'deployed'),
      readConfiguration({ ...background, JOB_QUEUE: 'inline' }, 'local'),
      readConfiguration(background, 'local'),
    ].map(({ settings }) => settings.extraction.extractionMode);
    expect(modes).toEqual(Array.from({ length: 4 }, () => 'background'));
  });

  it('refuses authentication off beside a database elsewhere, and allows it on this computer', () => {
    expect(refusal({ AUTH_MODE: 'none' }).message).toContain('AUTH_MODE');
    const local = { ...DEPLOYED, AUTH_MODE: 'none', ORDS_URL: 'http://127.0.0.1:8181/ords/memory' };
    expect(readConfiguration(local, 'deployed').authentication).toEqual({ mode: 'none' });
    const direct = { ...THIN, AUTH_MODE: 'none', ORACLE_CONNECT_STRING: 'localhost:1521/memory' };
    expect(readConfiguration(direct, 'deployed').authentication).toEqual({ mode: 'none' });
    const partly = '(description=(address=(host=127.0.0.1)(port=1))(address=(host=db.example.com)(port=1)))';
    for (const connectString of [partly, '(description=(connect_data=(service_name=x)))']) {
      const open = { ...direct, ORACLE_CONNECT_STRING: connectString };
      expect(() => readConfiguration(open, 'deployed')).toThrow(/AUTH_MODE/);
    }
    const lookalike = { ...local, ORDS_URL: 'https://127.0.0.1.example.com/ords/memory' };
    expect(() => readConfiguration(lookalike, 'deployed')).toThrow(/AUTH_MODE/);
  });

  it('refuses to listen beyond this computer with authentication off', () => {
    expect(() => readConfiguration({ HOST: '0.0.0.0' }, 'local')).toThrow(/HOST/);
    const keys = { HOST: '0.0.0.0', AUTH_MODE: 'api-key', API_KEYS: DEPLOYED.API_KEYS };
    expect(readConfiguration(keys, 'local').server.host).toBe('0.0.0.0');
  });

  it.each([
    ['users', ['a\n']],
    ['agents', 'guide'],
    ['threads', [1]],
    ['ratePerMinute', 0],
    ['ratePerMinute', '60'],
    ['scopes', ['threads:*']],
    ['limits', {}],
  ])('refuses a key whose %s is %j', (field, value) => {
    const keys = JSON.stringify([{ id: 'one', sha256: DIGEST, scopes: ['*'], [field]: value }]);
    const [issue] = refusal({ API_KEYS: keys }).issues;
    expect(issue?.path).toMatch(new RegExp(`^API_KEYS\\[0\\]\\.${field}`));
  });

  it('refuses a key that stands for two entries, and takes two keys of one id', () => {
    const entry = { id: 'one', sha256: DIGEST, scopes: ['*'] };
    const twice = JSON.stringify([entry, { ...entry, id: 'two', sha256: DIGEST.toUpperCase() }]);
    expect(refusal({ API_KEYS: twice }).issues[0]?.path).toBe('API_KEYS[1].sha256');
    const rotated = JSON.stringify([entry, { ...entry, sha256: 'b'.repeat(64) }]);
    expect(readConfiguration({ ...DEPLOYED, API_KEYS: rotated }, 'deployed').authentication).toMatchObject({
      mode: 'api-key',
      keys: [{ id: 'one' }, { id: 'one' }],
    });
  });

  it('reads whose tokens are accepted', () => {
    const jwt = {
      JWT_JWKS_URL: 'https://issuer.test/keys',
      JWT_ISSUER: 'https://issuer.test/',
      JWT_AUDIENCE: 'memory',
    };
    const given = { ...DEPLOYED, API_KEYS: undefined, AUTH_MODE: 'jwt', ...jwt };
    expect(readConfiguration(given, 'deployed').authentication).toEqual({
      mode: 'jwt',
      jwksUrl: jwt.JWT_JWKS_URL,
      issuer: jwt.JWT_ISSUER,
      audience: jwt.JWT_AUDIENCE,
      clockSkewSeconds: 60,
    });
    for (const name of Object.keys(jwt))
      expect(refusal({ ...given, [name]: undefined }).issues[0]?.path).toBe(name);
    const plain = { ...given, JWT_JWKS_URL: 'http://issuer.test/keys' };
    expect(refusal(plain).issues[0]?.path).toBe('JWT_JWKS_URL');
    const loopback = { ...given, JWT_JWKS_URL: 'http://127.0.0.1:9/keys' };
    expect(readConfiguration(loopback, 'deployed').authentication.mode).toBe('jwt');
  });

  it('reads keys with limits', () => {
    const limits = { users: ['ana', 'bob'], agents: [], threads: ['日本'], ratePerMinute: 60 };
    const keys = JSON.stringify([{ id: 'one', sha256: DIGEST, scopes: ['*'], ...limits }]);
    expect(readConfiguration({ ...DEPLOYED, API_KEYS: keys }, 'deployed').authentication).toMatchObject({
      keys: [limits],
    });
  });

  it('reads keys with an expiry', () => {
    const keys = [
      { id: 'one', sha256: DIGEST.toUpperCase(), scopes: ['threads:read'], expiresAt: '2027-01-01' },
    ];
    const { authentication } = readConfiguration({ ...DEPLOYED, API_KEYS: JSON.stringify(keys) }, 'deployed');
    expect(authentication).toEqual({
      mode: 'api-key',
      keys: [{ id: 'one', sha256: DIGEST, scopes: ['threads:read'], expiresAt: Date.UTC(2027, 0, 1) }],
    });
  });
});
