import { createMiddleware } from 'hono/factory';
import { AgentMemoryError } from '../../lib/errors/agent-memory-error.ts';
import type { AppEnvironment } from './app-environment.ts';

const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d{1,5})?$/i;

/**
 * Refuses requests that were addressed to another name than this computer's own. For a service without authentication: a
 * page on the web can make its own name point here, and a browser would take the service for a part of that page.
 */
export const answerLoopbackOnly = createMiddleware<AppEnvironment>(async (c, next) => {
  const host = c.req.header('Host');
  if (host !== undefined && !LOOPBACK.test(host)) {
    throw new AgentMemoryError(
      'forbidden',
      'without authentication the service answers to localhost only: set AUTH_MODE to use another name',
    );
  }
  await next();
});
