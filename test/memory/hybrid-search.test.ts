import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type MemoryOnEmulator, openMemoryOnEmulator } from '../../bench/memory-on-emulator.ts';
import { startApi } from '../api/api-fixture.ts';
import { paraphrasePairs } from '../models/paraphrase-pairs.ts';

describe('hybrid search with the offline embedder', () => {
  let bench: MemoryOnEmulator;
  beforeAll(async () => {
    bench = await openMemoryOnEmulator();
  });
  afterAll(() => bench?.close());

  const find = async (strategy: 'keyword' | 'vector' | 'hybrid', userId: string, query: string) =>
    (await bench.with(strategy).search(query, { userId, maxResults: 3 })).map(({ id }) => id);

  it('has nearly every paraphrase among the first three of 40, where keyword search has hardly any', async () => {
    const memory = bench.with('hybrid');
    for (const [index, [statement]] of paraphrasePairs.entries()) {
      await memory.addMemory(statement, { memoryId: `statement ${index}`, userId: 'paraphrases' });
    }
    const count = async (strategy: 'keyword' | 'hybrid') => {
      let found = 0;
      for (const [index, [, paraphrase]] of paraphrasePairs.entries()) {
        const ids = await find(strategy, 'paraphrases', paraphrase);
        if (ids.includes(`statement ${index}`)) found += 1;
      }
      return found;
    };
    expect(await count('hybrid')).toBeGreaterThanOrEqual(36);
    expect(await count('keyword')).toBeLessThan(10);
  });

  it('has a rare token first among 200 sentences that differ by one word', async () => {
    const thread = await bench.with('hybrid').createThread({
      userId: 'tokens',
      extraction: { extractMemories: false },
    });
    await thread.addMessages(
      Array.from({ length: 200 }, (_, index) => ({
        id: `message ${index}`,
        role: 'user',
        content: `The order number is ${index === 120 ? 'ZX-81907' : `ZX-${10_000 + index * 37}`} and it ships on Monday.`,
      })),
    );
    const query = 'When does order ZX-81907 ship?';
    expect((await find('hybrid', 'tokens', query))[0]).toBe('message 120');
    expect((await find('keyword', 'tokens', query))[0]).toBe('message 120');
  });
});

it('is a setting of the service, which names it when it is ready', async () => {
  const api = await startApi({ variables: { SEARCH_STRATEGY: 'hybrid' } });
  try {
    expect(await (await api.app.request('/health/ready')).json()).toMatchObject({ strategy: 'hybrid' });
    await api.client.addMemory('The code of the gate is QX7731.', { userId: 'ana', memoryId: 'gate' });
    await api.client.addMemory('The gate is green.', { userId: 'ana', memoryId: 'colour' });
    const [first] = await api.client.search('QX7731', { userId: 'ana' });
    expect(first).toMatchObject({ id: 'gate' });
    expect(await api.client.search('QX7731', { userId: 'bob' })).toEqual([]);
  } finally {
    await api.close();
  }
});
