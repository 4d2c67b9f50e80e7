import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Operation } from '../../functions/operation.ts';
import { ALL_OPERATIONS } from '../../functions/operations.ts';
import { createLambdaHandler, type LambdaHandler } from '../../functions/runtime/lambda.ts';
import type { HttpEvent } from '../../functions/runtime/lambda-event.ts';
import { createAgentMemoryClient } from '../../lib/client/agent-memory-client.ts';
import type { Fetch } from '../../lib/client/http-connection.ts';
import { createRulesLlm } from '../../lib/models/rules/rules-llm.ts';
import { type ApiFixture, startApi } from '../api/api-fixture.ts';
import { type MemoryException, memoryCases } from '../conformance/memory-cases.ts';
import { type ClientRequest, EVENT_KINDS } from './lambda-events.ts';

/** What an HTTP API cannot do, and the other kinds of events can. */
const HTTP_API_EXCEPTIONS: readonly MemoryException[] = [
  'ids with slashes, quotes and other scripts work',
  'deleteUser with cascade takes everything of that user and nothing of another (contract §3.3)',
].map((test) => ({
  test,
  reason: 'an HTTP API decodes paths, so ids with / ? % # are refused behind one',
}));

let api: ApiFixture;
/** One function for each operation, as they are deployed, over the services of one process. */
const functions = new Map<Operation, LambdaHandler>();
beforeAll(async () => {
  api = await startApi({ llm: createRulesLlm(), variables: { MEMORY_EXTRACTION: '{}' } });
  for (const operation of ALL_OPERATIONS) {
    functions.set(
      operation,
      createLambdaHandler([operation], async () => api.services),
    );
  }
});
afterAll(() => api.close());

/** The route of a gateway that takes a request: of several the one with the fewest parameters. */
function routeOf(method: string, path: string): { readonly operation: Operation; readonly route: string } {
  const [found] = ALL_OPERATIONS.map((operation) => ({ operation, route: `/v1${operation.contract.path}` }))
    .filter(({ operation }) => operation.contract.method.toUpperCase() === method)
    .filter(({ route }) => new RegExp(`^${route.replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(path))
    .sort((one, other) => one.route.split('{').length - other.route.split('{').length);
  if (found === undefined) throw new Error(`No route takes ${method} ${path}.`);
  return found;
}

/** A gateway in front of the functions. */
function gateway(makeEvent: (request: ClientRequest) => HttpEvent): Fetch {
  return async (url, { method = 'GET', headers, body }) => {
    const { pathname, search } = new URL(url);
    const { operation, route } = routeOf(method, pathname);
    const request = {
      method,
      target: pathname + search,
      route,
      headers: Object.fromEntries(new Headers(headers)),
    };
    const event = makeEvent(typeof body === 'string' ? { ...request, body } : request);
    const answer = await functions.get(operation)?.(event);
    if (answer === undefined) throw new Error(`No function serves ${route}.`);
    const { statusCode, body: text, multiValueHeaders } = answer;
    const lists = Object.entries<unknown>(multiValueHeaders ?? {});
    return new Response(statusCode === 204 ? null : text, {
      status: statusCode,
      headers: {
        ...answer.headers,
        ...Object.fromEntries(lists.map(([name, values]) => [name, String(values)])),
      },
    });
  };
}

for (const [kind, makeEvent] of EVENT_KINDS) {
  memoryCases(
    `functions of AWS Lambda behind a ${kind}`,
    async () =>
      createAgentMemoryClient({
        baseUrl: 'https://api.example.com',
        fetch: gateway(makeEvent),
        wait: () => Promise.resolve(),
      }),
    kind === 'HTTP API' ? HTTP_API_EXCEPTIONS : [],
  );
}

it('has a function for every operation', () => {
  expect(functions.size).toBe(ALL_OPERATIONS.length);
});
