import { createMiddleware } from 'hono/factory';
import { serverTiming } from '../http/request-meter.ts';
import type { AppEnvironment } from './app-environment.ts';

/** Tells in `Server-Timing` what a request cost. Only mounted with authentication off. */
export const reportCosts = createMiddleware<AppEnvironment>(async (c, next) => {
  await next();
  c.header('Server-Timing', serverTiming(c.var.meter));
});
