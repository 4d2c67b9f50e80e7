import { SpanKind } from '@opentelemetry/api';
import { createMiddleware } from 'hono/factory';
import type { Logger } from '../http/logger.ts';
import { createRequestMeter, requestCosts } from '../http/request-meter.ts';
import { callerTrace, markFailed, startRequestSpan, under } from '../http/tracing.ts';
import type { AppEnvironment } from './app-environment.ts';

/**
 * Observes every request: what it cost, in one line of the log and in one span. Both say which operation ran and how it
 * ended, never what was in it.
 */
export function observeRequest(logger: Logger) {
  return createMiddleware<AppEnvironment>(async (c, next) => {
    const start = performance.now();
    const caller = callerTrace(c.req.raw.headers);
    const span = startRequestSpan(c.req.method, caller, SpanKind.SERVER);
    const meter = createRequestMeter(under(span, caller));
    c.set('meter', meter);
    await next();
    const { requestId, operationId } = c.var;
    const { status } = c.res;
    const milliseconds = Math.round((performance.now() - start) * 10) / 10;
    if (operationId !== undefined) span.updateName(operationId);
    span.setAttributes({
      'http.request.method': c.req.method,
      'http.response.status_code': status,
      'agent_memory.request_id': requestId,
    });
    if (status >= 500) markFailed(span, String(status));
    span.end();
    // Health checks and unknown paths would drown the rest.
    logger.log(operationId === undefined ? 'debug' : 'info', 'request', {
      requestId,
      ...(operationId === undefined ? {} : { operation: operationId }),
      status,
      milliseconds,
      ...requestCosts(meter),
    });
  });
}
