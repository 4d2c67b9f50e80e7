import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { vectorText } from '../../lib/store/search/vector-text.ts';

describe('vectorText', () => {
  it('keeps every FLOAT32 exactly', () => {
    fc.assert(
      fc.property(
        fc.float32Array({ minLength: 3, maxLength: 3, noNaN: true, noDefaultInfinity: true }),
        (vector) => {
          const written = vectorText(vector, 3);
          if (vector.every((component) => component === 0)) expect(written).toBeUndefined();
          else
            expect(Float32Array.from(JSON.parse(written ?? ''))).toEqual(
              vector.map((component) => component + 0),
            );
        },
      ),
    );
  });

  it('refuses another width and what is not a number', () => {
    expect(() => vectorText(Float32Array.of(1, 2), 3)).toThrow(/2 dimensions, the store has 3/);
    expect(() => vectorText(Float32Array.of(1, Number.NaN), 2)).toThrow(/not finite/);
    expect(() => vectorText(Float32Array.of(1, Number.POSITIVE_INFINITY), 2)).toThrow(/not finite/);
  });
});
