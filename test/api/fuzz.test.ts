import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AGENT_ID, THREAD_ID, USER_ID } from '../../functions/openapi-examples/example-values.ts';
import { type OperationContract, takesBody } from '../../lib/schemas/operation-contract.ts';
import { ALL_CONTRACTS } from '../../lib/schemas/operations/all-contracts.ts';
import { type ApiFixture, jsonRequest, startApi } from './api-fixture.ts';
import { VALID_REQUESTS } from './valid-requests.ts';

const RUNS = { numRuns: 40, seed: 20_261_130 };

let api: ApiFixture;
beforeAll(async () => {
  api = await startApi();
  await api.client.createThread({ threadId: THREAD_ID, userId: USER_ID, agentId: AGENT_ID });
  await api.client.addMemory('Ana likes peanuts.', { userId: 'ana', metadata: { a: { b: [1, 'x', null] } } });
});
afterAll(() => api.close());

const text = fc.string({ unit: 'binary', maxLength: 40 });
const id = fc.oneof(
  fc.constant(THREAD_ID),
  fc.string({ unit: 'grapheme', minLength: 1, maxLength: 130 }),
  text,
);
const operator = fc.constantFrom(
  '$eq',
  '$not',
  '$and',
  '$or',
  '$array_contains',
  '$gt',
  '$in',
  '$exists',
  '$unknown',
);
const { filter } = fc.letrec<{ filter: unknown; value: unknown }>((tie) => ({
  filter: fc.dictionary(fc.oneof(operator, text), tie('value'), { maxKeys: 3 }),
  value: fc.oneof(
    { depthSize: 'small' },
    fc.jsonValue({ maxDepth: 1 }),
    tie('filter'),
    fc.array(tie('value'), { maxLength: 3 }),
  ),
}));

/** A valid body in which some values are anything that JSON can say. */
function bodies(contract: OperationContract): fc.Arbitrary<Readonly<Record<string, unknown>>> {
  const valid = VALID_REQUESTS[contract.id]?.body ?? {};
  const fields = Object.entries(valid).map(([name, value]) => {
    const own = fc.constant(value);
    const other = name === 'metadataFilter' ? filter : fc.oneof(fc.jsonValue({ maxDepth: 2 }), id, filter);
    return [name, fc.oneof({ weight: 5, arbitrary: own }, { weight: 1, arbitrary: other })] as const;
  });
  return fc.record(Object.fromEntries(fields), { requiredKeys: [] });
}

async function expectNoFault(url: string, init: RequestInit): Promise<void> {
  const response = await api.app.request(url, init);
  const answer = await response.text();
  expect(
    response.status,
    `${url} ${String(init.body)} ${answer} ${JSON.stringify(api.logged.at(-1))}`,
  ).toBeLessThan(500);
}

describe.each(ALL_CONTRACTS.map((contract) => [contract.id, contract] as const))('%s', (_, contract) => {
  it('answers anything without a fault of its own', async () => {
    const body = takesBody(contract) ? bodies(contract) : fc.constant(undefined);
    await fc.assert(
      fc.asyncProperty(id, body, async (parameter, content) => {
        const path = contract.path.replaceAll(/\{\w+\}/g, () => encodeURIComponent(parameter.toWellFormed()));
        const method = contract.method.toUpperCase();
        await expectNoFault(`/v1${path}`, content === undefined ? { method } : jsonRequest(method, content));
      }),
      RUNS,
    );
  });
});

describe('a metadata filter', () => {
  it('is applied or refused, never a fault', async () => {
    await fc.assert(
      fc.asyncProperty(filter, async (metadataFilter) => {
        const body = { query: 'peanuts', userId: 'ana', metadataFilter };
        await expectNoFault('/v1/search', jsonRequest('POST', body));
      }),
      { ...RUNS, numRuns: 300 },
    );
  });
});
