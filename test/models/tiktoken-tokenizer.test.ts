import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { loadTokenizer } from '../../infra/local/models/load-tokenizer.ts';
import { cutLongRuns, MAX_RUN_LENGTH } from '../../lib/models/tiktoken/cut-long-runs.ts';

const tokenizer = await loadTokenizer();
const family = '👨‍👩‍👧‍👦';
const flag = '🇵🇹';

/** Written characters of several code points, and what stands between them. None joins the one before it. */
const WRITTEN = [
  ...[family, '👩🏽‍💻', '👩🏿‍❤️‍💋‍👨🏻', '🏳️‍🌈', '🏴‍☠️', '🧑🏻‍🤝‍🧑🏿', '👁️‍🗨️'],
  ...['👍🏽', '🤦🏿', '☝🏻', '❤️', '☀︎', '1️⃣', '#️⃣'],
  ...[flag, '🇺🇳', '🏴󠁧󠁢󠁳󠁣󠁴󠁿'],
  ...['e\u0301', 'a\u0323\u0302', 'Z͑ͫ̓ͪ̂ͫ̽͏', 'क्षि', 'நி', 'กำ', '각', '\u1112\u1161\u11ab', '𝒳', '𠮷', 'が'],
  ...['a', 'word ', ' ', '\r\n', '!', '42', '東京', '<|endoftext|>'],
];

/** The end of each chunk in the text, found by walking: a chunk starts at or before the end of the last. */
function coverage(text: string, chunks: readonly string[]): readonly number[] {
  let end = 0;
  return chunks.map((chunk, index) => {
    let start = index === 0 ? 0 : end;
    while (start > 0 && !(text.startsWith(chunk, start) && start + chunk.length > end)) start -= 1;
    expect(text.startsWith(chunk, start)).toBe(true);
    expect(start).toBeLessThanOrEqual(end);
    end = start + chunk.length;
    return end;
  });
}

describe('count', () => {
  test.each([
    ['', 0],
    ['hello world', 2],
    ['The quick brown fox jumps over the lazy dog.', 10],
    ['<|endoftext|>', 7],
    ['1234567890', 4],
  ])('%j has %i tokens', (text, tokens) => {
    expect(tokenizer.count(text)).toBe(tokens);
  });

  test('an unbroken run of 256 characters is encoded whole, a longer one in pieces', () => {
    expect(cutLongRuns('a'.repeat(MAX_RUN_LENGTH))).toHaveLength(1);
    const text = `Before ${'ab'.repeat(500)} between ${'!'.repeat(700)} ${' '.repeat(600)} after`;
    const pieces = cutLongRuns(text);
    expect(pieces.join('')).toBe(text);
    expect(pieces.length).toBeGreaterThan(6);
    for (const piece of pieces) {
      const longest = piece.match(/[\p{L}\p{M}]+|[^\s\p{L}\p{N}]+|\s+/gu)?.map((run) => run.length) ?? [];
      expect(Math.max(...longest)).toBeLessThanOrEqual(MAX_RUN_LENGTH);
    }
  });

  test('pieces never cut a surrogate pair', () => {
    const pieces = cutLongRuns(`x${'𝒳'.repeat(1000)}`);
    expect(pieces.length).toBeGreaterThan(7);
    expect(pieces.every((piece) => piece.isWellFormed())).toBe(true);
  });

  test('the pieces of a text are the text', () => {
    const unit = fc.constantFrom('a', '!', ' ', '\n', '1', '😀', '\u0301', '\ud83d');
    fc.assert(
      fc.property(fc.array(fc.tuple(unit, fc.integer({ min: 1, max: 600 }))), (runs) => {
        const text = runs.map(([character, times]) => character.repeat(times)).join('');
        expect(cutLongRuns(text).join('')).toBe(text);
      }),
    );
  });
});

describe('split', () => {
  test('a text within the limit is one chunk', () => {
    expect(tokenizer.split('hello world', { maxTokens: 2, overlapTokens: 1 })).toEqual(['hello world']);
    expect(tokenizer.split('', { maxTokens: 2, overlapTokens: 0 })).toEqual(['']);
  });

  test('chunks end with words, stay within the limit and overlap by the tokens asked for', () => {
    const words = Array.from({ length: 3000 }, (_, index) => `word${index} `);
    const text = words.join('');
    const chunks = tokenizer.split(text, { maxTokens: 100, overlapTokens: 20 });
    const ends = coverage(text, chunks);
    expect(ends.at(-1)).toBe(text.length);
    chunks.slice(0, -1).forEach((chunk, index) => {
      expect(chunk).toMatch(/\s$/u);
      const overlap = text.slice((ends[index + 1] ?? 0) - (chunks[index + 1]?.length ?? 0), ends[index]);
      expect(tokenizer.count(overlap)).toBeGreaterThanOrEqual(18);
      expect(tokenizer.count(overlap)).toBeLessThanOrEqual(22);
    });
    for (const chunk of chunks) expect(tokenizer.count(chunk)).toBeLessThanOrEqual(100);
  });

  test('without overlap the chunks are the text, for any text', () => {
    const unit = fc.constantFrom(
      'a',
      'b ',
      'Lisbon ',
      '!',
      '\n\n',
      '42',
      '東京',
      'に',
      family,
      flag,
      'é',
      '\ud83d',
      '\u0301',
    );
    fc.assert(
      fc.property(fc.array(unit, { maxLength: 200 }), fc.integer({ min: 1, max: 40 }), (units, maxTokens) => {
        const text = units.join('');
        expect(tokenizer.split(text, { maxTokens, overlapTokens: 0 }).join('')).toBe(text);
      }),
    );
  });

  test('with overlap every part of any text is covered in order', () => {
    const unit = fc.constantFrom('a', 'b ', 'Lisbon ', '!', '42', '東京', family, flag);
    fc.assert(
      fc.property(
        fc.array(unit, { minLength: 1, maxLength: 150 }),
        fc.nat({ max: 19 }),
        (units, overlapTokens) => {
          const text = units.join('');
          const chunks = tokenizer.split(text, { maxTokens: 30, overlapTokens });
          expect(coverage(text, chunks).at(-1)).toBe(text.length);
          for (const chunk of chunks) expect(tokenizer.count(chunk)).toBeLessThanOrEqual(30);
        },
      ),
    );
  });

  test.each([
    ['families', family],
    ['flags', flag],
    ['accents of two code points', 'e\u0301'],
    ['astral letters', '𝒳'],
  ])('never cuts %s', (_name, character) => {
    const chunks = tokenizer.split(character.repeat(200), { maxTokens: 50, overlapTokens: 12 });
    expect(chunks.length).toBeGreaterThan(3);
    for (const chunk of chunks) expect(chunk.replaceAll(character, '')).toBe('');
  });

  test('never cuts a written character, whatever stands beside it and however chunks overlap (contract D13)', () => {
    const segmenter = new Intl.Segmenter(undefined, { granularity: 'grapheme' });
    const graphemes = (text: string) => [...segmenter.segment(text)].map(({ segment }) => segment);
    const written = new Set(WRITTEN.flatMap(graphemes));
    const texts = fc.array(fc.constantFrom(...WRITTEN), { minLength: 20, maxLength: 120 });
    fc.assert(
      fc.property(
        texts,
        fc.integer({ min: 1, max: 40 }),
        fc.nat({ max: 39 }),
        (units, maxTokens, overlap) => {
          const overlapTokens = Math.min(overlap, maxTokens - 1);
          const chunks = tokenizer.split(units.join(''), { maxTokens, overlapTokens });
          for (const chunk of chunks) {
            expect(chunk.isWellFormed()).toBe(true);
            expect(graphemes(chunk).filter((each) => !written.has(each))).toEqual([]);
          }
          if (overlapTokens === 0) expect(chunks.join('')).toBe(units.join(''));
        },
      ),
      { numRuns: 300 },
    );
  });

  test('a character of more tokens than the limit stays whole', () => {
    expect(tokenizer.split(family.repeat(2), { maxTokens: 3, overlapTokens: 0 })).toEqual([family, family]);
  });

  test('a pile of marks without end is cut all the same', () => {
    const text = `a${'\u0301'.repeat(5000)}`;
    const chunks = tokenizer.split(text, { maxTokens: 100, overlapTokens: 0 });
    expect(chunks.join('')).toBe(text);
    for (const chunk of chunks) expect(tokenizer.count(chunk)).toBeLessThanOrEqual(100);
  });

  test.each([
    ['maxTokens', 0, 0],
    ['maxTokens', 1.5, 0],
    ['overlapTokens', 10, 10],
    ['overlapTokens', 10, -1],
  ])('refuses %s out of range', (path, maxTokens, overlapTokens) => {
    expect(() => tokenizer.split('text', { maxTokens, overlapTokens })).toThrow(
      expect.objectContaining({ code: 'invalid_request', issues: [expect.objectContaining({ path })] }),
    );
  });
});
