import { expect } from 'vitest';

const parsed = (received: unknown): unknown =>
  typeof received === 'string' ? JSON.parse(received) : undefined;

const asNumber = (received: unknown): number =>
  typeof received === 'number' || typeof received === 'string' ? Number(received) : Number.NaN;

expect.extend({
  toBeNumberNear(received: unknown, expected: number) {
    return {
      pass: Math.abs(asNumber(received) - expected) < 1e-9,
      message: () => `expected about ${expected}, received ${String(received)}`,
    };
  },
  toBeJsonText(received: unknown, expected: unknown) {
    const actual = parsed(received);
    return {
      pass: this.equals(actual, expected),
      message: () => `expected JSON ${JSON.stringify(expected)}, received ${String(received)}`,
      actual,
      expected,
    };
  },
});

interface ValueMatchers<Result> {
  toBeJsonText(expected: unknown): Result;
  toBeNumberNear(expected: number): Result;
}

declare module 'vitest' {
  interface AsymmetricMatchersContaining extends ValueMatchers<unknown> {}
}

/** Text that parses to the given value: spacing, the order of members and the spelling of numbers are Oracle's affair. */
export const jsonText = (expected: unknown): unknown => expect.toBeJsonText(expected);

/** A NUMBER to nine decimals: as a JavaScript number, or as text when it has more digits than one can hold. */
export const numberNear = (expected: number): unknown => expect.toBeNumberNear(expected);
