import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findJsonObject } from '../../lib/memory/extraction/lenient-json.ts';

const hasMemories = (value: Readonly<Record<string, unknown>>) => Array.isArray(value.memories);

describe('findJsonObject', () => {
  it('finds the object in any prose and gives it back as it was', () => {
    const anyProse = fc.string({ unit: 'grapheme', maxLength: 30 }).filter((text) => !/[{}"\\<]/.test(text));
    const anyMemories = fc.array(fc.record({ content: fc.string({ unit: 'binary' }), n: fc.integer() }));
    fc.assert(
      fc.property(anyProse, anyMemories, anyProse, (before, memories, after) => {
        const answer = `${before}${JSON.stringify({ memories })}${after}`;
        expect(findJsonObject(answer, hasMemories)).toEqual({ memories });
      }),
      { numRuns: 300 },
    );
  });

  it('never throws and never takes long, whatever the text', () => {
    const anyText = fc.string({
      unit: fc.constantFrom('{', '}', '[', ']', '"', '\\', ',', ':', 'a', '\n', '<think>'),
    });
    fc.assert(
      fc.property(anyText, (text) => {
        const found = findJsonObject(text, hasMemories);
        expect(found === undefined || hasMemories(found)).toBe(true);
      }),
      { numRuns: 500 },
    );
    expect(findJsonObject('{"a":'.repeat(100_000), hasMemories)).toBeUndefined();
  });
});
