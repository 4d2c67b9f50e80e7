import { listThreads } from '../../lib/memory/threads.ts';
import { listThreadsContract } from '../../lib/schemas/operations/threads.ts';
import { defineOperation } from '../operation.ts';
import { lambdaHandler } from '../runtime/lambda.ts';

export const listThreadsOperation = defineOperation(listThreadsContract, (context, { query }) =>
  listThreads(context, query),
);

/** AWS Lambda entry of this operation alone. */
export const handler = /* @__PURE__ */ lambdaHandler([listThreadsOperation]);
