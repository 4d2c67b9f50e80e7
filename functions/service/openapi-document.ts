import * as z from 'zod';
import type { ErrorCode } from '../../lib/errors/agent-memory-error.ts';
import { NDJSON } from '../../lib/schemas/ndjson.ts';
import {
  type OperationContract,
  takesBody,
  takesIdempotencyKey,
} from '../../lib/schemas/operation-contract.ts';
import { ALL_CONTRACTS } from '../../lib/schemas/operations/all-contracts.ts';
import { problemSchema } from '../../lib/schemas/problem.ts';
import { STATUS_OF_CODE } from '../http/problem.ts';
import { BASE_PATH } from '../mount-operation.ts';

type JsonSchema = Readonly<Record<string, unknown>>;
type Components = Record<string, JsonSchema>;

/** Codes that every operation can answer; those of its body and its path come with them. */
const GENERAL_CODES: readonly ErrorCode[] = [
  'invalid_request',
  'unauthenticated',
  'forbidden',
  'rate_limited',
  'unsupported',
  'internal',
  'unavailable',
  'timeout',
];
/** A key of another request, or of one that still runs. */
const IDEMPOTENCY_CODES: readonly ErrorCode[] = ['idempotency_mismatch', 'conflict'];
const BODY_CODES: readonly ErrorCode[] = ['payload_too_large', 'unsupported_media_type'];

/** The header that makes a request safe to repeat, and what its answer says when it was repeated. */
const IDEMPOTENCY_KEY = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description: 'Makes the request safe to repeat: the same key and body give the first answer again',
  schema: { type: 'string', pattern: '^[\\x21-\\x7e]{1,255}$' },
};
const REPLAYED_HEADER = {
  'Idempotency-Replayed': {
    description: 'The answer is that of an earlier request with the same Idempotency-Key',
    schema: { type: 'string', const: 'true' },
  },
};

/** Which of them a service takes is the choice of its operator. */
const SECURITY_SCHEMES = {
  apiKey: { type: 'http', scheme: 'bearer', description: 'An API key (AUTH_MODE=api-key)' },
  jwt: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'JWT',
    description: 'A token of the issuer that the service trusts (AUTH_MODE=jwt)',
  },
};

let document: JsonSchema | undefined;

/** The OpenAPI 3.1 document of all operations, made from their contracts once. */
export function openApiDocument(): JsonSchema {
  document ??= buildDocument(ALL_CONTRACTS);
  return document;
}

function buildDocument(contracts: readonly OperationContract[]): JsonSchema {
  const schemas: Components = {};
  const paths: Record<string, Record<string, unknown>> = {};
  for (const contract of contracts) {
    const path = BASE_PATH + contract.path;
    paths[path] = { ...paths[path], [contract.method]: describeOperation(contract, schemas) };
  }
  reference(problemSchema, schemas);
  return {
    openapi: '3.1.0',
    info: { title: 'agent-memory-functions', version: '1', summary: 'Agent memory on Oracle Database' },
    paths,
    components: {
      schemas,
      securitySchemes: SECURITY_SCHEMES,
    },
  };
}

function describeOperation(contract: OperationContract, schemas: Components): JsonSchema {
  const body = {
    required: true,
    content: {
      'application/json': { schema: reference(contract.body, schemas) },
      ...(contract.bodyFormat === 'ndjson' ? { [NDJSON]: { schema: lineOf(contract.body, schemas) } } : {}),
    },
  };
  const response =
    contract.responseFormat === 'ndjson'
      ? { [NDJSON]: { schema: lineOf(contract.response, schemas) } }
      : { 'application/json': { schema: reference(contract.response, schemas) } };
  return {
    operationId: contract.id,
    summary: contract.summary,
    ...(contract.description === undefined ? {} : { description: contract.description }),
    security: [{ apiKey: [contract.access] }, { jwt: [contract.access] }],
    parameters: [
      ...describeParameters(contract.parameters, 'path', schemas),
      ...describeParameters(contract.query, 'query', schemas),
      ...(takesIdempotencyKey(contract) ? [IDEMPOTENCY_KEY] : []),
    ],
    ...(takesBody(contract) ? { requestBody: body } : {}),
    responses: {
      [contract.status]: {
        description: 'Success',
        ...(takesIdempotencyKey(contract) ? { headers: REPLAYED_HEADER } : {}),
        content: response,
      },
      ...(contract.goesOn === undefined
        ? {}
        : { 202: { description: 'The work goes on', content: response } }),
      ...describeProblems(contract),
    },
  };
}

/** What is written as lines of JSON is described by one of its lines. */
function lineOf(schema: z.ZodType, schemas: Components): JsonSchema {
  const { properties } = z
    .object({ properties: z.object({ lines: z.object({ items: z.record(z.string(), z.unknown()) }) }) })
    .parse(reference(schema, schemas));
  return properties.lines.items;
}

function describeParameters(
  schema: z.ZodType,
  location: 'path' | 'query',
  schemas: Components,
): readonly JsonSchema[] {
  const { properties = {} } = z
    .object({ properties: z.record(z.string(), z.unknown()).optional() })
    .parse(reference(schema, schemas));
  return Object.entries(properties).map(([name, property]) => ({
    name,
    in: location,
    required: location === 'path',
    schema: property,
  }));
}

function describeProblems(contract: OperationContract): JsonSchema {
  const codes = new Set([
    ...GENERAL_CODES,
    ...(takesBody(contract) ? BODY_CODES : []),
    ...(takesIdempotencyKey(contract) ? IDEMPOTENCY_CODES : []),
    ...contract.errors,
  ]);
  const byStatus = Map.groupBy(codes, (code) => STATUS_OF_CODE[code].status);
  const content = { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } };
  return Object.fromEntries(
    [...byStatus].map(([status, group]) => [status, { description: group.join(', '), content }]),
  );
}

/** The JSON schema of a wire schema, with its named parts moved to `components`. */
function reference(schema: z.ZodType, schemas: Components): JsonSchema {
  const { $schema: _, $defs = {}, ...root } = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' });
  for (const [name, part] of Object.entries($defs)) schemas[name] = relocate(part);
  const { id } = root;
  if (typeof id !== 'string') return relocate(root);
  schemas[id] = relocate(root);
  return { $ref: `#/components/schemas/${id}` };
}

function relocate(schema: object): JsonSchema {
  const { id: _, ...relocated }: Record<string, unknown> = JSON.parse(
    JSON.stringify(schema).replaceAll('"#/$defs/', '"#/components/schemas/'),
  );
  return relocated;
}
