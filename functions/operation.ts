import type * as z from 'zod';
import { type Idempotency, runOnce } from '../lib/memory/idempotency/run-once.ts';
import type { MemoryContext } from '../lib/memory/memory-context.ts';
import type { AccessScope, OperationContract } from '../lib/schemas/operation-contract.ts';
import { parseRequest } from '../lib/schemas/validation-issues.ts';
import { type NamedId, namedIds } from './named-ids.ts';
import type { StreamOf } from './streamed-lines.ts';

/** The parts of a request as they arrived: decoded, not yet checked. */
export interface ReceivedInput {
  readonly parameters: unknown;
  readonly query: unknown;
  readonly body: unknown;
}

/** The parts of a request as the contract made them. */
export interface OperationInput<
  Parameters extends z.ZodType,
  Query extends z.ZodType,
  Body extends z.ZodType,
> {
  readonly parameters: z.output<Parameters>;
  readonly query: z.output<Query>;
  readonly body: z.output<Body>;
}

/** A request that was found valid. */
export interface AcceptedRequest {
  /** Rights it needs beside the contract's. */
  readonly additionalAccess: readonly AccessScope[];
  /** The users, agents and threads that it names. */
  readonly named: readonly NamedId[];
  /** With an idempotency key at most once: repeated, it answers as the first time. */
  run(context: MemoryContext, idempotency?: Idempotency): Promise<unknown>;
}

/** A contract with the use case behind it, ready to be mounted. */
export interface Operation {
  readonly contract: OperationContract;
  /** @throws AgentMemoryError `invalid_request` naming every wrong field */
  accept(received: ReceivedInput): AcceptedRequest;
}

/**
 * Joins a contract and its handler. The answer's type is checked against the contract's response; where that has lines alone, a
 * stream of them may be sent.
 */
export function defineOperation<
  Parameters extends z.ZodType,
  Query extends z.ZodType,
  Body extends z.ZodType,
  Response extends z.ZodType,
>(
  contract: OperationContract<Parameters, Query, Body, Response>,
  handle: (
    context: MemoryContext,
    input: OperationInput<Parameters, Query, Body>,
  ) => Promise<z.output<Response> | StreamOf<z.output<Response>>>,
): Operation {
  return Object.freeze({
    contract,
    accept(received: ReceivedInput): AcceptedRequest {
      const input = {
        parameters: parseRequest(contract.parameters, received.parameters),
        query: parseRequest(contract.query, received.query),
        body: parseRequest(contract.body, received.body),
      };
      return {
        additionalAccess: contract.additionalAccess?.(input.body) ?? [],
        named: namedIds([input.parameters, input.query, input.body]),
        run: (context, idempotency) =>
          runOnce(context, { operationId: contract.id, ...input }, idempotency, (each) =>
            handle(each, input),
          ),
      };
    },
  });
}
