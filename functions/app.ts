import { type Context, Hono, type Next } from 'hono';
import { AgentMemoryError } from '../lib/errors/agent-memory-error.ts';
import { logRequestFailure } from './http/log-request-failure.ts';
import type { Logger } from './http/logger.ts';
import { problemResponse } from './http/problem.ts';
import { rawPath } from './http/request-target.ts';
import type { AppEnvironment } from './middleware/app-environment.ts';
import { crossOrigin } from './middleware/cross-origin.ts';
import { reportReplay } from './middleware/idempotency-key.ts';
import { answerLoopbackOnly } from './middleware/loopback-only.ts';
import { observeRequest } from './middleware/observe-request.ts';
import { reportRate } from './middleware/rate-limit.ts';
import { identifyRequest } from './middleware/request-id.ts';
import { secureAnswers } from './middleware/security-headers.ts';
import { reportCosts } from './middleware/server-timing.ts';
import { mountOperation } from './mount-operation.ts';
import type { Operation } from './operation.ts';
import { mountServiceRoutes } from './service/service-routes.ts';
import type { Services } from './services.ts';

export interface AppOptions {
  readonly operations: readonly Operation[];
  readonly services: Services;
  /** Mounts routes beside those of the operations. */
  readonly mountMore?: ((app: App, services: Services) => void) | undefined;
  /** Refuses requests for another name than this computer's own. @default false */
  readonly loopbackOnly?: boolean;
}

/** The whole HTTP surface over some operations: `fetch(request)` answers, in every runtime. */
export type App = Hono<AppEnvironment>;

/**
 * Makes the app. Routing is on the path as it was sent, so that an id is percent-decoded once and `a%2Fb` stays one
 * segment.
 */
export function createApp({ operations, services, mountMore, loopbackOnly }: AppOptions): App {
  const app: App = new Hono<AppEnvironment>({ getPath: (request) => rawPath(request.url) });
  app.use(identifyRequest);
  app.use(observeRequest(services.logger));
  app.use(secureAnswers);
  app.use(reportReplay);
  app.use(reportRate);
  if (services.diagnostics) app.use(reportCosts);
  if (services.corsOrigins.length > 0) app.use(crossOrigin(services.corsOrigins));
  app.use(throwOnlyErrors);
  if (loopbackOnly) app.use(answerLoopbackOnly);
  for (const operation of operations) mountOperation(app, operation, services);
  mountServiceRoutes(app, services);
  mountMore?.(app, services);
  refuseOtherMethods(app);
  app.notFound((c) => problemResponse(new AgentMemoryError('not_found', 'no such route'), c.var.requestId));
  app.onError((error, c) => answerFailure(error, c, services.logger));
  return app;
}

/** Hono hands errors to `onError` and lets any other thrown value out; here nothing gets out. */
async function throwOnlyErrors(_: Context<AppEnvironment>, next: Next): Promise<void> {
  try {
    await next();
  } catch (thrown) {
    throw thrown instanceof Error
      ? thrown
      : new AgentMemoryError('internal', 'a value was thrown', { cause: thrown });
  }
}

/** For every known path: `Allow` on OPTIONS, 405 on methods that it does not have. */
function refuseOtherMethods(app: App): void {
  const methods = new Map<string, Set<string>>();
  for (const { method, path } of app.routes.filter((route) => route.method !== 'ALL')) {
    const known = methods.get(path) ?? new Set(['OPTIONS']);
    known.add(method);
    if (method === 'GET') known.add('HEAD');
    methods.set(path, known);
  }
  for (const [path, known] of methods) {
    const allow = [...known].sort().join(', ');
    app.all(path, (c) => {
      if (c.req.method === 'OPTIONS') return c.body(null, 204, { Allow: allow });
      return methodNotAllowed(c, allow);
    });
  }
}

/** No error code stands for 405: to a caller the request is wrong, and the status says how. */
function methodNotAllowed(c: Context<AppEnvironment>, allow: string): Response {
  const detail = `the method must be one of ${allow}`;
  const body = {
    type: 'about:blank',
    title: 'Method not allowed',
    status: 405,
    detail,
    code: 'invalid_request',
    requestId: c.var.requestId,
  };
  const headers = { 'Content-Type': 'application/problem+json', Allow: allow };
  return new Response(JSON.stringify(body), { status: 405, headers });
}

/** An app that answers every request with one failure: a service that could not start, a request without a usable path. */
export function createFailingApp(failure: AgentMemoryError, logger: Logger): App {
  const app: App = new Hono<AppEnvironment>();
  app.use(identifyRequest);
  app.all('*', () => {
    throw failure;
  });
  app.onError((error, c) => answerFailure(error, c, logger));
  return app;
}

function answerFailure(error: unknown, c: Context<AppEnvironment>, logger: Logger): Response {
  logRequestFailure(logger, c.var, error);
  return problemResponse(error, c.var.requestId);
}
