import { searchThread } from '../../lib/memory/search.ts';
import { searchThreadContract } from '../../lib/schemas/operations/search.ts';
import { defineOperation } from '../operation.ts';
import { lambdaHandler } from '../runtime/lambda.ts';
import { loadTokenizer } from '../runtime/load-tokenizer.ts';

export const searchThreadOperation = defineOperation(searchThreadContract, (context, { parameters, body }) =>
  searchThread(context, parameters.threadId, body),
);

/** AWS Lambda entry of this operation alone. */
export const handler = /* @__PURE__ */ lambdaHandler([searchThreadOperation], loadTokenizer);
