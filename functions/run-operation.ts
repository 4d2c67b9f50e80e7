import type { Clock } from '../lib/clock.ts';
import { AgentMemoryError } from '../lib/errors/agent-memory-error.ts';
import type { Idempotency } from '../lib/memory/idempotency/run-once.ts';
import type { AccessScope } from '../lib/schemas/operation-contract.ts';
import type { RequestMeter } from './http/request-meter.ts';
import { survivedFailureLog } from './http/survived-failure-log.ts';
import { type Caller, hasAccess, limitsOf } from './middleware/authentication.ts';
import { requireNamedInLimits } from './named-ids.ts';
import type { AcceptedRequest } from './operation.ts';
import type { Services } from './services.ts';

/** Seconds that a request may wait where no budget ends it: below the time-outs of usual clients and proxies. */
const LONGEST_WAIT_SECONDS = 55;
/** What an answer may use of the request's time; the rest is for sending it. */
const USABLE_PART = 0.85;

/** Who asks for an operation, and what belongs to the request that asks. */
export interface OperationCall {
  readonly operationId: string;
  readonly caller: Caller;
  readonly requestId: string;
  readonly meter: RequestMeter;
  /** Aborts when the caller has gone. */
  readonly gone: AbortSignal;
  readonly idempotency?: Idempotency | undefined;
}

/**
 * Runs a request that was found valid, for a caller that may make it, within the budget of requests.
 *
 * @throws AgentMemoryError `forbidden` when it names what is outside the limits of the caller, `timeout` when the budget
 * is over, `unavailable` when the process is about to end, and what the use case throws
 */
export async function runOperation(
  services: Services,
  accepted: AcceptedRequest,
  call: OperationCall,
): Promise<unknown> {
  const { operationId, caller, requestId, meter, idempotency } = call;
  requireNamedInLimits(caller, accepted.named);
  return withinBudget(call.gone, services, async (signal) => {
    const author = { callerId: caller.id, requestId, operationId };
    const context = await services.openContext(meter, signal, limitsOf(caller), author);
    const requestContext = {
      ...context,
      answerBy: answerTime(context.clock, services.requestBudgetSeconds),
      permits: (scope: AccessScope) => hasAccess(caller, scope),
      reportFailure: survivedFailureLog(services.logger, { requestId, operation: operationId }),
    };
    return accepted.run(requestContext, idempotency);
  });
}

function answerTime(clock: Clock, budgetSeconds: number | undefined): Date {
  const seconds = Math.min(LONGEST_WAIT_SECONDS, (budgetSeconds ?? Number.POSITIVE_INFINITY) * USABLE_PART);
  return new Date(clock.now().getTime() + seconds * 1_000);
}

/**
 * Runs work with a signal that aborts when the caller has gone, the request budget is over or the process is about to end.
 * Work that the budget stopped is a `timeout`, and work that the end of the process stopped, or that nobody waits for any
 * more, is `unavailable`, whatever its layers made of the abort.
 */
async function withinBudget<Result>(
  gone: AbortSignal,
  { requestBudgetSeconds, ending }: Services,
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const budget =
    requestBudgetSeconds === undefined ? undefined : AbortSignal.timeout(requestBudgetSeconds * 1_000);
  const signals = [gone, budget, ending].filter((signal) => signal !== undefined);
  try {
    return await work(signals.length === 1 ? gone : AbortSignal.any(signals));
  } catch (cause) {
    if (isDefiniteAnswer(cause)) throw cause;
    if (gone.aborted) throw new AgentMemoryError('unavailable', 'the caller has gone', { cause });
    if (budget?.aborted) {
      throw new AgentMemoryError('timeout', `the request took longer than ${requestBudgetSeconds} seconds`, {
        cause,
      });
    }
    if (!ending?.aborted) throw cause;
    throw new AgentMemoryError('unavailable', 'the service is ending', { retryAfterSeconds: 1, cause });
  }
}

function isDefiniteAnswer(error: unknown): boolean {
  return AgentMemoryError.is(error) && error.code !== 'unavailable' && error.code !== 'internal';
}
