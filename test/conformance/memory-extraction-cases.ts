import { expect } from 'vitest';
import { type MemoryCase, type MemoryStage, plainThread } from './memory-stage.ts';

const HOME = { role: 'user', content: 'I live in Lisbon.' };

function extractingThread(stage: MemoryStage, name = 'thread') {
  return plainThread(stage, { threadId: stage.id(name), extraction: { extractMemories: true } });
}

/** These run with the rule-based model, which every runtime can hold. */
export const EXTRACTION_CASES: Readonly<Record<string, MemoryCase>> = {
  'addMessages extracts before it returns, and says what it wrote (contract §8.3)': async (stage) => {
    const thread = await extractingThread(stage);
    const { ids, extraction } = await thread.addMessages([HOME]);
    expect(extraction).toMatchObject({ status: 'completed', jobId: expect.any(String) });
    const [memoryId = ''] = extraction.memoryIds ?? [];
    expect(await stage.memory.getMemory(memoryId)).toMatchObject({
      content: expect.stringContaining('Lisbon'),
      userId: stage.id('user'),
      agentId: stage.id('agent'),
      threadId: thread.threadId,
      metadata: {
        $agent_memory: {
          importance: expect.any(Number),
          sourceMessageIds: ids,
          jobId: extraction.jobId,
        },
      },
    });
  },

  'what one conversation taught, the next one knows (contract §8.4, §9.1)': async (stage) => {
    const first = await extractingThread(stage);
    await first.addMessages([HOME]);
    const next = await extractingThread(stage, 'next');
    const found = await next.search('Where does the user live?', { recordTypes: ['memory', 'fact'] });
    expect(found.map((result) => result.content)).toEqual([expect.stringContaining('Lisbon')]);
    await next.addMessages([{ role: 'user', content: 'What is there to see in Lisbon, where I live?' }]);
    const card = await next.getContextCard();
    expect(card.relevantResults.map((result) => result.content)).toContainEqual(
      expect.stringContaining('Lisbon'),
    );
  },

  'the same statement again is no second memory (contract §8.4)': async (stage) => {
    const thread = await extractingThread(stage);
    const first = await thread.addMessages([HOME]);
    const second = await thread.addMessages([HOME]);
    expect(first.extraction.memoryIds).toHaveLength(1);
    expect(second.extraction).toMatchObject({ status: 'completed', memoryIds: [] });
  },

  'a statement said again in another thread is no second memory (contract §8.4)': async (stage) => {
    await (await extractingThread(stage)).addMessages([HOME]);
    const other = await extractingThread(stage, 'other');
    const again = await other.addMessages([{ role: 'user', content: 'As I said, I live in Lisbon!' }]);
    expect(again.extraction).toMatchObject({ status: 'completed', memoryIds: [] });
  },

  'a corrected statement leaves searches and cards (contract §8.4, §9.1)': async (stage) => {
    const thread = await extractingThread(stage);
    const first = await thread.addMessages([HOME]);
    const [old = ''] = first.extraction.memoryIds ?? [];
    const second = await thread.addMessages([{ role: 'user', content: 'I moved. I live in Porto now.' }]);
    expect(second.extraction.memoryIds).toHaveLength(1);
    expect(await stage.memory.getMemory(old)).toMatchObject({ status: 'superseded' });
    const found = await thread.search('Where does the user live?', { recordTypes: ['fact', 'memory'] });
    expect(found.map((result) => result.id)).not.toContain(old);
    const card = await thread.getContextCard();
    expect(card.relevantResults.map((result) => result.id)).toEqual(second.extraction.memoryIds);
  },

  'a context card in a message is not read again (contract §8.4, §9.2)': async (stage) => {
    const thread = await extractingThread(stage);
    await thread.addMessages([HOME]);
    const { content } = await thread.getContextCard();
    const echo = await thread.addMessages([{ role: 'user', content: `What you know of me:\n${content}` }]);
    expect(echo.extraction).toMatchObject({ status: 'completed', memoryIds: [] });
    const [, stored] = await thread.getMessages();
    expect(stored?.content).toContain('<context_card>');
  },

  'frequency counts messages, not calls (contract §8.1, D1)': async (stage) => {
    const thread = await plainThread(stage, {
      extraction: { extractMemories: true, memoryExtractionFrequency: 2 },
    });
    const first = await thread.addMessages([HOME]);
    expect(first.extraction).toEqual({ status: 'none', jobId: null });
    const second = await thread.addMessages([{ role: 'assistant', content: 'Noted.' }]);
    expect(second.extraction.status).toBe('completed');
    expect(second.extraction.memoryIds).toHaveLength(1);
  },

  'system and tool messages are stored, not mined (contract §8.4)': async (stage) => {
    const thread = await extractingThread(stage);
    const { extraction } = await thread.addMessages([
      { role: 'system', content: 'I live in Lisbon.' },
      { role: 'tool', content: 'I like green tea.' },
    ]);
    expect(extraction).toMatchObject({ status: 'completed', memoryIds: [] });
    expect(await thread.getMessages()).toHaveLength(2);
  },

  'metadata that disagrees fails the pass by its keys, the messages stay (contract §8.2, D19)': async (
    stage,
  ) => {
    const thread = await extractingThread(stage);
    const { extraction } = await thread.addMessages([HOME, { ...HOME, content: 'I like green tea.' }], {
      metadata: [{ project: 'a' }, { project: 'b' }],
    });
    expect(extraction).toMatchObject({
      status: 'failed',
      reason: { code: 'invalid_request', detail: expect.stringContaining('project') },
    });
    expect(await thread.getMessages()).toHaveLength(2);
  },

  'every memory says where it comes from, how much it matters and what made it (contract §8.4)': async (
    stage,
  ) => {
    const thread = await extractingThread(stage);
    const { ids, extraction } = await thread.addMessages([
      { role: 'assistant', content: 'What do you like?' },
      { role: 'user', content: 'I like green tea.' },
      { role: 'user', content: 'I am allergic to peanuts.' },
    ]);
    const memories = await Promise.all((extraction.memoryIds ?? []).map((id) => stage.memory.getMemory(id)));
    expect(memories.map((memory) => memory.recordType).toSorted()).toEqual(['fact', 'preference']);
    for (const { content, metadata } of memories) {
      expect(metadata).toEqual({
        $agent_memory: {
          importance: expect.any(Number),
          entities: expect.any(Array),
          extraction_id: expect.stringMatching(/^[a-z0-9-]+$/),
          sourceMessageIds: [content?.includes('tea') ? ids[1] : ids[2]],
          jobId: extraction.jobId,
          model: expect.stringMatching(/./),
        },
      });
    }
  },

  'a pass takes two model calls, without a running summary one (contract §8.4)': async (stage) => {
    const callsOf = async (name: string, enableContextSummary: boolean) => {
      const thread = await plainThread(stage, {
        threadId: stage.id(name),
        extraction: { extractMemories: true, enableContextSummary },
      });
      const { extraction } = await thread.addMessages([HOME]);
      return (await stage.memory.getJob(extraction.jobId ?? '')).llmCalls;
    };
    expect(await callsOf('with', true)).toBe(2);
    expect(await callsOf('without', false)).toBe(1);
  },

  'a memory stays in the language of its message (contract §8.4)': async (stage) => {
    const thread = await extractingThread(stage);
    const { extraction } = await thread.addMessages([{ role: 'user', content: '私は抹茶が大好きです。' }]);
    const [memoryId = ''] = extraction.memoryIds ?? [];
    expect((await stage.memory.getMemory(memoryId)).content).toMatch(/抹茶(?!.*[a-zA-Z])/);
  },

  'the counters of a thread go on in whatever handle writes next (contract §8.4)': async (stage) => {
    await plainThread(stage, { extraction: { extractMemories: true, memoryExtractionFrequency: 2 } });
    const statuses: string[] = [];
    for (let message = 0; message < 4; message += 1) {
      const handle = await stage.memory.getThread(stage.id('thread'));
      const content = `I own boat number ${message}.`;
      statuses.push((await handle.addMessages([{ role: 'user', content }])).extraction.status);
    }
    expect(statuses).toEqual(['none', 'completed', 'none', 'completed']);
  },
};
