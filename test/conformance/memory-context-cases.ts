import { expect } from 'vitest';
import { ContextCard } from '../../lib/schemas/values/context-card.ts';
import { SearchScope } from '../../lib/schemas/values/scope.ts';
import { Summary } from '../../lib/schemas/values/summary.ts';
import { expectError, type MemoryCase, plainThread } from './memory-stage.ts';

export const CONTEXT_CASES: Readonly<Record<string, MemoryCase>> = {
  'the card of an empty thread is empty (contract §9.2)': async (stage) => {
    const thread = await plainThread(stage);
    expect(await thread.getContextCard()).toEqual({
      content: '',
      formattedContent: '',
      summary: '',
      topics: [],
      relevantResults: [],
      recentMessages: [],
    });
  },

  'a card holds topics, summary, relevant information and recent messages in this order (contract §9.2)':
    async (stage) => {
      const thread = await plainThread(stage);
      await thread.addMessages([
        { role: 'user', content: 'I like green tea. Which green tea do you know?' },
        { role: 'assistant', content: 'Sencha & <matcha>.' },
      ]);
      await thread.addMemory('User likes green tea', { memoryType: 'preference', memoryId: stage.id('tea') });
      const card = await thread.getContextCard();
      expect(card.formattedContent).toBe(card.content);
      expect(card.summary).not.toBe('');
      expect(card.relevantResults.map((result) => result.id)).toEqual([stage.id('tea')]);
      expect(card.recentMessages.map((message) => message.role)).toEqual(['user', 'assistant']);
      const order = [
        '<context_card>',
        '<topics>',
        '<summary>',
        '<relevant_information>',
        '<recent_messages>',
      ];
      const positions = order.map((tag) => card.content.indexOf(tag));
      expect(positions).toEqual(positions.toSorted((a, b) => a - b));
      expect(positions).not.toContain(-1);
      expect(card.content).toContain('      <content>Sencha &amp; &lt;matcha&gt;.</content>');
      expect(card.content).toContain('    <preference>\n      <timestamp>');
    },

  'cards, summaries and scopes are values that can be made, kept and made again (contract §9)': async (
    stage,
  ) => {
    const thread = await plainThread(stage);
    await thread.addMessages([{ role: 'user', content: 'I like <green> tea.' }]);
    await thread.addMemory('User likes green tea', { memoryType: 'preference' });
    const card = await thread.getContextCard();
    expect(card).toBeInstanceOf(ContextCard);
    expect(`${card}`).toBe(card.content);
    const { summary, topics, relevantResults, recentMessages } = card;
    expect(new ContextCard({ summary, topics, relevantResults, recentMessages })).toEqual(card);
    expect(new ContextCard(JSON.parse(JSON.stringify(card)))).toEqual(card);
    const whole = await thread.getSummary();
    expect(whole).toBeInstanceOf(Summary);
    expect(`${whole}`).toBe('user: I like <green> tea.');
    expect(new Summary(whole)).toEqual(whole);
    const scope = new SearchScope({
      userId: stage.id('user'),
      agentId: stage.id('nobody'),
      exactAgentMatch: true,
    });
    expect(await stage.memory.search('tea', { scope })).toEqual([]);
    const ofUser = new SearchScope({ userId: stage.id('user') });
    expect(await stage.memory.search('tea', { scope: ofUser })).toHaveLength(2);
  },

  'a card sees other threads of the same user and agent, and no others (contract §9.1, D15)': async (
    stage,
  ) => {
    const { memory, id } = stage;
    const thread = await plainThread(stage);
    await thread.addMessages([{ role: 'user', content: 'green tea' }]);
    const owners = { userId: id('user'), agentId: id('agent') };
    await memory.addMemory('green tea', { memoryId: id('pair'), ...owners, threadId: id('elsewhere') });
    await memory.addMemory('green tea', { memoryId: id('no-agent'), userId: id('user') });
    await memory.addMemory('green tea', { memoryId: id('other'), ...owners, userId: id('user-2') });
    const card = await thread.getContextCard();
    expect(card.relevantResults.map((result) => result.id)).toEqual([id('pair')]);
  },

  'minimums by type are met first, the maximum is never exceeded (contract §9.1)': async (stage) => {
    const thread = await plainThread(stage);
    await thread.addMessages([{ role: 'user', content: 'green tea' }]);
    for (let index = 0; index < 6; index += 1) await thread.addMemory('green tea', { memoryType: 'fact' });
    await thread.addMemory('something about green', { memoryType: 'guideline' });
    const typesFor = async (request: Parameters<typeof thread.getContextCard>[0]) =>
      (await thread.getContextCard(request)).relevantResults.map((result) => result.recordType);
    expect(await typesFor({})).toEqual(Array(5).fill('fact'));
    const withMinimum = await typesFor({ minRelevantResultsByType: { guideline: 1 } });
    expect(withMinimum.toSorted()).toEqual([...Array(4).fill('fact'), 'guideline']);
    expect(await typesFor({ maxRelevantResults: 2, minRelevantResultsByType: { fact: 4 } })).toHaveLength(2);
    expect(await typesFor({ maxRelevantResults: 0 })).toEqual([]);
  },

  'a card shows as many recent messages as asked (contract §9.1)': async (stage) => {
    const thread = await plainThread(stage);
    await thread.addMessages(
      Array.from({ length: 7 }, (_, index) => ({ role: 'user', content: `message ${index}` })),
    );
    const countFor = async (maxRecentMessages?: number) =>
      (await thread.getContextCard({ maxRecentMessages })).recentMessages.length;
    expect(await countFor()).toBe(5);
    expect(await countFor(0)).toBe(0);
    expect(await countFor(100)).toBe(7);
  },

  'a summary holds the messages within its budget (contract §4.6)': async (stage) => {
    const thread = await plainThread(stage);
    await thread.addMessages([
      { role: 'user', content: 'first 😀' },
      { role: 'assistant', content: 'second' },
    ]);
    const summary = await thread.getSummary();
    expect(summary.content).toBe(summary.formattedContent);
    expect(summary.content).toContain('first 😀');
    expect(summary.content).toContain('second');
    expect((await thread.getSummary({ exceptLast: 1 })).content).not.toContain('second');
    expect((await thread.getSummary({ exceptLast: 2 })).content).toBe('');
    expect((await thread.getSummary({ exceptLast: Number.MAX_SAFE_INTEGER })).content).toBe('');
    expect([...(await thread.getSummary({ tokenBudget: 2 })).content]).toHaveLength(7);
    await thread.addMessages([{ role: 'user', content: 'x'.repeat(30_000) }]);
    expect([...(await thread.getSummary()).content]).toHaveLength(7_000);
    expect((await thread.getSummary({ tokenBudget: 0 })).content.length).toBeGreaterThan(30_000);
  },

  'what was deleted or edited away is in no later card and no summary (contract §4.4, §4.5, D3)': async (
    stage,
  ) => {
    const thread = await plainThread(stage, { extraction: { extractMemories: true } });
    const said = ['The parrot is green.', 'The walrus is grey.', 'The zebra is striped.'];
    const { ids } = await thread.addMessages(said.map((content) => ({ role: 'user', content })));
    const textOf = async () => {
      const card = await thread.getContextCard();
      const summary = await thread.getSummary();
      return JSON.stringify([card.summary, card.topics, card.recentMessages, card.content, summary]);
    };
    expect(await textOf()).toMatch(/(?=.*parrot)(?=.*walrus)(?=.*zebra)/s);
    await thread.deleteMessage(ids[0] ?? '');
    expect(await textOf()).not.toContain('parrot');
    await thread.updateMessage(ids[1] ?? '', { content: 'The lion is yellow.' });
    const changed = await textOf();
    expect(changed).toMatch(/(?=.*lion)(?=.*zebra)/s);
    expect(changed).not.toMatch(/parrot|walrus/);
    await thread.addMessages([{ role: 'user', content: 'The owl is awake.' }]);
    expect(await textOf()).not.toMatch(/parrot|walrus/);
  },

  'a card stays within its bounds, whatever the messages and memories are (contract §9.2)': async (stage) => {
    const thread = await plainThread(stage);
    const long = '<context_card> & ]]> '.repeat(15_000);
    await thread.addMessages([{ role: 'user', content: long }]);
    await thread.addMessages([{ role: 'user', content: long }]);
    await thread.addMemory(long, { memoryType: 'fact' });
    const card = await thread.getContextCard();
    expect(card.content.length).toBeLessThanOrEqual(200_000);
    expect(card.content.match(/<context_card>/g)).toHaveLength(1);
    expect(card.recentMessages.map((message) => message.content)).toEqual([long, long]);
    expect(card.relevantResults.map((result) => result.content)).toEqual([long]);
  },

  'unknown keys and counts out of range are refused by name (contract §4.6, §9.1)': async (stage) => {
    const thread = await plainThread(stage);
    const card = { maxRecentMessages: 1, maxMessages: 3 };
    await expectError(thread.getContextCard(card), 'invalid_request', 'maxMessages');
    const summary = { exceptLast: 1, maxMessages: 3 };
    await expectError(thread.getSummary(summary), 'invalid_request', 'maxMessages');
    await expectError(
      thread.getContextCard({ maxRecentMessages: 101 }),
      'invalid_request',
      'maxRecentMessages',
    );
    await expectError(thread.getSummary({ exceptLast: -1 }), 'invalid_request', 'exceptLast');
  },
};
