import type { Context } from 'hono';
import { AgentMemoryError } from '../../lib/errors/agent-memory-error.ts';
import type { Services } from '../services.ts';
import type { AppEnvironment } from './app-environment.ts';
import type { Caller } from './authentication.ts';

/**
 * Who sends a request, when they may send one now. Nothing else of it has been looked at by then.
 *
 * @throws AgentMemoryError `unauthenticated`; `rate_limited` with the time to come again
 */
export async function admitCaller(
  c: Context<AppEnvironment>,
  { authenticate, useRate }: Pick<Services, 'authenticate' | 'useRate'>,
): Promise<Caller> {
  const caller = await authenticate(c.req.header('Authorization'));
  if (caller.ratePerMinute === undefined) return caller;
  const use = await useRate(caller.id, caller.ratePerMinute);
  c.set('rateUse', use);
  if (use.isAllowed) return caller;
  throw new AgentMemoryError(
    'rate_limited',
    `the credential allows ${use.ratePerMinute} requests in a minute`,
    {
      retryAfterSeconds: use.retryAfterSeconds,
    },
  );
}
