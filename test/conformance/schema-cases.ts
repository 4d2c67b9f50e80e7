import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { readMigrations } from '../../infra/schema-migrations.ts';
import { type EnsureSchemaOptions, ensureSchema } from '../../lib/schema/ensure-schema.ts';
import { changeJsonIndex } from '../../lib/schema/json-index.ts';
import { readManagedObjects } from '../../lib/schema/managed-objects.ts';
import { createSchemaNames, type SchemaNames, tableNames } from '../../lib/schema/schema-names.ts';
import { readSchemaState, type SchemaState } from '../../lib/schema/schema-state.ts';
import { changeVectorIndex } from '../../lib/schema/vector-index.ts';
import { withCounting } from '../../lib/sql/counting-transport.ts';
import type { SqlTransport } from '../../lib/sql/sql-transport.ts';

/** Where the cases may create and drop the tables of two stores. */
export interface SchemaTarget {
  /** `store` and `store2`: one name is the beginning of the other. */
  readonly memoryStoreId: string;
  /** A connection of its own, as another process would have. */
  connect(): SqlTransport;
  close(): Promise<void>;
}

interface SchemaStage {
  readonly transport: SqlTransport;
  readonly names: SchemaNames;
  /** The store whose name begins with that of the first. */
  readonly neighbour: SchemaNames;
  ensure(changes?: Partial<EnsureSchemaOptions>): Promise<SchemaState>;
  connect(): SqlTransport;
  existing(objects: readonly string[]): Promise<ReadonlySet<string>>;
}

const objectsOf = (names: SchemaNames) => [...tableNames(names), ...names.indexes, names.textIndex];
const DIMENSIONS = 8;

const CASES: Readonly<Record<string, (stage: SchemaStage) => Promise<void>>> = {
  'is created, read in one round trip and verified in two': async (stage) => {
    const { transport, names, ensure } = stage;
    const state = await ensure();
    const objects = objectsOf(names);
    expect(await stage.existing(objects)).toEqual(
      new Set(objects.filter((name) => name !== names.textIndex)),
    );
    const counting = withCounting(transport);
    expect(await readSchemaState(counting, names)).toEqual(state);
    expect(counting.roundTrips).toBe(1);
    expect(await ensure({ transport: counting, policy: 'require_existing' })).toEqual(state);
    expect(counting.roundTrips).toBe(3);
  },
  'is refused by require_existing while it is empty, and stays empty': async (stage) => {
    const { transport, names, ensure } = stage;
    await expect(ensure({ policy: 'require_existing' })).rejects.toMatchObject({
      code: 'invalid_request',
      message: expect.stringContaining('create_if_necessary'),
    });
    expect(await stage.existing(objectsOf(names))).toEqual(new Set());
    expect(await readSchemaState(transport, names)).toBeUndefined();
  },
  'is created once by two that start at once': async ({ transport, names, ensure, connect }) => {
    const others = [connect(), connect()];
    const states = await Promise.all([ensure(), ...others.map((other) => ensure({ transport: other }))]);
    for (const state of states) expect(state).toEqual(await readSchemaState(transport, names));
    expect(await ensure({ policy: 'require_existing' })).toEqual(states[0]);
    for (const other of others) await other.close();
  },
  'takes keyword search later, and is dropped and created by recreate': async (stage) => {
    const { names, ensure } = stage;
    await ensure();
    const keyword = { searchStrategy: 'keyword', searchIndexSync: 'manual' } as const;
    expect(await ensure(keyword)).toMatchObject(keyword);
    expect(await stage.existing(objectsOf(names))).toEqual(new Set(objectsOf(names)));
    await expect(ensure()).rejects.toMatchObject({ code: 'conflict' });
    const recreate = { policy: 'recreate', confirmRecreate: true, vectorDimensions: 16 } as const;
    expect(await ensure(recreate)).toMatchObject({ vectorDimensions: 16, searchStrategy: 'vector' });
    expect(await stage.existing([names.textIndex])).toEqual(new Set());
  },
  'keeps stores of neighbouring names apart': async ({ transport, neighbour, ensure }) => {
    await ensure();
    await expect(ensure({ names: neighbour, policy: 'require_existing' })).rejects.toMatchObject({
      code: 'invalid_request',
    });
    await ensure({ names: neighbour, policy: 'create_if_empty', vectorDimensions: 9 });
    await ensure({ policy: 'recreate', confirmRecreate: true });
    expect(await readSchemaState(transport, neighbour)).toMatchObject({ vectorDimensions: 9 });
  },
  'of an older version is brought up with what is in it': async ({ transport, names, ensure }) => {
    const migrations = readMigrations();
    await ensure({ migrations: migrations.filter(({ version }) => version === 1) });
    await transport.executeAtomic({
      name: 'stage.add_job',
      binds: {},
      statements: [
        {
          name: 'add_job',
          sql: `INSERT INTO ${names.job} (job_id, kind, thread_id, status, max_attempts, created_at)
SELECT 'old', 'extraction', 'trip', 'pending', 5, :now FROM dual`,
        },
      ],
    });
    await expect(ensure({ policy: 'require_existing' })).rejects.toMatchObject({ code: 'invalid_request' });
    const newest = Math.max(...migrations.map(({ version }) => version));
    expect(await ensure()).toMatchObject({ schemaVersion: newest });
    const jobs = await transport.query({
      name: 'stage.jobs',
      sql: `SELECT j.job_id AS job_id, j.lost_attempts AS lost_attempts FROM ${names.job} j`,
      binds: {},
      shape: { job_id: 'text', lost_attempts: 'number' },
    });
    expect(jobs).toEqual([{ job_id: 'old', lost_attempts: 0 }]);
  },
  'gets the indexes that no strategy needs, and loses them': async (stage) => {
    const { transport, names } = stage;
    await stage.ensure();
    const options = {
      transport,
      names,
      migrations: readMigrations(),
      vectorDimensions: DIMENSIONS,
      searchIndexSync: 'on_commit',
    } as const;
    const optional = [names.vectorIndex, names.jsonIndex];
    expect(await changeVectorIndex({ ...options, vectorIndex: 'ivf' })).toBe('ivf');
    await changeJsonIndex({ ...options, jsonIndex: 'search' });
    expect(await stage.existing(optional)).toEqual(new Set(optional));
    const built = { vectorIndex: 'ivf', jsonIndex: 'search' };
    expect(await readSchemaState(transport, names)).toMatchObject(built);
    await changeVectorIndex({ ...options, vectorIndex: 'none' });
    await changeJsonIndex({ ...options, jsonIndex: 'none' });
    expect(await stage.existing(optional)).toEqual(new Set());
  },
};

/** What creating, verifying and upgrading a schema must do, whatever transport is under it. */
export function schemaCases(name: string, make: () => Promise<SchemaTarget>): void {
  describe(`the schema over ${name}`, () => {
    let target: SchemaTarget;
    let transport: SqlTransport;
    let names: SchemaNames;
    let neighbour: SchemaNames;
    beforeAll(async () => {
      target = await make();
      transport = target.connect();
      names = createSchemaNames({ memoryStoreId: target.memoryStoreId });
      neighbour = createSchemaNames({ memoryStoreId: `${target.memoryStoreId}2` });
    });
    beforeEach(async () => {
      for (const table of [names, neighbour].flatMap(tableNames)) {
        await transport.executeDdl(`DROP TABLE IF EXISTS ${table} PURGE`);
      }
    });
    afterAll(async () => {
      await transport?.close();
      await target?.close();
    });

    const stage = (): SchemaStage => ({
      transport,
      names,
      neighbour,
      connect: () => target.connect(),
      existing: async (objects) => (await readManagedObjects(transport, objects)).objects,
      ensure: (changes = {}) =>
        ensureSchema({
          transport,
          names,
          policy: 'create_if_necessary',
          migrations: readMigrations(),
          vectorDimensions: DIMENSIONS,
          searchStrategy: 'vector',
          searchIndexSync: 'on_commit',
          retention: { defaultTtlDays: 30, maxTtlDays: 90 },
          embedderModel: "it's; a model",
          ...changes,
        }),
    });
    for (const [title, run] of Object.entries(CASES)) it(title, () => run(stage()));
  });
}
