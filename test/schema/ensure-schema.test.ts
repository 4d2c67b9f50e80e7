import { describe, expect, it } from 'vitest';
import { readMigrations } from '../../infra/schema-migrations.ts';
import { type EnsureSchemaOptions, ensureSchema } from '../../lib/schema/ensure-schema.ts';
import { createSchemaNames, tableNames } from '../../lib/schema/schema-names.ts';
import { createSchemaDouble, type SchemaDouble } from './schema-double.ts';

const names = createSchemaNames();
const migrations = readMigrations();
const managed = [...tableNames(names), ...names.indexes, names.purgeJob];

function ensure(schema: SchemaDouble, changes: Partial<EnsureSchemaOptions> = {}) {
  return ensureSchema({
    transport: schema.transport,
    names,
    policy: 'create_if_necessary',
    migrations,
    vectorDimensions: 384,
    searchStrategy: 'vector',
    searchIndexSync: 'on_commit',
    retention: { defaultTtlDays: 30, maxTtlDays: null },
    embedderModel: 'small',
    wait: async () => {},
    ...changes,
  });
}

async function installed(changes: Partial<EnsureSchemaOptions> = {}): Promise<SchemaDouble> {
  const schema = createSchemaDouble();
  await ensure(schema, changes);
  schema.ddl.length = 0;
  return schema;
}

const refusal = (code: string, ...parts: readonly string[]) => ({
  code,
  message: expect.stringMatching(new RegExp(parts.join('.*'), 's')),
});

describe('require_existing (contract §3.1, §12)', () => {
  it('runs no DDL and says what is missing and how to create it', async () => {
    const schema = createSchemaDouble();
    await expect(ensure(schema, { policy: 'require_existing' })).rejects.toMatchObject(
      refusal(
        'invalid_request',
        'required managed objects are missing',
        'MEMORY_CHUNK',
        'create_if_necessary',
      ),
    );
    expect(schema.ddl).toEqual([]);
  });

  it('refuses a store that lacks one index', async () => {
    const schema = await installed();
    schema.objects.delete('MEMORY_JOB_DUE_IX');
    await expect(ensure(schema, { policy: 'require_existing' })).rejects.toMatchObject(
      refusal('invalid_request', '\\(MEMORY_JOB_DUE_IX\\)'),
    );
  });

  it('refuses a store whose creation did not end', async () => {
    const schema = await installed();
    schema.meta.delete('schema_version');
    await expect(ensure(schema, { policy: 'require_existing' })).rejects.toMatchObject(
      refusal('invalid_request', 'not complete'),
    );
  });

  it('returns the stored settings; the stored retention wins (contract §11)', async () => {
    const schema = await installed();
    const retention = { defaultTtlDays: 7, maxTtlDays: 7 };
    expect(await ensure(schema, { policy: 'require_existing', retention })).toEqual({
      schemaVersion: 3,
      vectorDimensions: 384,
      searchStrategy: 'vector',
      searchIndexSync: 'on_commit',
      embedderModel: 'small',
      retention: { defaultTtlDays: 30, maxTtlDays: null },
      vectorIndex: 'none',
      jsonIndex: 'none',
    });
  });

  it('leaves a missing job alone', async () => {
    const schema = await installed();
    schema.objects.delete(names.purgeJob);
    await ensure(schema, { policy: 'require_existing' });
    expect(schema.ddl).toEqual([]);
  });
});

describe('create_if_empty (contract §12)', () => {
  it('creates in an empty schema and then only verifies', async () => {
    const schema = await installed({ policy: 'create_if_empty' });
    expect(schema.objects).toEqual(new Set(managed));
    await ensure(schema, { policy: 'create_if_empty' });
    expect(schema.ddl).toEqual([]);
  });

  it('leaves a schema alone that has some of the objects', async () => {
    const schema = await installed();
    schema.meta.clear();
    schema.objects.delete('MEMORY_THREAD');
    await expect(ensure(schema, { policy: 'create_if_empty' })).rejects.toMatchObject(
      refusal('invalid_request', 'missing'),
    );
    expect(schema.ddl).toEqual([]);
  });

  it('is refused by what a job of the same name left behind', async () => {
    const schema = createSchemaDouble();
    schema.objects.add(names.purgeJob);
    await expect(ensure(schema, { policy: 'create_if_empty' })).rejects.toMatchObject({
      code: 'invalid_request',
    });
  });
});

describe('create_if_necessary (contract §12)', () => {
  it('creates only what is missing', async () => {
    const schema = await installed();
    schema.objects.delete('MEMORY_JOB_DUE_IX');
    await ensure(schema);
    expect(schema.ddl).toEqual(['CREATE INDEX MEMORY_JOB_DUE_IX ON MEMORY_JOB (status, next_attempt_at)']);
    await ensure(schema);
    expect(schema.ddl).toHaveLength(1);
  });

  it('records a store whose tables were created by hand, without DDL', async () => {
    const schema = await installed();
    schema.meta.clear();
    expect(await ensure(schema)).toMatchObject({ schemaVersion: 3, vectorDimensions: 384 });
    expect(schema.ddl).toEqual([]);
  });

  it('creates once when two start at once', async () => {
    const schema = createSchemaDouble();
    const [one, other] = await Promise.all([ensure(schema), ensure(schema)]);
    expect(one).toEqual(other);
    expect(schema.objects).toEqual(new Set(managed));
    expect(schema.ddl.length).toBeGreaterThan(schema.objects.size);
  });

  it('takes the record of the one that came first', async () => {
    const schema = createSchemaDouble();
    await ensure(schema, { embedderModel: 'first' });
    schema.objects.delete('MEMORY_JOB_DUE_IX');
    schema.faults.set('schema.write_state', [1]);
    expect(await ensure(schema, { embedderModel: '' })).toMatchObject({ embedderModel: 'first' });
  });

  it('waits for locks, and gives up at last', async () => {
    const schema = createSchemaDouble();
    const waits: number[] = [];
    const wait = async (milliseconds: number) => void waits.push(milliseconds);
    schema.faults.set('TABLE MEMORY_JOB', [54, 14411]);
    await ensure(schema, { wait });
    expect(waits).toEqual([200, 400]);
    const locked = createSchemaDouble();
    locked.faults.set('TABLE MEMORY_JOB', Array<number>(6).fill(54));
    await expect(ensure(locked)).rejects.toMatchObject({ code: 'unavailable', retryable: true });
  });

  it('passes a missing privilege on', async () => {
    const schema = createSchemaDouble();
    schema.faults.set('TABLE MEMORY_THREAD', [1031]);
    await expect(ensure(schema)).rejects.toMatchObject(refusal('internal', 'privilege'));
    expect(schema.meta.size).toBe(0);
  });

  it('adds keyword search to a vector store; require_existing says how', async () => {
    const schema = await installed();
    const keyword = { searchStrategy: 'keyword' } as const;
    await expect(ensure(schema, { ...keyword, policy: 'require_existing' })).rejects.toMatchObject(
      refusal('invalid_request', 'keyword', 'create_if_necessary'),
    );
    expect(await ensure(schema, keyword)).toMatchObject({
      searchStrategy: 'keyword',
      embedderModel: 'small',
    });
    expect(schema.ddl).toEqual([
      "BEGIN\n  CTX_DDL.CREATE_PREFERENCE('MEMORY_LEXER', 'WORLD_LEXER');\nEND;",
      expect.stringContaining(
        "PARAMETERS ('LEXER MEMORY_LEXER STOPLIST CTXSYS.EMPTY_STOPLIST SYNC (ON COMMIT)')",
      ),
    ]);
    expect(await ensure(schema, { ...keyword, policy: 'require_existing' })).toMatchObject(keyword);
  });
});

it('drops a text index whose build failed, so that the next run builds it (ORA-29855)', async () => {
  const schema = createSchemaDouble();
  schema.faults.set('CTXSYS.CONTEXT', [29855]);
  const keyword = { searchStrategy: 'keyword' } as const;
  await expect(ensure(schema, keyword)).rejects.toMatchObject({ code: 'internal' });
  expect(schema.ddl.at(-1)).toBe('DROP INDEX MEMORY_CHUNK_TEXT_IX FORCE');
  expect(await ensure(schema, keyword)).toMatchObject(keyword);
  expect(schema.objects).toContain(names.textIndex);
});

it.each([
  ['manual', 'MAINTENANCE MANUAL SYNC (MANUAL)'],
  ['auto', 'MAINTENANCE AUTO'],
] as const)('%s: the text index of a hybrid store says so', async (searchIndexSync, parameters) => {
  const hybrid = { searchStrategy: 'hybrid', searchIndexSync } as const;
  const schema = await installed(hybrid);
  await ensure(schema, { ...hybrid, policy: 'recreate', confirmRecreate: true });
  expect(schema.ddl.find((sql) => sql.includes('CTXSYS.CONTEXT'))).toContain(
    `STOPLIST CTXSYS.EMPTY_STOPLIST ${parameters}')`,
  );
  expect(await ensure(schema, { ...hybrid, searchStrategy: 'keyword' })).toMatchObject(hybrid);
  await expect(ensure(schema, { ...hybrid, searchIndexSync: 'on_commit' })).rejects.toMatchObject(
    refusal('conflict', searchIndexSync, 'on_commit'),
  );
});

describe('what a privilege leaves out', () => {
  it('warns without CREATE JOB, goes on, and creates the job when it is reopened with it (contract §11)', async () => {
    const schema = createSchemaDouble();
    const warnings: string[] = [];
    const warn = (message: string) => void warnings.push(message);
    schema.faults.set('DBMS_SCHEDULER', [27486]);
    expect(await ensure(schema, { warn })).toMatchObject({ schemaVersion: 3 });
    expect(warnings).toEqual([expect.stringMatching(/PURGE_EXPIRED_RECORDS_J.*CREATE JOB/)]);
    expect(schema.objects).not.toContain(names.purgeJob);
    schema.ddl.length = 0;
    await ensure(schema, { warn });
    await ensure(schema, { warn });
    expect(schema.ddl).toEqual([expect.stringContaining("job_name => 'PURGE_EXPIRED_RECORDS_J'")]);
    expect(warnings).toHaveLength(1);
  });

  it('replaces the job of an older version, which does not know its tables', async () => {
    const schema = await installed();
    schema.meta.set('schema_version', '2');
    schema.objects.add(names.purgeJob);
    await ensure(schema);
    const jobs = schema.ddl.filter((sql) => sql.includes('DBMS_SCHEDULER'));
    expect(jobs).toEqual([
      expect.stringContaining("DROP_JOB(job_name => 'PURGE_EXPIRED_RECORDS_J'"),
      expect.stringContaining('MEMORY_HISTORY'),
    ]);
    schema.ddl.length = 0;
    await ensure(schema);
    expect(schema.ddl).toEqual([]);
  });

  it('takes a job that another process created meanwhile, and passes other failures on', async () => {
    const schema = createSchemaDouble();
    schema.faults.set('DBMS_SCHEDULER', [27477]);
    await ensure(schema);
    schema.faults.set('DBMS_SCHEDULER', [27369]);
    await expect(ensure(schema)).rejects.toMatchObject({ code: 'internal' });
  });

  it('builds the text index with the default lexer without CTX_DDL, and says so', async () => {
    const schema = createSchemaDouble();
    const warnings: string[] = [];
    schema.faults.set('CTX_DDL', [6550]);
    await ensure(schema, { searchStrategy: 'keyword', warn: (message) => void warnings.push(message) });
    expect(warnings).toEqual([expect.stringMatching(/CTX_DDL.*CTXAPP/)]);
    expect(schema.ddl.find((sql) => sql.includes('CTXSYS.CONTEXT'))).toContain(
      "PARAMETERS ('STOPLIST CTXSYS.EMPTY_STOPLIST SYNC (ON COMMIT)')",
    );
  });
});

describe('a store that is not what its version says (contract §12)', () => {
  it.each([
    ['column', 'MEMORY_RECORD.EXPIRES_AT'],
    ['table', 'MEMORY_JOB'],
  ])('must be recreated when it lacks a %s', async (_kind, lacking) => {
    const schema = await installed();
    schema.columns.delete(lacking);
    schema.objects.delete(lacking);
    for (const policy of ['require_existing', 'create_if_empty', 'create_if_necessary'] as const) {
      await expect(ensure(schema, { policy })).rejects.toMatchObject(
        refusal('conflict', 'claims schema version 3', lacking, 'recreate --confirm'),
      );
    }
    expect(schema.ddl).toEqual([]);
    await ensure(schema, { policy: 'recreate', confirmRecreate: true });
    await ensure(schema, { policy: 'require_existing' });
  });

  it('must be recreated when its tables have no version and lack a column', async () => {
    const schema = await installed();
    schema.meta.clear();
    schema.columns.delete('MEMORY_CHUNK.STATUS');
    await expect(ensure(schema)).rejects.toMatchObject(
      refusal('conflict', 'MEMORY_CHUNK.STATUS', 'recreate --confirm'),
    );
  });
});

describe('recreate (contract §12)', () => {
  it('must be confirmed', async () => {
    const schema = await installed();
    await expect(ensure(schema, { policy: 'recreate' })).rejects.toMatchObject(
      refusal('invalid_request', 'confirmRecreate', 'recreate --confirm'),
    );
    expect(schema.ddl).toEqual([]);
  });

  it('drops every table and creates the store again with new settings', async () => {
    const schema = await installed();
    const state = await ensure(schema, { policy: 'recreate', confirmRecreate: true, vectorDimensions: 100 });
    expect(state.vectorDimensions).toBe(100);
    const drops = tableNames(names).map((table) => `DROP TABLE ${table} PURGE`);
    expect(schema.ddl.slice(0, drops.length)).toEqual(drops);
  });

  it('works in an empty schema', async () => {
    const schema = createSchemaDouble();
    expect(await ensure(schema, { policy: 'recreate', confirmRecreate: true })).toMatchObject({
      schemaVersion: 3,
    });
  });
});

describe('a store that does not fit (contract §12)', () => {
  it.each<[string, Partial<EnsureSchemaOptions>, readonly string[]]>([
    ['another width', { vectorDimensions: 1536 }, ['384', '1536', 'recreate']],
    ['another embedder', { embedderModel: 'large' }, ['small', 'large', 'recreate']],
  ])('is a conflict for %s and names the remedy', async (_name, changes, parts) => {
    await expect(ensure(await installed(), changes)).rejects.toMatchObject(refusal('conflict', ...parts));
  });

  it('learns its embedder once when it was created without naming one, and only where that is allowed', async () => {
    const schema = await installed({ embedderModel: '' });
    const ofAny = await ensure(schema, { policy: 'require_existing', embedderModel: 'large' });
    expect(ofAny.embedderModel).toBe('');
    expect((await ensure(schema)).embedderModel).toBe('small');
    expect(schema.ddl).toEqual([]);
    await expect(
      ensure(schema, { policy: 'require_existing', embedderModel: 'large' }),
    ).rejects.toMatchObject(refusal('conflict', 'small', 'large'));
  });

  it('is a conflict when a keyword store is opened as vector, or syncs otherwise', async () => {
    const schema = await installed({ searchStrategy: 'keyword' });
    await expect(ensure(schema)).rejects.toMatchObject(refusal('conflict', 'keyword', 'recreate'));
    const manual = { searchStrategy: 'keyword', searchIndexSync: 'manual' } as const;
    await expect(ensure(schema, manual)).rejects.toMatchObject(refusal('conflict', 'on_commit', 'manual'));
  });

  it('is a conflict for a keyword store when the embedder makes vectors of another width, not for another embedder', async () => {
    const keyword = { searchStrategy: 'keyword' } as const;
    const schema = await installed(keyword);
    await expect(ensure(schema, { ...keyword, vectorDimensions: 1536 })).rejects.toMatchObject(
      refusal('conflict', '384', '1536', 'recreate'),
    );
    expect(await ensure(schema, { ...keyword, embedderModel: 'large' })).toMatchObject(keyword);
  });

  it('is a conflict when the store is newer than the program', async () => {
    const schema = await installed();
    schema.meta.set('schema_version', '4');
    await expect(ensure(schema)).rejects.toMatchObject(refusal('conflict', 'version 4', 'knows 3'));
  });

  it('is a conflict when the settings are not readable', async () => {
    const schema = await installed();
    schema.meta.set('retention', '{');
    await expect(ensure(schema)).rejects.toMatchObject({ code: 'conflict' });
  });
});

describe('the hybrid strategy (contract §12)', () => {
  const hybrid = { searchStrategy: 'hybrid' } as const;

  it('takes a vector store with its text index added; require_existing says how', async () => {
    const schema = await installed();
    await expect(ensure(schema, { ...hybrid, policy: 'require_existing' })).rejects.toMatchObject(
      refusal('invalid_request', 'no text index', 'hybrid', 'create_if_necessary'),
    );
    expect(await ensure(schema, hybrid)).toMatchObject(hybrid);
    expect(schema.objects).toContain(names.textIndex);
    expect(await ensure(schema, { ...hybrid, policy: 'require_existing' })).toMatchObject(hybrid);
  });

  it('fails when the text index was dropped', async () => {
    const schema = await installed(hybrid);
    schema.objects.delete(names.textIndex);
    await expect(ensure(schema, { ...hybrid, policy: 'require_existing' })).rejects.toMatchObject(
      refusal('invalid_request', names.textIndex, 'create_if_necessary'),
    );
  });

  it('lets keyword search use its text index, without DDL', async () => {
    const schema = await installed(hybrid);
    expect(await ensure(schema, { searchStrategy: 'keyword', policy: 'require_existing' })).toMatchObject(
      hybrid,
    );
    expect(schema.ddl).toEqual([]);
  });

  it('lets nobody write vectors of another width or embedder into it, by whatever they search', async () => {
    const schema = await installed(hybrid);
    const keyword = { searchStrategy: 'keyword', policy: 'require_existing' } as const;
    await expect(ensure(schema, { ...keyword, embedderModel: 'large' })).rejects.toMatchObject(
      refusal('conflict', 'small', 'large', 'recreate'),
    );
    await expect(ensure(schema, { ...keyword, vectorDimensions: 1536 })).rejects.toMatchObject(
      refusal('conflict', '384', '1536', 'recreate'),
    );
    const withoutEmbedder = { ...keyword, embedderModel: '', vectorDimensions: 1536 };
    expect(await ensure(schema, withoutEmbedder)).toMatchObject(hybrid);
  });

  it('is a conflict where rows may lack vectors, and with another embedder', async () => {
    await expect(ensure(await installed({ searchStrategy: 'keyword' }), hybrid)).rejects.toMatchObject(
      refusal('conflict', 'keyword', 'recreate'),
    );
    await expect(ensure(await installed(hybrid))).rejects.toMatchObject(
      refusal('conflict', 'hybrid', 'recreate'),
    );
    await expect(ensure(await installed(hybrid), { ...hybrid, vectorDimensions: 7 })).rejects.toMatchObject(
      refusal('conflict', '7'),
    );
  });
});

describe('settings', () => {
  it.each<[string, Partial<EnsureSchemaOptions>, string]>([
    ['auto for a vector store', { searchIndexSync: 'auto' }, 'invalid_request'],
    ['auto for a keyword store', { searchIndexSync: 'auto', searchStrategy: 'keyword' }, 'invalid_request'],
    ['a default above the maximum', { retention: { defaultTtlDays: 9, maxTtlDays: 8 } }, 'invalid_request'],
    ['no days', { retention: { defaultTtlDays: 0, maxTtlDays: null } }, 'invalid_request'],
  ])('refuses %s before anything is asked', async (_name, changes, code) => {
    const schema = createSchemaDouble();
    await expect(ensure(schema, changes)).rejects.toMatchObject({ code });
    expect(schema.ddl).toEqual([]);
  });

  it('refuses auto for a vector store that would become a keyword store', async () => {
    const schema = await installed();
    await expect(
      ensure(schema, { searchIndexSync: 'auto', searchStrategy: 'keyword' }),
    ).rejects.toMatchObject({ code: 'invalid_request', message: expect.stringContaining('searchIndexSync') });
    expect(schema.ddl).toEqual([]);
  });
});
