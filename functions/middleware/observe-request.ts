import { SpanKind } from '@opentelemetry/api';
import { createMiddleware } from 'hono/factory';
import { AgentMemoryError } from '../../lib/errors/agent-memory-error.ts';
import { logRequestFailure } from '../http/log-request-failure.ts';
import type { Logger } from '../http/logger.ts';
import { createRequestMeter, requestCosts } from '../http/request-meter.ts';
import { callerTrace, markFailed, startRequestSpan, under } from '../http/tracing.ts';
import type { AppEnvironment } from './app-environment.ts';

function codeOf(failure: unknown): string {
  return AgentMemoryError.is(failure) ? failure.code : 'internal';
}

/**
 * Observes every request: what it cost, in one line of the log and in one span. Both say which operation ran and how it
 * ended, never what was in it. An answer that is sent while it is read counts to its end: `brokenBy` is the code of what broke
 * it off, after its status had been sent.
 */
export function observeRequest(logger: Logger) {
  return createMiddleware<AppEnvironment>(async (c, next) => {
    const start = performance.now();
    const caller = callerTrace(c.req.raw.headers);
    const span = startRequestSpan(c.req.method, caller, SpanKind.SERVER);
    const meter = createRequestMeter(under(span, caller));
    c.set('meter', meter);
    await next();
    const { requestId, operationId, answerEnded } = c.var;
    const { method } = c.req;
    const { status } = c.res;
    const report = (failure?: unknown): void => {
      const milliseconds = Math.round((performance.now() - start) * 10) / 10;
      const brokenBy = failure === undefined ? undefined : codeOf(failure);
      if (failure !== undefined) logRequestFailure(logger, { requestId, operationId }, failure);
      if (operationId !== undefined) span.updateName(operationId);
      span.setAttributes({
        'http.request.method': method,
        'http.response.status_code': status,
        'agent_memory.request_id': requestId,
      });
      if (status >= 500) markFailed(span, String(status));
      if (brokenBy !== undefined) markFailed(span, brokenBy);
      span.end();
      // Health checks and unknown paths would drown the rest.
      logger.log(operationId === undefined ? 'debug' : 'info', 'request', {
        requestId,
        ...(operationId === undefined ? {} : { operation: operationId }),
        status,
        ...(brokenBy === undefined ? {} : { brokenBy }),
        milliseconds,
        ...requestCosts(meter),
      });
    };
    if (answerEnded === undefined) report();
    else void answerEnded.then(report);
  });
}
