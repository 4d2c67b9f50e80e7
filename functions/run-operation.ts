import type { Clock } from '../lib/clock.ts';
import type { Idempotency } from '../lib/memory/idempotency/run-once.ts';
import type { AccessScope } from '../lib/schemas/operation-contract.ts';
import type { RequestMeter } from './http/request-meter.ts';
import { survivedFailureLog } from './http/survived-failure-log.ts';
import { type Caller, hasAccess, limitsOf } from './middleware/authentication.ts';
import { requireNamedInLimits } from './named-ids.ts';
import type { AcceptedRequest } from './operation.ts';
import type { RequestBudget } from './request-budget.ts';
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
  /** Of the request, until its answer was sent. */
  readonly budget: RequestBudget;
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
  return call.budget.run(async (signal) => {
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
