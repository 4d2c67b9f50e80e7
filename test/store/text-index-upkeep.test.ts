import { afterEach, describe, expect, it } from 'vitest';
import { type Emulator, startEmulator } from '../../infra/local/oracle/start-emulator.ts';
import { runSchemaCommand } from '../../infra/schema-command.ts';
import { createSchemaNames } from '../../lib/schema/schema-names.ts';
import { createMemoryStore } from '../../lib/store/create-memory-store.ts';
import type { MemoryStore } from '../../lib/store/memory-store.ts';
import { emulatorTransport } from '../api/api-fixture.ts';
import { DIMENSIONS, direction, NO_RETENTION, newRecord, storeSearch } from './store-samples.ts';

interface Opened {
  readonly store: MemoryStore;
  command(...words: readonly string[]): Promise<number>;
}

describe('a store whose text index is not kept at each commit (contract §12)', () => {
  let emulator: Emulator;
  afterEach(() => emulator?.close());

  async function open(sync: string, strategy = 'hybrid'): Promise<Opened> {
    emulator = await startEmulator();
    const transport = emulatorTransport(emulator);
    const variables = {
      EMBEDDING_DIMENSION: String(DIMENSIONS),
      SEARCH_STRATEGY: strategy,
      SEARCH_INDEX_SYNC: sync,
    };
    const command = (...words: readonly string[]) =>
      runSchemaCommand(words, { variables, write: () => undefined, transport });
    expect(await command('apply')).toBe(0);
    const settings = { dimensions: DIMENSIONS, retention: NO_RETENTION };
    return { store: createMemoryStore({ transport, names: createSchemaNames(), settings }), command };
  }

  const add = (store: MemoryStore, id: string, text: string) =>
    store.addRecord(newRecord(id, { content: text, chunks: [{ text, embedding: direction(0) }] }), undefined);
  const found = async (store: MemoryStore, text: string) => {
    const hits = await store.search(storeSearch({ query: { strategy: 'keyword', text } }));
    return hits?.map(({ record }) => record.id);
  };
  const change = (store: MemoryStore, id: string, text: string) =>
    store.updateRecord('memory', id, { content: { text, chunks: [{ text, embedding: direction(0) }] } });

  it.each(['manual', 'auto'])('%s: words are found after sync-index, vectors at once', async (sync) => {
    const { store, command } = await open(sync);
    await add(store, 'tea', 'green tea');
    expect(await found(store, 'tea')).toEqual([]);
    const both = await store.search(
      storeSearch({ query: { strategy: 'hybrid', text: 'tea', vector: direction(0) } }),
    );
    expect(both?.map(({ record }) => record.id)).toEqual(['tea']);
    expect(await command('sync-index')).toBe(0);
    expect(await found(store, 'tea')).toEqual(['tea']);
    await change(store, 'tea', 'black coffee');
    expect([await found(store, 'tea'), await found(store, 'coffee')]).toEqual([[], []]);
    expect(await command('optimize-index')).toBe(0);
    expect(await found(store, 'coffee')).toEqual([]);
    expect(await command('sync-index')).toBe(0);
    expect([await found(store, 'tea'), await found(store, 'coffee')]).toEqual([[], ['tea']]);
    await store.updateRecord('memory', 'tea', { lifetime: { ttlDays: 5, ttlAnchor: 'created_at' } });
    expect(await found(store, 'coffee')).toEqual(['tea']);
    await store.deleteRecord('memory', 'tea');
    expect(await found(store, 'coffee')).toEqual([]);
  });

  it('on_commit: words are found when the write has ended', async () => {
    const { store } = await open('on_commit');
    await add(store, 'tea', 'green tea');
    await change(store, 'tea', 'black coffee');
    expect([await found(store, 'tea'), await found(store, 'coffee')]).toEqual([[], ['tea']]);
  });

  it('has no stop words and finds Japanese inside a sentence', async () => {
    const { store } = await open('on_commit', 'keyword');
    await add(store, 'stop', 'to be or not to be');
    await add(store, 'japanese', '週末は京都の美術館へ行きます。');
    await add(store, 'other', '明日は大阪で会議があります。');
    expect(await found(store, 'to be or not')).toEqual(['stop']);
    expect(await found(store, '美術館')).toEqual(['japanese']);
    expect(await found(store, '京都')).toEqual(['japanese']);
    expect(await found(store, '大阪の会議')).toEqual(['other']);
  });

  it('takes an index on metadata, and filters as without one', async () => {
    const { store, command } = await open('on_commit');
    await store.addRecord(newRecord('blue', { metadata: { color: 'blue' } }), undefined);
    await store.addRecord(newRecord('red', { metadata: { color: 'red' } }), undefined);
    const filtered = async () => {
      const page = await store.listRecords({
        family: 'memory',
        metadataFilter: { color: 'blue' },
        after: undefined,
        limit: 10,
      });
      return page.records.map(({ record }) => record.id);
    };
    for (const kind of ['search', 'none']) {
      expect(await command('apply', '--json-index', kind)).toBe(0);
      expect(await filtered()).toEqual(['blue']);
    }
  });
});
