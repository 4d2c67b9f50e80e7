import { expect } from 'vitest';

const parsed = (received: unknown): unknown =>
  typeof received === 'string' ? JSON.parse(received) : undefined;

expect.extend({
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

interface JsonTextMatchers<Result> {
  toBeJsonText(expected: unknown): Result;
}

declare module 'vitest' {
  interface AsymmetricMatchersContaining extends JsonTextMatchers<unknown> {}
}

/** Text that parses to the given value: spacing, the order of members and the spelling of numbers are Oracle's affair. */
export const jsonText = (expected: unknown): unknown => expect.toBeJsonText(expected);
