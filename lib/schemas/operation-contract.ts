import * as z from 'zod';
import type { ErrorCode } from '../errors/agent-memory-error.ts';

/** Rights that a caller's credential may carry (HTTP API contract, Callers). */
export const ACCESS_SCOPES = [
  'threads:read',
  'threads:write',
  'memories:read',
  'memories:write',
  'guidelines:write',
  'users:read',
  'users:write',
  'records:read',
  'records:write',
  'jobs:read',
  'jobs:write',
  'audit:read',
] as const;
export type AccessScope = (typeof ACCESS_SCOPES)[number];

/** How a body or an answer is written. */
export type BodyFormat = 'json' | 'ndjson';

/** For an operation without path parameters or without query parameters: anything given is an unknown key. */
export const noFields = z.strictObject({});
/** For an operation that takes no body. */
export const noBody = z.undefined();

/**
 * One public operation, defined once: validation, the OpenAPI document, the typed client, the per-function entries and
 * the Worker's router are all made from it.
 */
export interface OperationContract<
  Parameters extends z.ZodType = z.ZodType,
  Query extends z.ZodType = z.ZodType,
  Body extends z.ZodType = z.ZodType,
  Response extends z.ZodType = z.ZodType,
> {
  /** operationId, camelCase. */
  readonly id: string;
  readonly method: 'get' | 'post' | 'patch' | 'delete';
  /** Below `/v1`, with `{name}` for parameters. */
  readonly path: string;
  readonly summary: string;
  /** What a caller has to know beside the summary. */
  readonly description?: string;
  readonly access: AccessScope;
  /** Whether it only reads, also as a POST: safe to repeat, and an idempotency key means nothing to it. */
  readonly readOnly: boolean;
  readonly parameters: Parameters;
  readonly query: Query;
  readonly body: Body;
  /**
   * `ndjson`: a body may come as lines of JSON, which are the member `lines` of what `body` describes.
   *
   * @default 'json'
   */
  readonly bodyFormat?: BodyFormat;
  /** Bytes of a body of lines where that is more than a service takes otherwise. */
  readonly bodyLimitBytes?: number;
  /** Of an answer that is whole. */
  readonly status: 200 | 201;
  /** Whether an answer only says that the work goes on: 202 with `Retry-After`, and the caller asks again. */
  goesOn?(answer: z.output<Response>): boolean;
  readonly response: Response;
  /** `ndjson`: the member `lines` of the answer is sent as lines of JSON. @default 'json' */
  readonly responseFormat?: BodyFormat;
  /** Codes beside those that every operation can answer. */
  readonly errors: readonly ErrorCode[];
  /** Rights that a request needs beside `access` because of what is in its body. */
  additionalAccess?(body: z.output<Body>): readonly AccessScope[];
}

/** States one operation; the result is frozen. */
export function defineContract<
  Parameters extends z.ZodType,
  Query extends z.ZodType,
  Body extends z.ZodType,
  Response extends z.ZodType,
>(
  contract: OperationContract<Parameters, Query, Body, Response>,
): Readonly<OperationContract<Parameters, Query, Body, Response>> {
  return Object.freeze(contract);
}

/** Whether an `Idempotency-Key` means something to the operation: to a POST that changes state. */
export function takesIdempotencyKey({ method, readOnly }: OperationContract): boolean {
  return method === 'post' && !readOnly;
}

/** Whether requests of the operation carry a JSON body. */
export function takesBody(contract: OperationContract): boolean {
  return contract.body !== noBody;
}
