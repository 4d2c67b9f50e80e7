import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AgentMemoryApi, ThreadApi } from '../../lib/schemas/agent-memory-api.ts';
import { createScriptedLlm, type ScriptedLlm } from '../../lib/testing/index.ts';
import { openEmulatedMemory } from './emulated-memory.ts';
import { extracted } from './test-context.ts';

const OLD = 'User lives in Lisbon by the river';
const NEW = 'User lives in Porto by the river';

/** What the prompt of the latest call of this purpose shows the model. */
function shownBy(llm: ScriptedLlm, purpose: string): string {
  return llm.calls.findLast((call) => call.purpose === purpose)?.messages[1]?.content ?? '';
}

describe('a superseded memory (contract §8.4, §9.1)', () => {
  let memory: AgentMemoryApi;
  let thread: ThreadApi;
  let oldId = '';
  let newId = '';
  const llm = createScriptedLlm(({ purpose, messages }) => {
    if (purpose !== 'memory_extraction') return { summary: 'They talk.', topics: ['home'] };
    const prompt = messages[1]?.content ?? '';
    if (prompt.includes('I moved')) return { memories: [extracted(NEW, { supersedes: [oldId] })] };
    return { memories: prompt.includes('I live') ? [extracted(OLD)] : [] };
  });

  beforeAll(async () => {
    memory = (await openEmulatedMemory(llm)).memory;
    thread = await memory.createThread({ userId: 'u', agentId: 'a' });
    const say = async (content: string) => {
      const { extraction } = await thread.addMessages([{ role: 'user', content }]);
      return extraction.memoryIds?.[0] ?? '';
    };
    oldId = await say('I live in Lisbon by the river');
    newId = await say('I moved to Porto by the river');
  });
  afterAll(() => memory?.close());

  it('was shown to the model that corrected it', () => {
    expect(shownBy(llm, 'memory_extraction')).toContain(`"id":"${oldId}"`);
  });

  it('is kept and says so', async () => {
    expect(await memory.getMemory(oldId)).toMatchObject({ content: OLD, status: 'superseded' });
    expect(await memory.getMemory(newId)).toMatchObject({ content: NEW, status: 'active' });
    expect((await memory.listMemories({ userId: 'u' })).items.map(({ id }) => id)).toEqual([newId]);
  });

  it('is in no search, however near', async () => {
    const found = await memory.search(OLD, { userId: 'u', recordTypes: ['fact'] });
    expect(found.map(({ id }) => id)).toEqual([newId]);
    expect((await thread.search(OLD, { recordTypes: ['fact'] })).map(({ id }) => id)).toEqual([newId]);
  });

  it('is in no later prompt', async () => {
    await thread.addMessages([{ role: 'user', content: 'What is by the river?' }]);
    const prompt = shownBy(llm, 'memory_extraction');
    expect(prompt).toContain(NEW);
    expect(prompt).not.toContain(OLD);
    expect(prompt).not.toContain(oldId);
  });

  it('is in no card and not in the prompt of one', async () => {
    const card = await thread.getContextCard({ maxRelevantResults: 100 });
    expect(card.relevantResults.map(({ id }) => id)).toEqual([newId]);
    expect(card.content).not.toContain(OLD);
    expect(shownBy(llm, 'context_card')).not.toContain(OLD);
  });
});
