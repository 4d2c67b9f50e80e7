import type { Context } from 'hono';
import { AgentMemoryError } from '../../lib/errors/agent-memory-error.ts';
import type { Services } from '../services.ts';
import type { AppEnvironment } from './app-environment.ts';
import { type Caller, callerIdentity } from './authentication.ts';

/**
 * Who sends a request, when they may send one now. Nothing else of it has been looked at by then.
 *
 * @throws AgentMemoryError `unauthenticated`; `rate_limited` with the time to come again
 */
export async function admitCaller(
  c: Context<AppEnvironment>,
  services: Pick<Services, 'authenticate' | 'useRate'>,
): Promise<Caller> {
  const caller = await services.authenticate(c.req.header('Authorization'));
  await countRequest(c, services, caller);
  return caller;
}

/**
 * Takes one request from the rate of a caller who has one. What tells callers apart is what does so for repeatable requests:
 * credentials that share a name, but not their limits or their rate, do not use up each other's.
 *
 * @throws AgentMemoryError `rate_limited` with the time to come again
 */
export async function countRequest(
  c: Context<AppEnvironment>,
  { useRate }: Pick<Services, 'useRate'>,
  caller: Caller,
): Promise<void> {
  if (caller.ratePerMinute === undefined) return;
  const use = await useRate(callerIdentity(caller), caller.ratePerMinute);
  c.set('rateUse', use);
  if (use.isAllowed) return;
  throw new AgentMemoryError(
    'rate_limited',
    `the credential allows ${use.ratePerMinute} requests in a minute`,
    { retryAfterSeconds: use.retryAfterSeconds },
  );
}
