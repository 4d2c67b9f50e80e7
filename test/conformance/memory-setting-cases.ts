import { expect } from 'vitest';
import type { MemoryExtractionConfig } from '../../lib/schemas/extraction.ts';
import { type MemoryCase, type MemoryStage, plainThread } from './memory-stage.ts';

const HOME = { role: 'user', content: 'I live in Lisbon.' };

/** Metadata of the one memory that this thread makes of messages that all have the metadata. */
async function inheritedBy(
  stage: MemoryStage,
  name: string,
  inherit: MemoryExtractionConfig['memoryExtractionInheritMessageMetadata'],
) {
  const thread = await plainThread(stage, {
    threadId: stage.id(name),
    userId: stage.id(name),
    extraction: { extractMemories: true, memoryExtractionInheritMessageMetadata: inherit },
  });
  const { extraction } = await thread.addMessages([HOME, { role: 'assistant', content: 'Noted.' }], {
    metadata: { project: { code: 7 }, tags: ['a', 'b'], empty: null },
  });
  const [memoryId = ''] = extraction.memoryIds ?? [];
  const { $agent_memory: bookkeeping, ...own } = (await stage.memory.getMemory(memoryId)).metadata;
  expect(bookkeeping).toEqual(expect.objectContaining({ jobId: extraction.jobId }));
  return own;
}

/** The extraction settings of a thread and what they do. */
export const SETTING_CASES: Readonly<Record<string, MemoryCase>> = {
  'a thread without extraction settings has the documented ones (contract §8.1, D9)': async (stage) => {
    const thread = await plainThread(stage, { extraction: {} });
    const defaults = {
      extractMemories: true,
      extractionMode: 'inline',
      memoryExtractionFrequency: -1,
      memoryExtractionWindow: -1,
      memoryExtractionTokenLimit: 32_000,
      enableContextSummary: true,
      contextSummaryUpdateFrequency: -1,
      memoryExtractionCustomInstructions: null,
      memoryExtractionInheritMessageMetadata: true,
      backgroundExtractionQueueFullBehavior: 'wait_then_drop',
      backgroundExtractionQueuePutTimeoutSeconds: 5,
    };
    expect(thread.extraction).toEqual(defaults);
    expect((await stage.memory.getThread(thread.threadId)).extraction).toEqual(defaults);
  },

  'settings out of range are refused by name (contract §8.1)': async (stage) => {
    const wrong: readonly object[] = [
      { extractMemories: 'true' },
      { extractionMode: 'INLINE' },
      { memoryExtractionFrequency: 0 },
      { memoryExtractionFrequency: -2 },
      { memoryExtractionFrequency: 1.5 },
      { memoryExtractionWindow: 0 },
      { memoryExtractionWindow: null },
      { memoryExtractionTokenLimit: 0.5 },
      { contextSummaryUpdateFrequency: 0 },
      { enableContextSummary: 1 },
      { memoryExtractionCustomInstructions: '' },
      { memoryExtractionInheritMessageMetadata: 'project' },
      { memoryExtractionInheritMessageMetadata: [1] },
      { backgroundExtractionQueueFullBehavior: 'wait' },
      { backgroundExtractionQueuePutTimeoutSeconds: -1 },
      { window: 4 },
    ];
    for (const extraction of wrong) {
      const [key = ''] = Object.keys(extraction);
      const error = await stage.memory.createThread({ extraction }).then(
        () => undefined,
        (reason: unknown) => reason,
      );
      expect(error, JSON.stringify(extraction)).toMatchObject({ code: 'invalid_request' });
      expect(JSON.stringify(error), key).toContain(`extraction.${key}`);
    }
  },

  'a pass waits for its frequency over calls of any size, its summary for another (contract §8.1)': async (
    stage,
  ) => {
    const thread = await plainThread(stage, {
      extraction: {
        extractMemories: true,
        memoryExtractionFrequency: 3,
        contextSummaryUpdateFrequency: 6,
      },
    });
    const calls: (number | null)[] = [];
    for (const count of [2, 1, 5, 1, 3]) {
      const messages = Array.from({ length: count }, (_, index) => ({
        role: 'user',
        content: `I own boat number ${calls.length * 10 + index}.`,
      }));
      const { extraction } = await thread.addMessages(messages);
      const job = extraction.jobId === null ? undefined : await stage.memory.getJob(extraction.jobId);
      calls.push(job === undefined ? null : job.messageIds.length * 10 + job.llmCalls);
    }
    expect(calls).toEqual([null, 31, 52, null, 41]);
  },

  'a window smaller than what is due leaves the oldest due messages out (contract §8.1)': async (stage) => {
    const thread = await plainThread(stage, {
      extraction: { extractMemories: true, memoryExtractionWindow: 2 },
    });
    const { extraction } = await thread.addMessages(
      ['I own a zeppelin.', 'I own a submarine.', 'I own a tractor.'].map((content) => ({
        role: 'user',
        content,
      })),
    );
    const memories = await Promise.all((extraction.memoryIds ?? []).map((id) => stage.memory.getMemory(id)));
    const text = memories.map((memory) => memory.content).join(' ');
    expect(text).toMatch(/(?=.*submarine)(?=.*tractor)/);
    expect(text).not.toContain('zeppelin');
  },

  'memories take over all keys of their messages, the listed ones or none (contract §8.2)': async (stage) => {
    const all = { project: { code: 7 }, tags: ['a', 'b'], empty: null };
    expect(await inheritedBy(stage, 'default', undefined)).toEqual(all);
    expect(await inheritedBy(stage, 'all', true)).toEqual(all);
    expect(await inheritedBy(stage, 'listed', ['project', 'empty', 'absent'])).toEqual({
      project: { code: 7 },
      empty: null,
    });
    expect(await inheritedBy(stage, 'none', false)).toEqual({});
    expect(await inheritedBy(stage, 'empty list', [])).toEqual({});
  },

  'only the keys that are selected must agree (contract §8.2, D19)': async (stage) => {
    const thread = await plainThread(stage, {
      extraction: { extractMemories: true, memoryExtractionInheritMessageMetadata: ['project'] },
    });
    const agreeing = await thread.addMessages([HOME, { ...HOME, content: 'I like green tea.' }], {
      metadata: [
        { project: 'a', turn: 1 },
        { project: 'a', turn: 2 },
      ],
    });
    expect(agreeing.extraction).toMatchObject({ status: 'completed' });
    const missing = await thread.addMessages([HOME, { ...HOME, content: 'I row.' }], {
      metadata: [{ project: 'a' }, { turn: 4 }],
    });
    expect(missing.extraction).toMatchObject({
      status: 'failed',
      reason: { code: 'invalid_request', detail: expect.stringMatching(/"project"(?!.*turn)/) },
    });
    expect(await thread.getMessages()).toHaveLength(4);
  },

  'earlier messages of the window need not agree with the due ones (contract §8.2, D19)': async (stage) => {
    const thread = await plainThread(stage, {
      extraction: { extractMemories: true, memoryExtractionWindow: 4 },
    });
    await thread.addMessages([{ role: 'user', content: 'I row.' }], { metadata: { project: 'a' } });
    const { extraction } = await thread.addMessages([HOME], { metadata: { project: 'b' } });
    expect(extraction).toMatchObject({ status: 'completed' });
    const [memoryId = ''] = extraction.memoryIds ?? [];
    expect((await stage.memory.getMemory(memoryId)).metadata).toMatchObject({ project: 'b' });
  },
};
