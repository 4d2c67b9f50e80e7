import { updateThread } from '../../lib/memory/threads.ts';
import { updateThreadContract } from '../../lib/schemas/operations/threads.ts';
import { defineOperation } from '../operation.ts';
import { lambdaHandler } from '../runtime/lambda.ts';

export const updateThreadOperation = defineOperation(updateThreadContract, (context, { parameters, body }) =>
  updateThread(context, parameters.threadId, body),
);

/** AWS Lambda entry of this operation alone. */
export const handler = /* @__PURE__ */ lambdaHandler([updateThreadOperation]);
