import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ApiFixture, startApi } from './api-fixture.ts';

describe.each([
  ['vector', 0],
  ['keyword', 1 / 101],
  ['hybrid', 1 / 101],
] as const)('a store with %s search (contract §12)', (strategy, nearest) => {
  let api: ApiFixture;
  beforeAll(async () => {
    api = await startApi({ variables: { SEARCH_STRATEGY: strategy } });
  });
  afterAll(() => api?.close());

  it('finds at once what was written, the text itself first and nearest', async () => {
    const { client } = api;
    const texts = ['The gate code is QX7731.', 'The gate is green.', 'Dinner is at eight.'];
    for (const text of texts) await client.addMemory(text, { userId: 'ana', memoryId: text });
    for (const text of texts) {
      const [first, ...others] = await client.search(text, { userId: 'ana' });
      expect(first?.id).toBe(text);
      expect(first?.distance).toBeCloseTo(nearest, 5);
      for (const other of others) expect(other.distance).toBeGreaterThan(nearest + 0.01);
    }
    expect((await client.search('gate code QX7731', { userId: 'ana' }))[0]?.id).toBe(texts[0]);
  });

  it('finds the new words of an edited message, and the old ones no more (contract §4.5)', async () => {
    const thread = await api.client.createThread({ userId: 'bea' });
    const { ids } = await thread.addMessages([{ role: 'user', content: 'zanzibar spices' }]);
    const near = async (query: string) => (await thread.search(query))[0]?.distance ?? 2;
    const before = await near('zanzibar');
    await thread.updateMessage(ids[0] ?? '', { content: 'lisbon trams' });
    expect(await near('lisbon')).toBeCloseTo(before, 5);
    expect(await near('zanzibar')).toBeGreaterThan(before + 0.2);
  });

  it('fails loudly when its text index is gone, unless it never asks it', async () => {
    await api.client.addMemory('The gate is green.', { userId: 'cleo' });
    const session = api.emulator.engine.openSession();
    try {
      const { rows } = await session.execute(
        "SELECT i.index_name FROM user_indexes i WHERE i.table_name = 'MEMORY_CHUNK' AND i.index_type = 'DOMAIN'",
        [],
      );
      expect(rows).toHaveLength(strategy === 'vector' ? 0 : 1);
      for (const [name] of rows) await session.execute(`DROP INDEX ${String(name)}`, []);
    } finally {
      await session.close();
    }
    const search = api.client.search('gate', { userId: 'cleo' });
    if (strategy === 'vector') expect(await search).toHaveLength(1);
    else await expect(search).rejects.toMatchObject({ code: 'unavailable' });
  });
});
