import { describe, expect, it } from 'vitest';
import { addMemory, addThreadMemory } from '../../lib/memory/memories.ts';
import { addUser } from '../../lib/memory/profiles.ts';
import { search, searchThread } from '../../lib/memory/search.ts';
import { createThread } from '../../lib/memory/threads.ts';
import { createTestContext, type TestContextOptions } from './test-context.ts';

async function setUp(options: TestContextOptions = {}) {
  const fakes = createTestContext(options);
  await createThread(fakes.context, { threadId: 't', userId: 'u', agentId: 'a' });
  return fakes;
}

describe('searchThread', () => {
  it('asks the store for the ten nearest of all types in the thread scope (contract §5, §6.1)', async () => {
    const { context, store } = await setUp();
    await searchThread(context, 't', { query: 'tea' });
    expect(store.searches).toEqual([
      expect.objectContaining({
        threadId: 't',
        scope: {
          user: { kind: 'exact_of_thread' },
          agent: { kind: 'exact_of_thread' },
          thread: { kind: 'boost_of_thread' },
        },
        maxResults: 10,
        recordTypes: [
          'message',
          'memory',
          'fact',
          'preference',
          'guideline',
          'user_profile',
          'agent_profile',
        ],
        metadataFilter: null,
        minimums: {},
      }),
    ]);
  });

  it('costs one round trip and one query embedding', async () => {
    const { context, store, embedder } = await setUp();
    await searchThread(context, 't', { query: 'tea' });
    expect(store.calls.slice(1)).toEqual(['search']);
    expect(embedder.calls.map((call) => [call.purpose, call.texts])).toEqual([['query', ['tea']]]);
  });

  it('answers not_found for an unknown thread', async () => {
    const { context } = await setUp();
    await expect(searchThread(context, 'nobody', { query: 'tea' })).rejects.toMatchObject({
      code: 'not_found',
    });
  });

  it('passes on types without repetition, filter and count', async () => {
    const { context, store } = await setUp();
    const metadataFilter = { topic: 'tea' };
    await searchThread(context, 't', {
      query: 'tea',
      recordTypes: ['fact', 'memory', 'fact'],
      metadataFilter,
      maxResults: 3,
    });
    expect(store.searches[0]).toMatchObject({
      recordTypes: ['fact', 'memory'],
      metadataFilter,
      maxResults: 3,
    });
  });

  it('cuts a query to what the embedder takes', async () => {
    const fakes = await setUp();
    const limits = { ...fakes.embedder.limits, maxInputTokens: 2 };
    const context = { ...fakes.context, embedder: { ...fakes.embedder, limits } };
    await searchThread(context, 't', { query: '  a b c d' });
    expect(fakes.embedder.calls.map((call) => call.texts)).toEqual([['a b']]);
  });

  it('searches by text on a keyword store (contract §12)', async () => {
    const { context, store, embedder } = await setUp({ settings: { searchStrategy: 'keyword' } });
    await searchThread(context, 't', { query: 'green tea' });
    expect(store.searches[0]?.query).toEqual({ strategy: 'keyword', text: 'green tea' });
    expect(embedder.calls).toEqual([]);
  });

  it('is unsupported on a vector store without embedder (contract §12)', async () => {
    const { context } = await setUp({ context: { embedder: undefined } });
    await expect(searchThread(context, 't', { query: 'tea' })).rejects.toMatchObject({ code: 'unsupported' });
  });
});

describe('results (contract §6.2, D4)', () => {
  it('show the record and its XML element', async () => {
    const { context } = await setUp();
    const timestamp = '2026-02-02T02:02:02.000Z';
    const content = 'tea & <cake>';
    await addThreadMemory(context, 't', { content, memoryType: 'preference', memoryId: 'm', timestamp });
    const { results } = await searchThread(context, 't', { query: 'tea' });
    expect(results).toEqual([
      {
        id: 'm',
        recordType: 'preference',
        content,
        formattedContent: `<preference>
  <timestamp>${timestamp}</timestamp>
  <content>tea &amp; &lt;cake&gt;</content>
</preference>`,
        distance: expect.any(Number),
        timestamp,
        metadata: {},
        record: expect.objectContaining({ id: 'm', userId: 'u', threadId: 't' }),
      },
    ]);
  });
});

describe('search (contract §5)', () => {
  it('sees one user, or with null what belongs to no user', async () => {
    const { context } = await setUp();
    await addMemory(context, { content: 'tea', memoryId: 'mine', userId: 'u' });
    await addMemory(context, { content: 'tea', memoryId: 'theirs', userId: 'u2' });
    await addUser(context, { userId: 'u', information: 'drinks tea' });
    const idsOf = async (userId: string | null) =>
      (await search(context, { query: 'tea', userId })).results.map((result) => result.id);
    expect(await idsOf('u')).toEqual(['mine']);
    expect(await idsOf(null)).toEqual(['u']);
  });

  it('needs the user before it embeds or reads anything', async () => {
    const { context, store, embedder } = await setUp();
    await expect(search(context, { query: 'tea' })).rejects.toMatchObject({
      code: 'invalid_request',
      issues: [{ path: 'userId' }],
    });
    expect([store.searches, embedder.calls]).toEqual([[], []]);
  });
});
