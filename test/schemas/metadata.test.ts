import { describe, expect, it } from 'vitest';
import { metadataSchema } from '../../lib/schemas/metadata.ts';

describe('numbers in metadata', () => {
  it.each([0, -0.5, 1.0, 1e-7, Number.MAX_SAFE_INTEGER, -Number.MAX_SAFE_INTEGER])('keeps %d', (number) => {
    expect(metadataSchema.parse({ nested: [{ number }] })).toEqual({ nested: [{ number }] });
  });

  it.each(['9007199254740993', '-9007199254740993', '1e300', '123456789012345678901234567890'])(
    'refuses %s, which would be kept as another number',
    (digits) => {
      const result = metadataSchema.safeParse(JSON.parse(`{"nested": [{"number": ${digits}}]}`));
      expect(result.error?.issues[0]?.message).toMatch(/beyond 2\^53/);
    },
  );
});
