import type { Context, Hono } from 'hono';
import { NDJSON } from '../lib/schemas/ndjson.ts';
import { takesBody } from '../lib/schemas/operation-contract.ts';
import { readBody } from './http/request-body.ts';
import { rawPath, readPathParameters, readQuery } from './http/request-target.ts';
import { respondWithLines } from './http/respond-with-lines.ts';
import { admitCaller } from './middleware/admit-caller.ts';
import type { AppEnvironment } from './middleware/app-environment.ts';
import { requireAccess } from './middleware/authentication.ts';
import { readIdempotencyKey } from './middleware/idempotency-key.ts';
import type { Operation, ReceivedInput } from './operation.ts';
import { type RequestBudget, startBudget } from './request-budget.ts';
import { runOperation } from './run-operation.ts';
import type { Services } from './services.ts';
import { StreamedLines } from './streamed-lines.ts';

/** Where all operations live (HTTP API contract). */
export const BASE_PATH = '/v1';
/** When a client asks again about work that goes on. */
const GOES_ON_HEADERS = { 'Retry-After': '1' };

/** Mounts one operation: who, may they, what do they ask, then the use case. */
export function mountOperation(app: Hono<AppEnvironment>, operation: Operation, services: Services): void {
  const { contract } = operation;
  const path = BASE_PATH + contract.path.replaceAll(/\{(\w+)\}/g, ':$1');
  app.on(contract.method.toUpperCase(), path, async (c) => {
    c.set('operationId', contract.id);
    const caller = await admitCaller(c, services);
    requireAccess(caller, [contract.access]);
    const idempotency = readIdempotencyKey(c, contract, caller);
    const accepted = operation.accept(await receiveInput(c, operation, services.bodyLimitBytes));
    requireAccess(caller, accepted.additionalAccess);
    const { meter, requestId } = c.var;
    const budget = startBudget(c.req.raw.signal, services);
    const call = { operationId: contract.id, caller, requestId, meter, budget, idempotency };
    const answer = await runOperation(services, accepted, call);
    if (contract.goesOn?.(answer)) return Response.json(answer, { status: 202, headers: GOES_ON_HEADERS });
    if (answer instanceof StreamedLines) return sendLines(c, answer, budget, operation);
    return Response.json(answer, { status: contract.status });
  });
}

async function receiveInput(
  c: Context<AppEnvironment>,
  { contract }: Operation,
  limit: number,
): Promise<ReceivedInput> {
  return {
    parameters: readPathParameters(BASE_PATH + contract.path, rawPath(c.req.url)),
    query: readQuery(c.req.url),
    body: takesBody(contract) ? await readBody(c.req.raw, contract, limit) : undefined,
  };
}

/** A request for the head of an answer gets no lines, so none are read for it. */
async function sendLines(
  c: Context<AppEnvironment>,
  answer: StreamedLines<unknown>,
  budget: RequestBudget,
  { contract: { status } }: Operation,
): Promise<Response> {
  if (c.req.method === 'HEAD') {
    await answer.rest.return();
    return new Response(null, { status, headers: { 'Content-Type': NDJSON } });
  }
  const { response, ended } = respondWithLines(answer, budget, status);
  c.set('answerEnded', ended);
  return response;
}
