import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { AgentMemoryError } from '../../lib/errors/agent-memory-error.ts';
import { getContextCard } from '../../lib/memory/context-card.ts';
import { CARD_CHARACTERS, createContextCard } from '../../lib/memory/fit-context-card.ts';
import { findFrequentTerms } from '../../lib/memory/frequent-terms.ts';
import { addMemory } from '../../lib/memory/memories.ts';
import { addMessages } from '../../lib/memory/messages.ts';
import { createThread, updateThread } from '../../lib/memory/threads.ts';
import { messageOf, resultOf } from './card-parts.ts';
import { createTestContext, type TestContextOptions } from './test-context.ts';

const card = {
  summary: 'They talk about tea.',
  topics: ['Tea', 'tea ', 'Green  Tea', '', 7, 'x'.repeat(80)],
};
const withCard: TestContextOptions = { script: { context_card: [card] } };
const withoutModel: TestContextOptions = { context: { llm: undefined } };

async function setUp(options: TestContextOptions, contents: readonly string[] = ['I like green tea']) {
  const fakes = createTestContext(options);
  await createThread(fakes.context, {
    threadId: 't',
    userId: 'u',
    agentId: 'a',
    extraction: { extractMemories: false },
  });
  if (contents.length > 0) {
    const messages = contents.map((content, index) => ({ id: `m${index}`, role: 'user', content }));
    await addMessages(fakes.context, 't', { messages });
  }
  return fakes;
}

describe('getContextCard (contract §9.1)', () => {
  it('takes two round trips, one embedding and one model call', async () => {
    const { context, store, embedder, llm } = await setUp(withCard);
    const before = [store.calls.length, embedder.calls.length];
    await getContextCard(context, 't', {});
    expect(store.calls.slice(before[0])).toEqual(['readThreadContext', 'search']);
    expect(embedder.calls.slice(before[1]).map((call) => call.purpose)).toEqual(['query']);
    expect(llm.calls.map((call) => call.purpose)).toEqual(['context_card']);
  });

  it('takes summary and topics from the model, topics short and in lower case', async () => {
    const { context } = await setUp(withCard);
    const answer = await getContextCard(context, 't', {});
    expect(answer.summary).toBe('They talk about tea.');
    expect(answer.topics).toEqual(['tea', 'green tea']);
    expect(answer.content).toContain('<topic>green tea</topic>');
    expect(answer.formattedContent).toBe(answer.content);
  });

  it('keeps the first five topics', async () => {
    const topics = ['a1', 'b2', 'c3', 'd4', 'e5', 'f6', 'g7'];
    const { context } = await setUp({ script: { context_card: [{ summary: 'Tea.', topics }] } });
    expect((await getContextCard(context, 't', {})).topics).toEqual(topics.slice(0, 5));
  });

  it('searches memories of exactly this user and agent, any thread, this one ahead (D15)', async () => {
    const { context, store } = await setUp(withCard);
    await getContextCard(context, 't', {});
    expect(store.searches).toEqual([
      expect.objectContaining({
        scope: {
          user: { kind: 'exact', value: 'u' },
          agent: { kind: 'exact', value: 'a' },
          thread: { kind: 'boost', value: 't' },
        },
        recordTypes: ['memory', 'fact', 'preference', 'guideline'],
        maxResults: 5,
        minimums: {},
      }),
    ]);
  });

  it('shows relevant memories of other threads and neither messages nor foreign ones', async () => {
    const { context } = await setUp(withCard);
    const content = 'drinks green tea';
    await addMemory(context, { content, memoryId: 'same', userId: 'u', agentId: 'a', threadId: 'x' });
    await addMemory(context, { content, memoryId: 'foreign', userId: 'u2', agentId: 'a' });
    await addMemory(context, { content, memoryId: 'no-agent', userId: 'u' });
    const answer = await getContextCard(context, 't', {});
    expect(answer.relevantResults.map((result) => result.id)).toEqual(['same']);
  });

  it.each([
    ['nothing', {}, 5, {}],
    ['small minimums', { fact: 1, memory: 2 }, 5, { fact: 1, memory: 2 }],
    ['large minimums', { fact: 4, preference: 3 }, 7, { fact: 4, preference: 3 }],
  ])(
    'an omitted maximum is max(5, sum): %s',
    async (_name, minRelevantResultsByType, maxResults, minimums) => {
      const { context, store } = await setUp(withCard);
      await getContextCard(context, 't', { minRelevantResultsByType });
      expect(store.searches[0]).toMatchObject({ maxResults, minimums });
    },
  );

  it('never exceeds a given maximum; 0 searches nothing', async () => {
    const { context, store } = await setUp({ script: { context_card: [card, card] } });
    await getContextCard(context, 't', { maxRelevantResults: 2, minRelevantResultsByType: { fact: 4 } });
    expect(store.searches[0]?.maxResults).toBe(2);
    await getContextCard(context, 't', { maxRelevantResults: 0 });
    expect(store.searches).toHaveLength(1);
  });

  it('makes its retrieval text of the newest messages, as many as asked', async () => {
    const contents = ['one', 'two', 'three', 'four', 'five', 'six'];
    const { context, embedder } = await setUp(withoutModel, contents);
    await getContextCard(context, 't', {});
    await getContextCard(context, 't', { fallbackMessageCount: 2 });
    const texts = embedder.calls.filter((call) => call.purpose === 'query').map((call) => call.texts);
    expect(texts).toEqual([['two\nthree\nfour\nfive\nsix'], ['five\nsix']]);
  });

  it('shows the newest messages, oldest first, as many as asked', async () => {
    const { context } = await setUp(withoutModel, ['1', '2', '3', '4', '5', '6', '7']);
    const contentsFor = async (maxRecentMessages?: number) =>
      (await getContextCard(context, 't', { maxRecentMessages })).recentMessages.map((m) => m.content);
    expect(await contentsFor()).toEqual(['3', '4', '5', '6', '7']);
    expect(await contentsFor(2)).toEqual(['6', '7']);
    expect(await contentsFor(0)).toEqual([]);
    expect(await contentsFor(100)).toHaveLength(7);
  });

  it('is empty for an empty thread, without embedding, search or model call', async () => {
    const { context, store, embedder, llm } = await setUp(withCard, []);
    const answer = await getContextCard(context, 't', {});
    expect(answer).toEqual({
      content: '',
      formattedContent: '',
      summary: '',
      topics: [],
      relevantResults: [],
      recentMessages: [],
    });
    expect([store.searches, embedder.calls, llm.calls]).toEqual([[], [], []]);
  });

  it('answers not_found for an unknown thread', async () => {
    const { context } = createTestContext();
    await expect(getContextCard(context, 'nobody', {})).rejects.toMatchObject({ code: 'not_found' });
  });

  it('shows the model the running summary and the messages within contextCardTokenLimit', async () => {
    const { context, llm, store } = await setUp(withCard, ['one', 'two']);
    store.changeThread('t', { runningSummary: 'So far.' });
    await getContextCard(context, 't', {});
    const prompt = llm.calls[0]?.messages[1]?.content;
    expect(prompt).toContain('<summary>\n"So far."\n</summary>');
    expect(prompt).toContain('"content":"one"');
    const thread = store.thread('t');
    if (thread === undefined) throw new Error('The thread is gone.');
    store.changeThread('t', { config: { ...thread.config, contextCardTokenLimit: 1 } });
    await getContextCard(context, 't', {});
    expect(llm.calls[1]?.messages[1]?.content).not.toContain('"content":"one"');
  });
});

describe('a card without a model, or with one that fails (contract §9.1)', () => {
  const failing = [
    ['no model', withoutModel],
    ['an error', { script: { context_card: [new AgentMemoryError('model_failed', 'No.')] } }],
    ['an unexpected error', { script: { context_card: [new TypeError('secret')] } }],
    ['no structure, twice', { script: { context_card: ['tea', 'tea'] } }],
    ['an empty summary', { script: { context_card: [{ summary: ' ', topics: [] }] } }],
  ] as const satisfies readonly (readonly [string, TestContextOptions])[];

  it.each(failing)('%s: the newest messages and their frequent terms', async (_name, options) => {
    const { context } = await setUp(options, ['I like green tea', 'Which tea is green?']);
    const answer = await getContextCard(context, 't', {});
    expect(answer.summary).toBe('user: I like green tea\nuser: Which tea is green?');
    expect(answer.topics).toEqual(['green', 'tea']);
    expect(answer.recentMessages).toHaveLength(2);
  });

  it('keeps the summary of long messages within 2,000 tokens', async () => {
    const { context } = await setUp(withoutModel, ['word '.repeat(10_000)]);
    expect((await getContextCard(context, 't', {})).summary).toHaveLength(7_000);
  });

  it('prefers the running summary unless it is stale (D3)', async () => {
    const { context, store } = await setUp(withoutModel);
    store.changeThread('t', { runningSummary: 'Ana likes tea.' });
    expect((await getContextCard(context, 't', {})).summary).toBe('Ana likes tea.');
    store.changeThread('t', { summaryStale: true });
    expect((await getContextCard(context, 't', {})).summary).toBe('user: I like green tea');
  });
});

describe('findFrequentTerms: topics without a model (contract §9.1)', () => {
  it('orders by frequency, then by first appearance, without empty words', () => {
    const text = 'The hotel in Lisbon: that hotel was near the Tejo. Lisbon has the best hotel, 2026!';
    expect(findFrequentTerms(text, 3)).toEqual(['hotel', 'lisbon', 'near']);
  });

  it('finds words of a language without spaces', () => {
    expect(findFrequentTerms('東京に行きます。東京が好きです。', 1)).toEqual(['東京']);
  });

  it('finds nothing in nothing', () => {
    expect(findFrequentTerms('', 5)).toEqual([]);
  });
});

describe('a context card of long texts (contract §9.2; HTTP API contract, Conventions)', () => {
  const cardOf = (texts: readonly string[]) =>
    createContextCard({
      summary: 'They talk.',
      topics: ['tea'],
      relevantResults: texts.map((text) => resultOf('fact', text)),
      recentMessages: texts.map((text) => messageOf('user', text)),
    });

  it.each([
    ['letters', 'x'],
    ['text that XML escapes', '&'],
    ['text that JSON escapes', '"'],
  ])('holds the newest messages and the best results that fit 5 MiB: %s', (_, character) => {
    const texts = Array.from({ length: 100 }, (_unused, index) => `${index} ${character.repeat(100_000)}`);
    const answer = cardOf(texts);
    const { relevantResults, recentMessages, content } = answer;
    expect(Buffer.byteLength(JSON.stringify(answer))).toBeLessThan(5 * 1024 * 1024);
    expect(recentMessages.length).toBeGreaterThan(1);
    expect(relevantResults.length).toBeGreaterThan(1);
    expect(recentMessages.map((message) => message.content)).toEqual(texts.slice(-recentMessages.length));
    expect(relevantResults.map((result) => result.content)).toEqual(texts.slice(0, relevantResults.length));
    expect(content.match(/<message>/g)).toHaveLength(recentMessages.length);
    expect(content.match(/<fact>/g)).toHaveLength(relevantResults.length);
  });

  it('leaves out one result that fits no answer, and holds the message', () => {
    const { relevantResults, recentMessages } = cardOf(['\u0001'.repeat(900_000)]);
    expect([relevantResults.length, recentMessages.length]).toEqual([0, 0]);
    const shorter = cardOf(['\u0001'.repeat(450_000)]);
    expect([shorter.relevantResults.length, shorter.recentMessages.length]).toEqual([0, 1]);
  });

  it('passes over a result that is too large, and ends the messages before one', () => {
    const large = '\u0001'.repeat(400_000);
    const { relevantResults, recentMessages } = createContextCard({
      summary: 'They talk.',
      topics: [],
      relevantResults: [large, large, 'near', 'far'].map((text) => resultOf('fact', text)),
      recentMessages: ['oldest', large, 'newest'].map((text) => messageOf('user', text)),
    });
    const beginnings = (parts: readonly { readonly content: string }[]) =>
      parts.map(({ content }) => content.slice(0, 6));
    expect(beginnings(relevantResults)).toEqual([large.slice(0, 6), 'near', 'far']);
    expect(beginnings(recentMessages)).toEqual(['newest']);
  });

  it('cuts each text of the XML to its own length, with an ellipsis; the parts stay whole', () => {
    const { content, relevantResults, recentMessages } = cardOf(['😀'.repeat(200_000)]);
    const texts = [...content.matchAll(/<content>(.*)<\/content>/g)].map((match) => match[1] ?? '');
    expect(texts).toEqual([`${'😀'.repeat(999)}…`, `${'😀'.repeat(3_999)}…`]);
    expect(relevantResults[0]?.content).toHaveLength(400_000);
    expect(recentMessages[0]?.content).toHaveLength(400_000);
  });

  it('shows a text in the same way whatever stands beside it', () => {
    const long = '&'.repeat(100_000);
    const [alone] = cardOf([long]).content.match(/<fact>[\s\S]*?<\/fact>/) ?? [];
    expect(cardOf(['first', long, 'last']).content).toContain(alone);
    expect(alone).toContain(`${'&amp;'.repeat(399)}…`);
  });

  it('never exceeds its characters nor 5 MiB, whatever the texts and counts (property)', () => {
    const text = fc
      .tuple(fc.constantFrom('x', '&', '<', '"', '😀', '\u0001', ']]>', '\r\n', '日本'), fc.nat(60_000))
      .map(([unit, count]) => unit.repeat(count));
    fc.assert(
      fc.property(
        fc.array(text, { maxLength: 100, size: 'max' }),
        fc.array(text, { maxLength: 100, size: 'max' }),
        text,
        (results, messages, summary) => {
          const card = createContextCard({
            summary: summary.slice(0, 20_000),
            topics: Array(5).fill('&'.repeat(60)),
            relevantResults: results.map((content) => resultOf('preference', content)),
            recentMessages: messages.map((content) => messageOf('&'.repeat(30), content)),
          });
          expect(card.content.length).toBeLessThanOrEqual(CARD_CHARACTERS);
          expect(Buffer.byteLength(JSON.stringify(card))).toBeLessThan(5 * 1024 * 1024);
        },
      ),
      { numRuns: 30, endOnFailure: true },
    );
  });
});

describe('a card whose running summary is stale (contract §9.1, D3)', () => {
  async function setUpStale(options: TestContextOptions, config: object = {}) {
    const fakes = await setUp(options, ['one', 'two']);
    fakes.store.changeThread('t', {
      runningSummary: 'with a deleted message',
      summaryStale: true,
      ...config,
    });
    return fakes;
  }

  it('is made of the messages alone and replaces the summary: one write more', async () => {
    const { context, store, llm } = await setUpStale({
      script: { context_card: [card, card] },
      settings: { extraction: {} },
    });
    const before = store.calls.length;
    await getContextCard(context, 't', {});
    expect(store.calls.slice(before)).toEqual(['readThreadContext', 'search', 'saveRebuiltSummary']);
    expect(llm.calls[0]?.messages[1]?.content).not.toContain('deleted');
    expect(store.thread('t')).toMatchObject({
      runningSummary: card.summary,
      summarizedSequence: 2,
      summaryStale: false,
    });
    await getContextCard(context, 't', {});
    expect(store.calls.slice(before + 3)).toEqual(['readThreadContext', 'search']);
    expect(llm.calls[1]?.messages[1]?.content).toContain(`<summary>\n"${card.summary}"`);
  });

  it('does not replace it when the thread changes meanwhile', async () => {
    const fakes = await setUpStale({
      script: () => {
        fakes.clock.advance(1);
        fakes.store.changeThread('t', { summaryStale: true });
        return card;
      },
      settings: { extraction: {} },
    });
    expect((await getContextCard(fakes.context, 't', {})).summary).toBe(card.summary);
    expect(fakes.store.thread('t')?.summaryStale).toBe(true);
  });

  it('is answered although the write fails, and the failure is reported', async () => {
    const { context, store } = await setUpStale({ ...withCard, settings: { extraction: {} } });
    const reported: string[] = [];
    const saveRebuiltSummary = async () => {
      throw new AgentMemoryError('unavailable', 'No database.');
    };
    const answer = await getContextCard(
      { ...context, store: { ...store, saveRebuiltSummary }, reportFailure: (work) => reported.push(work) },
      't',
      {},
    );
    expect(answer.summary).toBe(card.summary);
    expect(reported).toEqual(['stale_summary']);
  });

  it('leaves it as it is in a thread that keeps no running summary any more', async () => {
    const { context, store } = await setUpStale({ ...withCard, settings: { extraction: {} } });
    await updateThread(context, 't', { extraction: { enableContextSummary: false } });
    expect((await getContextCard(context, 't', {})).summary).toBe(card.summary);
    expect(store.calls).not.toContain('saveRebuiltSummary');
    expect(store.thread('t')?.summaryStale).toBe(true);
  });

  it('works without a model: no write, nothing of the stale summary', async () => {
    const { context, store } = await setUpStale({ ...withoutModel, settings: { extraction: {} } });
    const answer = await getContextCard(context, 't', {});
    expect(answer.summary).toBe('user: one\nuser: two');
    expect(JSON.stringify(answer)).not.toContain('deleted');
    expect(store.calls).not.toContain('saveRebuiltSummary');
  });
});

describe('a card that messages quote (contract §9.1)', () => {
  const quoted = '<context_card>\n  <topics></topics>\n  Old news</context_card>';

  it('is neither in the prompt nor in the retrieval text, and stays in the message', async () => {
    const { context, llm, embedder } = await setUp(withCard, [`${quoted} What now?`, quoted]);
    const answer = await getContextCard(context, 't', { fallbackMessageCount: 1 });
    const prompt = llm.calls[0]?.messages[1]?.content;
    expect(prompt).toContain('What now?');
    expect(prompt).not.toContain('Old news');
    expect(embedder.calls.at(-1)?.texts).toEqual(['What now?']);
    expect(answer.recentMessages.map(({ content }) => content)).toEqual([`${quoted} What now?`, quoted]);
  });

  it('is not in the summary that is made without a model', async () => {
    const { context } = await setUp(withoutModel, [`${quoted} What now?`, quoted]);
    expect((await getContextCard(context, 't', {})).summary).toBe('user: What now?');
  });
});

describe('the retrieval text of a card (contract §9.1)', () => {
  it('is the newest messages within 8,192 tokens, of a longer one its beginning', async () => {
    const words = (count: number) => Array(count).fill('w').join(' ');
    const { context, embedder } = await setUp(withoutModel, [words(200), words(5_000), words(3_000)]);
    await getContextCard(context, 't', {});
    expect(embedder.calls.at(-1)?.texts).toEqual([`${words(5_000)}\n${words(3_000)}`]);
    await addMessages(context, 't', { messages: [{ role: 'user', content: words(200_000) }] });
    await getContextCard(context, 't', {});
    expect(embedder.calls.at(-1)?.texts).toEqual([words(8_192)]);
  });
});
