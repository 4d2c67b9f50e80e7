import { cors } from 'hono/cors';

/** Lets browsers of the given origins call the API. */
export function crossOrigin(origins: readonly string[]) {
  return cors({
    origin: [...origins],
    allowMethods: ['GET', 'POST', 'PATCH', 'DELETE'],
    allowHeaders: ['Authorization', 'Content-Type', 'X-Request-Id', 'Idempotency-Key'],
    exposeHeaders: [
      'X-Request-Id',
      'Retry-After',
      'RateLimit',
      'RateLimit-Policy',
      'Server-Timing',
      'Idempotency-Replayed',
    ],
    maxAge: 600,
  });
}
