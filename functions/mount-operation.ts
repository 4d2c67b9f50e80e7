import type { Context, Hono } from 'hono';
import type { Clock } from '../lib/clock.ts';
import { AgentMemoryError } from '../lib/errors/agent-memory-error.ts';
import { type AccessScope, takesBody } from '../lib/schemas/operation-contract.ts';
import { readJsonBody } from './http/request-body.ts';
import { rawPath, readPathParameters, readQuery } from './http/request-target.ts';
import { survivedFailureLog } from './http/survived-failure-log.ts';
import type { AppEnvironment } from './middleware/app-environment.ts';
import { hasAccess, requireAccess } from './middleware/authentication.ts';
import { readIdempotencyKey } from './middleware/idempotency-key.ts';
import type { Operation, ReceivedInput } from './operation.ts';
import type { Services } from './services.ts';

/** Where all operations live (HTTP API contract). */
export const BASE_PATH = '/v1';
/** Seconds that a request may wait where no budget ends it: below the time-outs of usual clients and proxies. */
const LONGEST_WAIT_SECONDS = 55;
/** What an answer may use of the request's time; the rest is for sending it. */
const USABLE_PART = 0.85;
/** When a client asks again about work that goes on. */
const GOES_ON_HEADERS = { 'Retry-After': '1' };

/** Mounts one operation: who, may they, what do they ask, then the use case. */
export function mountOperation(app: Hono<AppEnvironment>, operation: Operation, services: Services): void {
  const { contract } = operation;
  const path = BASE_PATH + contract.path.replaceAll(/\{(\w+)\}/g, ':$1');
  app.on(contract.method.toUpperCase(), path, async (c) => {
    c.set('operationId', contract.id);
    const caller = await services.authenticate(c.req.header('Authorization'));
    requireAccess(caller, [contract.access]);
    const idempotency = readIdempotencyKey(c, contract, caller);
    const accepted = operation.accept(await receiveInput(c, operation, services.bodyLimitBytes));
    requireAccess(caller, accepted.additionalAccess);
    const answer = await withinBudget(c, services, async (signal) => {
      const context = await services.openContext(c.var.meter, signal);
      const requestContext = {
        ...context,
        answerBy: answerTime(context.clock, services.requestBudgetSeconds),
        permits: (scope: AccessScope) => hasAccess(caller, scope),
        reportFailure: survivedFailureLog(services.logger, {
          requestId: c.var.requestId,
          operation: contract.id,
        }),
      };
      return accepted.run(requestContext, idempotency);
    });
    if (contract.goesOn?.(answer)) return Response.json(answer, { status: 202, headers: GOES_ON_HEADERS });
    return Response.json(answer, { status: contract.status });
  });
}

function answerTime(clock: Clock, budgetSeconds: number | undefined): Date {
  const seconds = Math.min(LONGEST_WAIT_SECONDS, (budgetSeconds ?? Number.POSITIVE_INFINITY) * USABLE_PART);
  return new Date(clock.now().getTime() + seconds * 1_000);
}

async function receiveInput(
  c: Context<AppEnvironment>,
  { contract }: Operation,
  limit: number,
): Promise<ReceivedInput> {
  return {
    parameters: readPathParameters(BASE_PATH + contract.path, rawPath(c.req.url)),
    query: readQuery(c.req.url),
    body: takesBody(contract) ? await readJsonBody(c.req.raw, limit) : undefined,
  };
}

/**
 * Runs work with a signal that aborts when the caller has gone, the request budget is over or the process is about to end.
 * Work that the budget stopped is a `timeout`, and work that the end of the process stopped is `unavailable`, whatever its
 * layers made of the abort.
 */
async function withinBudget<Result>(
  c: Context<AppEnvironment>,
  { requestBudgetSeconds, ending }: Services,
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const gone = c.req.raw.signal;
  const budget =
    requestBudgetSeconds === undefined ? undefined : AbortSignal.timeout(requestBudgetSeconds * 1_000);
  const signals = [gone, budget, ending].filter((signal) => signal !== undefined);
  try {
    return await work(signals.length === 1 ? gone : AbortSignal.any(signals));
  } catch (cause) {
    if (isDefiniteAnswer(cause)) throw cause;
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
