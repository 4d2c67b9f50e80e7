import type * as z from 'zod';
import type { OperationContract } from '../../lib/schemas/operation-contract.ts';

/** A request of an operation as it goes over the wire, with every field that it takes, and the answer to it. */
export interface OperationExample {
  readonly operationId: string;
  readonly parameters: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string>>;
  /** Absent where the operation takes none. */
  readonly body?: Readonly<Record<string, unknown>>;
  readonly response: unknown;
  /** The answer while the work goes on, where an operation has such answers. */
  readonly pendingResponse?: unknown;
}

/** What an example says; parts that an operation does not have are left out. */
interface ExampleParts<Parameters, Query, Body, Response> {
  readonly parameters?: Parameters;
  readonly query?: Query;
  readonly body?: Body;
  readonly response: Response;
  readonly pendingResponse?: Response;
}

/** States the example of one operation; the types are those of its contract. */
export function defineExample<
  Parameters extends z.ZodType<unknown, Readonly<Record<string, string>>>,
  Query extends z.ZodType<unknown, Readonly<Record<string, string | undefined>>>,
  Body extends z.ZodType<unknown, Readonly<Record<string, unknown>> | undefined>,
  Response extends z.ZodType,
>(
  { id }: OperationContract<Parameters, Query, Body, Response>,
  example: ExampleParts<z.input<Parameters>, z.input<Query>, z.input<Body>, z.input<Response>>,
): OperationExample {
  const { parameters = {}, query = {}, body, response, pendingResponse } = example;
  const given = Object.entries(query).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, value]],
  );
  return {
    operationId: id,
    parameters,
    query: Object.fromEntries(given),
    ...(body === undefined ? {} : { body }),
    response,
    ...(pendingResponse === undefined ? {} : { pendingResponse }),
  };
}
