import { updateMessage } from '../../lib/memory/message-changes.ts';
import { updateMessageContract } from '../../lib/schemas/operations/messages.ts';
import { defineOperation } from '../operation.ts';
import { lambdaHandler } from '../runtime/lambda.ts';
import { createLambdaJobQueue } from '../runtime/lambda-job-queue.ts';
import { loadTokenizer } from '../runtime/load-tokenizer.ts';

export const updateMessageOperation = defineOperation(
  updateMessageContract,
  (context, { parameters, body }) => updateMessage(context, parameters.threadId, parameters.messageId, body),
);

/** AWS Lambda entry of this operation alone. */
export const handler = /* @__PURE__ */ lambdaHandler(
  [updateMessageOperation],
  loadTokenizer,
  createLambdaJobQueue,
);
