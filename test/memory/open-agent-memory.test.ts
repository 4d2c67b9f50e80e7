import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadTokenizer } from '../../infra/local/models/load-tokenizer.ts';
import { type Emulator, startEmulator } from '../../infra/local/oracle/start-emulator.ts';
import { readMigrations } from '../../infra/schema-migrations.ts';
import { AgentMemoryError } from '../../lib/errors/agent-memory-error.ts';
import type { AgentMemoryOptions } from '../../lib/memory/agent-memory-options.ts';
import { openAgentMemory } from '../../lib/memory/open-agent-memory.ts';
import type { Embedder } from '../../lib/models/embedder.ts';
import { createOracleDatabaseEmbedder } from '../../lib/models/oracle-database-embedder.ts';
import { createRulesLlm } from '../../lib/models/rules/rules-llm.ts';
import { createSchemaNames } from '../../lib/schema/schema-names.ts';
import { withCounting } from '../../lib/sql/counting-transport.ts';
import type { SqlTransport } from '../../lib/sql/sql-transport.ts';
import { createMemoryStore } from '../../lib/store/create-memory-store.ts';
import { createHashEmbedder, createRecordingQueue } from '../../lib/testing/index.ts';
import { emulatorTransport } from '../api/api-fixture.ts';
import { connectThin } from '../connect-thin.ts';
import { HASH_MODEL, hashModel } from '../database-model.ts';

const DIMENSIONS = 64;
const embedder = createHashEmbedder({ dimensions: DIMENSIONS });
const migrations = readMigrations();
const tokenizer = await loadTokenizer();
const create = { tokenizer, embedder, migrations, schemaPolicy: 'create_if_necessary' } as const;

let emulator: Emulator;
let transport: SqlTransport;
const transports: Record<string, SqlTransport> = {};
beforeAll(async () => {
  emulator = await startEmulator({ embeddingModels: hashModel(DIMENSIONS), tnsPort: 0 });
  transport = emulatorTransport(emulator);
  Object.assign(transports, { ORDS: transport, 'node-oracledb': connectThin(emulator) });
  await openAgentMemory({ ...create, transport, memoryStoreId: 'made' });
});
afterAll(async () => {
  for (const each of Object.values(transports)) await each.close();
  await emulator?.close();
});

/** The embedder, not saying how wide its vectors are, and what it was asked. */
function quietEmbedder(): Embedder & { readonly asked: string[] } {
  const asked: string[] = [];
  return {
    modelId: embedder.modelId,
    dimensions: undefined,
    limits: embedder.limits,
    asked,
    embed(call) {
      asked.push(...call.texts);
      return embedder.embed(call);
    },
  };
}

async function failureOf(work: Promise<unknown>): Promise<AgentMemoryError> {
  const reason: unknown = await work.then(
    () => undefined,
    (error: unknown) => error,
  );
  if (!AgentMemoryError.is(reason)) throw new Error(`expected a failure, got ${String(reason)}`);
  return reason;
}

describe.each(['ORDS', 'node-oracledb'])('the library over %s', (name) => {
  const memoryStoreId = name.slice(0, 4);
  const open = (options: Partial<AgentMemoryOptions>) => {
    const over = transports[name];
    if (over === undefined) throw new Error(`there is no ${name}`);
    return openAgentMemory({ transport: over, memoryStoreId, tokenizer, embedder, ...options });
  };

  it('refuses to open tables that are not there, and names the policy that makes them', async () => {
    const failure = await failureOf(open({}));
    expect(failure).toMatchObject({ code: 'invalid_request', issues: [{ path: 'schemaPolicy' }] });
    expect(failure.message).toMatch(/required managed objects are missing.*create_if_necessary/);
    const checked = await failureOf(open({ migrations }));
    expect(checked.message).toMatch(/required managed objects are missing.*create_if_necessary/);
  });

  it('creates them, remembers, and opens them again', async () => {
    const made = await open({ ...create, llm: createRulesLlm(), memoryRetentionConfig: { maxTtlDays: 30 } });
    const thread = await made.createThread({ threadId: 'trip', userId: 'ana' });
    await thread.addMessages([{ role: 'user', content: 'I prefer trains over planes.' }]);
    await made.close();
    const again = await open({ memoryRetentionConfig: { maxTtlDays: 30 } });
    const [found] = await again.search('trains', { userId: 'ana', recordTypes: ['preference'] });
    expect(found?.content).toBe('User prefers trains over planes.');
    await again.close();
  });
});

describe('opening', () => {
  const open = (options: Partial<AgentMemoryOptions>) =>
    openAgentMemory({ transport, tokenizer, embedder, memoryStoreId: 'made', ...options });

  it('takes one round trip and calls no model that says its width', async () => {
    const counted = withCounting(transport);
    const calls = embedder.calls.length;
    await open({ transport: counted });
    expect(counted.roundTrips).toBe(1);
    expect(embedder.calls).toHaveLength(calls);
  });

  it('calls a model once that does not say its width', async () => {
    const quiet = quietEmbedder();
    await open({ embedder: quiet });
    expect(quiet.asked).toHaveLength(1);
  });

  it('calls none when vectorDim says it', async () => {
    const quiet = quietEmbedder();
    const memory = await open({ embedder: quiet, vectorDim: DIMENSIONS });
    expect(quiet.asked).toEqual([]);
    await memory.addMemory('a kettle', { userId: 'wide' });
    expect(await memory.search('kettle', { userId: 'wide' })).toHaveLength(1);
  });

  it('works with a model in the database, and with words alone', async () => {
    const inDatabase = createOracleDatabaseEmbedder({ model: HASH_MODEL });
    const hybrid = await openAgentMemory({
      ...create,
      transport,
      tableNamePrefix: 'HY_',
      embedder: inDatabase,
      searchStrategy: 'hybrid',
      searchIndexSync: 'auto',
    });
    await hybrid.addMemory('a green kettle', { userId: 'both' });
    expect(await hybrid.search('kettle', { userId: 'both' })).toHaveLength(1);
    const words = { ...create, transport, memoryStoreId: 'words', searchStrategy: 'keyword' } as const;
    const keyword = await openAgentMemory({ ...words, embedder: undefined });
    await keyword.addMemory('a green kettle', { userId: 'both' });
    expect(await keyword.search('green', { userId: 'both' })).toHaveLength(1);
  });

  it('runs background jobs in this process, and close waits for them', async () => {
    const memory = await open({
      llm: createRulesLlm(),
      jobQueue: 'inline',
      memoryExtractionConfig: { extractionMode: 'background' },
    });
    const thread = await memory.createThread({ userId: 'bea' });
    const { extraction } = await thread.addMessages([{ role: 'user', content: 'I live in Porto.' }]);
    expect(extraction.status).toBe('queued');
    await memory.close();
    const reader = await open({});
    expect(await reader.getThread(thread.threadId).then((each) => each.getExtraction())).toMatchObject({
      succeeded: 1,
      pending: 0,
    });
  });

  it('takes up what an earlier process has left', async () => {
    const config = {
      llm: createRulesLlm(),
      memoryExtractionConfig: { extractionMode: 'background' },
    } as const;
    const queue = createRecordingQueue();
    const earlier = await open({ ...config, jobQueue: queue });
    const thread = await earlier.createThread({ userId: 'cem' });
    const { extraction } = await thread.addMessages([{ role: 'user', content: 'I live in Izmir.' }]);
    await makeDue(extraction.jobId ?? '');
    const later = await open({ ...config, jobQueue: 'inline' });
    expect(await (await later.getThread(thread.threadId)).waitForExtraction()).toMatchObject({
      succeeded: 1,
    });
    await later.close();
  });

  it('closes a queue that was given, and leaves the transport to its owner', async () => {
    const queue = createRecordingQueue();
    const memory = await open({ jobQueue: queue });
    await memory.close();
    await expect(queue.send({ jobId: 'a' })).rejects.toThrow(/did not take/);
    expect(
      await transport.query({
        name: 'one',
        sql: 'SELECT 1 AS n FROM dual',
        binds: {},
        shape: { n: 'number' },
      }),
    ).toEqual([{ n: 1 }]);
  });

  it('takes the width of the store when nothing else says it, with scripts and without', async () => {
    for (const scripts of [{}, { migrations }]) {
      const memory = await open({ ...scripts, embedder: undefined });
      const [id = ''] = await memory.records.add({
        recordType: 'fact',
        contents: ['a kettle'],
        embeddings: [Array.from({ length: DIMENSIONS }, () => 1)],
      });
      expect((await memory.getMemory(id)).content).toBe('a kettle');
    }
  });

  it('takes a store that is open already', async () => {
    const store = createMemoryStore({
      transport,
      names: createSchemaNames({ memoryStoreId: 'made' }),
      settings: { dimensions: DIMENSIONS, retention: { defaultTtlDays: null, maxTtlDays: null } },
    });
    const memory = await openAgentMemory({ store, embedder, tokenizer });
    await memory.addMemory('a blue kettle', { userId: 'dan' });
    expect(await memory.search('kettle', { userId: 'dan' })).toHaveLength(1);
    const narrow = createHashEmbedder({ dimensions: 8 });
    const failure = await failureOf(openAgentMemory({ store, embedder: narrow, tokenizer }));
    expect(failure).toMatchObject({ code: 'invalid_request', issues: [{ path: 'embedder' }] });
    for (const option of [{ schemaPolicy: 'recreate' }, { memoryStoreId: 'a' }, { vectorDim: 3 }] as const) {
      const misplaced = await failureOf(openAgentMemory({ store, tokenizer, ...option }));
      expect(misplaced.issues).toMatchObject([{ path: Object.keys(option)[0] }]);
    }
    const both = await failureOf(openAgentMemory({ store, transport, tokenizer }));
    expect(both).toMatchObject({ code: 'invalid_request', issues: [{ path: 'transport' }] });
  });

  const DATABASE_MODEL = createOracleDatabaseEmbedder({ model: 'no_such_model' });
  const WIDE_MODEL = createOracleDatabaseEmbedder({ model: HASH_MODEL, dimensions: 3 });
  it.each<[string, string, string, Partial<AgentMemoryOptions> & Readonly<Record<string, unknown>>]>([
    ['neither transport nor store', 'invalid_request', 'transport', { transport: undefined }],
    ['an unknown option', 'invalid_request', 'tabelNamePrefix', { tabelNamePrefix: 'A' }],
    ['two kinds of names', 'invalid_request', 'memoryStoreId', { tableNamePrefix: 'A' }],
    ['a store id that is none', 'invalid_request', 'memoryStoreId', { memoryStoreId: '1 a' }],
    ['a language model that is missing', 'invalid_request', 'extractMemories', { extractMemories: true }],
    [
      'two answers to one question',
      'invalid_request',
      'extractMemories',
      { extractMemories: false, memoryExtractionConfig: { extractMemories: true } },
    ],
    [
      'a wrong extraction setting',
      'invalid_request',
      'memoryExtractionConfig.memoryExtractionWindow',
      { memoryExtractionConfig: { memoryExtractionWindow: 0 } },
    ],
    [
      'the background without a queue',
      'unsupported',
      'memoryExtractionConfig.extractionMode',
      { memoryExtractionConfig: { extractionMode: 'background' } },
    ],
    ['creation without scripts', 'invalid_request', 'migrations', { schemaPolicy: 'create_if_empty' }],
    [
      'recreation that is not confirmed',
      'invalid_request',
      'confirmRecreate',
      { schemaPolicy: 'recreate', migrations },
    ],
    [
      'hybrid without an embedder',
      'invalid_request',
      'embedder',
      { searchStrategy: 'hybrid', embedder: undefined },
    ],
    ['a sync that vectors do not have', 'invalid_request', 'searchIndexSync', { searchIndexSync: 'auto' }],
    ['a width that is another', 'invalid_request', 'vectorDim', { vectorDim: 65 }],
    ['a width that is none', 'invalid_request', 'vectorDim', { vectorDim: 0 }],
    [
      'new tables of unknown width',
      'invalid_request',
      'vectorDim',
      { ...create, memoryStoreId: 'none', embedder: undefined },
    ],
    ['a model that the database lacks', 'invalid_request', 'embedder', { embedder: DATABASE_MODEL }],
    ['a model of another width', 'invalid_request', 'embedder', { embedder: WIDE_MODEL }],
    ['a chunk that is all overlap', 'invalid_request', 'chunkOverlap', { chunkTokens: 50 }],
    [
      'a time to live that is none',
      'invalid_request',
      'defaultTtlDays',
      { memoryRetentionConfig: { defaultTtlDays: 0 } },
    ],
    [
      'another retention than the store has',
      'invalid_request',
      'memoryRetentionConfig',
      { memoryRetentionConfig: { defaultTtlDays: 7 } },
    ],
  ])('refuses %s', async (_, code, path, options) => {
    expect(await failureOf(open(options))).toMatchObject({ code, issues: [{ path }] });
  });

  it.each(['transport', 'store', 'embedder', 'llm', 'tokenizer', 'jobQueue', 'clock', 'warn'])(
    'refuses a %s that is something else',
    async (option) => {
      const failure = await failureOf(open(Object.fromEntries([[option, 'text-embedding-3-small']])));
      expect(failure).toMatchObject({ code: 'invalid_request', issues: [{ path: option }] });
    },
  );

  it('refuses tables of another embedder', async () => {
    const other = createHashEmbedder({ dimensions: DIMENSIONS, modelId: 'another' });
    expect(await failureOf(open({ embedder: other }))).toMatchObject({ code: 'conflict' });
    expect(await failureOf(open({ searchStrategy: 'keyword' }))).toMatchObject({ code: 'conflict' });
  });

  it('lets threads run without a language model when they do not extract', async () => {
    const memory = await open({ extractMemories: false });
    expect((await memory.createThread({})).extraction.extractMemories).toBe(false);
    const strict = await open({});
    const failure = await failureOf(strict.createThread({}));
    expect(failure.issues).toMatchObject([{ path: 'extraction.extractMemories' }]);
  });

  async function makeDue(jobId: string): Promise<void> {
    const { job } = createSchemaNames({ memoryStoreId: 'made' });
    const session = emulator.engine.openSession();
    await session.execute(
      `UPDATE ${job} j SET j.next_attempt_at = TIMESTAMP '2020-01-01 00:00:00 +00:00' WHERE j.job_id = '${jobId}'`,
      [],
    );
    await session.commit();
    await session.close();
  }
});
