import { describe, expect, it } from 'vitest';
import { listModuleStatements } from '../../infra/ords/list-module-statements.ts';
import { runSchemaCommand } from '../../infra/schema-command.ts';
import { createSchemaNames } from '../../lib/schema/schema-names.ts';
import { createSchemaDouble, type SchemaDouble } from './schema-double.ts';

const VARIABLES = { EMBEDDING_DIMENSION: '384', MEMORY_STORE_ID: 'shop', DEFAULT_TTL_DAYS: '' };

async function run(
  commandLine: string,
  schema: SchemaDouble | undefined = undefined,
  variables: Readonly<Record<string, string>> = VARIABLES,
) {
  let output = '';
  const write = (text: string): void => {
    output += text;
  };
  const context =
    schema === undefined ? { variables, write } : { variables, write, transport: schema.transport };
  const code = await runSchemaCommand(commandLine.split(' '), context);
  return { code, output };
}

describe('npm run schema', () => {
  it('plans without a database', async () => {
    const { code, output } = await run('plan');
    expect(code).toBe(0);
    expect(output).toMatch(
      /SET DEFINE OFF\n.*\nCREATE TABLE SHOP_MEMORY_THREAD \(.*VECTOR\(384, FLOAT32\).*\);\n.*COMMIT;\n.*\nBEGIN\n {2}DBMS_SCHEDULER.*END;\n\/\n$/s,
    );
    expect(output).not.toContain('&');
  });

  it('prints what installs its statements, and what removes those of older programs', async () => {
    const { code, output } = await run('module --runtime-user app');
    expect(code).toBe(0);
    const list = await listModuleStatements(createSchemaNames({ memoryStoreId: 'shop' }), 384);
    expect(output.match(/^MERGE INTO SHOP_MEMORY_STATEMENT/gm)).toHaveLength(list.length);
    expect(output).toContain('GRANT EXECUTE ON SHOP_MEMORY_CALL TO APP;');
    expect(output).not.toContain('ROW_ACCESS');
    const isolated = await run('module', undefined, { ...VARIABLES, ROW_ISOLATION: 'vpd' });
    expect(isolated.output).toContain("SHOP_MEMORY_ROW_ACCESS('EVERY', NULL);");
    const removal = await run('module --remove-old');
    for (const { hash } of list) expect(removal.output).toContain(`'${hash}'`);
    expect(removal.output).not.toContain('MERGE');
    expect((await run('module --runtime-user a;b')).code).toBe(1);
  });

  it('applies, tells the status, changes the retention and recreates', async () => {
    const schema = createSchemaDouble('SHOP_MEMORY_META');
    expect(await run('status', schema)).toEqual({ code: 0, output: 'not installed, or not complete\n' });
    const { code, output } = await run('apply', schema);
    expect([code, JSON.parse(output)]).toEqual([0, expect.objectContaining({ vectorDimensions: 384 })]);
    const changed = await run('retention --default-ttl-days 5 --max-ttl-days 9', schema);
    expect(JSON.parse(changed.output).retention).toEqual({ defaultTtlDays: 5, maxTtlDays: 9 });
    await run('retention --max-ttl-days none', schema);
    const { retention } = JSON.parse((await run('status', schema)).output);
    expect(retention).toEqual({ defaultTtlDays: 5, maxTtlDays: null });
    expect(await run('recreate', schema)).toMatchObject({
      code: 1,
      output: expect.stringContaining('confirm'),
    });
    expect((await run('recreate --confirm', schema)).code).toBe(0);
    expect(JSON.parse(schema.meta.get('retention') ?? '')).toEqual({
      defaultTtlDays: null,
      maxTtlDays: null,
    });
  });

  it('builds, keeps, replaces and drops the vector index', async () => {
    const schema = createSchemaDouble('SHOP_MEMORY_META');
    const index = 'SHOP_MEMORY_CHUNK_VECTOR_IX';
    const kind = async (commandLine: string): Promise<unknown> =>
      JSON.parse((await run(commandLine, schema)).output).vectorIndex;
    expect(await kind('apply')).toBe('none');
    expect(await kind('apply --vector-index hnsw')).toBe('hnsw');
    expect(schema.ddl.at(-1)).toContain('INMEMORY NEIGHBOR GRAPH');
    const statements = schema.ddl.length;
    expect(await kind('apply --vector-index hnsw')).toBe('hnsw');
    expect(await kind('apply')).toBe('hnsw');
    expect(schema.ddl).toHaveLength(statements);
    expect(await kind('apply --vector-index ivf')).toBe('ivf');
    expect(schema.ddl.slice(statements)).toEqual([
      `DROP INDEX ${index}`,
      expect.stringContaining('NEIGHBOR PARTITIONS'),
    ]);
    expect(await kind('status')).toBe('ivf');
    expect(await kind('apply --vector-index none')).toBe('none');
    expect(schema.objects).not.toContain(index);
  });

  it('builds, keeps and drops the index on metadata, beside the one on vectors', async () => {
    const schema = createSchemaDouble('SHOP_MEMORY_META');
    const index = 'SHOP_MEMORY_RECORD_JSON_IX';
    const kinds = async (commandLine: string): Promise<unknown> => {
      const { jsonIndex, vectorIndex } = JSON.parse((await run(commandLine, schema)).output);
      return [jsonIndex, vectorIndex];
    };
    expect(await kinds('apply --json-index search')).toEqual(['search', 'none']);
    expect(schema.ddl.at(-1)).toBe(
      `CREATE SEARCH INDEX ${index} ON SHOP_MEMORY_RECORD (metadata) FOR JSON\n  PARAMETERS ('SYNC (ON COMMIT)')`,
    );
    const statements = schema.ddl.length;
    expect(await kinds('apply --json-index search')).toEqual(['search', 'none']);
    expect(schema.ddl).toHaveLength(statements);
    expect(await kinds('apply --vector-index ivf')).toEqual(['search', 'ivf']);
    expect(await kinds('apply --json-index none')).toEqual(['none', 'ivf']);
    expect(await kinds('status')).toEqual(['none', 'ivf']);
    expect(schema.objects).not.toContain(index);
  });

  it('falls back when the vector pool is too small, and says so (ORA-51962)', async () => {
    const schema = createSchemaDouble('SHOP_MEMORY_META');
    await run('apply', schema);
    schema.faults.set('NEIGHBOR GRAPH', [51962, 51962]);
    const ivf = await run('apply --vector-index hnsw', schema);
    expect(ivf.output).toMatch(/^warning: .*hnsw: using ivf\n/);
    expect(schema.meta.get('vector_index')).toBe('ivf');
    schema.faults.set('NEIGHBOR PARTITIONS', [51962]);
    const none = await run('apply --vector-index hnsw', schema);
    expect(none.output).toMatch(/ivf: using none\n/);
    expect(schema.meta.get('vector_index')).toBe('none');
    schema.faults.set('NEIGHBOR GRAPH', [1031]);
    expect((await run('apply --vector-index hnsw', schema)).code).toBe(1);
  });

  it('syncs and optimizes the text index of a store that has one', async () => {
    const keyword = { MEMORY_STORE_ID: 'shop', SEARCH_STRATEGY: 'keyword' };
    const schema = createSchemaDouble('SHOP_MEMORY_META');
    expect(await run('sync-index', schema)).toMatchObject({
      code: 1,
      output: expect.stringContaining('not installed'),
    });
    await run('apply', schema, keyword);
    schema.ddl.length = 0;
    expect(await run('sync-index', schema)).toEqual({ code: 0, output: 'done\n' });
    expect(await run('optimize-index', schema)).toEqual({ code: 0, output: 'done\n' });
    expect(schema.ddl).toEqual([
      "BEGIN\n  CTX_DDL.SYNC_INDEX('SHOP_MEMORY_CHUNK_TEXT_IX');\nEND;",
      "BEGIN\n  CTX_DDL.OPTIMIZE_INDEX('SHOP_MEMORY_CHUNK_TEXT_IX', 'FULL');\nEND;",
    ]);
    schema.faults.set('CTX_DDL', [6550]);
    expect(await run('sync-index', schema)).toEqual({ code: 1, output: expect.stringContaining('CTXAPP') });
  });

  it('has no text index to maintain in a vector store', async () => {
    const schema = createSchemaDouble('SHOP_MEMORY_META');
    await run('apply', schema);
    expect(await run('sync-index', schema)).toEqual({
      code: 1,
      output: expect.stringContaining('no text index'),
    });
  });

  it.each([
    '',
    'toString',
    'drop',
    'plan now',
    'apply --confirm',
    'plan --max-ttl-days 3',
    'plan --confirm',
    'status --vector-index ivf',
  ])('shows its usage for "%s"', async (commandLine) => {
    expect(await run(commandLine, createSchemaDouble())).toEqual({
      code: 2,
      output: expect.stringContaining('npm run schema -- <command>'),
    });
  });

  it.each<[string, string, Record<string, string>, string]>([
    ['an unknown option', 'plan --force', VARIABLES, 'force'],
    ['no width', 'plan', {}, 'EMBEDDING_DIMENSION'],
    ['an unknown kind of index', 'apply --vector-index flat', VARIABLES, 'vector-index'],
    ['the managed hybrid index', 'apply --vector-index hybrid', VARIABLES, 'managed hybrid vector index'],
    ['an unknown kind of index on metadata', 'apply --json-index tree', VARIABLES, 'json-index'],
    ['no database', 'status', VARIABLES, 'ORDS_'],
    [
      'a model in the database without a name',
      'plan',
      { ...VARIABLES, EMBEDDER: 'oracle-database' },
      'EMBEDDING_MODEL',
    ],
    [
      'a model name that is SQL',
      'plan',
      { ...VARIABLES, EMBEDDER: 'oracle-database', EMBEDDING_MODEL: 'm USING 1' },
      'embeddingModel',
    ],
    ['a store id that is SQL', 'plan', { ...VARIABLES, MEMORY_STORE_ID: 'a;b' }, 'memoryStoreId'],
    ['a retention that is none', 'retention --max-ttl-days x', VARIABLES, 'not installed'],
  ])('fails with the reason for %s', async (name, commandLine, variables, reason) => {
    const schema = name === 'a retention that is none' ? createSchemaDouble() : undefined;
    const outcome = await run(commandLine, schema, variables);
    expect(outcome).toEqual({ code: 1, output: expect.stringContaining(reason) });
  });

  it('needs no width for the keyword strategy', async () => {
    expect((await run('plan', undefined, { SEARCH_STRATEGY: 'keyword' })).output).toContain('CTXSYS.CONTEXT');
  });
});
