import { addMessages } from '../../lib/memory/messages.ts';
import { addMessagesContract } from '../../lib/schemas/operations/messages.ts';
import { defineOperation } from '../operation.ts';
import { lambdaHandler } from '../runtime/lambda.ts';
import { createLambdaJobQueue } from '../runtime/lambda-job-queue.ts';
import { loadTokenizer } from '../runtime/load-tokenizer.ts';

export const addMessagesOperation = defineOperation(addMessagesContract, (context, { parameters, body }) =>
  addMessages(context, parameters.threadId, body),
);

/** AWS Lambda entry of this operation alone. */
export const handler = /* @__PURE__ */ lambdaHandler(
  [addMessagesOperation],
  loadTokenizer,
  createLambdaJobQueue,
);
