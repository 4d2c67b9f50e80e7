import type { Context, Hono } from 'hono';
import { NDJSON, writeNdjson } from '../lib/schemas/ndjson.ts';
import { takesBody } from '../lib/schemas/operation-contract.ts';
import { readBody } from './http/request-body.ts';
import { rawPath, readPathParameters, readQuery } from './http/request-target.ts';
import { admitCaller } from './middleware/admit-caller.ts';
import type { AppEnvironment } from './middleware/app-environment.ts';
import { requireAccess } from './middleware/authentication.ts';
import { readIdempotencyKey } from './middleware/idempotency-key.ts';
import type { Operation, ReceivedInput } from './operation.ts';
import { runOperation } from './run-operation.ts';
import type { Services } from './services.ts';

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
    const call = { operationId: contract.id, caller, requestId, meter, gone: c.req.raw.signal, idempotency };
    const answer = await runOperation(services, accepted, call);
    if (contract.goesOn?.(answer)) return Response.json(answer, { status: 202, headers: GOES_ON_HEADERS });
    if (contract.responseFormat === 'ndjson') return respondWithLines(answer, contract.status);
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

/** An answer of lines is checked as such by its contract. */
function respondWithLines(answer: unknown, status: number): Response {
  const lines: unknown = Object(answer).lines;
  const text = writeNdjson({ lines: Array.isArray(lines) ? lines : [answer] });
  return new Response(text, { status, headers: { 'Content-Type': NDJSON } });
}
