import { getContextCard } from '../../lib/memory/context-card.ts';
import { getContextCardContract } from '../../lib/schemas/operations/context.ts';
import { defineOperation } from '../operation.ts';
import { lambdaHandler } from '../runtime/lambda.ts';
import { loadTokenizer } from '../runtime/load-tokenizer.ts';

export const getContextCardOperation = defineOperation(
  getContextCardContract,
  (context, { parameters, body }) => getContextCard(context, parameters.threadId, body),
);

/** AWS Lambda entry of this operation alone. */
export const handler = /* @__PURE__ */ lambdaHandler([getContextCardOperation], loadTokenizer);
