import type { OperationExample } from '../../functions/openapi-examples/define-example.ts';
import { OPERATION_EXAMPLES } from '../../functions/openapi-examples/operation-examples.ts';

/** A request that every operation accepts. Ids name things that need not exist. */
export interface ValidRequest extends Pick<OperationExample, 'parameters' | 'body'> {
  /** As it stands in a URL. */
  readonly query?: string;
}

/** With a null content any retrieval text of another form is wrong by itself. */
const CHANGES: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  updateRecord: { content: null, indexText: null, embedding: null },
};

/** The requests that the OpenAPI document shows, by operationId. */
export const VALID_REQUESTS: Readonly<Record<string, ValidRequest>> = Object.fromEntries(
  [...OPERATION_EXAMPLES].map(([id, example]) => [id, validRequest(example)]),
);

function validRequest({ operationId, parameters, query, body }: OperationExample): ValidRequest {
  const search = new URLSearchParams(query).toString();
  return {
    parameters,
    ...(search === '' ? {} : { query: search }),
    ...(body === undefined ? {} : { body: { ...body, ...CHANGES[operationId] } }),
  };
}
