import { describe, expect, it } from 'vitest';
import {
  createRecordingTransport,
  type RecordedStatement,
} from '../../infra/ords/statement-driver/recording-transport.ts';
import { unitVector } from '../../infra/ords/statement-driver/search-requests.ts';
import { ANSWERS, sendEveryStatement } from '../../infra/ords/statement-driver/send-every-statement.ts';
import {
  additions,
  changes,
  jobWrites,
  reads,
  variations,
} from '../../infra/ords/statement-driver/store-calls.ts';
import { listStatements } from '../../infra/ords/statement-list.ts';
import { createSchemaNames } from '../../lib/schema/schema-names.ts';
import type { JsonObject } from '../../lib/schemas/metadata.ts';
import { createMemoryStore } from '../../lib/store/create-memory-store.ts';
import { WORD_TIERS } from '../../lib/store/request-sql/fixed-texts.ts';
import { WORD_LIMIT } from '../../lib/store/search/query-words.ts';
import { everyStatement } from '../store/every-statement.ts';
import { DIMENSIONS, direction, NO_RETENTION, storeSearch } from '../store/store-samples.ts';

const OPTIONS = { names: createSchemaNames(), dimensions: DIMENSIONS, vectorIndex: 'hnsw' } as const;
const IN_DATABASE = { ...OPTIONS, names: createSchemaNames({ embeddingModel: 'LONDON_MODEL' }) };

async function recorded(): Promise<readonly RecordedStatement[]> {
  const transport = createRecordingTransport({ rows: ANSWERS, fixedStatements: true });
  await sendEveryStatement({ ...OPTIONS, transport });
  return transport.statements;
}

function fixedStore() {
  const transport = createRecordingTransport({ rows: ANSWERS, fixedStatements: true });
  const settings = { dimensions: DIMENSIONS, retention: NO_RETENTION };
  return { transport, store: createMemoryStore({ transport, names: OPTIONS.names, settings }) };
}

describe('the list of installed statements', () => {
  it('is a few hundred texts, the same every time, and the same for every name of a statement', async () => {
    const list = await listStatements(OPTIONS);
    expect(list.length).toBeLessThan(550);
    expect((await listStatements(IN_DATABASE)).length).toBeLessThan(650);
    expect(await listStatements(OPTIONS)).toEqual(list);
    const names = (statements: readonly { readonly name: string }[]) =>
      [...new Set(statements.map(({ name }) => name))].sort();
    expect(names(list)).toEqual(names(await everyStatement()));
  });

  it('tells statements apart by name and hash', async () => {
    const list = await listStatements(IN_DATABASE);
    expect(new Set(list.map(({ name, hash }) => `${name} ${hash}`)).size).toBe(list.length);
    expect(list.every(({ hash }) => /^[0-9a-f]{32}$/.test(hash))).toBe(true);
  });

  it('names the columns of queries and the counts of lists', async () => {
    for (const { kind, shape, outs } of await listStatements(OPTIONS)) {
      expect(Object.keys(shape).length > 0).toBe(kind === 'query');
      expect(outs.length > 0).toBe(kind === 'atomic');
    }
  });

  it('gives a bind the same type in every use of a text', async () => {
    const types = new Map<string, string>();
    for (const { name, sql, binds } of await recorded()) {
      const these = JSON.stringify(
        Object.entries(binds)
          .map(([bind, { type }]) => [bind, type])
          .sort(),
      );
      expect([name, types.get(sql) ?? these]).toEqual([name, these]);
      types.set(sql, these);
    }
  });

  it('is made by every method of the store', async () => {
    const { store } = fixedStore();
    const used = new Set<string>();
    const noted = new Proxy(store, {
      get(target, name, receiver) {
        used.add(String(name));
        return Reflect.get(target, name, receiver);
      },
    });
    const vector = unitVector(DIMENSIONS);
    for (const call of [
      ...additions(vector),
      ...jobWrites(),
      ...changes(),
      ...reads(),
      ...variations(vector),
    ])
      await call(noted);
    const methods = Object.entries(store).flatMap(([name, member]) =>
      typeof member === 'function' ? [name] : [],
    );
    expect(methods.filter((name) => !used.has(name))).toEqual(['search']);
  });

  it('has texts for any number of words that a query may have', () => {
    expect(WORD_TIERS.at(-1)).toBe(WORD_LIMIT);
    expect([...WORD_TIERS].sort((one, other) => one - other)).toEqual(WORD_TIERS);
  });
});

describe('a store over a transport with fixed statements', () => {
  it('sends one text for any values, scope, types and filter', async () => {
    const { store, transport } = fixedStore();
    const named = { kind: 'exact', value: 'canary' } as const;
    const filters: readonly JsonObject[] = [{ color: 'canary' }, { size: { $not: [1, 'canary'] } }];
    for (const agent of [
      { kind: 'unfiltered' },
      named,
      { kind: 'exact', value: null },
      { kind: 'boost', value: null },
    ] as const)
      for (const recordTypes of [['fact'], ['message', 'memory']] as const)
        for (const metadataFilter of filters)
          await store.search(
            storeSearch({
              scope: { user: named, agent, thread: { kind: 'boost', value: 'canary' } },
              recordTypes,
              metadataFilter,
              query: { strategy: 'hybrid', text: 'canary', vector: direction(0) },
            }),
          );
    const texts = new Set(transport.statements.map(({ sql }) => sql));
    expect(texts.size).toBe(1);
    expect([...texts][0]).not.toContain('canary');
  });

  it('keeps a condition that an index serves for the thread, else the user, that must match', async () => {
    const { store, transport } = fixedStore();
    const scopes = [
      { user: { kind: 'exact', value: 'u' }, thread: { kind: 'exact', value: 't' } },
      { user: { kind: 'exact', value: 'u' }, thread: { kind: 'unfiltered' } },
    ] as const;
    for (const scope of scopes)
      await store.search(storeSearch({ scope: { agent: { kind: 'unfiltered' }, ...scope } }));
    const plain = transport.statements.map(({ sql }) =>
      [...sql.matchAll(/AND (c\.\w+ = :\w+)\n/g)].map(([, condition]) => condition),
    );
    expect(plain).toEqual([['c.thread_id = :scope_thread'], ['c.user_id = :scope_user']]);
  });

  it.each([
    [{ a: { $gt: 1 } }, 'metadataFilter.a.$gt'],
    [{ a: { $not: 1, b: 2 } }, 'metadataFilter.a'],
    [{ ['長'.repeat(1_000)]: 1 }, `metadataFilter.${'長'.repeat(1_000)}`],
  ])('refuses a metadata filter as any store does: %j', async (metadataFilter, path) => {
    const refused = expect.objectContaining({
      code: 'invalid_request',
      issues: [expect.objectContaining({ path })],
    });
    const { store, transport } = fixedStore();
    await expect(store.search(storeSearch({ metadataFilter }))).rejects.toThrow(refused);
    const list = { family: 'memory', metadataFilter, after: undefined, limit: 1 } as const;
    await expect(store.listRecords(list)).rejects.toThrow(refused);
    expect(transport.statements).toEqual([]);
  });

  it('does not take an empty id for one that is not asked for', async () => {
    const { store, transport } = fixedStore();
    await store.updateRecord('memory', 'm', {}, { threadId: '' });
    expect(transport.statements[0]?.binds.asks_thread_id).toEqual({ type: 'number', value: 1 });
  });
});
