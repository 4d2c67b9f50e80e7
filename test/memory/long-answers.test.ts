import { describe, expect, it } from 'vitest';
import { addMessages } from '../../lib/memory/messages.ts';
import { createThread } from '../../lib/memory/threads.ts';
import { createTestContext, extracted, extractionScript } from './test-context.ts';

/** Runs one extraction whose model answers with these items. */
async function extractItems(items: readonly unknown[]) {
  const { context, store, embedder } = createTestContext({ script: extractionScript({ memories: items }) });
  await createThread(context, { threadId: 't' });
  const messages = [{ id: 'm1', role: 'user', content: 'A long story' }];
  const { extraction } = await addMessages(context, 't', { messages });
  const contents = store
    .records()
    .flatMap(({ family, record }) => (family === 'memory' ? [record.content ?? ''] : []));
  return { extraction, contents, embedder, outcome: store.jobs.get(extraction.jobId ?? '')?.outcome };
}

const numbered = (count: number) =>
  Array.from({ length: count }, (_, index) => extracted(`Fact number ${index}`));

describe('long answers (contract §8.4; HTTP API contract, Model contract)', () => {
  it('of 300 memories are stored whole, in one write', async () => {
    const { extraction, contents, outcome } = await extractItems(numbered(300));
    expect(extraction.status).toBe('completed');
    expect(extraction).not.toHaveProperty('reason');
    expect(extraction.memoryIds).toHaveLength(300);
    expect(new Set(contents).size).toBe(300);
    expect(outcome?.memories).toHaveLength(300);
  });

  it('of 50 related facts leave 50 memories', async () => {
    const rooms = Array.from({ length: 50 }, (_, index) =>
      extracted(`Room ${index + 1} of the hotel has ${index + 2} beds`),
    );
    const { contents } = await extractItems(rooms);
    expect(contents).toHaveLength(50);
  });

  it('lose their degenerate items, and the counts say so', async () => {
    const items = [...numbered(50), ...['...', '-', '', '？'].map((content) => extracted(content))];
    const { contents, extraction } = await extractItems(items);
    expect(contents).toHaveLength(50);
    expect(extraction.reason).toEqual({
      code: 'unusable_items',
      detail: expect.stringContaining('4 items were dropped'),
    });
  });

  it('are kept up to 500 items; the rest is counted as dropped', async () => {
    const { contents, extraction } = await extractItems(numbered(620));
    expect(contents).toHaveLength(500);
    expect(extraction.reason?.detail).toContain('120 items were dropped');
  });

  it('have contents of at most 2,000 characters: a longer one is cut and counted', async () => {
    const { contents, extraction } = await extractItems([
      extracted('x'.repeat(2_000)),
      extracted('😀 y'.repeat(100_000)),
    ]);
    expect(contents.map((content) => content.length)).toEqual([2_000, 2_000]);
    expect(contents[1]?.endsWith('…') && contents[1].isWellFormed()).toBe(true);
    expect(extraction.reason?.detail).toContain('1 contents shortened');
  });
});
