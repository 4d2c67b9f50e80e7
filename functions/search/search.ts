import { search } from '../../lib/memory/search.ts';
import { searchContract } from '../../lib/schemas/operations/search.ts';
import { defineOperation } from '../operation.ts';
import { lambdaHandler } from '../runtime/lambda.ts';
import { loadTokenizer } from '../runtime/load-tokenizer.ts';

export const searchOperation = defineOperation(searchContract, (context, { body }) => search(context, body));

/** AWS Lambda entry of this operation alone. */
export const handler = /* @__PURE__ */ lambdaHandler([searchOperation], loadTokenizer);
