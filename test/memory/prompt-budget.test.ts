import { describe, expect, it } from 'vitest';
import { loadTokenizer } from '../../infra/local/models/load-tokenizer.ts';
import { excerptText, fitSections, truncateText } from '../../lib/memory/extraction/prompt-budget.ts';
import { renderSections } from '../../lib/memory/extraction/prompt-sections.ts';
import type { MemoryRecord } from '../../lib/schemas/record.ts';
import type { StoredMessage } from '../../lib/store/messages/stored-message.ts';
import { wordTokenizer } from './word-tokenizer.ts';

function words(count: number, word = 'word'): string {
  return Array(count).fill(word).join(' ');
}

function messageOf(sequence: number, content: string): StoredMessage {
  const timestamp = '2026-01-01T00:00:00.000Z';
  return { id: `m${sequence}`, sequence, role: 'user', content, timestamp, metadata: {} };
}

function memoryOf(id: string, content: string): MemoryRecord {
  const timestamp = '2026-01-01T00:00:00.000Z';
  return {
    id,
    recordType: 'fact',
    content,
    metadata: {},
    timestamp,
    createdAt: timestamp,
    updatedAt: timestamp,
    expiresAt: null,
    userId: 'u',
    agentId: 'a',
    threadId: 't',
    status: 'active',
  };
}

const messages = Array.from({ length: 10 }, (_, index) => messageOf(index, words(10)));

function fitTo(
  promptTokens: number,
  messageTokens = 0,
  given: Partial<Parameters<typeof fitSections>[1]> = {},
) {
  const sections = { pastMemories: [], summary: null, messages, ...given };
  return fitSections(wordTokenizer, sections, { promptTokens, messageTokens });
}

describe('prompt budget (contract §8.1)', () => {
  it('drops the oldest messages and stays within the budget, which holds beside the instructions', () => {
    const fitted = fitTo(60);
    expect(fitted.messages.map((message) => message.id)).toEqual(['m6', 'm7', 'm8', 'm9']);
    expect(wordTokenizer.count(renderSections(fitted))).toBeLessThanOrEqual(60);
  });

  it.each([[0], [-1]])('is unbounded for %i', (promptTokens) => {
    expect(fitTo(promptTokens).messages).toEqual(messages);
  });

  it('cuts the newest message rather than dropping it', () => {
    const fitted = fitTo(60, 0, { messages: [messageOf(0, words(5)), messageOf(1, words(500))] });
    expect(fitted.messages.map((message) => message.id)).toEqual(['m1']);
    const [message] = fitted.messages;
    expect(wordTokenizer.count(message?.content ?? '')).toBeGreaterThan(10);
    expect(wordTokenizer.count(renderSections(fitted))).toBeLessThanOrEqual(60);
  });

  it('keeps some of the newest message however small the budget is', () => {
    const [message] = fitTo(5).messages;
    expect(message?.id).toBe('m9');
    expect(message?.content).toMatch(/^word/);
  });

  it('gives past memories and summary a quarter each; the nearest memories stay', () => {
    const pastMemories = Array.from({ length: 20 }, (_, index) => memoryOf(`p${index}`, words(4)));
    const fitted = fitTo(200, 0, { pastMemories, summary: words(400) });
    expect(fitted.pastMemories.map((memory) => memory.id)).toEqual(
      pastMemories.slice(0, fitted.pastMemories.length).map((memory) => memory.id),
    );
    expect(fitted.pastMemories.length).toBeGreaterThan(3);
    expect(wordTokenizer.count(fitted.summary ?? '')).toBe(48);
    expect(fitted.messages.at(-1)?.id).toBe('m9');
    expect(wordTokenizer.count(renderSections(fitted))).toBeLessThanOrEqual(200);
  });
});

const tokenizer = await loadTokenizer();

describe('prompt budget in tokens of the text that the model reads (contract §8.1)', () => {
  const hostile = ['<', '"', '\\', '\u0001', '\n', '日本', 'word '];

  it.each(hostile)('holds for a summary, a memory and messages full of %j', (piece) => {
    const text = piece.repeat(5_000);
    const sections = {
      pastMemories: [memoryOf('p', text)],
      summary: text,
      messages: [messageOf(0, text), messageOf(1, text)],
    };
    for (const promptTokens of [100, 200, 1_000]) {
      const fitted = fitSections(tokenizer, sections, { promptTokens, messageTokens: 8_000 });
      expect(tokenizer.count(renderSections(fitted))).toBeLessThanOrEqual(promptTokens);
      expect(fitted.messages.at(-1)?.content).not.toBe('');
      expect(fitted.summary).not.toBe('');
    }
  });

  it.each([1, 2, 3])('leaves out a summary that has no token of %i', (promptTokens) => {
    const sections = { pastMemories: [], summary: words(5_000), messages: [messageOf(0, 'hello')] };
    expect(fitSections(tokenizer, sections, { promptTokens, messageTokens: 0 }).summary).toBeNull();
  });
});

describe('message limit (contract §4.1)', () => {
  it('cuts the prompt copy of a long message', () => {
    const fitted = fitTo(0, 3, { messages: [messageOf(0, 'a b c d e'), messageOf(1, 'short')] });
    expect(fitted.messages.map((message) => message.content)).toEqual(['a b c', 'short']);
  });

  it.each([[0], [-1]])('is off for %i', (limit) => {
    expect(truncateText(wordTokenizer, 'a b c', limit)).toBe('a b c');
  });
});

describe('excerpt of a long message (contract §4.1)', () => {
  const numbers = Array.from({ length: 100 }, (_, index) => String(index)).join(' ');

  it.each([[7], [30], [99]])('of %i tokens has the beginning and the end, and no more tokens', (limit) => {
    const excerpt = excerptText(wordTokenizer, numbers, limit);
    expect(wordTokenizer.count(excerpt)).toBeLessThanOrEqual(limit);
    expect(excerpt).toMatch(/^0 .*99$/);
    expect(excerpt).toContain(' […] ');
  });

  it('is the text itself when it fits or the limit is off, and its beginning when there is no room for two parts', () => {
    expect(excerptText(wordTokenizer, numbers, 100)).toBe(numbers);
    expect(excerptText(wordTokenizer, numbers, 0)).toBe(numbers);
    expect(excerptText(wordTokenizer, numbers, 2)).toBe('0 1');
  });
});
