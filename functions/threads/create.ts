import { createThread } from '../../lib/memory/threads.ts';
import { createThreadContract } from '../../lib/schemas/operations/threads.ts';
import { defineOperation } from '../operation.ts';
import { lambdaHandler } from '../runtime/lambda.ts';

export const createThreadOperation = defineOperation(createThreadContract, (context, { body }) =>
  createThread(context, body),
);

/** AWS Lambda entry of this operation alone. */
export const handler = /* @__PURE__ */ lambdaHandler([createThreadOperation]);
