import { describe, expect, it } from 'vitest';
import type { OperationExample } from '../../functions/openapi-examples/define-example.ts';
import { OPERATION_EXAMPLES } from '../../functions/openapi-examples/operation-examples.ts';
import { openApiDocument } from '../../functions/service/openapi-document.ts';
import { NDJSON, writeNdjson } from '../../lib/schemas/ndjson.ts';
import { type OperationContract, takesBody } from '../../lib/schemas/operation-contract.ts';
import { ALL_CONTRACTS } from '../../lib/schemas/operations/all-contracts.ts';
import { parseRequest } from '../../lib/schemas/validation-issues.ts';
import { createOpenApiValidator } from './openapi-validator.ts';

const validator = createOpenApiValidator();

function exampleOf({ id }: OperationContract): OperationExample {
  const example = OPERATION_EXAMPLES.get(id);
  if (example === undefined) throw new Error(`no example of ${id}`);
  return example;
}

/** The answer as the service would send it. */
function respond(contract: OperationContract, status: number, answer: unknown): Response {
  if (contract.responseFormat !== 'ndjson') return Response.json(answer, { status });
  const lines: unknown = Object(answer).lines;
  const text = writeNdjson({ lines: Array.isArray(lines) ? lines : [] });
  return new Response(text, { status, headers: { 'Content-Type': NDJSON } });
}

/** Every value under a key `example` or `examples` of a part of the document. */
function examplesIn(part: unknown): readonly unknown[] {
  if (typeof part !== 'object' || part === null) return [];
  return Object.entries(part).flatMap(([key, value]) =>
    key === 'example' || key === 'examples' ? [value] : examplesIn(value),
  );
}

it('there is an example of every operation, and of no other', () => {
  expect([...OPERATION_EXAMPLES.keys()].sort()).toEqual(ALL_CONTRACTS.map(({ id }) => id).sort());
});

it('the examples name one thing of every kind, each by an id of its own', () => {
  const text = JSON.stringify([...OPERATION_EXAMPLES.values()]);
  const kinds = ['threadId', 'messageId', 'memoryId', 'userId', 'agentId', 'jobId'];
  const ids = kinds.map((kind) => [
    ...new Set([...text.matchAll(new RegExp(`"${kind}":"([^"]+)"`, 'g'))].map(([, id]) => id)),
  ]);
  expect(ids.map(({ length }) => length)).toEqual(kinds.map(() => 1));
  expect(new Set(ids.flat()).size).toBe(kinds.length);
});

describe.each(ALL_CONTRACTS.map((contract) => [contract.id, contract] as const))(
  'the example of %s',
  (_, contract) => {
    const { parameters, query, body, response, pendingResponse } = exampleOf(contract);

    it('is a request that the operation accepts', () => {
      parseRequest(contract.parameters, parameters);
      parseRequest(contract.query, query);
      parseRequest(contract.body, body);
      expect(body !== undefined).toBe(takesBody(contract));
    });

    it('is an answer that the operation gives, and that the document describes', async () => {
      const answers = [
        { status: contract.status, answer: response },
        ...(contract.goesOn === undefined ? [] : [{ status: 202, answer: pendingResponse }]),
      ];
      for (const { status, answer } of answers) {
        expect(contract.response.parse(answer)).toEqual(answer);
        expect(contract.goesOn?.(answer) ?? false).toBe(status === 202);
        const path = `/v1${contract.path.replaceAll(/[{}]/g, '')}`;
        await validator.check(contract.method.toUpperCase(), path, respond(contract, status, answer));
      }
    });

    it('stands in the document', () => {
      const operation: unknown = Object(openApiDocument().paths)[`/v1${contract.path}`][contract.method];
      const shown = examplesIn(operation);
      const lines = contract.responseFormat === 'ndjson' || contract.bodyFormat === 'ndjson';
      for (const value of [...Object.values(parameters), ...(body === undefined ? [] : [body])]) {
        expect(shown).toContainEqual(value);
      }
      for (const value of Object.values(query)) expect(shown.map(String)).toContain(value);
      if (!lines) expect(shown).toContainEqual(response);
      if (pendingResponse !== undefined) expect(shown).toContainEqual(pendingResponse);
    });
  },
);
