import type { RateLimitBinding } from '../middleware/rate-limit.ts';
import type { WorkerEnvironment } from './worker.ts';

/** The rate limit binding of a Worker for a rate, `RATE_LIMIT_600` for 600 requests in a minute, if it has one. */
export function rateLimitBinding(
  environment: WorkerEnvironment,
  ratePerMinute: number,
): RateLimitBinding | undefined {
  const binding = environment[`RATE_LIMIT_${ratePerMinute}`];
  return isRateLimitBinding(binding) ? binding : undefined;
}

function isRateLimitBinding(binding: unknown): binding is RateLimitBinding {
  return typeof binding === 'object' && binding !== null && typeof Object(binding).limit === 'function';
}
