import { deleteThread } from '../../lib/memory/threads.ts';
import { deleteThreadContract } from '../../lib/schemas/operations/threads.ts';
import { defineOperation } from '../operation.ts';
import { lambdaHandler } from '../runtime/lambda.ts';

export const deleteThreadOperation = defineOperation(
  deleteThreadContract,
  async (context, { parameters }) => ({ deleted: await deleteThread(context, parameters.threadId) }),
);

/** AWS Lambda entry of this operation alone. */
export const handler = /* @__PURE__ */ lambdaHandler([deleteThreadOperation]);
