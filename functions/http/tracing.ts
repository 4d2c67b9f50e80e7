import {
  type Attributes,
  type Context,
  context,
  propagation,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  type Tracer,
  trace,
} from '@opentelemetry/api';
import { AgentMemoryError } from '../../lib/errors/agent-memory-error.ts';

/**
 * Spans through the standard API of OpenTelemetry: nothing happens unless the process registered a provider. Attributes
 * are names, counts and codes, never content, queries or credentials. The parent is passed on by hand, because not every
 * runtime keeps it.
 */
function tracer(): Tracer {
  return trace.getTracer('agent-memory-functions');
}

/** The trace that a caller's `traceparent` header belongs to. */
export function callerTrace(headers: Headers): Context {
  return propagation.extract(ROOT_CONTEXT, headers, {
    get: (carrier, key) => carrier.get(key) ?? undefined,
    keys: (carrier) => [...carrier.keys()],
  });
}

/** Starts the span of a request or a job. */
export function startRequestSpan(name: string, parent: Context, kind: SpanKind): Span {
  return tracer().startSpan(name, { kind }, parent);
}

/** Where the spans of work under this span belong. */
export function under(span: Span, parent: Context): Context {
  return trace.setSpan(parent, span);
}

/** Runs work in a span of its own, with what a context manager of the process makes of it. */
export async function traceWork<Result>(
  parent: Context,
  name: string,
  attributes: Attributes,
  work: (span: Span) => Promise<Result>,
): Promise<Result> {
  const span = tracer().startSpan(name, { kind: SpanKind.CLIENT, attributes }, parent);
  try {
    return await context.with(trace.setSpan(parent, span), () => work(span));
  } catch (error) {
    markFailed(span, AgentMemoryError.is(error) ? error.code : 'internal');
    throw error;
  } finally {
    span.end();
  }
}

/** Reports work that has just ended. @param failure Code of its failure, if it failed */
export function reportPastWork(
  parent: Context,
  name: string,
  milliseconds: number,
  attributes: Attributes,
  failure: string | undefined,
): void {
  const end = Date.now();
  const startTime = end - milliseconds;
  const span = tracer().startSpan(name, { kind: SpanKind.CLIENT, attributes, startTime }, parent);
  if (failure !== undefined) markFailed(span, failure);
  span.end(end);
}

/** Says in the span how it failed, by a code. */
export function markFailed(span: Span, code: string): void {
  span.setAttribute('error.type', code);
  span.setStatus({ code: SpanStatusCode.ERROR });
}
