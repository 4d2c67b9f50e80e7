import { expect } from 'vitest';
import { expectError, type MemoryCase, plainThread } from './memory-stage.ts';

const AT = '2026-03-01T09:00:00.000Z';
const LATER = '2026-03-01T09:00:05.250Z';

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

/** How a context card reads, and what it is made of. */
export const CARD_CASES: Readonly<Record<string, MemoryCase>> = {
  'a card reads exactly so (contract §9.2)': async (stage) => {
    const thread = await plainThread(stage);
    await thread.addMessages([
      { role: 'user', content: 'Trains to "Porto" & <Faro>?', timestamp: AT },
      { role: 'assistant', content: 'Trains to Porto ]]> daily.', timestamp: '2026-03-01T10:00:05.25+01:00' },
    ]);
    await thread.addMemory('Takes trains <always> to Porto', {
      memoryType: 'preference',
      timestamp: AT,
    });
    const card = await thread.getContextCard();
    const topics = card.topics.map((topic) => `    <topic>${escaped(topic)}</topic>\n`).join('');
    expect(card.topics.length).toBeGreaterThan(0);
    expect(card.topics).toEqual(card.topics.map((topic) => topic.toLowerCase()));
    expect(card.content).toBe(`<context_card>
  <topics>
${topics}  </topics>
  <summary>
    ${escaped(card.summary)}
  </summary>
  <relevant_information>
    <preference>
      <timestamp>${AT}</timestamp>
      <content>Takes trains &lt;always&gt; to Porto</content>
    </preference>
  </relevant_information>
  <recent_messages>
    <message>
      <timestamp>${AT}</timestamp>
      <role>user</role>
      <content>Trains to "Porto" &amp; &lt;Faro&gt;?</content>
    </message>
    <message>
      <timestamp>${LATER}</timestamp>
      <role>assistant</role>
      <content>Trains to Porto ]]&gt; daily.</content>
    </message>
  </recent_messages>
</context_card>`);
    expect(card.formattedContent).toBe(card.content);
  },

  'a card without memories has an empty element for them (contract §9.2)': async (stage) => {
    const thread = await plainThread(stage);
    await thread.addMessages([{ role: 'user', content: 'Good morning, Porto.' }]);
    const { content, relevantResults } = await thread.getContextCard();
    expect(relevantResults).toEqual([]);
    expect(content).toContain('\n  <relevant_information></relevant_information>\n');
    const none = await thread.getContextCard({ maxRecentMessages: 0 });
    expect(none.content).toContain('\n  <recent_messages></recent_messages>\n');
  },

  'a result on its own is the element that the card has of it (contract §9.2, D4)': async (stage) => {
    const thread = await plainThread(stage);
    await thread.addMessages([{ role: 'user', content: 'green <tea>', timestamp: AT }]);
    await thread.addMemory('green <tea> & more', { memoryType: 'guideline', timestamp: AT });
    const { content } = await thread.getContextCard();
    const results = await thread.search('green tea', { exactThreadMatch: true });
    expect(results.map((result) => result.recordType).toSorted()).toEqual(['guideline', 'message']);
    for (const { formattedContent } of results) {
      expect(content).toContain(formattedContent.replaceAll(/^/gm, '    '));
    }
  },

  'what an extracted memory shows is when it was made (contract §8.4, §9.2, D22)': async (stage) => {
    const thread = await plainThread(stage, { extraction: { extractMemories: true } });
    const { extraction } = await thread.addMessages([
      { role: 'user', content: 'I live in Lisbon.', timestamp: AT },
    ]);
    const memory = await stage.memory.getMemory(extraction.memoryIds?.[0] ?? '');
    expect(memory.timestamp).toBe(memory.createdAt);
    const { content, relevantResults } = await thread.getContextCard();
    expect(relevantResults.map((result) => result.timestamp)).toEqual([memory.createdAt]);
    expect(content).toContain(
      `    <${memory.recordType}>\n      <timestamp>${memory.createdAt}</timestamp>\n      <content>`,
    );
  },

  'five of each by default; minimums raise the most there are (contract §9.1)': async (stage) => {
    const thread = await plainThread(stage);
    await thread.addMessages(
      Array.from({ length: 8 }, (_, index) => ({ role: 'user', content: `green tea ${index}` })),
    );
    for (let index = 0; index < 9; index += 1) {
      const memoryType = index < 4 ? 'fact' : 'preference';
      await thread.addMemory(`green tea ${index}`, { memoryType });
    }
    const counts = async (request: Parameters<typeof thread.getContextCard>[0]) => {
      const { relevantResults, recentMessages } = await thread.getContextCard(request);
      const facts = relevantResults.filter(({ recordType }) => recordType === 'fact').length;
      return [relevantResults.length, facts, recentMessages.length];
    };
    expect((await counts({})).toSpliced(1, 1)).toEqual([5, 5]);
    expect(await counts({ minRelevantResultsByType: { fact: 4, preference: 3 } })).toEqual([7, 4, 5]);
    const lacking = await counts({ minRelevantResultsByType: { guideline: 3, fact: 1 } });
    expect(lacking[0]).toBe(5);
    expect(await counts({ minRelevantResultsByType: { fact: 4 }, maxRelevantResults: 3 })).toEqual([3, 3, 5]);
  },

  'the newest messages choose what is relevant, as many as asked (contract §9.1)': async (stage) => {
    const thread = await plainThread(stage);
    await thread.addMessages(
      ['zeppelin hangar', 'zeppelin hangar', 'walrus colony'].map((content) => ({ role: 'user', content })),
    );
    await thread.addMemory('walrus colony', { memoryId: stage.id('walrus') });
    await thread.addMemory('zeppelin hangar', { memoryId: stage.id('zeppelin') });
    const best = async (fallbackMessageCount: number) => {
      const request = { fallbackMessageCount, maxRelevantResults: 1 };
      return (await thread.getContextCard(request)).relevantResults[0]?.id;
    };
    expect(await best(1)).toBe(stage.id('walrus'));
    expect(await best(3)).toBe(stage.id('zeppelin'));
  },

  'a card takes no other type, count or key (contract §9.1)': async (stage) => {
    const thread = await plainThread(stage);
    const wrong: readonly [object, string][] = [
      [{ minRelevantResultsByType: { message: 1 } }, 'minRelevantResultsByType.message'],
      [{ minRelevantResultsByType: { fact: -1 } }, 'minRelevantResultsByType.fact'],
      [{ minRelevantResultsByType: [] }, 'minRelevantResultsByType'],
      [{ fallbackMessageCount: 101 }, 'fallbackMessageCount'],
      [{ maxRelevantResults: 1.5 }, 'maxRelevantResults'],
      [{ maxRecentMessages: null }, 'maxRecentMessages'],
      [{ exceptLastMessages: 2 }, 'exceptLastMessages'],
      [{ tokenBudget: 100 }, 'tokenBudget'],
    ];
    for (const [request, path] of wrong) {
      await expectError(thread.getContextCard(request), 'invalid_request', path);
    }
  },

  'a summary is one text in both forms, cut to 3.5 characters a token (contract §4.6, §9.3)': async (
    stage,
  ) => {
    const thread = await plainThread(stage);
    await thread.addMessages([{ role: 'user', content: '0123456789<&>' }]);
    for (const [tokenBudget, length] of [
      [1, 3],
      [2, 7],
      [3, 10],
      [4, 14],
      [100, 19],
      [-7, 19],
    ] as const) {
      const summary = await thread.getSummary({ tokenBudget });
      expect(summary.content).toBe('user: 0123456789<&>'.slice(0, length));
      expect(summary.formattedContent).toBe(summary.content);
    }
  },
};
