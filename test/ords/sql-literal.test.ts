import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { clobLiteral, textLiteral } from '../../infra/ords/sql-literal.ts';
import { readLiteral } from './read-literal.ts';

const ODD_TEXTS = [
  '',
  "it's",
  "''",
  'a\n\nb',
  '\n',
  '/\n@x\n!y;\n;',
  'é 日本 🙂 \\00E9 \\',
  '\t\r\u0001',
  "'".repeat(5_000),
  '🙂'.repeat(3_000),
  `${'x'.repeat(999)}'${'y'.repeat(2_000)}`,
];

describe('a text as a literal of a script', () => {
  it.each(ODD_TEXTS.map((text) => [text]))('comes back whole: %j', (text) => {
    expect(readLiteral(clobLiteral(text))).toBe(text);
  });

  it('comes back whole, whatever it is, in lines that SQLcl takes', () => {
    const anyText = fc.string({ unit: 'binary', maxLength: 3_000 });
    const likely = fc.stringMatching(/^[a-z'";:\\\n é🙂&@/-]{0,2000}$/u);
    fc.assert(
      fc.property(fc.oneof(anyText, likely), (text) => {
        const expression = clobLiteral(text);
        expect(readLiteral(expression)).toBe(text);
        for (const line of expression.split('\n')) {
          expect(line).toMatch(/^(?:REPLACE\(TO_CLOB\(|TO_CLOB\(| {4}\S)[ -~]*(?:\|\||\)|')$/);
          expect(line.length).toBeLessThan(2_499);
        }
        for (const [literal] of expression.matchAll(/'(?:[^']|'')*'/g)) {
          expect(literal.length).toBeLessThanOrEqual(4_000);
        }
      }),
      { numRuns: 200 },
    );
  });

  it('of several lines keeps one character for their ends', () => {
    const all = Array.from({ length: 95 }, (_, index) => String.fromCharCode(32 + index)).join('');
    expect(readLiteral(clobLiteral(all))).toBe(all);
    expect(readLiteral(clobLiteral(`~\n${all.replace('Q', '')}`))).toBe(`~\n${all.replace('Q', '')}`);
    expect(() => clobLiteral(`${all}\n`)).toThrow(RangeError);
  });

  it('of a name is one literal', () => {
    expect(textLiteral("o'clock")).toBe("'o''clock'");
    for (const text of ['', 'a\nb', 'x'.repeat(1_001)]) expect(() => textLiteral(text)).toThrow(RangeError);
  });
});
