import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Emulator, startEmulator } from '../../infra/local/oracle/start-emulator.ts';
import { runSchemaCommand } from '../../infra/schema-command.ts';
import { readMigrations } from '../../infra/schema-migrations.ts';
import { type EnsureSchemaOptions, ensureSchema } from '../../lib/schema/ensure-schema.ts';
import { readManagedObjects } from '../../lib/schema/managed-objects.ts';
import { createSchemaNames, tableNames } from '../../lib/schema/schema-names.ts';
import { readSchemaState } from '../../lib/schema/schema-state.ts';
import { withCounting } from '../../lib/sql/counting-transport.ts';
import { createOrdsTransport } from '../../lib/sql/ords/ords-transport.ts';
import type { SqlTransport } from '../../lib/sql/sql-transport.ts';

const names = createSchemaNames({ memoryStoreId: 'shop' });
const objects = [...tableNames(names), ...names.indexes, names.textIndex];
let emulator: Emulator;

function connect(): SqlTransport {
  const { ordsUrl: url, username, password } = emulator;
  return createOrdsTransport({ url, credentials: { kind: 'basic', username, password } });
}

function ensure(transport: SqlTransport, changes: Partial<EnsureSchemaOptions> = {}) {
  return ensureSchema({
    transport,
    names,
    policy: 'create_if_necessary',
    migrations: readMigrations(),
    vectorDimensions: 8,
    searchStrategy: 'vector',
    searchIndexSync: 'on_commit',
    retention: { defaultTtlDays: 30, maxTtlDays: 90 },
    embedderModel: "it's; a model",
    ...changes,
  });
}

describe('the schema on the emulator', () => {
  let transport: SqlTransport;
  const existing = async (wanted: readonly string[]) => (await readManagedObjects(transport, wanted)).objects;
  beforeAll(async () => {
    emulator = await startEmulator({ ordsPort: 0 });
    transport = connect();
  });
  beforeEach(async () => {
    for (const table of tableNames(names)) await transport.executeDdl(`DROP TABLE IF EXISTS ${table} PURGE`);
  });
  afterAll(() => emulator?.close());

  it('is created, read in one round trip and verified in two', async () => {
    const state = await ensure(transport);
    expect(await existing(objects)).toEqual(new Set(objects.filter((name) => name !== names.textIndex)));
    const counting = withCounting(transport);
    expect(await readSchemaState(counting, names)).toEqual(state);
    expect(counting.roundTrips).toBe(1);
    expect(await ensure(counting, { policy: 'require_existing' })).toEqual(state);
    expect(counting.roundTrips).toBe(3);
  });

  it('is refused by require_existing while it is empty, and stays empty', async () => {
    await expect(ensure(transport, { policy: 'require_existing' })).rejects.toMatchObject({
      code: 'invalid_request',
      message: expect.stringContaining('create_if_necessary'),
    });
    expect(await existing(objects)).toEqual(new Set());
    expect(await readSchemaState(transport, names)).toBeUndefined();
  });

  it('is created once by two that start at once', async () => {
    const states = await Promise.all([ensure(transport), ensure(connect()), ensure(connect())]);
    for (const state of states) expect(state).toEqual(await readSchemaState(transport, names));
    expect(await ensure(transport, { policy: 'require_existing' })).toEqual(states[0]);
  });

  it('takes keyword search later, and is dropped and created by recreate', async () => {
    await ensure(transport);
    const keyword = { searchStrategy: 'keyword', searchIndexSync: 'manual' } as const;
    expect(await ensure(transport, keyword)).toMatchObject(keyword);
    expect(await existing(objects)).toEqual(new Set(objects));
    await expect(ensure(transport)).rejects.toMatchObject({ code: 'conflict' });
    const recreate = { policy: 'recreate', confirmRecreate: true, vectorDimensions: 16 } as const;
    expect(await ensure(transport, recreate)).toMatchObject({
      vectorDimensions: 16,
      searchStrategy: 'vector',
    });
    expect(await existing([names.textIndex])).toEqual(new Set());
  });

  it('keeps stores of neighbouring names apart', async () => {
    await ensure(transport);
    const other = createSchemaNames({ memoryStoreId: 'shop2' });
    await expect(ensure(transport, { names: other, policy: 'require_existing' })).rejects.toMatchObject({
      code: 'invalid_request',
    });
    await ensure(transport, { names: other, policy: 'create_if_empty', vectorDimensions: 9 });
    await ensure(transport, { policy: 'recreate', confirmRecreate: true });
    expect(await readSchemaState(transport, other)).toMatchObject({ vectorDimensions: 9 });
  });

  it('is run from the command line with the ORDS variables', async () => {
    let output = '';
    const { ordsUrl: ORDS_URL, username: ORDS_USERNAME, password: ORDS_PASSWORD } = emulator;
    const variables = {
      ORDS_URL,
      ORDS_USERNAME,
      ORDS_PASSWORD,
      MEMORY_STORE_ID: 'shop',
      EMBEDDING_DIMENSION: '8',
    };
    const write = (text: string): void => {
      output = text;
    };
    expect(await runSchemaCommand(['apply'], { variables, write })).toBe(0);
    expect(await runSchemaCommand(['retention', '--max-ttl-days', '7'], { variables, write })).toBe(0);
    expect(await runSchemaCommand(['status'], { variables, write })).toBe(0);
    expect(JSON.parse(output)).toMatchObject({
      schemaVersion: 2,
      retention: { defaultTtlDays: null, maxTtlDays: 7 },
    });
    expect(
      await runSchemaCommand(['status'], { variables: { ...variables, ORDS_PASSWORD: 'x' }, write }),
    ).toBe(1);
    expect(output).toContain('refused the configured credentials');
  });
});
