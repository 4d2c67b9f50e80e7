import { describe, expect, it } from 'vitest';
import { loadLocalEmbedder } from '../../infra/local/models/load-local-embedder.ts';
import { addMemory } from '../../lib/memory/memories.ts';
import type { MemoryContext } from '../../lib/memory/memory-context.ts';
import { addMessages } from '../../lib/memory/messages.ts';
import { createThread, updateThread } from '../../lib/memory/threads.ts';
import { createTestContext, extracted, extractionScript } from './test-context.ts';

async function setUp(answers: readonly object[], context: Partial<MemoryContext> = {}) {
  const fakes = createTestContext({ script: extractionScript(...answers), context });
  await createThread(fakes.context, { threadId: 't', userId: 'u', agentId: 'a' });
  const say = (...contents: readonly string[]) =>
    addMessages(fakes.context, 't', { messages: contents.map((content) => ({ role: 'user', content })) });
  const contents = () =>
    fakes.store.records().flatMap(({ family, record }) => (family === 'memory' ? [record.content] : []));
  return { ...fakes, say, contents };
}

const withMeaning = { embedder: loadLocalEmbedder() };

const answer = (...contents: readonly string[]) => ({
  memories: contents.map((content) => extracted(content)),
});

describe('a statement is stored once (contract §8.4)', () => {
  it('in four wordings of one answer', async () => {
    const { say, contents } = await setUp(
      [
        answer(
          'User is allergic to peanuts',
          'The user has a peanut allergy.',
          'User has an allergy to peanuts',
          'USER IS ALLERGIC TO PEANUTS!',
        ),
      ],
      withMeaning,
    );
    await say('I am allergic to peanuts');
    expect(contents()).toEqual(['User is allergic to peanuts']);
  });

  it('in four wordings over four calls', async () => {
    const { say, contents } = await setUp(
      [
        answer('User is allergic to peanuts'),
        answer('The user has a peanut allergy.'),
        answer('User has an allergy to peanuts'),
        answer('User is allergic to peanuts'),
      ],
      withMeaning,
    );
    for (let call = 0; call < 4; call += 1) await say('I am allergic to peanuts');
    expect(contents()).toEqual(['User is allergic to peanuts']);
  });

  it('when one message repeats it five times, while neighbours stay apart', async () => {
    const { say, contents } = await setUp([
      answer(...Array(5).fill('User is allergic to peanuts'), 'User is allergic to walnuts'),
    ]);
    await say('peanuts '.repeat(5));
    expect(contents()).toEqual(['User is allergic to peanuts', 'User is allergic to walnuts']);
  });

  it('when many past memories are echoed at once, more than the model was shown', async () => {
    const many = Array.from({ length: 50 }, (_, index) => `User likes dish number ${index}`);
    const { say, contents, llm } = await setUp([answer(...many), answer(...many)]);
    await say('dish number');
    const second = await say('dish number');
    expect(second.extraction).toMatchObject({ status: 'completed', memoryIds: [] });
    expect(contents()).toEqual(many);
    expect(llm.calls[1]?.messages[1]?.content.match(/"type":"fact"/g)).toHaveLength(20);
  });

  it('for each type and owner: another type or another user is another memory', async () => {
    const { context, say, contents } = await setUp([answer('The user resides in Lisbon')]);
    const content = 'User lives in Lisbon';
    await addMemory(context, { content, memoryType: 'guideline', userId: 'u', agentId: 'a' });
    await addMemory(context, { content, memoryType: 'fact', userId: 'u2', agentId: 'a' });
    await say('I live in Lisbon');
    expect(contents()).toEqual([content, content, 'The user resides in Lisbon']);
  });

  it('beside past memories of any length and form', async () => {
    const { context, say, contents } = await setUp([
      answer('User lives in Lisbon', '. '.repeat(900).concat('x')),
    ]);
    const content = `${'.'.repeat(399_999)}x`;
    await addMemory(context, { content, memoryType: 'fact', userId: 'u', agentId: 'a' });
    await say('x');
    expect(contents()).toHaveLength(3);
  });

  it('and what a repetition would supersede stays', async () => {
    const repetition = extracted('The user has a peanut allergy', { supersedes: ['old'] });
    const { context, say, store } = await setUp([{ memories: [repetition] }], withMeaning);
    const content = 'User is allergic to peanuts';
    const owners = { userId: 'u', agentId: 'a', memoryType: 'fact' } as const;
    await addMemory(context, { content, memoryId: 'old', ...owners });
    await say('peanuts');
    expect(store.records().find(({ record }) => record.id === 'old')?.record.status).toBe('active');
  });

  it('in one embedding call with the memories that it is compared with', async () => {
    const { context, say, embedder, store } = await setUp([
      answer('The user is allergic to peanuts', 'User likes tea'),
    ]);
    const content = 'User is allergic to peanuts';
    await addMemory(context, { content, memoryType: 'fact', userId: 'u', agentId: 'a' });
    await addMemory(context, { content: 'User likes rain', memoryType: 'fact', userId: 'u', agentId: 'a' });
    const before = [embedder.calls.length, store.calls.length];
    await say('peanuts');
    expect(embedder.calls.slice(before[0]).map(({ texts }) => texts)).toEqual([
      ['peanuts'],
      ['peanuts'],
      ['The user is allergic to peanuts', 'User likes tea', content],
    ]);
    expect(store.calls.length - (before[1] ?? 0)).toBe(4);
  });

  it('also on a store without embedder, by the words alone', async () => {
    const fakes = createTestContext({
      script: extractionScript(answer('User lives in Lisbon', 'The user resides in Lisbon')),
      settings: { searchStrategy: 'keyword' },
      context: { embedder: undefined },
    });
    await createThread(fakes.context, { threadId: 't' });
    const { extraction } = await addMessages(fakes.context, 't', {
      messages: [{ role: 'user', content: 'Lisbon' }],
    });
    expect(extraction.memoryIds).toHaveLength(1);
  });

  it('when the window shows again what an earlier pass has read, and the due messages share no word with it', async () => {
    const { context, say, contents } = await setUp(
      [answer('User lives in Lisbon'), answer('User lives in Lisbon', 'User works as a baker')],
      {
        embedder: undefined,
        settings: { ...createTestContext().context.settings, searchStrategy: 'keyword' },
      },
    );
    await updateThread(context, 't', { extraction: { memoryExtractionWindow: 10 } });
    await say('I live in Lisbon');
    await say('Bread is what I bake');
    expect(contents()).toEqual(['User lives in Lisbon', 'User works as a baker']);
  });

  it('without reading more, however many there are', async () => {
    const moved = extracted('User lives in Porto', { supersedes: ['old'] });
    const { context, say, store } = await setUp([{ memories: [moved] }, answer('User likes tea')]);
    const content = 'User lives in Lisbon';
    await addMemory(context, { content, memoryId: 'old', userId: 'u', agentId: 'a' });
    await say('I moved to Porto');
    expect(store.records().find(({ record }) => record.id === 'old')?.record.status).toBe('superseded');
    const before = store.calls.length;
    await say('tea');
    expect(store.calls.slice(before)).not.toContain('readNewestMemories');
  });

  it('when there are more memories near a message than a search returns', async () => {
    const near = Array.from({ length: 110 }, (_, index) => `Harbour note ${index}`);
    const { context, say, contents } = await setUp([answer('Lisbon is home')]);
    for (const content of ['Lisbon is home', ...near]) {
      await addMemory(context, { content, memoryType: 'fact', userId: 'u', agentId: 'a' });
    }
    await say('Harbour note');
    expect(contents()).toEqual(['Lisbon is home', ...near]);
  });
});

describe('context cards in messages (contract §8.4)', () => {
  const card =
    '<context_card>\n  <topics></topics>\n  <summary>\n    Old news\n  </summary>\n</context_card>';

  async function shownFor(content: string) {
    const { context, llm, say, store } = await setUp([answer()]);
    await say(content);
    const prompt = llm.calls[0]?.messages[1]?.content ?? '';
    const [stored] = store.records();
    expect(stored?.record.content).toBe(content);
    expect(context.llm).toBeDefined();
    return prompt;
  }

  it('are cut from the prompt, the rest of the message stays, stored text does not change', async () => {
    const prompt = await shownFor(`Known so far:\n${card}\nI moved to Faro.\n${card}`);
    expect(prompt).not.toContain('Old news');
    expect(prompt).toContain('I moved to Faro.');
  });

  it('are cut when their end is missing', async () => {
    const prompt = await shownFor(`I moved to Faro. ${card.slice(0, -20)}`);
    expect(prompt).not.toContain('Old news');
    expect(prompt).toContain('I moved to Faro.');
  });

  it('are not what a mere mention of the tag is', async () => {
    expect(await shownFor('What is <context_card> for? I live in Faro.')).toContain('I live in Faro.');
  });

  it('leave nothing to read when a message is nothing else: no model call', async () => {
    const { llm, say } = await setUp([]);
    expect((await say(card)).extraction).toMatchObject({ status: 'completed', memoryIds: [] });
    expect(llm.calls).toEqual([]);
  });
});
