import { describe, expect, it } from 'vitest';
import { resolveLifetime } from '../../lib/store/records/lifetime.ts';

const POLICY = { defaultTtlDays: 7, maxTtlDays: 30 };
const NONE = { defaultTtlDays: null, maxTtlDays: null };
const created = (ttlDays: number | null | undefined) => ({ ttlDays, ttlAnchor: 'created_at' }) as const;
const anchored = (ttlDays: number | null | undefined) => ({ ttlDays, ttlAnchor: 'timestamp' }) as const;

describe('resolveLifetime (contract §11)', () => {
  it.each([
    ['omitted days take the default', undefined, POLICY, 7],
    ['null takes the maximum', null, POLICY, 30],
    ['days within the maximum stay', 30, POLICY, 30],
    ['days above the maximum are clamped', 31, POLICY, 30],
    ['omitted days without a default take the maximum', undefined, { ...POLICY, defaultTtlDays: null }, 30],
    ['omitted days without a policy never expire', undefined, NONE, null],
    ['null without a policy never expires', null, NONE, null],
    ['days without a policy stay', 36_500, NONE, 36_500],
  ])('%s', (_title, ttlDays, policy, expected) => {
    expect(resolveLifetime(created(ttlDays), null, policy)).toEqual({
      expiresAt: null,
      ttlDays: expected,
    });
  });

  it('counts from the timestamp when that is the anchor', () => {
    expect(resolveLifetime(anchored(undefined), '2026-02-25T10:00:00.123Z', POLICY)).toEqual({
      expiresAt: '2026-03-04T10:00:00.123Z',
      ttlDays: null,
    });
    expect(resolveLifetime(anchored(99), '2026-01-01T00:00:00.000Z', POLICY).expiresAt).toBe(
      '2026-01-31T00:00:00.000Z',
    );
  });

  it('does not leave the calendar', () => {
    expect(resolveLifetime(anchored(36_500), '9990-01-01T00:00:00.000Z', NONE).expiresAt).toBe(
      '9999-12-31T23:59:59.999Z',
    );
  });

  it('needs a timestamp to count from', () => {
    for (const days of [1, null, undefined]) {
      expect(() => resolveLifetime(anchored(days), null, NONE)).toThrow(
        expect.objectContaining({
          code: 'invalid_request',
          issues: [expect.objectContaining({ path: 'ttlAnchor' })],
        }),
      );
    }
  });
});
