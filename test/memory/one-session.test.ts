import { setImmediate } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { AgentMemoryApi, ThreadApi } from '../../lib/schemas/agent-memory-api.ts';
import type { SqlTransport } from '../../lib/sql/sql-transport.ts';
import { createScriptedLlm } from '../../lib/testing/index.ts';
import { openEmulatedMemory } from './emulated-memory.ts';
import { extracted } from './test-context.ts';

const open = new Set<string>();
const overlaps: string[] = [];
const finished: string[] = [];

/** Runs work that takes several turns of the event loop and notes what is under way beside it. */
async function alone<Result>(name: string, work: () => Promise<Result>): Promise<Result> {
  overlaps.push(...[...open].map((other) => `${name} beside ${other}`));
  open.add(name);
  try {
    for (let turn = 0; turn < 5; turn += 1) await setImmediate();
    return await work();
  } finally {
    open.delete(name);
    finished.push(name);
  }
}

/** A database with one session: what comes while it is taken is an overlap. */
function withOneSession(transport: SqlTransport): SqlTransport {
  return {
    ...transport,
    query: (query, options) => alone('database', () => transport.query(query, options)),
    executeAtomic: (list, options) => alone('database', () => transport.executeAtomic(list, options)),
  };
}

describe('no model is called while a database session is held (contract D2, §8.3)', () => {
  let memory: AgentMemoryApi;
  let thread: ThreadApi;
  beforeAll(async () => {
    const answers = { memory_extraction: { memories: [extracted('User likes tea')] } };
    const broken = new Set<string>();
    const llm = createScriptedLlm(({ purpose }) =>
      alone(purpose, async () => {
        const isFirst = !broken.has(purpose);
        broken.add(purpose);
        if (isFirst) return 'not the JSON that was asked for';
        return purpose === 'memory_extraction'
          ? answers.memory_extraction
          : { summary: 'Tea.', topics: ['tea'], content: 'tea' };
      }),
    );
    const opened = await openEmulatedMemory(llm, {
      wrapTransport: withOneSession,
      wrapEmbedder: (embedder) => ({
        ...embedder,
        embed: (call) => alone('embedder', () => embedder.embed(call)),
      }),
    });
    memory = opened.memory;
    thread = await memory.createThread({ userId: 'u', agentId: 'a', maxMessageTokenLength: 20 });
  });
  beforeEach(() => {
    overlaps.length = 0;
    finished.length = 0;
  });
  afterAll(() => memory?.close());

  it('by addMessages with shortening, summary, extraction and a repair of each', async () => {
    const { extraction } = await thread.addMessages([
      { role: 'user', content: `I like tea. ${'Tea! '.repeat(50)}` },
    ]);
    expect(extraction).toMatchObject({ status: 'completed', memoryIds: [expect.any(String)] });
    expect(overlaps).toEqual([]);
    expect(finished).toEqual([
      'embedder',
      'database',
      'database',
      'message_shortening',
      'message_shortening',
      'embedder',
      'database',
      'context_summary',
      'context_summary',
      'memory_extraction',
      'memory_extraction',
      'embedder',
      'database',
    ]);
  });

  it('by an edit and by a job that is run again', async () => {
    const { ids } = await thread.addMessages([
      { role: 'user', content: 'I row.', metadata: { place: 'a' } },
      { role: 'user', content: 'I ski.', metadata: { place: 'b' } },
    ]);
    const { jobs } = await thread.getExtraction();
    expect(jobs[0]?.status).toBe('failed');
    await thread.updateMessage(ids[0] ?? '', { content: 'I sail.' });
    await thread.update({ extraction: { memoryExtractionInheritMessageMetadata: false } });
    expect((await memory.retryJob(jobs[0]?.jobId ?? '')).status).toBe('succeeded');
    expect(finished.filter((name) => name === 'memory_extraction')).toHaveLength(2);
    expect(overlaps).toEqual([]);
  });

  it('by a context card with a repair', async () => {
    expect((await thread.getContextCard()).summary).toBe('Tea.');
    expect(overlaps).toEqual([]);
    expect(finished).toEqual(['database', 'embedder', 'database', 'context_card', 'context_card']);
  });

  it('by a search and a manual memory', async () => {
    await thread.addMemory('User likes rain');
    await thread.search('rain');
    expect(overlaps).toEqual([]);
    expect(finished).toEqual(['embedder', 'database', 'embedder', 'database']);
  });
});
