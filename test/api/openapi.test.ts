import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { takesBody } from '../../lib/schemas/operation-contract.ts';
import { ALL_CONTRACTS } from '../../lib/schemas/operations/all-contracts.ts';
import { problemSchema } from '../../lib/schemas/problem.ts';
import { createBareApp } from './bare-app.ts';

const namedExamples = z.record(
  z.string(),
  z.union([z.strictObject({ value: z.unknown() }), z.strictObject({ $ref: z.string() })]),
);
const media = z.record(
  z.string(),
  z.strictObject({
    schema: z.record(z.string(), z.unknown()),
    example: z.unknown().optional(),
    examples: namedExamples.optional(),
  }),
);
const operationSchema = z.strictObject({
  operationId: z.string(),
  summary: z.string().min(1),
  description: z.string().min(1).optional(),
  security: z.array(z.record(z.string(), z.array(z.string()))).length(2),
  parameters: z.array(
    z.strictObject({
      name: z.string(),
      in: z.enum(['path', 'query', 'header']),
      required: z.boolean(),
      description: z.string().optional(),
      schema: z.record(z.string(), z.unknown()),
      example: z.union([z.string(), z.number(), z.boolean()]).optional(),
    }),
  ),
  requestBody: z.strictObject({ required: z.literal(true), content: media }).optional(),
  responses: z.record(
    z.string().regex(/^[245]\d\d$/),
    z.strictObject({
      description: z.string(),
      headers: z
        .record(z.string(), z.strictObject({ description: z.string(), schema: z.looseObject({}) }))
        .optional(),
      content: media,
    }),
  ),
});
/** The parts of OpenAPI 3.1 that the document uses, closed. */
const documentSchema = z.strictObject({
  openapi: z.literal('3.1.0'),
  info: z.strictObject({ title: z.string(), version: z.string(), summary: z.string() }),
  paths: z.record(
    z.string().startsWith('/v1/'),
    z.record(z.enum(['get', 'post', 'patch', 'delete']), operationSchema.optional()),
  ),
  components: z.strictObject({
    schemas: z.record(z.string(), z.looseObject({ type: z.string() })),
    examples: z.record(z.string(), z.strictObject({ value: problemSchema })),
    securitySchemes: z.record(
      z.string(),
      z.looseObject({ type: z.literal('http'), scheme: z.literal('bearer') }),
    ),
  }),
});

const text = await (await createBareApp().app.request('/openapi.json')).text();
const document = documentSchema.parse(JSON.parse(text));
const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).flatMap(([method, operation]) =>
    operation === undefined ? [] : [{ path, method, operation }],
  ),
);

describe('the OpenAPI document', () => {
  it('declares every operation once, where it is served', () => {
    const declared = operations.map(({ path, method, operation }) => [operation.operationId, method, path]);
    const expected = ALL_CONTRACTS.map(({ id, method, path }) => [id, method, `/v1${path}`]);
    expect(declared.sort()).toEqual(expected.sort());
  });

  it('shows the idempotency key at exactly the POSTs that change state', () => {
    const keyed = operations.filter(({ operation }) =>
      operation.parameters.some(
        (parameter) => parameter.in === 'header' && parameter.name === 'Idempotency-Key',
      ),
    );
    const changing = ALL_CONTRACTS.filter(({ method, readOnly }) => method === 'post' && !readOnly);
    expect(keyed.map(({ operation }) => operation.operationId).sort()).toEqual(
      changing.map(({ id }) => id).sort(),
    );
    for (const { operation } of keyed) {
      expect(Object.keys(operation.responses)).toContain('422');
      expect(operation.responses['201'] ?? operation.responses['200']).toHaveProperty([
        'headers',
        'Idempotency-Replayed',
      ]);
    }
  });

  it('has no reference into nowhere and no definition that nothing uses', () => {
    const references = [...text.matchAll(/"\$ref":"([^"]+)"/g)].map((match) => match[1]);
    const { schemas, examples } = document.components;
    const defined = Object.entries({ schemas, examples }).flatMap(([part, named]) =>
      Object.keys(named).map((name) => `#/components/${part}/${name}`),
    );
    expect([...new Set(references)].sort()).toEqual(defined.sort());
  });

  it('declares the parameters of every path', () => {
    for (const { path, operation } of operations) {
      const named = [...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1]);
      const inPath = operation.parameters.filter((parameter) => parameter.in === 'path');
      expect(inPath.map(({ name }) => name)).toEqual(named);
      expect(inPath.every(({ required }) => required)).toBe(true);
    }
    const window = operations.find(({ operation }) => operation.operationId === 'getMessages')?.operation;
    expect(window?.parameters.map(({ name, required }) => [name, required])).toEqual([
      ['threadId', true],
      ['start', false],
      ['end', false],
    ]);
  });

  it('says what a summary has no room for', () => {
    for (const { description, id } of ALL_CONTRACTS) {
      const described = operations.find(({ operation }) => operation.operationId === id)?.operation;
      expect(described?.description, id).toBe(description);
    }
    const deleted = operations.find(({ operation }) => operation.operationId === 'deleteThread')?.operation;
    expect(deleted?.description).toContain('the answer is 0');
  });

  it('requires a closed JSON body exactly where the operation takes one', () => {
    for (const { operation } of operations) {
      const contract = ALL_CONTRACTS.find(({ id }) => id === operation.operationId);
      expect(operation.requestBody !== undefined, operation.operationId).toBe(
        contract !== undefined && takesBody(contract),
      );
      const schema = operation.requestBody?.content['application/json']?.schema;
      const named = String(schema?.$ref).replace('#/components/schemas/', '');
      const closed = document.components.schemas[named] ?? schema;
      if (closed !== undefined) expect(closed.additionalProperties).toBe(false);
    }
  });

  it('answers errors as problems, and says which', () => {
    for (const { operation } of operations) {
      const failures = Object.entries(operation.responses).filter(([status]) => !status.startsWith('2'));
      expect(failures.map(([status]) => status)).toEqual(
        expect.arrayContaining(['400', '401', '403', '429', '500', '503', '504']),
      );
      for (const [status, { content, description }] of failures) {
        const codes = description.split(', ');
        expect(content).toEqual({
          'application/problem+json': {
            schema: { $ref: '#/components/schemas/Problem' },
            examples: Object.fromEntries(
              codes.map((code) => [code, { $ref: `#/components/examples/${code}` }]),
            ),
          },
        });
        for (const code of codes) {
          expect(document.components.examples[code]?.value).toMatchObject({ code, status: Number(status) });
        }
      }
    }
  });

  it('names the scope that each operation takes, by key and by token', () => {
    expect(Object.keys(document.components.securitySchemes)).toEqual(['apiKey', 'jwt']);
    for (const { operation } of operations) {
      const access = ALL_CONTRACTS.find(({ id }) => id === operation.operationId)?.access;
      expect(operation.security).toEqual([{ apiKey: [access] }, { jwt: [access] }]);
    }
  });

  it('describes metadata as any object and times as date-time', () => {
    expect(document.components.schemas.Message).toMatchObject({
      properties: { metadata: { type: 'object', additionalProperties: true } },
    });
    expect(text).toContain('"format":"date-time"');
  });
});
