import { describe, expect, it } from 'vitest';
import { cutToAnswer, takeWithinAnswer } from '../../lib/memory/answer-size.ts';

const megabyte = (index: number) => ({ index, content: '日'.repeat((1024 * 1024) / 3) });

describe('an answer (HTTP API contract, Conventions)', () => {
  it('holds what fits 5 MiB as JSON, from the front', () => {
    const taken = takeWithinAnswer([0, 1, 2, 3, 4, 5, 6].map(megabyte));
    expect(taken.map((item) => item.index)).toEqual([0, 1, 2, 3]);
    expect(Buffer.byteLength(JSON.stringify(taken))).toBeLessThan(5 * 1024 * 1024);
  });

  it('holds all of a short list and at least one item', () => {
    expect(takeWithinAnswer([1, 2, 3])).toEqual([1, 2, 3]);
    expect(takeWithinAnswer([])).toEqual([]);
    const large = { content: 'x'.repeat(6 * 1024 * 1024) };
    expect(takeWithinAnswer([large, large])).toEqual([large]);
  });

  it.each([
    ['plain text', 'x'],
    ['text that JSON escapes', '"\n'],
    ['three bytes a character', '日'],
    ['surrogate pairs', '😀'],
  ])('holds two copies of the beginning of %s', (_, unit) => {
    const text = unit.repeat(3_000_000);
    const cut = cutToAnswer(text, 2);
    const bytes = Buffer.byteLength(JSON.stringify([cut, cut]));
    expect(text.startsWith(cut) && cut.isWellFormed()).toBe(true);
    expect(bytes).toBeLessThan(5 * 1024 * 1024);
    expect(bytes).toBeGreaterThan(4.9 * 1024 * 1024);
  });

  it('holds a text whole that fits', () => {
    expect(cutToAnswer('a "short" one', 2)).toBe('a "short" one');
  });
});
