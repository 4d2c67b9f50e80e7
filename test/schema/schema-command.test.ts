import { describe, expect, it } from 'vitest';
import { runSchemaCommand } from '../../infra/schema-command.ts';
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
    expect(output).toMatch(/^CREATE TABLE SHOP_MEMORY_THREAD \(.*VECTOR\(384, FLOAT32\).*\);\n\n$/s);
    expect(output).not.toContain('&');
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

  it.each(['', 'toString', 'drop', 'plan now', 'apply --confirm', 'plan --max-ttl-days 3'])(
    'shows its usage for "%s"',
    async (commandLine) => {
      expect(await run(commandLine, createSchemaDouble())).toEqual({
        code: 2,
        output: expect.stringContaining('npm run schema -- <command>'),
      });
    },
  );

  it.each<[string, string, Record<string, string>, string]>([
    ['an unknown option', 'plan --force', VARIABLES, 'force'],
    ['no width', 'plan', {}, 'EMBEDDING_DIMENSION'],
    ['no database', 'status', VARIABLES, 'ORDS_'],
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
