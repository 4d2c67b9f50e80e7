import { createMiddleware } from 'hono/factory';
import type { AppEnvironment } from './app-environment.ts';

/** What a request left of the rate of its caller. */
export interface RateUse {
  readonly isAllowed: boolean;
  /** Requests in a minute. */
  readonly ratePerMinute: number;
  /** Requests that are left now; undefined where whoever counts does not tell. */
  readonly remaining: number | undefined;
  /** Seconds until the whole rate is there again; undefined where nobody tells. */
  readonly resetSeconds: number | undefined;
  /** Seconds until another request may come. */
  readonly retryAfterSeconds: number;
}

/** Counts a request of a caller. Those with one id count together as long as their rates are the same. */
export type UseRate = (callerId: string, ratePerMinute: number) => Promise<RateUse>;

/** The part of a rate limit binding of Cloudflare Workers that is used. Its limit is its own. */
export interface RateLimitBinding {
  limit(options: { readonly key: string }): Promise<{ readonly success: boolean }>;
}

const MINUTE = 60_000;
/** Callers that are counted at once; of more the one that came longest ago is forgotten, which gives it its whole rate. */
const CALLER_LIMIT = 10_000;

/**
 * Counts in this process: a bucket for each caller, which holds as many requests as a minute has and fills at that rate. No
 * call to anything, so each instance of the service counts for itself.
 *
 * @param now Milliseconds since any start
 */
export function createTokenBuckets(now: () => number): UseRate {
  const buckets = new Map<string, { readonly tokens: number; readonly at: number }>();
  return async (callerId, ratePerMinute) => {
    const at = now();
    const name = `${ratePerMinute} ${callerId}`;
    const bucket = buckets.get(name) ?? { tokens: ratePerMinute, at };
    const filled = Math.min(ratePerMinute, bucket.tokens + ((at - bucket.at) * ratePerMinute) / MINUTE);
    const isAllowed = filled >= 1;
    const tokens = isAllowed ? filled - 1 : filled;
    buckets.delete(name);
    buckets.set(name, { tokens, at });
    const [oldest] = buckets.keys();
    if (buckets.size > CALLER_LIMIT && oldest !== undefined) buckets.delete(oldest);
    const secondsFor = (missing: number) => Math.ceil((missing * 60) / ratePerMinute);
    return {
      isAllowed,
      ratePerMinute,
      remaining: Math.floor(tokens),
      resetSeconds: secondsFor(ratePerMinute - tokens),
      retryAfterSeconds: Math.max(1, secondsFor(1 - tokens)),
    };
  };
}

/**
 * Counts by the binding of a rate, over all instances of a Cloudflare location, else in this process. The binding says only
 * whether a request may go on.
 *
 * @param find The binding whose limit is this rate
 */
export function withRateLimitBindings(
  find: (ratePerMinute: number) => RateLimitBinding | undefined,
  useRate: UseRate,
): UseRate {
  return async (callerId, ratePerMinute) => {
    const binding = find(ratePerMinute);
    if (binding === undefined) return useRate(callerId, ratePerMinute);
    const { success } = await binding.limit({ key: callerId });
    const told = success
      ? { remaining: undefined, resetSeconds: undefined }
      : { remaining: 0, resetSeconds: 60 };
    return { isAllowed: success, ratePerMinute, ...told, retryAfterSeconds: 60 };
  };
}

/**
 * Tells a caller with a rate what it is and what is left of it, in the fields of the IETF draft "RateLimit header fields for
 * HTTP" (draft-ietf-httpapi-ratelimit-headers-11).
 */
export const reportRate = createMiddleware<AppEnvironment>(async (c, next) => {
  await next();
  const use = c.var.rateUse;
  if (use === undefined) return;
  c.header('RateLimit-Policy', `"minute";q=${use.ratePerMinute};w=60`);
  if (use.remaining === undefined || use.resetSeconds === undefined) return;
  c.header('RateLimit', `"minute";r=${use.remaining};t=${use.resetSeconds}`);
});
