import { getMessages } from '../../lib/memory/messages.ts';
import { getMessagesContract } from '../../lib/schemas/operations/messages.ts';
import { defineOperation } from '../operation.ts';
import { lambdaHandler } from '../runtime/lambda.ts';

export const getMessagesOperation = defineOperation(getMessagesContract, (context, { parameters, query }) =>
  getMessages(context, parameters.threadId, query),
);

/** AWS Lambda entry of this operation alone. */
export const handler = /* @__PURE__ */ lambdaHandler([getMessagesOperation]);
