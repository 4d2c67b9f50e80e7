import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createOracleDatabaseEmbedder } from '../../lib/models/oracle-database-embedder.ts';
import { createRulesLlm } from '../../lib/models/rules/rules-llm.ts';
import { memoryCases } from '../conformance/memory-cases.ts';
import { type EmulatedMemory, openEmulatedMemory } from './emulated-memory.ts';
import { createTestContext } from './test-context.ts';

memoryCases(
  'the in-process library and a model in the database',
  async () => (await openEmulatedMemory(createRulesLlm(), { embedsInDatabase: true })).memory,
  [
    {
      test: 'chunks of the caller are never chunked again, a long text is (contract §10.3, D13)',
      reason: 'a model in the database takes 4,000 bytes at once, and that chunk is refused instead',
    },
  ],
);

describe('a model in the database (contract §13)', () => {
  let opened: EmulatedMemory;
  beforeAll(async () => {
    opened = await openEmulatedMemory(createRulesLlm(), { searchStrategy: 'hybrid', embedsInDatabase: true });
  });
  afterAll(() => opened?.memory.close());

  const ids = async (strategy: 'vector' | 'keyword' | 'hybrid', query: string, userId: string) =>
    (await opened.with(strategy).search(query, { userId, maxResults: 2 })).map(({ id }) => id);

  it('finds by meaning and by words what it wrote, in one round trip each', async () => {
    const { memory, transport } = opened;
    const before = transport.roundTrips;
    await memory.addMemory('the kettle is blue', { userId: 'ana', memoryId: 'kettle' });
    await memory.addMemory('rain falls in spring', { userId: 'ana', memoryId: 'rain' });
    expect(transport.roundTrips - before).toBe(2);
    for (const strategy of ['vector', 'hybrid'] as const) {
      const start = transport.roundTrips;
      expect(await ids(strategy, 'a blue kettle', 'ana')).toEqual(['kettle', 'rain']);
      expect(transport.roundTrips - start).toBe(1);
    }
    expect(await ids('keyword', 'kettle', 'ana')).toEqual(['kettle']);
  });

  it('embeds new content again, and a text of Japanese as it was written', async () => {
    const { memory } = opened;
    await memory.addMemory('first words', { userId: 'update', memoryId: 'changed' });
    await memory.addMemory('東京タワー', { userId: 'update', memoryId: 'tower' });
    await memory.updateMemory('changed', { content: 'other phrase entirely' });
    const [nearest] = await opened.with('vector').search('other phrase entirely', { userId: 'update' });
    expect(nearest).toMatchObject({ id: 'changed', distance: expect.closeTo(0, 5) });
    const [tower] = await opened.with('vector').search('東京タワー', { userId: 'update' });
    expect(tower).toMatchObject({ id: 'tower', distance: expect.closeTo(0, 5) });
  });

  it('cuts a text into chunks that the model takes, also one of few tokens and many bytes', async () => {
    const { memory } = opened;
    const long = `${'word '.repeat(300)}needle ${'-'.repeat(20_000)} ${'🏔'.repeat(3_000)}`;
    await memory.addMemory(long, { userId: 'long', memoryId: 'long' });
    const [found] = await opened.with('vector').search('needle', { userId: 'long' });
    expect(found).toMatchObject({ id: 'long', content: long });
    expect(await ids('vector', long, 'long')).toEqual(['long']);
  });

  it('refuses a chunk of the caller that is too long for the model, and writes nothing', async () => {
    const add = (text: string) =>
      opened.memory.records.add({
        recordType: 'memory',
        contents: ['text'],
        recordIds: ['too-long'],
        userIds: 'refused',
        indexTexts: [['fits', text]],
      });
    for (const text of ['a b '.repeat(600), 'é'.repeat(2_001)]) {
      await expect(add(text)).rejects.toMatchObject({
        code: 'payload_too_large',
        issues: [{ path: 'indexTexts[0][1]' }],
      });
    }
    expect(await ids('keyword', 'text fits word', 'refused')).toEqual([]);
  });

  it('writes the vectors of a caller as they are, beside texts that it embeds', async () => {
    const vector = Array.from({ length: 256 }, (_, index) => (index === 7 ? 1 : 0));
    await opened.memory.records.add({
      recordType: 'memory',
      contents: ['given', 'derived'],
      recordIds: ['given', 'derived'],
      userIds: 'given',
      embeddings: [vector, null],
    });
    const [first] = await opened.memory.records.search({
      queryVector: vector,
      k: 1,
      userId: 'given',
      exactUserMatch: true,
    });
    expect(first).toMatchObject({ id: 'given', distance: expect.closeTo(0, 5) });
    const [second] = await opened.with('vector').search('derived', { userId: 'given' });
    expect(second).toMatchObject({ id: 'derived', distance: expect.closeTo(0, 5) });
  });
});

it('a store that names no model, or another one, takes no text to embed', async () => {
  const embedder = createOracleDatabaseEmbedder({ model: 'a_model', dimensions: 256 });
  const { memory } = createTestContext({ context: { embedder } });
  await expect(memory.addMemory('text', { userId: 'ana' })).rejects.toMatchObject({ code: 'internal' });
});
