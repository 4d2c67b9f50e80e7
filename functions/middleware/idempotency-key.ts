import type { Context } from 'hono';
import { createMiddleware } from 'hono/factory';
import type { Idempotency } from '../../lib/memory/idempotency/run-once.ts';
import { checkIdempotencyKey } from '../../lib/schemas/idempotency-key.ts';
import { type OperationContract, takesIdempotencyKey } from '../../lib/schemas/operation-contract.ts';
import type { AppEnvironment } from './app-environment.ts';
import { type Caller, callerIdentity } from './authentication.ts';

const HEADER = 'Idempotency-Key';

/**
 * The idempotency key of a request to a POST that changes state; anything else ignores the header (HTTP API contract,
 * Conventions).
 *
 * @throws AgentMemoryError `invalid_request` naming the header
 */
export function readIdempotencyKey(
  c: Context<AppEnvironment>,
  contract: OperationContract,
  caller: Caller,
): Idempotency | undefined {
  const key = c.req.header(HEADER);
  if (key === undefined || !takesIdempotencyKey(contract)) return undefined;
  return {
    key: checkIdempotencyKey(key, HEADER),
    callerId: callerIdentity(caller),
    onReplay: () => c.set('isReplay', true),
  };
}

/** Tells in `Idempotency-Replayed` that an answer is that of an earlier request. */
export const reportReplay = createMiddleware<AppEnvironment>(async (c, next) => {
  await next();
  if (c.var.isReplay) c.header('Idempotency-Replayed', 'true');
});
