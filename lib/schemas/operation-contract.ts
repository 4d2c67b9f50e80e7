import type * as z from 'zod';
import type { ErrorCode } from '../errors/agent-memory-error.ts';

/** Rights that a caller's credential may carry (HTTP API contract, Callers). */
export type AccessScope =
  | 'threads:read'
  | 'threads:write'
  | 'memories:read'
  | 'memories:write'
  | 'guidelines:write'
  | 'users:read'
  | 'users:write'
  | 'records:read'
  | 'records:write'
  | 'jobs:read'
  | 'jobs:write'
  | 'audit:read';

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
  readonly access: AccessScope;
  readonly parameters?: Parameters;
  readonly query?: Query;
  readonly body?: Body;
  readonly status: 200 | 201;
  readonly response: Response;
  /** Codes beside those that every operation can answer. */
  readonly errors: readonly ErrorCode[];
}
