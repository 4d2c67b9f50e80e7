import { createMiddleware } from 'hono/factory';
import type { AppEnvironment } from './app-environment.ts';

/** An incoming id is kept when it can stand in a header and a log as it is. */
const VALID = /^[\w.:@/+=-]{1,128}$/;

/** Gives every request an id and every response the header `X-Request-Id`. */
export const identifyRequest = createMiddleware<AppEnvironment>(async (c, next) => {
  const incoming = c.req.header('X-Request-Id') ?? '';
  const requestId = VALID.test(incoming) ? incoming : crypto.randomUUID();
  c.set('requestId', requestId);
  await next();
  c.header('X-Request-Id', requestId);
});
