import * as z from 'zod';
import { NDJSON } from '../../lib/schemas/ndjson.ts';
import {
  type OperationContract,
  takesBody,
  takesIdempotencyKey,
} from '../../lib/schemas/operation-contract.ts';
import { ALL_CONTRACTS } from '../../lib/schemas/operations/all-contracts.ts';
import { problemSchema } from '../../lib/schemas/problem.ts';
import { BASE_PATH } from '../mount-operation.ts';
import { IDEMPOTENCY_KEY } from '../openapi-examples/example-values.ts';
import { OPERATION_EXAMPLES } from '../openapi-examples/operation-examples.ts';
import { problemExamples } from '../openapi-examples/problem-examples.ts';
import { describeProblems } from './openapi-problems.ts';

type JsonSchema = Readonly<Record<string, unknown>>;
type Components = Record<string, JsonSchema>;

/** The header that makes a request safe to repeat, and what its answer says when it was repeated. */
const IDEMPOTENCY_HEADER = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description: 'Makes the request safe to repeat: the same key and body give the first answer again',
  schema: { type: 'string', pattern: '^[\\x21-\\x7e]{1,255}$' },
  example: IDEMPOTENCY_KEY,
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
      examples: Object.fromEntries(problemExamples().map((value) => [value.code, { value }])),
      securitySchemes: SECURITY_SCHEMES,
    },
  };
}

function describeOperation(contract: OperationContract, schemas: Components): JsonSchema {
  const example = OPERATION_EXAMPLES.get(contract.id);
  const describeAnswer = contract.responseFormat === 'ndjson' ? describeLines : describeJson;
  return {
    operationId: contract.id,
    summary: contract.summary,
    ...(contract.description === undefined ? {} : { description: contract.description }),
    security: [{ apiKey: [contract.access] }, { jwt: [contract.access] }],
    parameters: [
      ...describeParameters(contract.parameters, 'path', example?.parameters, schemas),
      ...describeParameters(contract.query, 'query', example?.query, schemas),
      ...(takesIdempotencyKey(contract) ? [IDEMPOTENCY_HEADER] : []),
    ],
    ...(takesBody(contract) ? { requestBody: describeBody(contract, example?.body, schemas) } : {}),
    responses: {
      [contract.status]: {
        description: 'Success',
        ...(takesIdempotencyKey(contract) ? { headers: REPLAYED_HEADER } : {}),
        content: describeAnswer(contract.response, example?.response, schemas),
      },
      ...(contract.goesOn === undefined
        ? {}
        : {
            202: {
              description: 'The work goes on',
              content: describeAnswer(contract.response, example?.pendingResponse, schemas),
            },
          }),
      ...describeProblems(contract),
    },
  };
}

function describeBody(contract: OperationContract, example: unknown, schemas: Components): JsonSchema {
  const json = describeJson(contract.body, example, schemas);
  const lines = contract.bodyFormat === 'ndjson' ? describeLines(contract.body, example, schemas) : {};
  return { required: true, content: { ...json, ...lines } };
}

function describeJson(schema: z.ZodType, example: unknown, schemas: Components): JsonSchema {
  return { 'application/json': { schema: reference(schema, schemas), example } };
}

/** What is written as lines of JSON is described by one of its lines, with an example of each kind. */
function describeLines(schema: z.ZodType, example: unknown, schemas: Components): JsonSchema {
  const { properties } = z
    .object({ properties: z.object({ lines: z.object({ items: z.record(z.string(), z.unknown()) }) }) })
    .parse(reference(schema, schemas));
  const { lines } = z
    .object({ lines: z.array(z.looseObject({ type: z.string().optional() })) })
    .parse(example);
  const examples = Object.fromEntries(lines.map((value) => [value.type ?? 'end', { value }]));
  return { [NDJSON]: { schema: properties.lines.items, examples } };
}

function describeParameters(
  schema: z.ZodType,
  location: 'path' | 'query',
  examples: Readonly<Record<string, string>> | undefined,
  schemas: Components,
): readonly JsonSchema[] {
  const { properties = {} } = z
    .object({ properties: z.record(z.string(), z.looseObject({ type: z.string().optional() })).optional() })
    .parse(reference(schema, schemas));
  return Object.entries(properties).map(([name, property]) => ({
    name,
    in: location,
    required: location === 'path',
    schema: property,
    ...(examples?.[name] === undefined ? {} : { example: parameterValue(examples[name], property.type) }),
  }));
}

/** The value that the text of a parameter stands for. */
function parameterValue(text: string, type: string | undefined): unknown {
  return type === 'integer' || type === 'boolean' ? JSON.parse(text) : text;
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
