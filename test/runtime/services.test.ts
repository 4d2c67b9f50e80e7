import { describe, expect, it } from 'vitest';
import { createRequestMeter } from '../../functions/http/request-meter.ts';
import { readConfiguration } from '../../functions/runtime/configuration.ts';
import { createDeployedServices, type RuntimeParts } from '../../functions/runtime/deployed-services.ts';
import { createLambdaJobQueue } from '../../functions/runtime/lambda-job-queue.ts';
import { withoutTokenizer } from '../../functions/runtime/load-tokenizer.ts';
import { createServices } from '../../functions/runtime/services.ts';
import { withoutJobQueue } from '../../functions/runtime/without-job-queue.ts';
import { loadTokenizer } from '../../infra/local/models/load-tokenizer.ts';
import { createRecordingTransport } from '../../infra/ords/statement-driver/recording-transport.ts';
import { readMigrations } from '../../infra/schema-migrations.ts';
import { AgentMemoryError } from '../../lib/errors/agent-memory-error.ts';
import { newestVersion } from '../../lib/schema/render-migration.ts';
import { REQUIRED_SCHEMA_VERSION } from '../../lib/schema/require-schema.ts';
import { UNLIMITED } from '../../lib/schemas/caller-limits.ts';
import type { RowAccess, SqlTransport } from '../../lib/sql/sql-transport.ts';
import { createHashEmbedder } from '../../lib/testing/hash-embedder.ts';
import { storeSearch } from '../store/store-samples.ts';

const DEPLOYED = {
  ORACLE_TRANSPORT: 'ords',
  ORDS_URL: 'http://127.0.0.1:9/ords/memory',
  ORDS_USERNAME: 'memory',
  ORDS_PASSWORD: 'secret',
  EMBEDDER: 'openai-compatible',
  EMBEDDING_MODEL: 'model',
  EMBEDDING_API_BASE: 'http://127.0.0.1:9/v1',
  SQS_QUEUE_URL: 'https://sqs.eu-central-1.amazonaws.com/123456789012/jobs',
  AUTH_MODE: 'none',
};

const SCHEMA_ROWS = Object.entries({
  schema_version: String(REQUIRED_SCHEMA_VERSION),
  vector_dimensions: '2',
  search_strategy: 'vector',
  search_index_sync: 'on_commit',
  retention: '{"defaultTtlDays":null,"maxTtlDays":null}',
}).map(([meta_key, meta_value]) => ({ meta_key, meta_value }));

describe('the services of a deployment', () => {
  const runtime = {
    loadTokenizer: withoutTokenizer,
    createJobQueue: createLambdaJobQueue,
    writeLine: () => undefined,
  };

  it('are built without a database or a model at hand', () => {
    expect(createDeployedServices(DEPLOYED, runtime).diagnostics).toBe(true);
  });

  it.each([
    ['EMBEDDER', 'local'],
    ['ORACLE_TRANSPORT', 'emulator'],
  ])('refuse %s = %s, which only npm start has', (name, value) => {
    expect(() => createDeployedServices({ ...DEPLOYED, [name]: value }, runtime)).toThrow(
      new RegExp(`^${name}: ${value} belongs to npm start`),
    );
  });

  it('open a direct connection where the driver runs, and refuse it by name elsewhere', async () => {
    const thin = {
      ...DEPLOYED,
      ORACLE_TRANSPORT: 'thin',
      ORACLE_CONNECT_STRING: '127.0.0.1:9/memory',
      ORACLE_USER: 'memory',
      ORACLE_PASSWORD: 'secret',
    };
    expect(() => createDeployedServices(thin, runtime)).toThrow(
      /^ORACLE_TRANSPORT: thin does not run on Cloudflare Workers/,
    );
    const opened: string[] = [];
    const openThinTransport: RuntimeParts['openThinTransport'] = ({ connectString }) => {
      opened.push(connectString);
      return createRecordingTransport();
    };
    createDeployedServices(thin, { ...runtime, openThinTransport });
    expect(opened).toEqual([thin.ORACLE_CONNECT_STRING]);
  });

  it('refuse a queue that AWS Lambda does not have', () => {
    const variables = { ...DEPLOYED, JOB_QUEUE: 'cloudflare-queue' };
    expect(() => createDeployedServices(variables, runtime)).toThrow(/^JOB_QUEUE: cloudflare-queue belongs/);
  });

  it('ask for a queue exactly when jobs outlive a request', () => {
    const asked: string[] = [];
    const createJobQueue: RuntimeParts['createJobQueue'] = ({ kind }) => {
      asked.push(kind);
      return withoutJobQueue();
    };
    createDeployedServices(DEPLOYED, { ...runtime, createJobQueue });
    createDeployedServices({ ...DEPLOYED, JOB_QUEUE: 'inline' }, { ...runtime, createJobQueue });
    expect(asked).toEqual(['sqs']);
  });

  it('have no queue where none was bundled, and say so', async () => {
    const queue = withoutJobQueue();
    await expect(queue.send({ jobId: 'a' })).rejects.toThrow(/without a job queue/);
    await queue.close();
  });

  it('have no tokenizer where none was bundled, and say so', async () => {
    const tokenizer = await withoutTokenizer();
    expect(() => tokenizer.count('a')).toThrow(/without a tokenizer/);
  });
});

describe('the services of a process', () => {
  it('need the schema version that the scripts lead to', () => {
    expect(REQUIRED_SCHEMA_VERSION).toBe(newestVersion(readMigrations()));
  });

  it('close their queue and their transport', async () => {
    const closed: string[] = [];
    const refuse = (): Promise<never> => Promise.reject(new Error('not asked for here'));
    const services = createServices({
      configuration: readConfiguration({}, 'local'),
      transport: {
        capabilities: { maxRows: 1, fixedStatements: false },
        query: refuse,
        executeAtomic: refuse,
        executeDdl: refuse,
        close: async () => void closed.push('transport'),
      },
      embedder: undefined,
      llm: undefined,
      jobQueue: { send: refuse, close: async () => void closed.push('queue') },
      loadTokenizer: refuse,
      logger: { log: () => undefined },
    });
    await services.close();
    expect(closed).toEqual(['queue', 'transport']);
  });

  it('connect to nothing before the first request, and try again after a failure', async () => {
    let calls = 0;
    const fail = (): Promise<never> => {
      calls += 1;
      return Promise.reject(new AgentMemoryError('unavailable', 'there is no database'));
    };
    const transport: SqlTransport = {
      capabilities: { maxRows: 1, fixedStatements: false },
      query: fail,
      executeAtomic: fail,
      executeDdl: fail,
      close: () => Promise.resolve(),
    };
    const services = createServices({
      configuration: readConfiguration({}, 'local'),
      transport,
      embedder: undefined,
      llm: undefined,
      loadTokenizer: fail,
      logger: { log: () => undefined },
    });
    expect(calls).toBe(0);
    const open = () => services.openContext(createRequestMeter(), new AbortController().signal, UNLIMITED);
    await expect(open()).rejects.toMatchObject({ code: 'unavailable' });
    await expect(open()).rejects.toMatchObject({ code: 'unavailable' });
    expect(calls).toBe(2);
  });

  it.each([
    ['none', ['records.search_by_vector']],
    ['hnsw', ['records.search_by_vector_index', 'records.search_by_vector']],
  ])('ask the vector index that the schema has: %s', async (kind, expected) => {
    const rows = [...SCHEMA_ROWS, { meta_key: 'vector_index', meta_value: kind }];
    const transport = createRecordingTransport({ rows: { 'schema.read_state': rows } });
    const services = createServices({
      configuration: readConfiguration({}, 'local'),
      transport,
      embedder: createHashEmbedder({ dimensions: 2 }),
      llm: undefined,
      loadTokenizer,
      logger: { log: () => undefined },
    });
    const { store } = await services.openContext(
      createRequestMeter(),
      new AbortController().signal,
      UNLIMITED,
    );
    await store.search(storeSearch({ query: { strategy: 'vector', vector: Float32Array.of(1, 0) } }));
    expect(transport.statements.slice(1).map(({ name }) => name)).toEqual(expected);
  });

  it.each([
    ['vpd', { users: ['alice'] }, { userIds: ['alice'], agentIds: [] }],
    ['vpd', { users: [] }, { userIds: [], agentIds: [] }],
    ['vpd', { users: ['alice'], agents: ['helper'] }, { userIds: ['alice'], agentIds: ['helper'] }],
    ['vpd', { agents: ['helper'] }, undefined],
    ['vpd', UNLIMITED, undefined],
    ['none', { users: ['alice'] }, undefined],
  ])('tell the database whose rows a caller may touch: %s, %o', async (isolation, limits, expected) => {
    const seen: (RowAccess | undefined)[] = [];
    const recording = createRecordingTransport({ rows: { 'schema.read_state': SCHEMA_ROWS } });
    const transport: SqlTransport = {
      ...recording,
      query: (query, options) => {
        seen.push(options?.rowAccess);
        return recording.query(query, options);
      },
      executeAtomic: (list, options) => {
        seen.push(options?.rowAccess);
        return recording.executeAtomic(list, options);
      },
    };
    const services = createServices({
      configuration: { ...readConfiguration({}, 'local'), isolatesRows: isolation === 'vpd' },
      transport,
      embedder: createHashEmbedder({ dimensions: 2 }),
      llm: undefined,
      loadTokenizer,
      logger: { log: () => undefined },
    });
    const { store } = await services.openContext(createRequestMeter(), new AbortController().signal, limits);
    await store.getThread('thread');
    await store.deleteThread('thread');
    // The first request reads the schema, which belongs to nobody.
    expect(seen).toEqual([undefined, expected, expected]);
  });
});
