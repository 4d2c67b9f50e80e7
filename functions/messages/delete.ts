import { deleteMessage } from '../../lib/memory/message-changes.ts';
import { deleteMessageContract } from '../../lib/schemas/operations/messages.ts';
import { defineOperation } from '../operation.ts';
import { lambdaHandler } from '../runtime/lambda.ts';

export const deleteMessageOperation = defineOperation(
  deleteMessageContract,
  async (context, { parameters: { threadId, messageId } }) => ({
    deleted: await deleteMessage(context, threadId, messageId),
  }),
);

/** AWS Lambda entry of this operation alone. */
export const handler = /* @__PURE__ */ lambdaHandler([deleteMessageOperation]);
