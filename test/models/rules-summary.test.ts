import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { estimateTokens } from '../../lib/models/rules/token-estimate.ts';
import { askRules, type Shown } from './rules-prompt.ts';

const family = '👨‍👩‍👧‍👦';

function message(content: string, role = 'user', id = 'm'): Shown['messages'][number] {
  return { id, role, content };
}

describe('context_summary', () => {
  const summarySchema = z.strictObject({ summary: z.string() });
  const summarize = async (shown: Shown): Promise<string> =>
    summarySchema.parse(await askRules('context_summary', shown)).summary;

  test('extends the summary so far by what was said, without small talk', async () => {
    const summary = await summarize({
      summary: 'user: I live in Lisbon.',
      messages: [
        message('Hello!'),
        message('My flight leaves on Monday. It is early. Very early.'),
        message('Noted.', 'assistant'),
      ],
    });
    expect(summary.split('\n')).toEqual([
      'user: I live in Lisbon.',
      'user: My flight leaves on Monday. It is early.',
      'assistant: Noted.',
    ]);
  });

  test('keeps to the budget and drops the oldest first', async () => {
    const messages = Array.from({ length: 200 }, (_, index) => message(`Message number ${index} is here.`));
    const summary = await summarize({ messages, tokenBudget: 100 });
    expect(estimateTokens(summary)).toBeLessThanOrEqual(100);
    expect(summary).toContain('number 199');
    expect(summary).not.toContain('number 0 ');
    expect(estimateTokens(await summarize({ messages }))).toBeLessThanOrEqual(300);
  });

  test('of nothing is empty', async () => {
    expect(await summarize({ messages: [] })).toBe('');
  });
});

test('context_card has a summary and the words most said', async () => {
  const answer = await askRules('context_card', {
    messages: [
      message('We talked about Lisbon and the tram. The tram in Lisbon is old.'),
      message('東京タワーの写真と東京の天気'),
    ],
  });
  const card = z.strictObject({ summary: z.string(), topics: z.array(z.string()) }).parse(answer);
  expect(card.summary).toContain('Lisbon');
  expect(card.topics.slice(0, 2)).toEqual(['lisbon', 'tram']);
  expect(card.topics).toHaveLength(5);
});

describe('message_shortening', () => {
  const shorten = async (content: string, tokenBudget?: number): Promise<string> => {
    const shown = { messages: [message(content)], ...(tokenBudget === undefined ? {} : { tokenBudget }) };
    return z.strictObject({ content: z.string() }).parse(await askRules('message_shortening', shown)).content;
  };

  test('keeps a short message whole', async () => {
    expect(await shorten('short', 50)).toBe('short');
  });

  test.each([
    [
      'English',
      `The beginning. ${'filler words '.repeat(5000)}The very end.`,
      'The beginning.',
      'The very end.',
    ],
    ['emoji', `${family}${'x'.repeat(20_000)}${family}`, family, family],
  ])('keeps the head and the tail of a long message: %s', async (_name, content, head, tail) => {
    const short = await shorten(content, 120);
    expect(estimateTokens(short)).toBeLessThanOrEqual(120);
    expect(short.startsWith(head)).toBe(true);
    expect(short.endsWith(tail)).toBe(true);
    expect(short).toContain(' […] ');
  });

  test('never cuts a written character', async () => {
    for (let budget = 20; budget < 60; budget += 1) {
      const short = await shorten(family.repeat(500), budget);
      expect(short.replaceAll(family, '').trim()).toBe('[…]');
    }
  });

  test('has a budget of its own when the prompt names none', async () => {
    expect(estimateTokens(await shorten('word '.repeat(10_000)))).toBeLessThanOrEqual(500);
  });
});
