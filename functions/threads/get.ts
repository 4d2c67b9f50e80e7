import { getThread } from '../../lib/memory/threads.ts';
import { getThreadContract } from '../../lib/schemas/operations/threads.ts';
import { defineOperation } from '../operation.ts';
import { lambdaHandler } from '../runtime/lambda.ts';

export const getThreadOperation = defineOperation(getThreadContract, (context, { parameters }) =>
  getThread(context, parameters.threadId),
);

/** AWS Lambda entry of this operation alone. */
export const handler = /* @__PURE__ */ lambdaHandler([getThreadOperation]);
